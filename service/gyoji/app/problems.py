"""The exceptions that end a request with a problem, or with an answer that says more than a problem."""

from collections.abc import Mapping
from typing import Any

from gyoji.messages.language import Language
from gyoji.messages.problems import Answer
from gyoji.store.interface import Cause

RETRY_AFTER = 5
"""Seconds after which a caller whom there was no room for, or no store, may try again."""


class HttpProblem(Exception):
    """An exception that ends a request with the problem of a code. ``facts`` fill its detail, ``cause`` is why the
    store does not do what it was asked, and ``is_unsure`` whether it may have done it all the same."""

    def __init__(
        self,
        code: str,
        facts: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
        cause: Cause | None = None,
        *,
        is_unsure: bool = False,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts or {}
        self.retry_after = retry_after
        self.cause = cause
        self.is_unsure = is_unsure


class RefusedRequest(Exception):
    """An exception that ends a request with a given answer, which says more than a plain problem."""

    def __init__(self, answer: Answer, language: Language) -> None:
        super().__init__(answer.status)
        self.answer = answer
        self.language = language
