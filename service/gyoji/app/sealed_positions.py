"""Positions that are kept in capsules: what goes into one, and what a seat is answered that may not know it all."""

from collections.abc import Sequence
from typing import Any

import orjson

from gyoji.app.adjudication import named
from gyoji.games.game import Event, Game, Position, Seat
from gyoji.log.redaction import merge, redact


def content(game: Game[Any], state: Position) -> bytes:
    """The position as a capsule holds it: the state envelope as JSON."""
    return orjson.dumps(game.write_state(state))


def position(game: Game[Any], held: bytes) -> Any:
    """The position that a capsule holds; it was one when it was sealed, so it is not looked into again."""
    return game.read_state(orjson.loads(held))


def room(game: Game[Any], options: Any) -> int:
    """Bytes that every position with these options fits into, whatever is hidden in it."""
    return game.room + 2 * len(orjson.dumps(game.write_options(options)))


def shown(game: Game[Any], state: Any, events: Sequence[Event], seat: Seat | None) -> dict[str, Any]:
    """What has happened, the position and what may be played, as that seat (``None``: a spectator) may know it."""
    return {
        "events": _told(game, state, events, seat),
        "view": game.view(state, seat),
        "legal_moves": _own_moves(game, state, seat),
        "scores": state.scores,
        "outcome": state.outcome,
    }


def _told(game: Game[Any], state: Any, events: Sequence[Event], seat: Seat | None) -> Any:
    """The events by the projection of the log: what is public, and what of the rest is this seat's to know."""
    data, secrets = redact(game.known(state.options), None, events)
    own = [payload for audience, payload in secrets.items() if audience == "all" or seat in audience]
    return merge(data, own)["events"]


def _own_moves(game: Game[Any], state: Position, seat: Seat | None) -> list[Any]:
    return [move for move in game.legal_moves(state) if move["seat"] == seat]


def seen(game: Game[Any], state: Position, seat: Seat | None) -> dict[str, Any]:
    """``views``: the position as that seat may know it, and its own moves."""
    return {**named(game), "view": game.view(state, seat), "legal_moves": _own_moves(game, state, seat)}


def playable(game: Game[Any], state: Position, seat: Seat) -> dict[str, Any]:
    """``legal-moves``: what that seat may play."""
    return {**named(game), "to_act": state.to_act, "legal_moves": _own_moves(game, state, seat)}
