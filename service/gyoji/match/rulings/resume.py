"""``resume`` lets the match go on after a pause."""

from typing import Literal, TypedDict

from gyoji.match.events import match_resumed
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind, apply_plainly, decide_plainly


class ResumeRuling(TypedDict):
    """The ``data`` of a ``resume`` ruling: nothing beside the ruling itself."""

    kind: Literal["resume"]


def decide(case: RulingCase) -> DecidedRuling:
    """Decide the end of a pause."""
    return decide_plainly(case)._replace(due=match_resumed.DUE)


KIND: RulingKind = RulingKind("resume", ResumeRuling, ("paused",), decide, apply_plainly, overrides=False)
