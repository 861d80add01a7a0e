"""Writes a game as the replay file of a match: ``gyoji audit`` calls it verified when the game is over.

Nothing is recorded while a game is played: its moves and the secret of its deals are put to the recorder of the service
afterwards. Everything else that a file has follows from the secret. Times count from a fixed epoch, a second an event.
It is signed with a key that everybody can derive, so the signature says only that the file is whole.
"""

from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gyoji.games.chance import root, u32
from gyoji.games.game import IllegalMove, Move
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.files import write_replay
from gyoji.log.signatures import Signer, signer
from gyoji.match import recorder
from gyoji.match.events.match_created import MatchDraft
from gyoji.published_files import rules_digest
from gyoji.simulation.derivation import derive, derive_origin, derive_signing_key, timestamp
from gyoji.simulation.matches import trust_document

if TYPE_CHECKING:
    from gyoji_env.table import Table

TRUST = "trust.json"
"""The file beside replays that has the key which they are signed with."""

KEY_SEED = "gyoji-env"
"""What the key is derived from."""


class Deal(NamedTuple):
    """What the cards of a game come from."""

    match: str
    """The id of the match, a UUID."""
    secret: bytes
    """64 bytes."""


class NotReplayed(RuntimeError):
    """The recorder refuses a move that the rules have accepted: gyoji contradicts itself."""


def signing() -> Signer:
    """Return the key that all replays are signed with."""
    return signer(derive_signing_key(KEY_SEED), derive_origin(KEY_SEED))


def seed_of(table: "Table", deal: Deal) -> str:
    """Return the seed of a game's shuffles, as the service has it of a match to which nobody else contributes."""
    nothing = [b""] * table.seats
    return root(deal.secret, nothing, b"", table.game.slug, table.game.version, deal.match)


def replay_file(table: "Table", deal: Deal, moves: Iterable[Move]) -> bytes:
    """Return a game as the bytes of a replay file, with all that was hidden. Of a game that is not over it is the file
    of a match that still runs."""
    numbers = count()
    first, *rest = _entries(table, deal, moves, lambda: derive(deal.secret, "salt", u32(next(numbers)))[:32])
    return b"".join(write_replay(first, rest, signing(), "full"))


def _entries(table: "Table", deal: Deal, moves: Iterable[Move], salt: recorder.Salt) -> list[Entry]:
    game = table.game
    draft = MatchDraft(
        match=deal.match,
        game=game,
        rules_digest=rules_digest(game.slug),
        seats=table.seats,
        options=table.options,
        first=table.first,
        disclosure="public_on_close",
        visibility="private",
        if_match="optional",
        deal_id=deal.match,
        secret=deal.secret,
        names=None,
        metadata={},
        tags=(),
    )
    made, match = recorder.begin(draft, timestamp(0), salt)
    entries = [*made]
    for move in moves:
        step = recorder.play(match, move, {"role": "seat", "seat": move["seat"]}, timestamp(match.seq + 1), salt)
        if isinstance(step, IllegalMove):
            raise NotReplayed(f"{game.slug}: {step.infraction.reason}")
        entries += step[0]
        match = step[1]
    return entries


def write(file: Path, content: bytes) -> None:
    """Write a replay file, and beside it the key that it is signed with."""
    file.write_bytes(content)
    (file.parent / TRUST).write_bytes(canonical(trust_document(signing())) + b"\n")
