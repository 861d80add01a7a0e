"""The faults of a transparency log, and the verdict that follows from each."""

from collections.abc import Mapping
from typing import Literal

from gyoji.audit.verdicts import Word

Reason = Literal[
    "malformed-checkpoint",
    "unknown-key",
    "new-key",
    "wrong-signature",
    "wrong-origin",
    "nothing-there",
    "wrong-tile",
    "wrong-root",
    "wrong-leaf",
    "contradicting-leaves",
    "no-creation",
    "other-creation",
    "no-closing",
    "other-closing",
    "short-file",
    "stale",
    "split",
    "restored",
    "no-key",
    "no-proof",
]

VERDICTS: Mapping[Reason, Word] = {
    "malformed-checkpoint": "malformed",
    "unknown-key": "key_untrusted",
    "new-key": "key_untrusted",
    "wrong-signature": "tampered",
    "wrong-origin": "tampered",
    "nothing-there": "incomplete",
    "wrong-tile": "tampered",
    "wrong-root": "tampered",
    "wrong-leaf": "tampered",
    "contradicting-leaves": "equivocation",
    "no-creation": "incomplete",
    "other-creation": "tampered",
    "no-closing": "incomplete",
    "other-closing": "tampered",
    "short-file": "incomplete",
    "stale": "incomplete",
    "split": "equivocation",
    "restored": "incomplete",
    "no-key": "verified_partial",
    "no-proof": "malformed",
}
"""The verdict that follows from each."""


class LogFault(Exception):
    """A log is not as it was signed; ``place`` is the number of a leaf, the path of a tile, or a size."""

    def __init__(self, reason: Reason, place: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place
