"""Recovers a store that has gone back: new keys, a new transparency log, and a signed statement of what is known.

First the keys are exchanged, while nobody can write; then every process has to see the new ones; then the statement is
stored and entered into the log, and writes are let in, in one transaction. Whoever dies in between has let nobody in,
and begins anew.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from gyoji.log.signatures import Restoration, signer
from gyoji.store.database.guard import FoundBy, mark_restored, missing
from gyoji.store.database.marker import Marker, MarkerPlace, close_marker, open_marker
from gyoji.store.database.port import Database, paged
from gyoji.store.database.statements import ADD_PENDING_LEAF, ADD_SIGNING_KEY, RETIRE_SIGNING_KEY, Step
from gyoji.store.encryption import Encryption
from gyoji.store.keys import SigningKey, new_key
from gyoji.store.records import Conflict
from gyoji.store.rows import signing_key_row
from gyoji.store.sql_store import Store
from gyoji.store.transparency.growth import pending_row
from gyoji.store.urls import marker_place, parse_url
from gyoji.trust.restorations import sign_restoration
from gyoji.trust.transparency.leaves import restoration_leaf
from gyoji.trust.transparency.notes import Verifier, is_log_name, log_name, write_vkey
from gyoji.trust.transparency.tree import EMPTY

OPEN = """SELECT m.match, m.seq, e.body FROM matches AS m JOIN events AS e ON e.match = m.match AND e.seq = m.seq
WHERE NOT m.closed AND m.match > ? ORDER BY m.match LIMIT ?"""
OPEN_TOURNAMENTS = """SELECT t.id, t.seq, e.body FROM tournaments AS t
JOIN tournament_events AS e ON e.tournament = t.id AND e.seq = t.seq WHERE NOT t.closed AND t.id > ? ORDER BY t.id
LIMIT ?"""
LEAVES = "SELECT number, 0, body FROM tree_leaves WHERE number > ? ORDER BY number LIMIT ?"
PENDING = "SELECT max(since) FROM tree_pending"
RECOVER = "UPDATE restorations SET generation = ?, documents = ? WHERE generation IS NULL"
TAKE_BACK = "DELETE FROM restorations WHERE generation IS NULL"


class NotRestored(Exception):
    """The store is not waiting to be recovered."""


class Lost(Exception):
    """A marker names something that the store does not hold any more."""


class Recovered(NamedTuple):
    """The result of a recovery: the new generation of the store, and the signed statements."""

    generation: int
    documents: tuple[dict[str, Any], ...]
    """What was signed, one of each origin: ``gyoji-restoration/1``."""
    restorations: tuple[Restoration, ...]
    """The same, parsed."""


class _KeyExchange(NamedTuple):
    """The keys of one origin that end, and those that follow them."""

    origin: str
    ended: tuple[SigningKey, ...]
    """Those that were in force, for receipts and heads and for the log."""
    known: tuple[SigningKey, ...]
    """All that there have been."""
    key: SigningKey
    log: SigningKey


def end_wait(url: str, markers: Sequence[Path]) -> None:
    """Let a restored store be written to as before, if everything that these markers name is there. Then nothing has
    been lost. Raises ``Lost`` if something is not there."""
    with closing(_database(url, None)) as database:
        _require_restored(database, anyway=None)
        generation = Store(database, None).restorations.generation()
        records = [Marker(path).records() for path in markers]
        if not all(records) or any(missing(database.query, each, generation) for each in records):
            raise Lost
        database.write([Step(TAKE_BACK, [()], Conflict)])


def recover(
    url: str,
    key: bytes,
    marker: str | None,
    now: Callable[[], str],
    wait: Callable[[], None],
    *,
    published: Sequence[tuple[str, str]] = (),
    anyway: bool = False,
) -> Recovered:
    """Recover the store at ``url``: exchange its keys, begin a new log, sign a statement, and let writes in.

    ``now`` gives the time in the form of the log; ``wait`` returns when every process has seen which keys are in force.
    ``published``: keys that have been seen outside, by origin and id, have ended too. ``NotRestored`` unless the store
    waits to be recovered, or ``anyway``.
    """
    place = marker_place(url, key, marker)
    with closing(_database(url, None)) as database:
        _require_restored(database, "operator" if anyway else None)
        store = Store(database, key)
        store.check()
        encryption, at = Encryption(key), now()
        generation = max(_number(at), store.restorations.generation() + 1)
        exchanges = tuple(_exchanges(store.signing_keys(), generation, at))
        database.write(_exchange_steps(exchanges, encryption, at))
        wait()
        restorations = tuple([_restoration(database, store, each, published, generation, at) for each in exchanges])
        documents = tuple([_signed(*each) for each in zip(restorations, exchanges, strict=True)])
        _clear_marker(place)
        leaves = [pending_row(restoration_leaf(each, at)) for each in documents]
        put = (generation, orjson.dumps(documents))
        database.write([Step(RECOVER, (put,), Conflict, must_change=True), Step(ADD_PENDING_LEAF, leaves, Conflict)])
    with closing(Store(_database(url, place), key)) as store:
        for exchange in exchanges:
            store.transparency_log.grow(signer(exchange.log.private, exchange.log.origin), at)
    return Recovered(generation, documents, restorations)


def _clear_marker(place: MarkerPlace | None) -> None:
    """Clear the marker: what it names may be gone, and nobody writes now. It may be damaged, too."""
    if place is not None and place.path.exists():
        marker = open_marker(place.path)
        try:
            marker.clear(place.store)
        finally:
            close_marker(marker)


def _database(url: str, marker: MarkerPlace | None) -> Database:
    return parse_url(url).database(administrative=True, marker=marker)


def _require_restored(database: Database, anyway: FoundBy | None) -> None:
    """``NotRestored`` unless the store waits to be recovered, or is marked so by ``anyway``; from here on it may be
    written to just because it waits."""
    restorations = Store(database, None).restorations
    if not restorations.waits() and anyway is not None:
        database.exclusively(lambda execute: mark_restored(execute, anyway))
    if not restorations.waits():
        raise NotRestored
    database.guard.is_recovering = True


def _number(at: str) -> int:
    """Make a number of a time: year, month, day, hour, minute and second."""
    return int("".join(filter(str.isdigit, at))[:14])


def _exchanges(keys: Sequence[SigningKey], generation: int, at: str) -> Iterator[_KeyExchange]:
    """Make new keys for each origin that signs."""
    own = [key for key in keys if key.is_in_force and not _is_of_log(key, keys)]
    for key in own:
        logs = [other for other in keys if other.is_in_force and is_log_name(other.origin, key.origin)]
        known = [other for other in keys if other.origin == key.origin or is_log_name(other.origin, key.origin)]
        after = new_key(key.origin, at), new_key(log_name(key.origin, generation), at)
        yield _KeyExchange(key.origin, (key, *logs), tuple(known), *after)


def _is_of_log(key: SigningKey, keys: Sequence[SigningKey]) -> bool:
    return any(is_log_name(key.origin, other.origin) for other in keys)


def _exchange_steps(exchanges: Sequence[_KeyExchange], encryption: Encryption, at: str) -> list[Step]:
    ended = [(at, key.key) for exchange in exchanges for key in exchange.ended]
    made = [signing_key_row(key, encryption) for exchange in exchanges for key in (exchange.key, exchange.log)]
    return [Step(RETIRE_SIGNING_KEY, ended, Conflict), Step(ADD_SIGNING_KEY, made, Conflict)]


def _restoration(
    database: Database,
    store: Store,
    exchange: _KeyExchange,
    published: Sequence[tuple[str, str]],
    generation: int,
    at: str,
) -> Restoration:
    last = store.transparency_log.latest()
    log, size, root = log_name(exchange.origin), 0, EMPTY
    if last is not None:
        log, size, root = last.note.partition("\n")[0], last.size, last.root
    known, until = _known(database)
    keys = dict.fromkeys([*[(key.origin, key.key) for key in exchange.known], *published])
    return Restoration(
        exchange.origin,
        generation,
        at,
        until,
        tuple([key for origin, key in keys if origin == exchange.origin]),
        exchange.key.key,
        log,
        size,
        root,
        tuple([key for origin, key in keys if origin == log]),
        write_vkey(Verifier(exchange.log.origin, exchange.log.public)),
        known,
    )


def _known(database: Database) -> tuple[dict[str, int], str | None]:
    """Read the last ``seq`` of each match and tournament that is not closed, and the time of the last event of all: the
    last events of what is closed are in the transparency log."""
    known: dict[str, int] = {}
    times = [row[0] for row in database.query(PENDING) if row[0] is not None]
    for sql in (OPEN, OPEN_TOURNAMENTS):
        for name, seq, body in paged(database, sql, ""):
            known[name] = seq
            times.append(orjson.loads(body)["at"])
    times += [orjson.loads(body)["at"] for _number, _none, body in paged(database, LEAVES, -1)]
    return known, max(times, default=None)


def _signed(restoration: Restoration, exchange: _KeyExchange) -> dict[str, Any]:
    """Sign by the keys that end, for whoever trusts these, and by those that follow."""
    keys = (*exchange.ended, exchange.key, exchange.log)
    return sign_restoration(restoration, [signer(key.private, key.origin) for key in keys])
