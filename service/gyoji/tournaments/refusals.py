"""The reasons for which a tournament refuses what it is asked to do."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Code = Literal[
    "tournament-closed",
    "impossible-rules",
    "name-taken",
    "no-teams",
    "team-size",
    "too-many-entrants",
    "all-rounds-paired",
    "rotation-begun",
    "unknown-entrant",
    "already-withdrawn",
    "too-few-entrants",
    "matches-running",
    "impossible-tables",
    "tables-needed",
    "no-rotation",
    "rotation-broken",
    "unknown-round",
    "unknown-table",
    "round-closed",
    "not-voided",
    "not-the-latest",
    "round-begun",
    "no-change",
    "rounds-open",
    "wrong-seed",
]


class Refusal(NamedTuple):
    """A refusal: its code, and the public facts that show a person why. Nothing has changed."""

    code: Code
    facts: Mapping[str, Any] = {}
