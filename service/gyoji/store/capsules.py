"""Stores the newest position of each sealed game, as a digest, and nothing else of it."""

from typing import NamedTuple

from gyoji.store.database.port import Database
from gyoji.store.database.statements import Step
from gyoji.store.records import Conflict

HEAD = "match, ply, mark, expires"
KEEP = f"INSERT INTO capsule_heads ({HEAD}) VALUES (?, ?, ?, ?)"
ADVANCE = "UPDATE capsule_heads SET ply = ?, mark = ?, expires = ? WHERE match = ? AND mark = ?"
ONE = f"SELECT {HEAD} FROM capsule_heads WHERE match = ?"
FORGET = """DELETE FROM capsule_heads WHERE match IN
(SELECT match FROM capsule_heads WHERE expires <= ? ORDER BY expires LIMIT 100)"""


class CapsuleHead(NamedTuple):
    """The head of a sealed game of which only the newest capsule is accepted: a digest, nothing of its position."""

    match: str
    ply: int
    mark: bytes
    """The digest (32 bytes) of the newest position."""
    expires: int
    """Unix seconds; from then on it may be forgotten."""


class Capsules:
    """The heads of sealed games in a database. Every method may raise ``Unavailable``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, head: CapsuleHead, now: int) -> None:
        """Store the head of a new sealed game; ``Conflict`` if the id is taken. Some of those that have expired by
        ``now`` (Unix seconds) are deleted."""
        self._database.write([Step(FORGET, ((now,),), Conflict), Step(KEEP, (head,), Conflict)])

    def advance(self, head: CapsuleHead, mark: bytes) -> bool:
        """Advance a sealed game to ``head``; tell whether its newest position had the digest ``mark`` until now."""
        put = (head.ply, head.mark, head.expires, head.match, mark)
        return self._database.modify(ADVANCE, put) == 1

    def head(self, match: str) -> CapsuleHead | None:
        """Read the head of a sealed game, or ``None``."""
        found = self._database.query(ONE, (match,))
        return CapsuleHead(*found[0]) if found else None
