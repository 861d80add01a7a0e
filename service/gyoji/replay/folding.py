"""The fold: from the entries of a log to where the match stands after any of them."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from gyoji.games.game import Accepted, Event, Game, NotRecorded, Pile, recorded
from gyoji.replay.entries import Entry
from gyoji.replay.hiding import merged
from gyoji.replay.recording import Disclosure, Standing, after_move, match_seed

MOVES = ("move_played", "choice_made")


class BrokenLog(Exception):
    """A log that cannot be folded: it was not written by this service, or an opening is missing."""


class Opened:
    """What a match was set up with, from its first event, and the secret that is kept beside the log."""

    __slots__ = ("deal_id", "disclosure", "first", "game", "match", "options", "seats", "secret")

    def __init__(self, first: Entry, game: Game[Any], secret: bytes) -> None:
        document = orjson.loads(first.body)
        data = document["data"]
        self.match: str = document["match"]
        self.game = game
        self.seats: int = data["seats"]
        self.options = game.read_options(data["options"])
        self.first: int = data["first"]
        self.disclosure: Disclosure = data["disclosure"]
        self.deal_id: str = data["deal_id"]
        self.secret = secret


def opened_data(entry: Entry, document: Mapping[str, Any]) -> Any:
    """``data`` of the event with everything that this holder's openings tell."""
    return merged(document["data"], [opening.payload for opening in entry.openings])


def piles_of(game: Game[Any], options: Any, events: Iterable[Event]) -> list[Pile]:
    """Every shuffle that the events tell of."""
    return [pile for event in events for pile in game.shuffles(options, event)]


def first_standing(opened: Opened, entry: Entry) -> Standing:
    """Where the match stands after ``dealt``."""
    game = opened.game
    data = opened_data(entry, orjson.loads(entry.body))
    seed = match_seed(game, opened.secret, opened.seats, opened.deal_id)
    if "position" in data:
        state = game.read_state(data["position"])._replace(seed=seed)
    else:
        chance = recorded(piles_of(game, opened.options, data["events"]))
        state = game.start(opened.seats, opened.options, opened.first, seed, chance).state
    return Standing(opened.match, game, entry.seq, entry.hash, state, entry.seq, opened.secret, opened.disclosure)


def next_standing(standing: Standing, entry: Entry) -> Standing:
    """Where the match stands after one more entry. Chance comes from what was recorded, not from the seed."""
    document = orjson.loads(entry.body)
    if document["type"] in MOVES:
        standing = _played(standing, opened_data(entry, document))
    return standing._replace(seq=entry.seq, hash=entry.hash, over=document["type"] == "seed_disclosed")


def _played(standing: Standing, data: Mapping[str, Any]) -> Standing:
    game = standing.game
    chance = recorded(piles_of(game, standing.state.options, data["events"]))
    try:
        ruling = game.adjudicate(standing.state, data["move"], chance)
    except NotRecorded:
        raise BrokenLog(standing.seq + 1) from None
    if not isinstance(ruling, Accepted):
        raise BrokenLog(standing.seq + 1)
    return after_move(standing, ruling.state)


def standing_after(standing: Standing, entries: Iterable[Entry]) -> Standing:
    """The fold over entries that follow on."""
    for entry in entries:
        standing = next_standing(standing, entry)
    return standing


def standing_of(game: Game[Any], secret: bytes, entries: Iterable[Entry]) -> Standing:
    """The fold over a log from its first entry; it needs two entries at least."""
    entries = iter(entries)
    opened = Opened(next(entries), game, secret)
    return standing_after(first_standing(opened, next(entries)), entries)
