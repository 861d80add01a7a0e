"""The fold: from the entries of a log to where the match stands after any of them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson

from gyoji.games.game import Accepted, Chance, Event, Game, Move, NotRecorded, Pile, Refused, recorded
from gyoji.log.entries import Entry
from gyoji.log.redaction import Misplaced, merge
from gyoji.match.clocks import read_control
from gyoji.match.rulings import applied, noted, read_ruling, taken_back
from gyoji.match.seeding import Reason, Seeding, committed, read_policy, revealed, seed_of, shared, waiting
from gyoji.match.state import (
    MatchState,
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
    return merge(document["data"], [opening.payload for opening in entry.openings])


def piles_of(game: Game[Any], options: Any, events: Iterable[Event]) -> list[Pile]:
    """Every shuffle that the events tell of."""
    return [pile for event in events for pile in game.shuffles(options, event)]


def first_state(first: Entry, game: Game[Any], secret: bytes) -> MatchState:
    """Where a match stands after its first event; ``secret`` is the server's, kept beside the log."""
    document = orjson.loads(first.body)
    data = document["data"]
    return MatchState(
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


def apply_entry(standing: MatchState, entry: Entry) -> MatchState:
    """Where the match stands after one more entry. Chance comes from what was recorded, not from the seed."""
    document = orjson.loads(entry.body)
    step = STEPS.get(document["type"])
    if step is not None:
        standing = step(standing, document, opened_data(entry, document))
    return standing._replace(seq=entry.seq, hash=entry.hash, at=document["at"])


Document = Mapping[str, Any]


def _committed(standing: MatchState, document: Document, data: Document) -> MatchState:
    return _contributed(standing, committed(standing.seeding, document["actor"]["seat"], data["commit"]))


def _revealed(standing: MatchState, document: Document, data: Document) -> MatchState:
    seeding, actor, entropy = standing.seeding, document["actor"], data["entropy"]
    return _contributed(
        standing, revealed(seeding, actor["seat"], entropy) if "seat" in actor else shared(seeding, entropy)
    )


def _contributed(standing: MatchState, after: Seeding | Reason) -> MatchState:
    if isinstance(after, str):
        raise BrokenLog(standing.seq + 1)
    return seeded(standing, after)


def _dealt(standing: MatchState, document: Document, data: Document) -> MatchState:
    game, seeding, at = standing.game, standing.seeding, document["at"]
    seed = seed_of(seeding, standing.secret, game)
    if "position" in data:
        return opened(standing, game.read_state(data["position"])._replace(seed=seed), at)
    chance = recorded(piles_of(game, standing.options, data["events"]))
    return opened(standing, game.start(seeding.seats, standing.options, standing.first, seed, chance).state, at)


def _played(standing: MatchState, document: Document, data: Document) -> MatchState:
    return _moved(standing, standing.game.adjudicate, document, data)


Adjudicate = Callable[[Any, Move, Chance], Accepted[Any] | Refused]


def _moved(standing: MatchState, adjudicate: Adjudicate, document: Document, data: Document) -> MatchState:
    move, chance = data["move"], recorded(piles_of(standing.game, standing.options, data["events"]))
    try:
        ruling = adjudicate(standing.state, move, chance)
    except NotRecorded:
        raise BrokenLog(standing.seq + 1) from None
    if not isinstance(ruling, Accepted):
        raise BrokenLog(standing.seq + 1)
    return after_move(standing, ruling.state, move["seat"], document["at"])


def _ruled(standing: MatchState, document: Document, data: Document) -> MatchState:
    game, kind = standing.game, data["ruling"]["kind"]
    if kind in ("play", "accept"):
        return noted(_moved(standing, game.adjudicate if kind == "play" else game.irregular, document, data))
    ruling = read_ruling(document["actor"], data)
    if kind == "take_back":
        state = game.read_state(data["position"])
        return taken_back(standing, data["ruling"]["to"], state, data.get("credited_ms"), document["at"])
    return applied(standing, ruling, document["at"])


def _expired(standing: MatchState, document: Document, data: Document) -> MatchState:
    """What was done of itself: a move, or what the next event says."""
    return _played(standing, document, data) if "move" in data else standing


def _finished(standing: MatchState, document: Document, data: Document) -> MatchState:
    result = data.get("result")
    return finished(standing, document["at"], None if result is None else read_result(result))


def _voided(standing: MatchState, document: Document, _data: Document) -> MatchState:
    return voided(standing, document["at"])


def _paused(standing: MatchState, document: Document, _data: Document) -> MatchState:
    return paused(standing, document["at"])


def _resumed(standing: MatchState, document: Document, _data: Document) -> MatchState:
    return resumed(standing, document["at"])


def _told(standing: MatchState, _document: Document, _data: Document) -> MatchState:
    return standing._replace(closed=True)


Step = Callable[[MatchState, Document, Document], MatchState]
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


def apply_entries(standing: MatchState, entries: Iterable[Entry]) -> MatchState:
    """The fold over entries that follow on."""
    for entry in entries:
        standing = apply_entry(standing, entry)
    return standing


def replay_log(game: Game[Any], secret: bytes, entries: Iterable[Entry]) -> MatchState:
    """The fold over a log from its first entry."""
    entries = iter(entries)
    return apply_entries(first_state(next(entries), game, secret), entries)
