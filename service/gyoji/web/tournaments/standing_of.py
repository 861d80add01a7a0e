"""Where a tournament stands: its log, folded, and the results of its matches, from theirs."""

from functools import partial
from typing import Literal

from gyoji.replay.standing import result_of
from gyoji.store.interface import Listing, Match
from gyoji.store.tournaments import Held, Played
from gyoji.tournaments.results import MatchResult, is_running
from gyoji.tournaments.tournament import Round, Tournament
from gyoji.web.desk import Desk

EVERY = 1_000_000
"""More matches than a tournament has."""

Results = dict[str, MatchResult]


def why_closed(here: Desk, row: Match) -> Literal["tournament-closed", "round-closed"] | None:
    """Why nobody rules in a match of a tournament any more: its tournament, or its round, is closed. ``None``: that
    does not stand against a ruling."""
    held = None if row.tournament is None else here.store.tournaments.tournament(row.tournament)
    if held is None:
        return None
    if held.closed:
        return "tournament-closed"
    found = round_of(here.kept.tournament(held), row.match)
    return "round-closed" if found is not None and found.closed else None


def round_of(tournament: Tournament, match: str) -> Round | None:
    """The round that the match counts in, if it does."""
    return next((found for found in tournament.rounds if any(table.match == match for table in found.tables)), None)


def results_of(here: Desk, held: Held) -> Results:
    """The result of every match of the tournament, those that run among them."""
    return results_from(here, held, here.store.tournaments.played(held.tournament))


def results_from(here: Desk, held: Held, played: list[Played]) -> Results:
    """The same, of matches that stand so; the logs of those whose results are not known yet are read."""
    missing = [each for each in here.kept.unknown(played) if is_over(each)]
    rows = _rows(here, held, missing) if missing else {}
    return {each.match: here.kept.result(each, partial(_result, here, each, rows)) for each in played}


def is_over(played: Played) -> bool:
    """Whether the match has come to its end."""
    return not is_running(MatchResult(played.status))


def _rows(here: Desk, held: Held, missing: list[Played]) -> dict[str, Match]:
    """The matches, read one by one where they are few."""
    if len(missing) <= 8:
        found = [here.store.match(each.match) for each in missing]
        return {row.match: row for row in found if row is not None}
    listing = Listing(owner=None, tournament=held.tournament, limit=EVERY)
    return {row.match: row for row in here.store.listed(listing)}


def _result(here: Desk, played: Played, rows: dict[str, Match]) -> MatchResult:
    if not is_over(played):
        return MatchResult(played.status, seq=played.seq)
    standing = here.standings.at(rows[played.match], played.seq)
    result = result_of(standing)
    if result is None:
        return MatchResult("voided", seq=played.seq)
    given = () if result.by == "ruling" else standing.adjustments
    return MatchResult("finished", result.by, result.scores, result.winners, result.forfeited, played.seq, given)
