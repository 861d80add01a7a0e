"""Takes openings of single secrets out of a fuller replay file, and adds them to a redacted one.

Whoever adds one need not trust whoever gives it: an opening fits the commitment in the event, or it is none. Events and
signed head stay what they are, so a file that has been opened further verifies as it did before.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from gyoji.audit.recorded import Openings
from gyoji.audit.verdicts import Findings
from gyoji.games.game import Game
from gyoji.log.canonical import canonical, position_commitment
from gyoji.log.entries import Entry
from gyoji.log.files import read_opening
from gyoji.log.redaction import opening_document, opening_documents
from gyoji.match.fold import UNFOLDABLE, apply_entries, replay_log
from gyoji.match.state import MatchState

Document = Mapping[str, Any]


class UnfitOpening(Exception):
    """An opening opens nothing of this log, or nobody can check it; the text says which and why."""


class Secret(NamedTuple):
    """A secret of an event: its place, its audience (``for``), and whether the file opens it."""

    place: int
    audience: Any
    is_open: bool


def secrets_of(entry: Entry) -> list[Secret]:
    """List the secrets of an event, in their order."""
    opened = {opening.place for opening in entry.openings}
    secrets = orjson.loads(entry.body)["secret"]
    return [Secret(place, secret["for"], place in opened) for place, secret in enumerate(secrets)]


def opening_of(entry: Entry, place: int) -> Document:
    """Return the opening of one secret of an event as a document, from a file that has it. Raises ``UnfitOpening``."""
    for opening in entry.openings:
        if opening.place == place:
            found = opening_document(entry.seq, opening)
            _must_fit(orjson.loads(entry.body), found)
            return found
    raise UnfitOpening(f"the file does not open secret {place} of event {entry.seq}")


def position(game: Game[Any], entries: Sequence[Entry], seq: int) -> Document:
    """Return the opening of the position after event ``seq``, from a file that opens it and everything before. Raises
    ``UnfitOpening``."""
    salt = entries[seq].position
    if salt is None:
        raise UnfitOpening(f"the file does not open the position of event {seq}")
    _must_be_positions(game, entries, {seq: salt})
    return {"seq": seq, "position": salt.hex()}


def opened(game: Game[Any], entries: Sequence[Entry], documents: Iterable[Document]) -> tuple[Entry, ...]:
    """Return the entries of a log with further openings added, which are documents of the right shape.

    A position can be checked only against the position itself: all that came before has to be open by then. Raises
    ``UnfitOpening`` for the first that does not fit; then nothing is opened.
    """
    found = [*entries]
    positions: dict[int, bytes] = {}
    secrets: dict[int, list[Document]] = {}
    for document in documents:
        seq = document["seq"]
        if seq >= len(found):
            raise UnfitOpening(f"the log has no event {seq}")
        if "position" in document:
            positions[seq] = bytes.fromhex(document["position"])
        else:
            secrets.setdefault(seq, []).append(document)
    for seq, of_event in secrets.items():
        found[seq] = _with(found[seq], of_event)
    _must_be_positions(game, found, positions)
    for seq, salt in positions.items():
        found[seq] = found[seq]._replace(position=salt)
    return tuple(found)


def _with(entry: Entry, documents: Sequence[Document]) -> Entry:
    event = orjson.loads(entry.body)
    openings = {opening.place: opening for opening in entry.openings}
    for document in documents:
        _must_fit(event, document)
        opening = read_opening(dict(document))
        openings[opening.place] = opening
    return entry._replace(openings=tuple([openings[place] for place in sorted(openings)]))


def _must_fit(event: Document, document: Document) -> None:
    findings = Findings()
    Openings(event, findings).read(document)
    if findings.has_failed():
        raise UnfitOpening(f"the opening does not fit secret {document['index']} of event {event['seq']}")


def _must_be_positions(game: Game[Any], entries: Sequence[Entry], salts: Mapping[int, bytes]) -> None:
    """Fold the log once, from one of the positions to the next."""
    match: MatchState | None = None
    for seq, salt in sorted(salts.items()):
        committed = orjson.loads(entries[seq].body)["position"]
        if committed is None:
            raise UnfitOpening(f"event {seq} has no position")
        try:
            match = _folded(game, match, entries[: seq + 1])
            state = game.write_state(match.state)
        except UNFOLDABLE:
            raise UnfitOpening(f"the position of event {seq} cannot be checked: not all before it is open") from None
        if position_commitment(salt, state) != committed:
            raise UnfitOpening(f"the opening does not fit the position of event {seq}")


def _folded(game: Game[Any], match: MatchState | None, entries: Sequence[Entry]) -> MatchState:
    if match is None:
        return replay_log(game, b"", entries)
    return apply_entries(match, entries[match.seq + 1 :])


def rewritten(header: Document, entries: Sequence[Entry], head: Document) -> Iterator[bytes]:
    """Write the lines of a file with everything that these entries open. Its audience is ``full`` if nothing is hidden,
    else unchanged."""
    digest = sha256()
    for body in _bodies({**header, "audience": "full"} if is_full(entries) else header, entries):
        digest.update(body + b"\n")
        yield body + b"\n"
    yield canonical({"head": head, "file": digest.hexdigest()}) + b"\n"


def _bodies(header: Document, entries: Sequence[Entry]) -> Iterator[bytes]:
    yield canonical(header)
    for entry in entries:
        yield entry.body
        for document in opening_documents("full", entry):
            yield canonical({"opening": document})


def is_full(entries: Sequence[Entry]) -> bool:
    """Tell whether the entries open everything that is hidden in them."""
    return all(map(_is_open, entries))


def _is_open(entry: Entry) -> bool:
    document = orjson.loads(entry.body)
    is_placed = document["position"] is None or entry.position is not None
    return is_placed and len(entry.openings) == len(document["secret"])
