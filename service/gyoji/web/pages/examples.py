"""Makes an example of each problem type, the way the service makes the real one."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from gyoji.api.media import JSON
from gyoji.app.audit_slots import BUDGET_SECONDS
from gyoji.app.conformance import cases, request_of, this_engine
from gyoji.app.requests import MAX_BODY
from gyoji.audit.audit import audit
from gyoji.games.catalogue import EXAMPLE
from gyoji.messages.game_words import game_words
from gyoji.messages.language import Language, messages
from gyoji.messages.problems import (
    capsule_refused,
    claim_refused,
    entropy_refused,
    malformed,
    problem,
    problem_with_cause,
    replay_refused,
    ruling_refused,
)
from gyoji.messages.rulebooks import rulebook
from gyoji.messages.tournaments import tournament_refused
from gyoji.messages.verdicts import rules_for, verdict_document

Document = Mapping[str, Any]

GAME = EXAMPLE.slug
MEMBERS = ("type", "title", "status", "detail", "instance", "code")
ADJUDICATIONS = f"/v1/games/{GAME}/adjudications"
MATCH = "/v1/matches/6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"
MOVES = f"{MATCH}/moves"
TOURNAMENT = "/v1/tournaments/0c5b1f0e-3a7d-4e52-9d64-2b8f6a1c7e35"

REFUSED = {"illegal-move": game_words(GAME).disputed, **game_words(GAME).problems}
"""Problems of stateless calls, and a conformance case that leads to each."""

FACTS: Mapping[str, Mapping[str, Any]] = {
    "malformed-header": {"why": messages()["header"]["If-Match"]},
    "match-not-running": {"why": messages()["not-running"]["paused"]},
    "unauthenticated": {"why": messages()["credential"]["missing"]},
    "method-not-allowed": {"allowed": "GET, HEAD, OPTIONS"},
    "not-acceptable": {"media": JSON},
    "unsupported-media-type": {"media": JSON},
    "too-large": {"limit": MAX_BODY},
    "too-much-work": {"limit": int(BUDGET_SECONDS)},
}

MORE: Mapping[str, Mapping[str, Any]] = {"malformed-header": {"header": "If-Match"}}
"""Members beside those that every problem has."""

PLACES = {
    "malformed-header": MOVES,
    "not-found": f"/v1/games/{GAME}/rules/{rulebook(GAME).prefix}-9.9",
    "method-not-allowed": "/v1/games",
    "unauthenticated": "/v1/matches",
    "not-disclosed": f"{MATCH}/fork",
    "already-stored": "/v1/replays",
    "too-much-work": "/v1/audits",
    "too-many-at-once": f"{MATCH}/events",
    "rate-limited": f"{MATCH}/events",
    "idempotency-in-progress": MOVES,
    "idempotency-key-reused": MOVES,
    "forbidden": MOVES,
    "token-expired": MOVES,
    "bots-not-allowed": "/v1/matches",
    "match-finished": MOVES,
    "match-not-running": MOVES,
    "stale-position": MOVES,
    "precondition-required": MOVES,
}
"""Where a problem is met that the call adjudicating a position does not have."""


@cache
def example(code: str, spoken: Language) -> Document:
    """Return an example document of a problem type, in a language."""
    if code in REFUSED:
        return _refused(REFUSED[code], spoken)
    if code in SPECIAL:
        return SPECIAL[code](spoken)
    return problem(code, PLACES.get(code, ADJUDICATIONS), spoken, FACTS.get(code), MORE.get(code)).body


def _refused(case: str, spoken: Language) -> Document:
    """What the engine answers in that case, its members in the order of a problem's."""
    found = next(known for known in cases(GAME) if known["case"] == case)
    answer: Document = this_engine(spoken)(*request_of(found))[1]
    return {**{member: answer[member] for member in MEMBERS}, **answer}


def _failed(spoken: Language) -> Document:
    return {**problem("internal-error", ADJUDICATIONS, spoken).body, "request_id": "5d5f5e3ee0f900abb68caa17fe5f035b"}


def _unaudited(spoken: Language) -> Document:
    """The verdict on a file that is no replay."""
    verdict = audit(lambda: iter([b"a file of another kind\n"]), rules_for)
    return replay_refused(verdict_document(verdict, spoken), "/v1/replays", spoken).body


def _too_early(spoken: Language) -> Document:
    """A claim in the second before the deadline."""
    until: list[str | None] = [None, "2026-01-31T12:00:30.000Z", None]
    return claim_refused("not-expired", "2026-01-31T12:00:29.500Z", until, f"{MATCH}/claims", spoken).body


def _still_played(spoken: Language) -> Document:
    """A round that is closed while a table still plays."""
    at_table = {"round": 2, "table": 3}
    return tournament_refused("matches-running", {"tables": [at_table]}, f"{TOURNAMENT}/rounds/2/close", spoken).body


SPECIAL: Mapping[str, Callable[[Language], Document]] = {
    "malformed-json": lambda spoken: malformed("duplicate-name", {"name": "seats"}, ADJUDICATIONS, spoken).body,
    "capsule-refused": lambda spoken: capsule_refused("expired", ADJUDICATIONS, spoken).body,
    "entropy-refused": lambda spoken: entropy_refused("commit-first", f"{MATCH}/entropy", spoken).body,
    "ruling-refused": lambda spoken: ruling_refused("not-on-the-line", None, f"{MATCH}/rulings", spoken).body,
    "claim-refused": _too_early,
    "tournament-refused": _still_played,
    "replay-refused": _unaudited,
    "unavailable": lambda spoken: problem_with_cause(problem("unavailable", MOVES, spoken), "disk-full", spoken).body,
    "internal-error": _failed,
}
"""Problems with members or facts of their own."""
