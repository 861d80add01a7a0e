"""Finished matches whose course is known: as a replay file, and as what an audit finds in it.

Of such a course the least that an audit can do is done here: hash every line, rule on every move, write down what
follows from it, take the digest of the file, check one signature.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import orjson
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from benchmarks.random_games import MOST_PLIES, SEATS, accepted
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Chance, Game, Move
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.entries import Entry
from gyoji.log.files import write_replay
from gyoji.log.redaction import merge
from gyoji.log.signatures import Signer, Trusted, message, public_bytes, signer
from gyoji.simulation.matches import SimulatedLog, plan_match, simulate_match

FILES, FEWEST, PLIES = 20, 3, 6_000
"""As many files, or fewer (but not fewer than that) where games are so long that they come to so many plies."""
MOVES = ("move_played", "choice_made")


class Ruled(NamedTuple):
    """A move, where it was played, and what came of it."""

    state: Any
    move: Move
    events: Sequence[Any]


class Position(NamedTuple):
    """A position that is committed to."""

    salt: bytes
    state: Any


class Signed(NamedTuple):
    """The signature under a file."""

    public: bytes
    signature: bytes
    message: bytes


class Course(NamedTuple):
    """One finished match."""

    file: bytes
    bodies: Sequence[bytes]
    """The events, in canonical bytes."""
    chance: Chance
    moves: Sequence[Ruled]
    positions: Sequence[Position]
    openings: Sequence[tuple[bytes, bytes]]
    """Salt and canonical payload of everything hidden."""
    signed: Signed


class Shelf(NamedTuple):
    """Some courses of one game, and the key that their files are signed with."""

    game: Game[Any]
    courses: Sequence[Course]
    trusted: Sequence[Trusted]

    @property
    def moves(self) -> int:
        """Of all of them."""
        return sum(len(course.moves) for course in self.courses)


def shelf(slug: str, rng: Random, seats: int | None = None) -> Shelf:
    """Enough files to audit again and again."""
    game, signing = BY_SLUG[slug], signer(rng.randbytes(32), "bench")
    courses: list[Course] = []
    for log in islice(finished(game, rng.randbytes(16).hex(), seats), FILES):
        courses.append(course(game, log, signing))
        if sum(len(one.moves) for one in courses) >= PLIES and len(courses) >= FEWEST:
            break
    return Shelf(game, courses, [Trusted(signing.key, signing.origin, public_bytes(signing.private), revoked=False)])


def finished(game: Game[Any], seed: str, seats: int | None = None) -> Iterator[SimulatedLog]:
    """Random matches that came to their end, one after the other."""
    number = 0
    while True:
        at_table = plan_match(game, seats or min(SEATS, game.max_seats), {}, "public_on_close", seed, number)
        log = simulate_match(at_table, MOST_PLIES)
        number += 1
        if log.standing.over:
            yield log


def course(game: Game[Any], log: SimulatedLog, signing: Signer) -> Course:
    """The course of a match that is over."""
    standing = log.standing
    chance = deal_v1(standing.state.seed)
    moves: list[Ruled] = []
    positions: list[Position] = []
    state = game.start(standing.state.seats, standing.options, standing.first, standing.state.seed, chance).state
    for entry in log.entries:
        told = _told(entry)
        if told["type"] in MOVES:
            after = game.adjudicate(state, told["data"]["move"], chance)
            if not isinstance(after, Accepted):
                raise RuntimeError(f"{game.slug}: a move of a finished match is refused")
            moves.append(Ruled(state, told["data"]["move"], after.events))
            state = after.state
        if entry.position is not None:
            positions.append(Position(entry.position, state))
    openings = [(one.salt, canonical(one.payload)) for entry in log.entries for one in entry.openings]
    file = b"".join(write_replay(log.entries[0], log.entries[1:], signing, "full"))
    bodies = [entry.body for entry in log.entries]
    return Course(file, bodies, chance, moves, positions, openings, _signed(log, signing))


def _told(entry: Entry) -> Any:
    """The event with all that is hidden in it."""
    found = orjson.loads(entry.body)
    return {**found, "data": merge(found["data"], [opening.payload for opening in entry.openings])}


def _signed(log: SimulatedLog, signing: Signer) -> Signed:
    last = log.entries[-1]
    said = message("head/1", signing.origin, log.standing.match, last.seq, last.hash)
    return Signed(public_bytes(signing.private), signing.private.sign(said), said)


def hash_lines(one: Course) -> None:
    """The place of every event in the chain."""
    for body in one.bodies:
        leaf_hash(body)


def digest(one: Course) -> None:
    """The digest of the file."""
    sha256(one.file).digest()


def rule(game: Game[Any], one: Course) -> None:
    """Every move again, from the first position on."""
    state = one.moves[0].state
    for ruled in one.moves:
        state = accepted(game, state, ruled.move, one.chance)


def verify(one: Course) -> None:
    """The signature; ``InvalidSignature`` if it is none."""
    Ed25519PublicKey.from_public_bytes(one.signed.public).verify(one.signed.signature, one.signed.message)


def least(game: Game[Any], one: Course) -> None:
    """What no audit can leave out."""
    hash_lines(one)
    state = one.moves[0].state
    for ruled in one.moves:
        ruling = game.adjudicate(state, ruled.move, one.chance)
        if not isinstance(ruling, Accepted):
            raise RuntimeError(f"{game.slug}: a move of a finished match is refused")
        canonical(ruling.events)
        state = ruling.state
    digest(one)
    verify(one)
