"""Writes the frames that the viewer of a match steps through: data of the pages, no part of the published API."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from gyoji.api.parameters import MOST_EVENTS, MOST_SEQ
from gyoji.app.positions import own_moves, view_of
from gyoji.app.requests import RequestContext
from gyoji.games.game import Game, Move
from gyoji.log.redaction import Reader
from gyoji.match.fold import UNFOLDABLE
from gyoji.match.viewer_frames import Frame, Perspective, Step, frames
from gyoji.messages.drawings import drawing
from gyoji.messages.language import Language
from gyoji.messages.matches import Narrator
from gyoji.web.pages.templates import words_of

MOST_TOLD = 256
"""Things that are told of one event; no match has events of which there is more to tell."""


def after_of(context: RequestContext) -> int:
    """Return the event after which frames are requested; -1, which may also be said, for all of them."""
    if context.query.get("after") == "-1":
        return -1
    after = context.whole_number("after", None, MOST_SEQ)
    return -1 if after is None else after


def last_of(context: RequestContext, seq: int) -> int:
    """Return the event after which so many are the last ones as are requested; -1 where nothing is said of it."""
    last = context.whole_number("last", None, MOST_EVENTS, least=1)
    return -1 if last is None else max(-1, seq - last)


def limit_of(context: RequestContext) -> int:
    """Return how many frames are requested at most."""
    return context.whole_number("limit", MOST_EVENTS, MOST_EVENTS, least=1) or MOST_EVENTS


def seats_of(seats: int, names: Any) -> list[dict[str, Any]]:
    """Return the seats with their names; ``names`` of a file may be anything."""
    told = names if isinstance(names, list) and len(names) == seats else [None] * seats
    return [{"seat": seat, "name": name if isinstance(name, str) else None} for seat, name in enumerate(told)]


def names_of(seats: Sequence[Mapping[str, Any]], language: Language) -> list[str]:
    """Return what the seats are called: their names, or numbers that count from 1, as people do."""
    return [
        words_of("common", language)["seat"].format(seat=seat["seat"] + 1) if seat["name"] is None else seat["name"]
        for seat in seats
    ]


def perspective_of(game: Game[Any], reader: Reader) -> Perspective:
    """Return the perspective of a reader: the view and legal moves that all other calls show, and never the seed."""

    def view(state: Any) -> Mapping[str, Any]:
        return view_of(game, state, reader)

    def legal(state: Any) -> list[Move]:
        if reader == "full":
            return game.legal_moves(state)
        return own_moves(game, state, reader if isinstance(reader, int) else None)

    return Perspective(reader, view, legal)


def frame_documents(
    steps: Iterable[Step],
    sight: Perspective,
    slug: str,
    language: Language,
    seats: Sequence[Mapping[str, Any]] | None,
) -> list[dict[str, Any]]:
    """Write the frames of a match as documents, with sentences in a language about its seats; without them in the
    notation of the log."""
    narrator = Narrator(slug, language, None if seats is None else names_of(seats, language))
    ends = frozenset(drawing(slug).page["layout"].get("ends", {}).values())
    return [_frame(frame, narrator, ends) for frame in frames(steps, sight)]


def _frame(frame: Frame, narrator: Narrator, ends: Collection[str]) -> dict[str, Any]:
    document = frame.document
    move, ruling = document["data"].get("move"), document["data"].get("ruling")
    found: dict[str, Any] = {
        "seq": document["seq"],
        "at": document["at"],
        "type": document["type"],
        "actor": document["actor"],
        "told": _told(document, narrator),
        "legal": frame.legal,
        "move": move if isinstance(move, dict) else None,
        "ruling": ruling if isinstance(ruling, dict) else None,
        "line": {"seq": document["seq"], "taken_back_by": frame.taken_back_by},
    }
    ended = _ends(document, ends)
    if ended:
        found["ends"] = ended
    if found["ruling"] is not None:
        found["reason"] = document["data"].get("reason")
    if frame.change is None:
        return {**found, "view": frame.view}
    return {**found, **{name: places for name, places in frame.change._asdict().items() if places}}


def _ends(document: Mapping[str, Any], ends: Collection[str]) -> list[Any]:
    """The events of the game that end a trick or a round, as its drawing names them; a file may hold anything."""
    events = document["data"].get("events", ())
    listed = events if isinstance(events, list | tuple) else ()
    return [event for event in listed if isinstance(event, Mapping) and event.get("type") in ends]


def _told(document: Mapping[str, Any], narrator: Narrator) -> list[dict[str, Any]]:
    """What happened, as far as it can be told: a file may hold events that no service has written."""
    found: list[dict[str, Any]] = []
    try:
        for sentence in islice(narrator.sentences(document), MOST_TOLD):
            found += [{"text": sentence.text, "rule": sentence.rule, "detail": sentence.detail}]
    except UNFOLDABLE:
        return found
    return found
