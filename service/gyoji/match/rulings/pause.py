"""``pause`` stops the time of all seats; nobody moves until the referee lets the match go on."""

from typing import Literal, TypedDict

from gyoji.match.events import match_paused
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind, apply_plainly, decide_plainly


class PauseRuling(TypedDict):
    """The ``data`` of a ``pause`` ruling: nothing beside the ruling itself."""

    kind: Literal["pause"]


def decide(case: RulingCase) -> DecidedRuling:
    """Decide the beginning of a pause."""
    return decide_plainly(case)._replace(due=match_paused.DUE)


KIND: RulingKind = RulingKind("pause", PauseRuling, ("playing",), decide, apply_plainly, overrides=False)
