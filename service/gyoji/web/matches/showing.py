"""A position as a reader may know it: the one way from a state to what leaves the service."""

from collections.abc import Mapping
from typing import Any

from gyoji.access.rights import Viewer
from gyoji.games.game import Game, Move
from gyoji.replay.readers import Reader
from gyoji.replay.recording import Standing


def view_of(game: Game[Any], state: Any, reader: Reader, disclosed: bool = False) -> Mapping[str, Any]:
    """The state envelope for a reader. The seed, from which later deals come, shows only when all is disclosed."""
    if reader == "full":
        return game.write_state(state if disclosed else state._replace(seed=None))
    return game.view(state, None if reader == "public" else reader)


def own_moves(game: Game[Any], state: Any, seat: int | None) -> list[Move]:
    """The legal moves of that seat; none for whoever has no seat."""
    if seat is None or state is None or seat not in state.to_act:
        return []
    return [move for move in game.legal_moves(state) if move["seat"] == seat]


def viewer_document(viewer: Viewer) -> dict[str, Any]:
    """Who looks."""
    return {"role": viewer.role, "seat": viewer.seat}


def seeding_document(standing: Standing) -> dict[str, Any]:
    """Who has contributed to the deals, where others than the service do."""
    seeding = standing.seeding
    if seeding.policy.name == "server":
        return {}
    awaited = {"beacon": seeding.policy.beacon, "reference": seeding.policy.reference}
    return {
        "seeding": {
            "policy": seeding.policy.name,
            **(awaited if seeding.policy.name == "external" else {}),
            "committed": seeding.committed,
            "revealed": seeding.revealed,
            "missing": seeding.missing,
            "until": seeding.until,
        }
    }


def position_document(standing: Standing, reader: Reader, disclosed: bool) -> dict[str, Any]:
    """View, scores and outcome after an event; nothing of them before the deal."""
    state = standing.state
    if state is None:
        return {"view": None, "scores": None, "outcome": None}
    return {
        "view": view_of(standing.game, state, reader, disclosed),
        "scores": state.scores,
        "outcome": state.outcome,
    }
