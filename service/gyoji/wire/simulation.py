"""Random play from a seed: the same seed gives the same games, byte for byte, on any machine.

Everything that is secret or chosen elsewhere comes from the seed here, each thing under its own label
(HKDF-SHA-512, RFC 5869): deals and choices, and for matches that are written down the id, the server's secret, the
salts, the signing key and the origin. Times count from a fixed epoch.
"""

import hmac
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import sha512
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

from gyoji.games.chance import deal_v1, length_prefixed, u32
from gyoji.games.game import Accepted, Chance, Game, Move, Position, Seat
from gyoji.replay.canonical import canonical
from gyoji.replay.contents import Disclosure
from gyoji.replay.entries import Entry
from gyoji.replay.recording import Beginning, Salt, Standing, begun, moved
from gyoji.wire.published import rules_digest

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""When every simulated match begins; each event is a second later than the one before."""


class Played(NamedTuple):
    """One simulated game: where it began, what was played, where it stands."""

    seed: str
    first: Position
    moves: tuple[Move, ...]
    last: Position


class Log(NamedTuple):
    """One simulated match as it is written down, and where it stands."""

    entries: tuple[Entry, ...]
    standing: Standing


def _root(seed: str) -> bytes:
    """HKDF-Extract of the seed."""
    return hmac.digest(sha512(b"gyoji/simulate/1").digest(), seed.encode(), "sha512")


def _derived(key: bytes, label: str, *fields: bytes | str) -> bytes:
    """64 bytes for that label: the first block of HKDF-Expand."""
    return hmac.digest(key, length_prefixed(label, *fields) + b"\x01", "sha512")


def play(game: Game[Any], seats: int, options: Mapping[str, Any], seed: str, index: int, max_plies: int) -> Played:
    """Game number ``index`` of a seed, with nothing written down."""
    key = _derived(_root(seed), "game", game.slug, u32(game.version), u32(index))
    deal = _derived(key, "deal").hex()
    chance = deal_v1(deal)
    state = first = game.start(seats, game.read_options(options), 0, deal, chance).state
    moves: list[Move] = []
    while state.outcome is None and len(moves) < max_plies:
        move, ruling = _chosen(game, state, key, chance)
        state = ruling.state
        moves.append(move)
    return Played(deal, first, tuple(moves), state)


def _chosen(game: Game[Any], state: Any, key: bytes, chance: Chance) -> tuple[Move, Accepted[Any]]:
    """The next move, any of the legal ones, and the ruling on it."""
    legal = game.legal_moves(state)
    move = legal[int.from_bytes(_derived(key, "choice", u32(state.ply))[:16], "big") % len(legal)]
    ruling = game.adjudicate(state, move, chance)
    if not isinstance(ruling, Accepted):
        raise RuntimeError(f"{game.slug}: a listed move was refused: {ruling.breach.reason}")
    return move, ruling


# Matches that are written down


class Table(NamedTuple):
    """A match that is to be simulated: how it is set up, and the key that its salts and choices come from."""

    beginning: Beginning
    key: bytes
    operated: tuple[Seat, ...] = ()
    """Seats that an operator moves for."""


def table(
    game: Game[Any], seats: int, options: Mapping[str, Any], disclosure: Disclosure, seed: str, index: int
) -> Table:
    """Match number ``index`` of a seed. Whatever its first event says is in its id: no two logs share one."""
    read, digest = game.read_options(options), rules_digest(game.slug)
    rules = (game.slug, u32(game.version), digest)
    setting = (u32(seats), canonical(game.write_options(read)), disclosure)
    key = _derived(_root(seed), "match", *rules, *setting, u32(index))
    match = str(UUID(bytes=_derived(key, "id")[:16], version=4))
    secret = _derived(key, "secret")
    beginning = Beginning(
        match, game, digest, seats, read, 0, disclosure, "private", "optional", match, secret, None, {}, ()
    )
    return Table(beginning, key)


def simulated(at_table: Table, max_plies: int) -> Log:
    """The match, played at random to its end or, after so many plies, left running."""
    salt = _salts(at_table.key)
    entries, standing = begun(at_table.beginning, timestamp(0), salt)
    written = [*entries]
    for more, after in plies(at_table, standing, salt):
        written += more
        standing = after
        if standing.state.ply >= max_plies:
            break
    return Log(tuple(written), standing)


def plies(at_table: Table, standing: Standing, salt: Salt) -> Iterator[tuple[tuple[Entry, ...], Standing]]:
    """What each further move adds to the log, and where the match stands after it; until the log is closed."""
    chance = deal_v1(standing.state.seed)
    while not standing.over:
        move, ruling = _chosen(standing.game, standing.state, at_table.key, chance)
        seat = move["seat"]
        actor = {"role": "operator" if seat in at_table.operated else "seat", "seat": seat}
        entries, standing = moved(standing, move, actor, ruling, timestamp(standing.seq + 1), salt)
        yield entries, standing


def _salts(key: bytes) -> Salt:
    numbers = count()
    return lambda: _derived(key, "salt", u32(next(numbers)))[:32]


def timestamp(seconds: int) -> str:
    """So many seconds after the epoch, as logs write it."""
    return (EPOCH + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def signing_key(seed: str) -> bytes:
    """The 32 private bytes of the key that signs every match of the seed."""
    return _derived(_root(seed), "signing key")[:32]


def origin(seed: str) -> str:
    """The name of the service that the matches of the seed are said to come from."""
    return f"gyoji-simulate-{_derived(_root(seed), 'origin')[:8].hex()}"
