"""The appends to the logs of all matches, as one sequence: who follows it, and where somebody has left off in it.

A position is shown as a text that tells nothing: how much happens in the matches of others is nobody's business.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag

from gyoji.store.database.appends import KEPT, Followed, Found, NumberedAppend, Tell, Topic
from gyoji.store.database.port import Database
from gyoji.store.database.statements import APPENDS_AMONG, APPENDS_KEPT, FORGET_APPENDS
from gyoji.store.encryption import StoreEncryption

COLUMNS = {"owner": "m.owner", "match": "a.match", "tournament": "m.tournament"}
"""By topic: the column that it is found by."""

SPARE = 100_000
"""Appends that are kept beyond these, for whoever goes through them at the moment."""

FORGOTTEN_AT_ONCE = 10_000
"""Rows that are deleted in one transaction."""


class Appends:
    """The appends to the logs of all matches. Every method may raise ``Unavailable``."""

    def __init__(self, database: Database, encryption: StoreEncryption) -> None:
        self._database = database
        self._encryption = encryption

    def follow(self, topics: Sequence[Topic], tell: Tell) -> Followed:
        """Have ``tell`` called, from any thread, with the appends of these topics from now on: within a second, and
        sooner nearly always."""
        return self._database.follow(topics, tell)

    def among(self, topics: Sequence[Topic], after: int, until: int, most: int) -> list[NumberedAppend]:
        """Read at most so many appends of these topics, with ``after < number <= until``."""
        if not topics:
            return []
        either = " OR ".join(f"{COLUMNS[kind]} = ?" for kind, _name in topics)
        names = [name for _kind, name in topics]
        rows = self._database.query(APPENDS_AMONG.format(either), (after, until, *names, most))
        return [NumberedAppend(*row) for row in rows]

    def forget(self) -> None:
        """Delete the oldest appends, of which there are too many; the events that they brought stay."""
        oldest, newest = self._database.query(APPENDS_KEPT)[0]
        if oldest is not None and oldest < newest - KEPT - SPARE:
            until = min(oldest + FORGOTTEN_AT_ONCE, newest - KEPT - SPARE)
            self._database.exclusively(lambda execute: execute(FORGET_APPENDS, (until,)))

    def write_position(self, found: Found, position: int) -> str:
        """Write a position as a text. The same position is the same text."""
        sealed = self._encryption.require().positions.encrypt(_bytes(position), [_bytes(found.generation)])
        return urlsafe_b64encode(sealed).decode()

    def read_position(self, found: Found, text: str) -> int | None:
        """Read a position; ``None`` for what is none, or of the store before it was restored, or too old."""
        try:
            opened = self._encryption.require().positions.decrypt(
                urlsafe_b64decode(text.encode()), [_bytes(found.generation)]
            )
        except (InvalidTag, ValueError):
            return None
        position = int.from_bytes(opened)
        return position if found.reaches(position) else None


def _bytes(number: int) -> bytes:
    return number.to_bytes(8)
