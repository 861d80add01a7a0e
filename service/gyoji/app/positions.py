"""Writes positions as a reader may know them: every position that leaves the service is written here."""

from collections.abc import Mapping
from typing import Any

from gyoji.access.rights import Viewer
from gyoji.app.clock import control_document
from gyoji.games.game import Game, Move
from gyoji.log.redaction import Reader
from gyoji.match.clocks import Clock, deadlines, used_ms
from gyoji.match.state import MatchState, result_of


def view_of(game: Game[Any], state: Any, reader: Reader, disclosed: bool = False) -> Mapping[str, Any]:
    """Return the state envelope for a reader. The seed, from which later deals come, shows only when all is
    disclosed."""
    if reader == "full":
        return game.write_state(state if disclosed else state._replace(seed=None))
    return game.view(state, None if reader == "public" else reader)


def own_moves(game: Game[Any], state: Any, seat: int | None) -> list[Move]:
    """Return the legal moves of that seat; none for whoever has no seat."""
    if seat is None or state is None or seat not in state.to_act:
        return []
    return [move for move in game.legal_moves(state) if move["seat"] == seat]


def viewer_document(viewer: Viewer) -> dict[str, Any]:
    """Write the viewer of a match as a document: role and seat."""
    return {"role": viewer.role, "seat": viewer.seat}


def seeding_document(match: MatchState) -> dict[str, Any]:
    """Write which seats have contributed to the deals, where others than the service contribute."""
    seeding = match.seeding
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


def position_document(match: MatchState, reader: Reader, disclosed: bool) -> dict[str, Any]:
    """Write view, scores and outcome after an event; nothing of them before the deal."""
    state = match.state
    if state is None:
        return {"view": None, "scores": None, "outcome": None}
    return {
        "view": view_of(match.game, state, reader, disclosed),
        "scores": state.scores,
        "outcome": state.outcome,
    }


def to_act_document(match: MatchState) -> list[dict[str, Any]]:
    """Write the seats that may move now, each with its deadline, which is ``None`` where its time does not run. Every
    view names the same seats: that a seat has chosen is no secret, only what. Nobody may move before the deal, in a
    pause and after the end."""
    if match.status != "playing":
        return []
    until = None if match.clock is None else deadlines(match.clock)
    return [{"seat": seat, "deadline": None if until is None else until[seat]} for seat in match.state.to_act]


def ruled_document(match: MatchState) -> dict[str, Any]:
    """Write the result, adjustments, pause and number of rulings of a match, as referees have decided them."""
    result = result_of(match)
    return {
        "result": None if result is None else result._asdict(),
        "adjustments": match.course.adjustments or [0] * match.seeding.seats,
        "paused": match.status == "paused",
        "rulings": match.course.rulings,
    }


def clock_document(match: MatchState, now: str) -> dict[str, Any] | None:
    """Write the time of the seats; ``None`` where none is kept. Before the deal nobody's time runs. The clock of this
    server may be behind that by which the last event was written; then it is as late as that."""
    control, clock, now = match.terms.control, match.clock, max(now, match.at)
    if control is None:
        return None
    if clock is None:
        still = {"bank_ms": control.bank_ms, "spent_ms": 0, "running": False, "deadline": None}
        seats = [{"seat": seat, **still} for seat in range(match.seeding.seats)]
    else:
        seats = [_time_of(clock, seat, deadline, now) for seat, deadline in enumerate(deadlines(clock))]
    return {"control": control_document(control), "now": now, "seats": seats}


def _time_of(clock: Clock, seat: int, deadline: str | None, now: str) -> dict[str, Any]:
    return {
        "seat": seat,
        "bank_ms": None if clock.control.bank_ms is None else clock.banks_ms[seat],
        "spent_ms": used_ms(clock, seat, now),
        "running": deadline is not None,
        "deadline": deadline,
    }
