"""``void`` ends the match without a result, or takes away the one that it had."""

from typing import Literal, TypedDict

from gyoji.match.events import match_voided
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind, apply_plainly, decide_plainly
from gyoji.match.state import RUNNING


class VoidRuling(TypedDict):
    """The ``data`` of a ``void`` ruling: nothing beside the ruling itself."""

    kind: Literal["void"]


def decide(case: RulingCase) -> DecidedRuling:
    """Decide the end of the match without a result."""
    return decide_plainly(case)._replace(due=match_voided.DUE_AFTER_RULING)


KIND: RulingKind = RulingKind(
    "void", VoidRuling, ("seeding", *RUNNING, "finished"), decide, apply_plainly, overrides=True
)
