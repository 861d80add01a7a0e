"""Decides what comes of an entrant who is not there while the others at the table play."""

from collections.abc import Mapping
from typing import Any

from gyoji.games.game import Game
from gyoji.tournaments.decisions import Event, RefusedDecision, open_round
from gyoji.tournaments.match_points import MatchResult, is_begun
from gyoji.tournaments.tournament import EntrantId, Table, Tournament


def decide_removal(
    tournament: Tournament,
    game: Game[Any],
    at: tuple[int, int],
    entrant: EntrantId,
    match: str,
    results: Mapping[str, MatchResult],
) -> Event | RefusedDecision:
    """Decide whether an entrant may be taken out of a match that nobody has begun: ``match``, with a seat less, is
    played in its place. ``at`` are the numbers of the round and of the table."""
    found = _seated(tournament, at, entrant)
    if isinstance(found, RefusedDecision):
        return found
    if tournament.rules.duplicate:
        return RefusedDecision("same-deals", _facts(at))
    if is_begun(results.get(found.match or "")):
        return RefusedDecision("match-begun", _facts(at))
    left = len(found.seats) - 1
    if not _is_possible(tournament, game, left):
        return RefusedDecision("no-table-of-that-size", {"seats": left, **_facts(at)})
    return Event("entrant_removed", {**_facts(at), "entrant": entrant, "match": match})


def _is_possible(tournament: Tournament, game: Game[Any], seats: int) -> bool:
    """Tell whether the game is played at a table of that size, with the options of the tournament."""
    options = game.read_options(tournament.rules.options)
    return game.min_seats <= seats <= game.max_seats and not list(game.contradictions(seats, options))


def decide_forfeit(
    tournament: Tournament, at: tuple[int, int], entrant: EntrantId, results: Mapping[str, MatchResult]
) -> Event | RefusedDecision:
    """Decide whether an entrant may forfeit while the others at the table play on. One of them has to be left."""
    found = _seated(tournament, at, entrant)
    if isinstance(found, RefusedDecision):
        return found
    if entrant in found.forfeited:
        return RefusedDecision("already-forfeited", {"entrant": entrant})
    result = results.get(found.match or "")
    if result is not None and result.status == "voided":
        return RefusedDecision("match-void", _facts(at))
    if len(found.seats) - len(found.forfeited) < 2:
        return RefusedDecision("nobody-left", _facts(at))
    return Event("entrant_forfeited", {**_facts(at), "entrant": entrant})


def decide_reinstatement(tournament: Tournament, at: tuple[int, int], entrant: EntrantId) -> Event | RefusedDecision:
    """Decide whether the match of an entrant who has forfeited counts for the entrant after all."""
    found = _seated(tournament, at, entrant)
    if isinstance(found, RefusedDecision):
        return found
    if entrant not in found.forfeited:
        return RefusedDecision("not-forfeited", {"entrant": entrant})
    return Event("entrant_reinstated", {**_facts(at), "entrant": entrant})


def _seated(tournament: Tournament, at: tuple[int, int], entrant: EntrantId) -> Table | RefusedDecision:
    """Return the table of an open round, if the entrant plays at it and others do."""
    number, table = at
    found = open_round(tournament, number)
    if isinstance(found, RefusedDecision):
        return found
    if not 1 <= table <= len(found.tables):
        return RefusedDecision("unknown-table", _facts(at))
    if entrant not in found.tables[table - 1].seats:
        return RefusedDecision("not-at-the-table", {**_facts(at), "entrant": entrant})
    return RefusedDecision("team-alone") if tournament.rules.teams else found.tables[table - 1]


def _facts(at: tuple[int, int]) -> dict[str, int]:
    return {"round": at[0], "table": at[1]}
