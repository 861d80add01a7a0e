"""Stores who calls the referee at a table. It is news beside the log of the match, and goes when the match is over."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import orjson

from gyoji.store.database.port import Database
from gyoji.store.database.statements import HOLD_SEATED, Step
from gyoji.store.encryption import STEP, StoreEncryption
from gyoji.store.records import Conflict, Seating
from gyoji.store.rows import seats_text

TABLE = "referee_calls"
PUT = """INSERT INTO referee_calls (match, version, calls) VALUES (?, ?, ?) ON CONFLICT (match) DO UPDATE
SET version = excluded.version, calls = excluded.calls WHERE referee_calls.version = excluded.version - 1"""
OF_MATCHES = "SELECT match, version, calls FROM referee_calls WHERE match IN ({})"


class RefereeCall(NamedTuple):
    """A seat calls the referee, or has called: a referee is coming."""

    seat: int
    at: str
    """Since when."""
    text: str | None
    """What the seat says, in a sentence of its own; what is hidden may be in it."""
    attended: str | None = None
    """Since when a referee attends to it."""
    epoch: int = 0
    """The epoch of the seat's tokens in which it calls: what is said is not for whoever is seated there later."""


class CallsOfMatch(NamedTuple):
    """The calls at one table, and how often they have changed."""

    version: int = 0
    calls: tuple[RefereeCall, ...] = ()


NO_CALLS = CallsOfMatch()


class RefereeCalls:
    """The calls of all matches, encrypted. Every method may raise ``Unavailable``."""

    def __init__(self, database: Database, encryption: StoreEncryption) -> None:
        self._database = database
        self._encryption = encryption

    def of(self, match: str) -> CallsOfMatch:
        """Read the calls of a match."""
        return self.among([match]).get(match, NO_CALLS)

    def among(self, matches: Sequence[str]) -> Mapping[str, CallsOfMatch]:
        """Read the calls of those of the matches in which somebody has called."""
        if not matches:
            return {}
        rows = self._database.query(OF_MATCHES.format(", ".join("?" * len(matches))), tuple(matches))
        return {match: CallsOfMatch(version, self._read(match, version, calls)) for match, version, calls in rows}

    def replace(
        self, match: str, seats: tuple[Seating, ...], before: CallsOfMatch, calls: Iterable[RefereeCall]
    ) -> None:
        """Store the calls of a match in place of those ``before``, and wake whoever follows the match. ``Conflict``
        where they, or the seats, are others by now, or the match is over."""
        version = before.version + 1
        value = orjson.dumps([list(call) for call in calls])
        padded = value.ljust(-(-len(value) // STEP) * STEP)
        put = (match, version, self._encryption.require().encrypt(TABLE, match, version, padded))
        self._database.write(
            [
                Step(HOLD_SEATED, ((match, seats_text(seats)),), Conflict, must_change=True),
                Step(PUT, (put,), Conflict, must_change=True),
            ]
        )
        self._database.notify(match, None)

    def _read(self, match: str, version: int, calls: bytes) -> tuple[RefereeCall, ...]:
        value = self._encryption.require().decrypt(TABLE, match, version, calls)
        return tuple([RefereeCall(*call) for call in orjson.loads(value)])
