"""Refusals of the HTTP layer itself."""

from collections.abc import Mapping
from typing import Any


class HttpProblem(Exception):
    """The request ends here with the problem of that code; ``facts`` fill its detail."""

    def __init__(self, code: str, facts: Mapping[str, Any] | None = None, retry_after: int | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts or {}
        self.retry_after = retry_after
