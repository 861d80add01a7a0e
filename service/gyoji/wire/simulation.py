"""Random play from a seed: the same seed gives the same games, byte for byte, on any machine."""

import hmac
from collections.abc import Iterator, Mapping
from hashlib import sha512
from typing import Any, NamedTuple

from gyoji.games.chance import deal_v1, length_prefixed, u32
from gyoji.games.game import Accepted, Game, Move, Position
from gyoji.wire.contract import canonical
from gyoji.wire.published import rules_digest

FORMAT = "gyoji-moves/1"


class Played(NamedTuple):
    """One simulated game: where it began, what was played, where it stands."""

    seed: str
    first: Position
    moves: tuple[Move, ...]
    last: Position


def _derived(key: bytes, label: str, *fields: bytes | str) -> bytes:
    """64 bytes for that label: the first block of HKDF-Expand-SHA-512 (RFC 5869, section 2.3)."""
    return hmac.digest(key, length_prefixed(label, *fields) + b"\x01", "sha512")


def play(game: Game[Any], seats: int, options: Mapping[str, Any], seed: str, index: int, max_plies: int) -> Played:
    """Game number ``index`` of a seed: deals and choices come from it, each under its own label."""
    root = hmac.digest(sha512(b"gyoji/simulate/1").digest(), seed.encode(), "sha512")
    key = _derived(root, "game", game.slug, u32(game.version), u32(index))
    deal = _derived(key, "deal").hex()
    chance = deal_v1(deal)
    state = first = game.start(seats, game.read_options(options), 0, deal, chance).state
    moves: list[Move] = []
    while state.outcome is None and len(moves) < max_plies:
        legal = game.legal_moves(state)
        choice = int.from_bytes(_derived(key, "choice", u32(state.ply))[:16], "big") % len(legal)
        ruling = game.adjudicate(state, legal[choice], chance)
        if not isinstance(ruling, Accepted):
            raise RuntimeError(f"{game.slug}: a listed move was refused: {ruling.breach.reason}")
        state = ruling.state
        moves.append(legal[choice])
    return Played(deal, first, tuple(moves), state)


def move_list(game: Game[Any], played: Played) -> Iterator[bytes]:
    """The game as lines of JSON: how it began, every move, how it stands."""
    beginning = game.write_state(played.first)
    yield canonical(
        {
            "format": FORMAT,
            "game": game.slug,
            "version": game.version,
            "rules_digest": rules_digest(game.slug),
            "seats": played.first.seats,
            "options": beginning["options"],
            "first": 0,
            "seed": played.seed,
        }
    )
    yield from (canonical(move) for move in played.moves)
    last = played.last
    yield canonical({"plies": last.ply, "finished": last.outcome is not None, "scores": last.scores})
