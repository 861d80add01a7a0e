"""Derives the state of a tournament: from its log, and the results of its matches from theirs."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import orjson

from gyoji.app.services import Services
from gyoji.match.state import Result, read_result, result_of
from gyoji.store.interface import Match, Unavailable
from gyoji.store.tournaments import StoredTournament, TournamentMatch
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.tournament import Round, Tournament

Results = dict[str, MatchResult]


def tournament_of(services: Services, row: Match) -> StoredTournament | None:
    """Return the tournament that a match is played in, with its latest events; ``None`` if the match is of none."""
    return None if row.tournament is None else services.store.tournaments.tournament(row.tournament)


def why_closed(
    services: Services, held: StoredTournament, row: Match
) -> Literal["tournament-closed", "round-closed", "match-replaced"] | None:
    """Tell why referees can no longer rule in a match of the tournament: the tournament, or the round, is closed. Or
    another match is played at its table. ``None`` where a ruling is possible."""
    if held.closed:
        return "tournament-closed"
    found = round_of(services.tournament_cache.tournament(held), row.match)
    if found is None:
        return "match-replaced"
    return "round-closed" if found.closed else None


def round_of(tournament: Tournament, match: str) -> Round | None:
    """Return the round that a match counts in, if it counts in one."""
    return next((found for found in tournament.rounds if any(table.match == match for table in found.tables)), None)


def results_of(services: Services, held: StoredTournament) -> Results:
    """Return the result of every match of the tournament, those that run among them."""
    return results_from(services, services.store.tournaments.played(held.tournament))


def results_from(services: Services, played: list[TournamentMatch]) -> Results:
    """Return the results of matches at their latest events; logs are read for those whose results are not cached."""
    missing = [each for each in services.tournament_cache.unknown(played) if each.status == "finished"]
    endings = _endings(services, [each.match for each in missing]) if missing else {}
    return {
        each.match: services.tournament_cache.result(each, partial(_result, services, each, endings)) for each in played
    }


def _endings(services: Services, matches: Sequence[str]) -> dict[str, Result]:
    """Read the results from the ends of those matches that no referee has ruled in. They are the same as what the fold
    of the log comes to, and much quicker to read."""
    ends: dict[str, Result] = {}
    ruled: set[str] = set()
    for match, body in services.store.tournaments.match_events(matches, ("match_finished", "ruling_made")):
        event = orjson.loads(body)
        if event["type"] == "ruling_made":
            ruled.add(match)
        else:
            ends[match] = _stated_result(event["data"])
    return {match: result for match, result in ends.items() if match not in ruled}


def _stated_result(data: Mapping[str, Any]) -> Result:
    """Read the result that the end of a match states."""
    outcome = data["outcome"]
    if outcome is None:
        return read_result(data["result"])
    return Result("play", tuple(outcome["scores"]), tuple(outcome["winners"]))


def _result(services: Services, played: TournamentMatch, endings: Mapping[str, Result]) -> MatchResult:
    if played.status != "finished":
        return MatchResult(played.status, seq=played.seq)
    stated = endings.get(played.match)
    return result_from_log(services, played) if stated is None else _match_result(stated, (), played.seq)


def result_from_log(services: Services, played: TournamentMatch) -> MatchResult:
    """Return the result of a match that has ended, from its whole log, with rulings."""
    row = services.store.match(played.match)
    if row is None:
        raise Unavailable("a match is missing; gyoji store check tells more", "damaged")
    match = services.match_states.at(row, played.seq)
    result = result_of(match)
    if result is None:
        return MatchResult("voided", seq=played.seq)
    return _match_result(result, () if result.by == "ruling" else match.course.adjustments, played.seq)


def _match_result(result: Result, given: tuple[int, ...], seq: int) -> MatchResult:
    return MatchResult("finished", result.by, result.scores, result.winners, result.forfeited, seq, given)
