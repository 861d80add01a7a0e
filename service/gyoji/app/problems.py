"""The exceptions that end a request with a problem, or with an answer that says more than a problem."""

from collections.abc import Mapping
from typing import Any

from gyoji.messages.language import Language, messages
from gyoji.messages.problems import Answer
from gyoji.store.interface import Cause

RETRY_AFTER = 5
"""Seconds after which a caller whom there was no room for, or no store, may try again."""


class HttpProblem(Exception):
    """An exception that ends a request with the problem of a code. ``facts`` fill its detail, ``members`` stand beside
    it, and ``seq`` is where the match or the tournament is. ``cause`` is why the store does not do what it was asked,
    and ``is_unsure`` whether it may have done it all the same."""

    def __init__(
        self,
        code: str,
        facts: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
        cause: Cause | None = None,
        *,
        is_unsure: bool = False,
        members: Mapping[str, Any] | None = None,
        seq: int | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts or {}
        self.retry_after = retry_after
        self.cause = cause
        self.is_unsure = is_unsure
        self.members = members or {}
        self.seq = seq


def malformed_header(fault: str) -> HttpProblem:
    """Make the problem 400: what is wrong with the head of a request, by a key of the messages, which is the name of a
    header where it is wrong with that."""
    members = {"header": fault} if fault[0].isupper() else {}
    return HttpProblem("malformed-header", {"why": messages()["header"][fault]}, members=members)


def unauthenticated(why: str) -> HttpProblem:
    """Make the problem 401: what the credential of the request lacks, by a key of the messages."""
    return HttpProblem("unauthenticated", {"why": messages()["credential"][why]})


def denied(code: str) -> HttpProblem:
    """Make the problem of a caller who may not do what it asks for."""
    return unauthenticated("missing") if code == "unauthenticated" else HttpProblem(code)


class RefusedRequest(Exception):
    """An exception that ends a request with a given answer, which says more than a plain problem."""

    def __init__(self, answer: Answer, language: Language) -> None:
        super().__init__(answer.status)
        self.answer = answer
        self.language = language
