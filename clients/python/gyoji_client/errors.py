"""The errors of this package. Every refusal of the service is a ``Problem``: problem details (RFC 9457) with a code."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar


class GyojiError(Exception):
    """Anything that this package raises."""


class Unreachable(GyojiError):
    """The service gave no answer, however often it was asked. What was asked for may have been done or not."""


class BadReceipt(GyojiError):
    """A receipt does not prove that the service accepted the move."""


class FeedReset(GyojiError):
    """The log of the match has not come to the event that a feed was to go on from: a backup was restored. What is
    known of the match is to be forgotten, and the feed begun anew."""


class Problem(GyojiError):
    """The service refused. ``code`` says why, and stays the same; ``title`` and ``detail`` are sentences for people."""

    code: str
    """Such as ``illegal-move``; the service explains each at ``/problems/{code}``."""

    _kinds: ClassVar[dict[str, type["Problem"]]] = {}

    def __init__(self, document: Mapping[str, Any], request_id: str | None = None, retry_after: float | None = None):
        super().__init__(document.get("detail") or document.get("title") or document.get("code"))
        self.document = document
        """The problem details as they came."""
        self.code = str(document.get("code", ""))
        self.status = int(document.get("status", 0))
        self.title = str(document.get("title", ""))
        self.detail = str(document.get("detail", ""))
        self.request_id = request_id
        """The id under which the service has logged the request."""
        self.retry_after = retry_after
        """Seconds after which to try again, where the service says so."""

    def __init_subclass__(cls, code: str | None = None, **more: Any) -> None:
        super().__init_subclass__(**more)
        if code is not None:
            Problem._kinds[code] = cls

    @staticmethod
    def of(document: Mapping[str, Any], request_id: str | None, retry_after: float | None) -> "Problem":
        """Make the problem of a document, of the class that its code has."""
        kind = Problem._kinds.get(str(document.get("code")), Problem)
        return kind(document, request_id, retry_after)


class IllegalMove(Problem, code="illegal-move"):
    """The referee refused a move."""

    @property
    def reason(self) -> str:
        """Why, as a word: ``rule-violation``, ``not-your-turn``, ``card-not-in-hand``…"""
        return str(self.document["reason"])

    @property
    def rule(self) -> str | None:
        """The id of the rule that forbids the move, such as ``CAT-3.1``, where one does."""
        return self.document.get("rule")

    @property
    def because(self) -> str:
        """The facts in one sentence, only such as the seat may know."""
        return str(self.document["because"])

    @property
    def legal_moves(self) -> list[dict[str, Any]]:
        """The moves that the seat may make instead."""
        return list(self.document["legal_moves"])


class StalePosition(Problem, code="stale-position"):
    """The match has moved on since the position that was decided on."""


def _with_places(detail: str, places: Iterable[Mapping[str, Any]]) -> str:
    return "\n".join([detail, *(f"{place['pointer']}: {place['message']}" for place in places)])


class MatchFinished(Problem, code="match-finished"):
    """The match is over."""


class MatchNotRunning(Problem, code="match-not-running"):
    """The match waits for its deal, or is paused."""


class ImpossibleState(Problem, code="impossible-state"):
    """No game can come to that position."""

    @property
    def findings(self) -> list[dict[str, Any]]:
        """Everything that is wrong with it, each with a pointer into the request."""
        return list(self.document["findings"])

    def __str__(self) -> str:
        return _with_places(self.detail, self.findings)


class InvalidRequest(Problem, code="invalid-request"):
    """The request has not the shape that the contract demands."""

    @property
    def errors(self) -> list[dict[str, Any]]:
        """Everything that is wrong with it, each with a pointer, a code and a sentence."""
        return list(self.document["errors"])

    def __str__(self) -> str:
        return _with_places(self.detail, self.errors)


class RulingRefused(Problem, code="ruling-refused"):
    """A referee's ruling cannot be made."""

    @property
    def reason(self) -> str:
        """Why, as a word."""
        return str(self.document["reason"])


class ClaimRefused(Problem, code="claim-refused"):
    """The time of a seat is not up, or cannot be claimed."""

    @property
    def reason(self) -> str:
        """Why, as a word."""
        return str(self.document["reason"])


class ReplayRefused(Problem, code="replay-refused"):
    """A replay file was not stored."""

    @property
    def verdict(self) -> str:
        """What the audit found, as a word; ``document`` has the rest of it."""
        return str(self.document["verdict"])


class Unauthenticated(Problem, code="unauthenticated"):
    """The key or token is missing, unknown or revoked."""


class TokenExpired(Problem, code="token-expired"):
    """The time of the token is over."""


class Forbidden(Problem, code="forbidden"):
    """That is not for this key or token to do."""


class NotFound(Problem, code="not-found"):
    """There is no such thing, or it is not for the caller to know of."""
