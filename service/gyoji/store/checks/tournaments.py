"""Checks that the logs of tournaments are what was put into them, and that their rows and matches agree with them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from gyoji.log.canonical import ZERO, canonical, leaf_hash
from gyoji.log.parser import AT, HEX_32, is_text, is_whole
from gyoji.store.database.port import Database
from gyoji.store.encryption import Damaged
from gyoji.store.tournaments import StoredTournament, Tournaments
from gyoji.tournaments.chance import derive_round_seed, seed_commitment
from gyoji.tournaments.tournament import MOST_ROUNDS

STRAYS = "SELECT DISTINCT tournament FROM tournament_events WHERE tournament NOT IN (SELECT id FROM tournaments)"
ALONE = """SELECT DISTINCT tournament FROM matches
WHERE tournament IS NOT NULL AND tournament NOT IN (SELECT id FROM tournaments)"""


def tournament_findings(database: Database, tournaments: Tournaments) -> Iterator[str]:
    """Find everything that is wrong with tournaments; each finding names the one that it is about."""
    yield from (_said(row[0], "events of no tournament") for row in database.query(STRAYS))
    yield from (_said(row[0], "it has matches and is not there") for row in database.query(ALONE))
    for name in tournaments.every():
        try:
            held = tournaments.tournament(name)
        except Damaged:
            yield _said(name, "its row does not read")
            continue
        if held is not None:
            yield from (_said(name, what) for what in dict.fromkeys(_wrong(held, tournaments)))


def _said(tournament: object, what: str) -> str:
    return f"tournament {tournament}: {what}"


def _wrong(held: StoredTournament, tournaments: Tournaments) -> Iterator[str]:
    """Find what is wrong with one. It may go on meanwhile: what was appended after its row was read is left alone."""
    seq, last, time, ended, tables, drawn = -1, ZERO, "", False, set[str](), list[dict[str, Any]]()
    for entry in tournaments.entries(held.tournament, -1, held.seq):
        document = _document(entry.body)
        if document is None or canonical(document) != entry.body:
            yield f"event {entry.seq} does not read"
            return
        if leaf_hash(entry.body) != entry.hash:
            yield f"event {entry.seq} does not have its hash"
        if (entry.seq, _place(document)) != (seq + 1, (held.tournament, entry.seq, last.hex())):
            yield f"event {entry.seq} does not continue the log"
        if not is_text(document.get("at"), AT) or document["at"] < time:
            yield f"event {entry.seq} has no time that could follow"
            return
        if entry.seq == 0 and _repeated(document) != (held.created, held.visibility):
            yield "its row is not what the log says"
        tables |= set(_matches(document))
        drawn += [document] if document.get("type") in DRAWING else []
        seq, last, time = entry.seq, entry.hash, document["at"]
        ended = document.get("type") == "tournament_closed"
    if (seq, last, ended) != (held.seq, held.hash, held.closed):
        yield "its row does not stand at the last event"
    if ended and not _are_promised(drawn):
        yield "its lots do not come from the seed that was promised"
    if not tables <= {each.match for each in tournaments.played(held.tournament)}:
        yield "matches of its log are not there, or are not its own"


DRAWING = ("tournament_created", "round_paired", "tournament_closed")
"""The events that promise the seed of all lots, tell that of a round, and tell it."""


def _are_promised(drawn: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the seed that the last event tells is the one that the first is committed to, and those of all rounds
    come from it."""
    created, *rounds, closed = [document["data"] for document in drawn]
    if not is_text(closed.get("seed"), HEX_32):
        return False
    seed = bytes.fromhex(closed["seed"])
    if seed_commitment(seed) != created.get("seed_commitment"):
        return False
    numbered = [(found.get("round"), found.get("seed")) for found in rounds]
    return all(
        is_whole(number, 1, MOST_ROUNDS) and drawn == derive_round_seed(seed, number) for number, drawn in numbered
    )


def _document(body: bytes) -> dict[str, Any] | None:
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return document if isinstance(document, dict) and isinstance(document.get("data"), dict) else None


def _place(document: dict[str, Any]) -> tuple[object, object, object]:
    return document.get("tournament"), document.get("seq"), document.get("prev")


def _repeated(document: dict[str, Any]) -> tuple[object, object]:
    return document.get("at"), document["data"].get("visibility")


def _matches(node: Any) -> Iterator[str]:
    """Every match that an event names."""
    if isinstance(node, dict):
        match = node.get("match")
        if isinstance(match, str):
            yield match
        yield from (found for inner in node.values() for found in _matches(inner))
    elif isinstance(node, list):
        yield from (found for inner in node for found in _matches(inner))
