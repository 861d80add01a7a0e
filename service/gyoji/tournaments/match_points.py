"""Counts the points that a match brings those at its table: by its score, by the places, or by who won it.

A match that runs or is void brings nothing (yet). Who has forfeited stands behind everybody else at the table, and
has no more points than the last place there.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from gyoji.games.game import Seat, highest
from gyoji.tournaments.rules import By, PointsRule, TournamentRules
from gyoji.tournaments.tournament import EntrantId, Round, Table

Status = Literal["seeding", "playing", "paused", "finished", "voided"]


class MatchResult(NamedTuple):
    """The result of a match as its log has it. Before the end there are no scores, winners or forfeits."""

    status: Status
    by: Literal["play", "forfeit", "ruling", "clock"] | None = None
    """How it ended; ``None`` until it has."""
    scores: tuple[int, ...] = ()
    """By seat, the referee's adjustments among them."""
    winners: tuple[Seat, ...] = ()
    forfeited: tuple[Seat, ...] = ()
    seq: int = 0
    """The event of the match's log that it is read from."""
    adjustments: tuple[int, ...] = ()
    """By seat: what of ``scores`` a referee has given or taken; empty if nothing, or if a ruling set the scores."""


DEALT = 1
"""The event of a match's log with which it is dealt: in a tournament nobody is waited for before that."""


def is_running(result: MatchResult | None) -> bool:
    """Tell whether the match may still come to a result."""
    return result is None or result.status not in ("finished", "voided")


def is_begun(result: MatchResult | None) -> bool:
    """Tell whether something has happened in the match since it was dealt, and it is not void."""
    return result is not None and result.status != "voided" and result.seq > DEALT


Results = Mapping[str, MatchResult]


class PointsItem(NamedTuple):
    """One reason for points: a word for it, the points, and the facts of its sentence."""

    what: str
    amount: Fraction
    facts: Mapping[str, Any] = {}


def result_of(table: Table, results: Results) -> MatchResult | None:
    """Return the result of a table as it counts; ``None`` while its match runs, or if it is void."""
    result = results.get(table.match or "")
    if result is None or result.status != "finished":
        return None
    return without([seat for seat, entrant in enumerate(table.seats) if entrant in table.forfeited], result)


def without(seats: Sequence[Seat], result: MatchResult) -> MatchResult:
    """Return the result with these seats behind everybody else, whatever stand-ins have made of them. If a stand-in has
    won, the best of the others have."""
    if not seats:
        return result
    forfeited = tuple(sorted({*result.forfeited, *seats}))
    others = [seat for seat in range(len(result.scores)) if seat not in forfeited]
    winners = tuple([seat for seat in result.winners if seat not in seats])
    if result.winners and others and not winners:
        winners = tuple([others[at] for at in highest([result.scores[seat] for seat in others])])
    least = min([0, *[score for seat, score in enumerate(result.scores) if seat not in seats]])
    scores = tuple([least if seat in seats else score for seat, score in enumerate(result.scores)])
    given = tuple([0 if seat in seats else points for seat, points in enumerate(result.adjustments)])
    return result._replace(scores=scores, winners=winners, forfeited=forfeited, adjustments=given)


def table_points(rules: TournamentRules, table: Table, results: Results) -> dict[EntrantId, list[PointsItem]]:
    """Return what a table has brought each of its entrants."""
    result = result_of(table, results)
    if result is None:
        return {entrant: [PointsItem(_unfinished(table, results), Fraction(0))] for entrant in table.entrants}
    if rules.teams:
        return {table.seats[0]: BY_TEAM[rules.points.by](rules.points, result)}
    return {entrant: _seat_points(rules.points, table, result, seat) for seat, entrant in enumerate(table.seats)}


def _seat_points(points: PointsRule, table: Table, result: MatchResult, seat: Seat) -> list[PointsItem]:
    """Count what a seat brings; one that a stand-in has played on for a forfeiter, as one item that says so."""
    items = BY_SEAT[points.by](points, result, seat)
    if table.seats[seat] not in table.forfeited:
        return items
    return [PointsItem("forfeited", sum([item.amount for item in items], Fraction(0)))]


def _unfinished(table: Table, results: Results) -> str:
    result = results.get(table.match or "")
    return "void" if result is not None and result.status == "voided" else "running"


def table_scores(rules: TournamentRules, table: Table, results: Results) -> dict[EntrantId, list[PointsItem]]:
    """Return the score that each entrant has reached at a table, by whatever a match is counted."""
    return table_points(rules._replace(points=PointsRule("score")), table, results)


def _score(_points: PointsRule, result: MatchResult, seat: Seat) -> list[PointsItem]:
    """Count the seat's score, and apart from it what a referee has given or taken. Who forfeits keeps no score above
    0."""
    given = result.adjustments[seat] if result.adjustments else 0
    return _score_items(Fraction(result.scores[seat] - given), Fraction(given), seat in result.forfeited)


def _team_score(_points: PointsRule, result: MatchResult) -> list[PointsItem]:
    """Count the score that all seats of a team share; every adjustment of a seat is the team's."""
    given = sum(result.adjustments)
    shared = Fraction(sum(result.scores) - given, len(result.scores))
    return _score_items(shared, Fraction(given), bool(result.forfeited))


def _score_items(score: Fraction, given: Fraction, forfeited: bool) -> list[PointsItem]:
    lines = [PointsItem("score", score)]
    if given:
        lines.append(PointsItem("adjustment", given))
    if forfeited:
        lines.append(PointsItem("forfeit", -max(score + given, Fraction(0))))
    return lines


def _wins(points: PointsRule, result: MatchResult, seat: Seat) -> list[PointsItem]:
    """Count a win alone, a win that is shared, or neither."""
    if seat in result.forfeited:
        return [PointsItem("forfeit", Fraction(points.loss))]
    if seat not in result.winners:
        return [PointsItem("loss", Fraction(points.loss))]
    if len(result.winners) > 1:
        return [PointsItem("draw", Fraction(points.draw), {"winners": len(result.winners)})]
    return [PointsItem("win", Fraction(points.win))]


def _team_wins(points: PointsRule, result: MatchResult) -> list[PointsItem]:
    if result.forfeited:
        return [PointsItem("forfeit", Fraction(points.loss))]
    return [PointsItem("win", Fraction(points.win)) if result.winners else PointsItem("loss", Fraction(points.loss))]


def _rank(points: PointsRule, result: MatchResult, seat: Seat) -> list[PointsItem]:
    """Count the points of the place at the table; who ties for several places shares the average of their points.

    Who forfeits shares none: two who were not there would each have more than one who has lost.
    """
    places = points.places_at(len(result.scores))
    if seat in result.forfeited and points.forfeit is not None:
        last = places[len(result.scores) - 1]
        return [PointsItem("forfeit", Fraction(min(points.forfeit, last)))]
    first, last = shared_places(result, seat)
    shared = places[first - 1 : last]
    return [PointsItem("place", Fraction(sum(shared), len(shared)), {"first": first, "last": last})]


def shared_places(result: MatchResult, seat: Seat) -> tuple[int, int]:
    """Return the first and the last of the places that a seat shares with seats as good as it; mostly one and the
    same."""
    mine, theirs = rank_key(result, seat), [rank_key(result, other) for other in range(len(result.scores))]
    better = sum([other < mine for other in theirs])
    return better + 1, better + theirs.count(mine)


def rank_key(result: MatchResult, seat: Seat) -> tuple[bool, bool, int]:
    """Return what seats are ranked by, low ones first: forfeited or not, among the winners or not, the score.

    Winners are equal, and so are those who have forfeited. Winners come first even where scores say otherwise: the
    game's own rule, or a ruling, has named them.
    """
    forfeited, won = seat in result.forfeited, seat in result.winners
    return forfeited, not won, 0 if won or forfeited else -result.scores[seat]


def bye_points(rules: TournamentRules, found: Round, results: Results) -> PointsItem:
    """Count a bye of a round: as the rules say, else as much as a win. By score: the median of the scores of the round,
    of those that are there."""
    if rules.bye is not None:
        return PointsItem("bye", Fraction(rules.bye))
    if rules.points.by == "rank":
        return PointsItem("bye", Fraction(rules.points.places[0]))
    if rules.points.by == "wins":
        return PointsItem("bye", Fraction(rules.points.win))
    scores = [
        sum([part.amount for part in parts], Fraction(0))
        for table in found.tables
        if result_of(table, results)
        for parts in table_points(rules, table, results).values()
    ]
    return PointsItem("bye", median(scores), {"scores": len(scores)})


def median(numbers: list[Fraction]) -> Fraction:
    """Return the middle number, or the average of the two in the middle; 0 of none."""
    if not numbers:
        return Fraction(0)
    ordered, middle = sorted(numbers), len(numbers) // 2
    return ordered[middle] if len(numbers) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


BY_SEAT: Mapping[By, Callable[[PointsRule, MatchResult, Seat], list[PointsItem]]] = {
    "score": _score,
    "rank": _rank,
    "wins": _wins,
}
BY_TEAM: Mapping[By, Callable[[PointsRule, MatchResult], list[PointsItem]]] = {"score": _team_score, "wins": _team_wins}
"""A table with one team has no places (``rules.faults``)."""
