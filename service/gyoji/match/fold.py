"""The fold: from the entries of a log to where the match stands after any of them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson

from gyoji.games.game import Accepted, Chance, Event, Game, Move, NotRecorded, Pile, Refused, recorded
from gyoji.log.entries import Entry
from gyoji.log.redaction import Misplaced, merged
from gyoji.match.clocks import read_control
from gyoji.match.rulings import applied, noted, read_ruling, taken_back
from gyoji.match.seeding import Reason, Seeding, committed, read_policy, revealed, seed_of, shared, waiting
from gyoji.match.state import (
    Standing,
    after_move,
    finished,
    opened,
    paused,
    read_result,
    resumed,
    seeded,
    voided,
)

MOVES = ("move_played", "choice_made")


class BrokenLog(Exception):
    """A log that cannot be folded: it was not written by this service, or an opening is missing."""


UNFOLDABLE = (BrokenLog, Misplaced, NotRecorded, AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What the fold, and whoever tells of the events, stumbles over where something is hidden, or was never written by a
service. Which event is wrong, and how, is the audit's to say."""


def opened_data(entry: Entry, document: Mapping[str, Any]) -> Any:
    """``data`` of the event with everything that this holder's openings tell."""
    return merged(document["data"], [opening.payload for opening in entry.openings])


def piles_of(game: Game[Any], options: Any, events: Iterable[Event]) -> list[Pile]:
    """Every shuffle that the events tell of."""
    return [pile for event in events for pile in game.shuffles(options, event)]


def first_standing(first: Entry, game: Game[Any], secret: bytes) -> Standing:
    """Where a match stands after its first event; ``secret`` is the server's, kept beside the log."""
    document = orjson.loads(first.body)
    data = document["data"]
    return Standing(
        document["match"],
        game,
        first.seq,
        first.hash,
        None,
        first.seq,
        secret,
        data["disclosure"],
        game.read_options(data["options"]),
        data["first"],
        waiting(read_policy(data["randomness"]), data["seats"], data["deal_id"], document["at"]),
        data.get("withheld_until"),
        control=read_control(data.get("clock")),
        at=document["at"],
    )


def next_standing(standing: Standing, entry: Entry) -> Standing:
    """Where the match stands after one more entry. Chance comes from what was recorded, not from the seed."""
    document = orjson.loads(entry.body)
    step = STEPS.get(document["type"])
    if step is not None:
        standing = step(standing, document, opened_data(entry, document))
    return standing._replace(seq=entry.seq, hash=entry.hash, at=document["at"])


Document = Mapping[str, Any]


def _committed(standing: Standing, document: Document, data: Document) -> Standing:
    return _contributed(standing, committed(standing.seeding, document["actor"]["seat"], data["commit"]))


def _revealed(standing: Standing, document: Document, data: Document) -> Standing:
    seeding, actor, entropy = standing.seeding, document["actor"], data["entropy"]
    return _contributed(
        standing, revealed(seeding, actor["seat"], entropy) if "seat" in actor else shared(seeding, entropy)
    )


def _contributed(standing: Standing, after: Seeding | Reason) -> Standing:
    if isinstance(after, str):
        raise BrokenLog(standing.seq + 1)
    return seeded(standing, after)


def _dealt(standing: Standing, document: Document, data: Document) -> Standing:
    game, seeding, at = standing.game, standing.seeding, document["at"]
    seed = seed_of(seeding, standing.secret, game)
    if "position" in data:
        return opened(standing, game.read_state(data["position"])._replace(seed=seed), at)
    chance = recorded(piles_of(game, standing.options, data["events"]))
    return opened(standing, game.start(seeding.seats, standing.options, standing.first, seed, chance).state, at)


def _played(standing: Standing, document: Document, data: Document) -> Standing:
    return _moved(standing, standing.game.adjudicate, document, data)


Adjudicate = Callable[[Any, Move, Chance], Accepted[Any] | Refused]


def _moved(standing: Standing, adjudicate: Adjudicate, document: Document, data: Document) -> Standing:
    move, chance = data["move"], recorded(piles_of(standing.game, standing.options, data["events"]))
    try:
        ruling = adjudicate(standing.state, move, chance)
    except NotRecorded:
        raise BrokenLog(standing.seq + 1) from None
    if not isinstance(ruling, Accepted):
        raise BrokenLog(standing.seq + 1)
    return after_move(standing, ruling.state, move["seat"], document["at"])


def _ruled(standing: Standing, document: Document, data: Document) -> Standing:
    game, kind = standing.game, data["ruling"]["kind"]
    if kind in ("play", "accept"):
        return noted(_moved(standing, game.adjudicate if kind == "play" else game.irregular, document, data))
    ruling = read_ruling(document["actor"], data)
    if kind == "take_back":
        state = game.read_state(data["position"])
        return taken_back(standing, data["ruling"]["to"], state, data.get("credited_ms"), document["at"])
    return applied(standing, ruling, document["at"])


def _expired(standing: Standing, document: Document, data: Document) -> Standing:
    """What was done of itself: a move, or what the next event says."""
    return _played(standing, document, data) if "move" in data else standing


def _finished(standing: Standing, document: Document, data: Document) -> Standing:
    result = data.get("result")
    return finished(standing, document["at"], None if result is None else read_result(result))


def _voided(standing: Standing, document: Document, _data: Document) -> Standing:
    return voided(standing, document["at"])


def _paused(standing: Standing, document: Document, _data: Document) -> Standing:
    return paused(standing, document["at"])


def _resumed(standing: Standing, document: Document, _data: Document) -> Standing:
    return resumed(standing, document["at"])


def _told(standing: Standing, _document: Document, _data: Document) -> Standing:
    return standing._replace(closed=True)


Step = Callable[[Standing, Document, Document], Standing]
STEPS: Mapping[str, Step] = {
    "entropy_committed": _committed,
    "entropy_revealed": _revealed,
    "dealt": _dealt,
    **dict.fromkeys(MOVES, _played),
    "ruling_made": _ruled,
    "clock_expired": _expired,
    "match_paused": _paused,
    "match_resumed": _resumed,
    "match_finished": _finished,
    "match_voided": _voided,
    "seed_disclosed": _told,
}
"""By type of event: (standing, event, opened data) -> the standing after it."""


def standing_after(standing: Standing, entries: Iterable[Entry]) -> Standing:
    """The fold over entries that follow on."""
    for entry in entries:
        standing = next_standing(standing, entry)
    return standing


def standing_of(game: Game[Any], secret: bytes, entries: Iterable[Entry]) -> Standing:
    """The fold over a log from its first entry."""
    entries = iter(entries)
    return standing_after(first_standing(next(entries), game, secret), entries)
