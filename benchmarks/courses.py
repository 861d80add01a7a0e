"""Makes finished matches, as replay files and as what an audit finds in them.

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

from benchmarks.random_games import MOST_PLIES, SEATS, play_move
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


class RuledMove(NamedTuple):
    """A move, the position it was played in, and the events that followed."""

    state: Any
    move: Move
    events: Sequence[Any]


class Position(NamedTuple):
    """A position that is committed to."""

    salt: bytes
    state: Any


class FileSignature(NamedTuple):
    """The signature under a file."""

    public: bytes
    signature: bytes
    message: bytes


class FinishedMatch(NamedTuple):
    """One finished match."""

    file: bytes
    bodies: Sequence[bytes]
    """The events, in canonical bytes."""
    chance: Chance
    moves: Sequence[RuledMove]
    positions: Sequence[Position]
    openings: Sequence[tuple[bytes, bytes]]
    """Salt and canonical payload of everything hidden."""
    signed: FileSignature


class FinishedMatches(NamedTuple):
    """Some finished matches of one game, and the key that their files are signed with."""

    game: Game[Any]
    courses: Sequence[FinishedMatch]
    trusted: Sequence[Trusted]

    @property
    def moves(self) -> int:
        """The moves of all of them."""
        return sum(len(course.moves) for course in self.courses)


def make_finished_matches(slug: str, rng: Random, seats: int | None = None) -> FinishedMatches:
    """Make enough files to audit again and again."""
    game, signing = BY_SLUG[slug], signer(rng.randbytes(32), "bench")
    courses: list[FinishedMatch] = []
    for log in islice(play_to_the_end(game, rng.randbytes(16).hex(), seats), FILES):
        courses.append(read_finished_match(game, log, signing))
        if sum(len(one.moves) for one in courses) >= PLIES and len(courses) >= FEWEST:
            break
    return FinishedMatches(
        game, courses, [Trusted(signing.key, signing.origin, public_bytes(signing.private), revoked=False)]
    )


def play_to_the_end(game: Game[Any], seed: str, seats: int | None = None) -> Iterator[SimulatedLog]:
    """Play random matches and give back those that came to their end."""
    number = 0
    while True:
        at_table = plan_match(game, seats or min(SEATS, game.max_seats), {}, "public_on_close", seed, number)
        log = simulate_match(at_table, MOST_PLIES)
        number += 1
        if log.match.over:
            yield log


def read_finished_match(game: Game[Any], log: SimulatedLog, signing: Signer) -> FinishedMatch:
    """Read what an audit finds in a match that is over."""
    latest = log.match
    chance = deal_v1(latest.state.seed)
    moves: list[RuledMove] = []
    positions: list[Position] = []
    state = game.start(latest.state.seats, latest.options, latest.terms.first, latest.state.seed, chance).state
    for entry in log.entries:
        told = _opened_event(entry)
        if told["type"] in MOVES:
            after = game.adjudicate(state, told["data"]["move"], chance)
            if not isinstance(after, Accepted):
                raise RuntimeError(f"{game.slug}: a move of a finished match is refused")
            moves.append(RuledMove(state, told["data"]["move"], after.events))
            state = after.state
        if entry.position is not None:
            positions.append(Position(entry.position, state))
    openings = [(one.salt, canonical(one.payload)) for entry in log.entries for one in entry.openings]
    file = b"".join(write_replay(log.entries[0], log.entries[1:], signing, "full"))
    bodies = [entry.body for entry in log.entries]
    return FinishedMatch(file, bodies, chance, moves, positions, openings, _sign(log, signing))


def _opened_event(entry: Entry) -> Any:
    """Return an event with all that is hidden in it."""
    found = orjson.loads(entry.body)
    return {**found, "data": merge(found["data"], [opening.payload for opening in entry.openings])}


def _sign(log: SimulatedLog, signing: Signer) -> FileSignature:
    last = log.entries[-1]
    said = message("head/1", signing.origin, log.match.match, last.seq, last.hash)
    return FileSignature(public_bytes(signing.private), signing.private.sign(said), said)


def hash_lines(one: FinishedMatch) -> None:
    """Hash every event for the chain."""
    for body in one.bodies:
        leaf_hash(body)


def digest_file(one: FinishedMatch) -> None:
    """Take the digest of the file."""
    sha256(one.file).digest()


def rule_again(game: Game[Any], one: FinishedMatch) -> None:
    """Rule on every move again, from the first position on."""
    state = one.moves[0].state
    for ruled in one.moves:
        state = play_move(game, state, ruled.move, one.chance)


def verify_signature(one: FinishedMatch) -> None:
    """Verify the signature of the file; raises ``InvalidSignature``."""
    Ed25519PublicKey.from_public_bytes(one.signed.public).verify(one.signed.signature, one.signed.message)


def do_least(game: Game[Any], one: FinishedMatch) -> None:
    """Do what no audit can leave out."""
    hash_lines(one)
    state = one.moves[0].state
    for ruled in one.moves:
        ruling = game.adjudicate(state, ruled.move, one.chance)
        if not isinstance(ruling, Accepted):
            raise RuntimeError(f"{game.slug}: a move of a finished match is refused")
        canonical(ruling.events)
        state = ruling.state
    digest_file(one)
    verify_signature(one)
