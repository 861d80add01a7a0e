"""``note`` writes something down for the referee and changes nothing."""

from typing import Literal, TypedDict

from gyoji.match.rulings.kind import RulingKind, apply_plainly, decide_plainly
from gyoji.match.state import RUNNING


class NoteRuling(TypedDict):
    """The ``data`` of a ``note`` ruling: nothing beside the ruling itself."""

    kind: Literal["note"]


KIND: RulingKind = RulingKind(
    "note", NoteRuling, ("seeding", *RUNNING, "finished", "voided"), decide_plainly, apply_plainly, overrides=False
)
