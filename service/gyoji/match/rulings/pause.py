"""``pause`` stops the time of all seats; nobody moves until the referee lets the match go on."""

from typing import Literal, TypedDict

from gyoji.match.events import match_paused
from gyoji.match.rulings.kind import Case, RulingKind, Settled, apply_plainly, settle_plainly


class PauseRuling(TypedDict):
    """The ``data`` of a ``pause`` ruling: nothing beside the ruling itself."""

    kind: Literal["pause"]


def decide(case: Case) -> Settled:
    """Decide the beginning of a pause."""
    return settle_plainly(case)._replace(due=match_paused.DUE)


KIND: RulingKind = RulingKind("pause", PauseRuling, ("playing",), decide, apply_plainly, overrides=False)
