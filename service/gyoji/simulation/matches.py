"""Random play from a seed: the same seed gives the same games, byte for byte, on any machine.

Everything that is secret or chosen elsewhere comes from the seed here, each thing under its own label
(HKDF-SHA-512, RFC 5869): deals and choices, and for matches that are written down the id, the server's secret, the
entropy of all others, the salts, the signing key and the origin. Times count from a fixed epoch.
"""

import hmac
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha512
from itertools import count
from typing import Any, NamedTuple
from uuid import UUID

from gyoji.audit.event_checks import SHARERS
from gyoji.games.chance import deal_v1, length_prefixed, player_commitment, u32
from gyoji.games.game import Accepted, Chance, Game, Move, Position, Seat
from gyoji.log.canonical import canonical
from gyoji.log.entries import Actor, Entry
from gyoji.log.files import write_replay
from gyoji.log.signatures import Signer, public_bytes
from gyoji.match.event_data import Disclosure
from gyoji.match.recorder import Beginning, Salt, begun, cancelled, contributed, moved, seed_told, unanswered
from gyoji.match.seeding import SERVER, Policy, Reason, Seeding, committed, revealed, shared, write_policy
from gyoji.match.state import MatchState
from gyoji.published_files import rules_digest

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
    standing: MatchState


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
    silent: tuple[Seat, ...] = ()
    """Seats that commit to entropy and do not reveal it: they are waited for until their time is over."""
    cancelled_after: int | None = None
    """The event after which an operator makes the match void."""
    share: bytes = b""
    """What the director contributes, or the beacon that the match waits for."""
    told: bool = True
    """Whether a secret that was withheld is disclosed in the end."""


def table(
    game: Game[Any],
    seats: int,
    options: Mapping[str, Any],
    disclosure: Disclosure,
    seed: str,
    index: int,
    randomness: Policy = SERVER,
) -> Table:
    """Match number ``index`` of a seed. Whatever its first event says is in its id: no two logs share one."""
    read, digest = game.read_options(options), rules_digest(game.slug)
    rules = (game.slug, u32(game.version), digest)
    setting = (u32(seats), canonical(game.write_options(read)), disclosure)
    policy = () if randomness == SERVER else (canonical(write_policy(randomness)),)
    key = _derived(_root(seed), "match", *rules, *setting, *policy, u32(index))
    match = _id(key)
    secret = _derived(key, "secret")
    beginning = Beginning(
        match, game, digest, seats, read, 0, disclosure, "private", "optional", match, secret, None, {}, ()
    )
    return Table(beginning._replace(randomness=randomness), key, share=_share(key, seed, randomness))


def _id(key: bytes) -> str:
    return str(UUID(bytes=_derived(key, "id")[:16], version=4))


def grouped(at_table: Table, seed: str, group: str) -> Table:
    """The same table as one of a group of matches, named ``group``, that share their deals."""
    key = _derived(_root(seed), "group", group)
    deal_id, secret = _id(key), _derived(key, "secret")
    shared_deals = at_table.beginning._replace(deal_id=deal_id, secret=secret, withheld_until="group")
    return at_table._replace(beginning=shared_deals)


def _share(key: bytes, seed: str, policy: Policy) -> bytes:
    if policy.name == "director":
        return _derived(key, "share")[:32]
    return beacon_value(seed, policy) if policy.name == "external" else b""


def external(seed: str, index: int) -> Policy:
    """The policy of a match that waits for a public beacon: one of the seed's own, whose values have numbers."""
    return Policy("external", beacon=f"{origin(seed)} beacon", reference=str(index))


def beacon_value(seed: str, policy: Policy) -> bytes:
    """What the seed's beacon tells when it is asked for that reference."""
    return _derived(_root(seed), "beacon", policy.reference)[:32]


Step = tuple[tuple[Entry, ...], MatchState]
"""What is added to a log, and where the match stands after it."""


def simulated(at_table: Table, max_plies: int) -> Log:
    """The match, played at random to its end or, after so many plies, left running."""
    salt = _salts(at_table.key)
    entries, standing = begun(at_table.beginning, timestamp(0), salt)
    written = [*entries]
    for more, after in _course(at_table, standing, salt):
        written += more
        standing = after
        if standing.state is not None and standing.state.ply >= max_plies:
            break
    return Log(tuple(written), standing)


def _course(at_table: Table, standing: MatchState, salt: Salt) -> Iterator[Step]:
    """All that becomes of a match."""
    for step in _undisturbed(at_table, standing, salt):
        yield step
        standing = step[1]
        if at_table.cancelled_after is not None and standing.seq >= at_table.cancelled_after and not standing.over:
            entries, standing = cancelled(standing, _due(standing), salt)
            yield entries, standing
            break
    if standing.over and not standing.closed and at_table.told:
        at, until = _due(standing), standing.withheld
        yield seed_told(standing, at if until is None or until == "group" else max(at, until), salt)


def _undisturbed(at_table: Table, standing: MatchState, salt: Salt) -> Iterator[Step]:
    for step in contributions(at_table, standing, salt):
        yield step
        standing = step[1]
    if standing.state is not None:
        yield from plies(at_table, standing, salt)


def contributions(at_table: Table, standing: MatchState, salt: Salt) -> Iterator[Step]:
    """What each contribution to the seed adds to the log; and what becomes of a match whose seats stay silent."""
    for take, kind, actor, data in _offers(at_table, standing.seeding):
        after = take(standing.seeding)
        if isinstance(after, str):
            raise RuntimeError(f"a contribution was refused: {after}")
        step = contributed(standing, after, kind, actor, data, _due(standing), salt)
        yield step
        standing = step[1]
    if standing.status == "seeding":
        yield unanswered(standing, max(_due(standing), standing.seeding.until or ""), salt)


Offer = tuple[Callable[[Seeding], Seeding | Reason], str, Actor, Mapping[str, Any]]
"""How a contribution is taken, the type of its event, who makes it, and its ``data``."""


def _offers(at_table: Table, seeding: Seeding) -> Iterator[Offer]:
    """All contributions to the seed of a match, in their order."""
    if seeding.policy.name == "players":
        entropies = [_derived(at_table.key, "entropy", u32(seat))[:32] for seat in range(seeding.seats)]
        for seat, entropy in enumerate(entropies):
            commit = player_commitment(seeding.deal_id, seat, entropy)
            yield partial(committed, seat=seat, commit=commit), "entropy_committed", _seat(seat), {"commit": commit}
        for seat, entropy in enumerate(entropies):
            if seat not in at_table.silent:
                told = {"entropy": entropy.hex()}
                yield partial(revealed, seat=seat, entropy=entropy.hex()), "entropy_revealed", _seat(seat), told
    elif seeding.policy.name != "server":
        share, actor = at_table.share.hex(), SHARERS[seeding.policy.name]
        yield partial(shared, entropy=share), "entropy_revealed", actor, {"entropy": share}


def _seat(seat: Seat) -> Actor:
    return {"role": "seat", "seat": seat}


def plies(at_table: Table, standing: MatchState, salt: Salt) -> Iterator[Step]:
    """What each further move adds to the log, and where the match stands after it; until the match is over."""
    chance = deal_v1(standing.state.seed)
    while not standing.over:
        move, ruling = _chosen(standing.game, standing.state, at_table.key, chance)
        seat = move["seat"]
        actor = {"role": "operator" if seat in at_table.operated else "seat", "seat": seat}
        entries, standing = moved(standing, move, actor, ruling, _due(standing), salt)
        yield entries, standing


def _salts(key: bytes) -> Salt:
    numbers = count()
    return lambda: _derived(key, "salt", u32(next(numbers)))[:32]


def _due(standing: MatchState) -> str:
    """When the next event happens: as many seconds after the epoch as its number, and never before the last one."""
    return max(timestamp(standing.seq + 1), standing.at)


def timestamp(seconds: int) -> str:
    """So many seconds after the epoch, as logs write it."""
    return (EPOCH + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def signing_key(seed: str) -> bytes:
    """The 32 private bytes of the key that signs every match of the seed."""
    return _derived(_root(seed), "signing key")[:32]


def origin(seed: str) -> str:
    """The name of the service that the matches of the seed are said to come from."""
    return f"gyoji-simulate-{_derived(_root(seed), 'origin')[:8].hex()}"


def replay_file(log: Log, signing: Signer) -> bytes:
    """The whole log with all its openings as a file."""
    first, *rest = log.entries
    return b"".join(write_replay(first, rest, signing, "full"))


def trust_document(signing: Signer) -> dict[str, Any]:
    """The public half of a simulated key, in the form in which a service serves its own."""
    key = {
        "key": signing.key,
        "origin": signing.origin,
        "public": public_bytes(signing.private).hex(),
        "from": timestamp(0),
        "until": None,
        "revoked": None,
    }
    return {"keys": [key]}
