"""The golden replays, read."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.games.records import Known
from gyoji.log.canonical import leaf_hash
from gyoji.log.entries import Entry, Opening
from gyoji.log.files import read_opening
from gyoji.log.redaction import project_event
from gyoji.match.fold import apply_entry, first_state
from gyoji.match.state import MatchState
from gyoji.published_files import CHECKOUT

REPLAYS = CHECKOUT / "replays"
FILES = sorted(REPLAYS.glob("*/*.jsonl"))
FORKS = sorted(Path(__file__).with_name("forks").glob("*/*.jsonl"))
PARTIAL = sorted(Path(__file__).with_name("partial").glob("*/*.jsonl"))
"""Files that are never verified by themselves: they wait for a beacon, or their secret is withheld."""
BEACONS = Path(__file__).with_name("beacons.json")
EVERY = [*FILES, *FORKS, *PARTIAL]
NAMES = [f"{file.parent.name}/{file.stem}" for file in EVERY]


@cache
def documents(file: Path) -> list[Any]:
    """Every line of the file."""
    return [json.loads(line) for line in file.read_bytes().splitlines()]


@cache
def entries(file: Path) -> list[Entry]:
    """The log, with its openings."""
    found: list[Entry] = []
    for line, document in zip(file.read_bytes().splitlines(), documents(file), strict=True):
        if "seq" in document:
            found.append(Entry(document["seq"], line, leaf_hash(line)))
        elif "opening" in document:
            found[-1] = _with(found[-1], document["opening"])
    return found


def _with(entry: Entry, document: dict[str, Any]) -> Entry:
    if "position" in document:
        return entry._replace(position=bytes.fromhex(document["position"]))
    opening: Opening = read_opening(document)
    return entry._replace(openings=(*entry.openings, opening))


def game_of(file: Path) -> Game[Any]:
    return BY_SLUG[file.parent.name]


def known(slug: str) -> Known:
    """Every event and every move that the game tells of."""
    game = BY_SLUG[slug]
    return game.known(game.read_options({}))


@cache
def match_states(file: Path) -> list[MatchState]:
    """Where the match stands after each event."""
    first, *rest = entries(file)
    found = [first_state(first, game_of(file), bytes(64))]
    for entry in rest:
        found.append(apply_entry(found[-1], entry))
    return found


@cache
def shown_in(file: Path) -> list[dict[str, Any]]:
    """Every event with all that is known of it."""
    return [project_event("full", entry) for entry in entries(file)]


def domain_events(file: Path) -> Iterator[dict[str, Any]]:
    """What happened at the table."""
    for document in shown_in(file):
        yield from document["data"].get("events", ())


def cited(file: Path) -> Iterator[str]:
    """Every rule that an event or a score line cites."""
    for event in domain_events(file):
        if "rule" in event:
            yield event["rule"]
        yield from (line["rule"] for line in event.get("lines", ()))
    last = match_states(file)[-1].state
    yield from () if last is None else (line["rule"] for line in game_of(file).lines(last))


def settings(file: Path) -> dict[str, Any]:
    """What the match was set up with."""
    found: dict[str, Any] = documents(file)[1]["data"]
    return found
