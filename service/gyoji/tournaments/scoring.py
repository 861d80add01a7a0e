"""What a match is worth to those at its table: by its score, by the places at the table, or by who won it.

A match that runs or is void is worth nothing (yet). Who has forfeited stands behind everybody else at the table, and
has no more points than the last place there.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from gyoji.games.game import Seat
from gyoji.tournaments.results import MatchResult
from gyoji.tournaments.rules import By, Points, Rules
from gyoji.tournaments.tournament import EntrantId, Round, Table

Results = Mapping[str, MatchResult]


class Worth(NamedTuple):
    """One reason for points: a word for it, the points, and the facts to tell."""

    what: str
    amount: Fraction
    facts: Mapping[str, Any] = {}


def over(table: Table, results: Results) -> MatchResult | None:
    """The result of a table; ``None`` while its match runs, or if it is void."""
    result = results.get(table.match or "")
    return result if result is not None and result.status == "finished" else None


def worth(rules: Rules, table: Table, results: Results) -> dict[EntrantId, list[Worth]]:
    """What the table has brought each of its entrants."""
    result = over(table, results)
    if result is None:
        return {entrant: [Worth(_unfinished(table, results), Fraction(0))] for entrant in table.entrants}
    if rules.teams:
        return {table.seats[0]: BY_TEAM[rules.points.by](rules.points, result)}
    return {entrant: BY_SEAT[rules.points.by](rules.points, result, seat) for seat, entrant in enumerate(table.seats)}


def _unfinished(table: Table, results: Results) -> str:
    result = results.get(table.match or "")
    return "void" if result is not None and result.status == "voided" else "running"


def scored(rules: Rules, table: Table, results: Results) -> dict[EntrantId, list[Worth]]:
    """The score that each entrant has reached at the table, whatever a match is worth."""
    return worth(rules._replace(points=Points("score")), table, results)


def _score(_points: Points, result: MatchResult, seat: Seat) -> list[Worth]:
    """The seat's score, and apart from it what a referee has given or taken. Who forfeits keeps no score above 0."""
    given = result.adjustments[seat] if result.adjustments else 0
    return _told(Fraction(result.scores[seat] - given), Fraction(given), seat in result.forfeited)


def _team_score(_points: Points, result: MatchResult) -> list[Worth]:
    """A team's score is the one that all its seats share, and every adjustment of a seat is the team's."""
    given = sum(result.adjustments)
    shared = Fraction(sum(result.scores) - given, len(result.scores))
    return _told(shared, Fraction(given), bool(result.forfeited))


def _told(score: Fraction, given: Fraction, forfeited: bool) -> list[Worth]:
    lines = [Worth("score", score)]
    if given:
        lines.append(Worth("adjustment", given))
    if forfeited:
        lines.append(Worth("forfeit", -max(score + given, Fraction(0))))
    return lines


def _wins(points: Points, result: MatchResult, seat: Seat) -> list[Worth]:
    """A win alone, a win that is shared, or neither."""
    if seat in result.forfeited:
        return [Worth("forfeit", Fraction(points.loss))]
    if seat not in result.winners:
        return [Worth("loss", Fraction(points.loss))]
    if len(result.winners) > 1:
        return [Worth("draw", Fraction(points.draw), {"winners": len(result.winners)})]
    return [Worth("win", Fraction(points.win))]


def _team_wins(points: Points, result: MatchResult) -> list[Worth]:
    if result.forfeited:
        return [Worth("forfeit", Fraction(points.loss))]
    return [Worth("win", Fraction(points.win)) if result.winners else Worth("loss", Fraction(points.loss))]


def _rank(points: Points, result: MatchResult, seat: Seat) -> list[Worth]:
    """The points of the place at the table; who ties for several places shares the average of their points.

    Who forfeits shares none: two who were not there would each have more than one who has lost.
    """
    if seat in result.forfeited and points.forfeit is not None:
        last = points.places[len(result.scores) - 1]
        return [Worth("forfeit", Fraction(min(points.forfeit, last)))]
    first, last = places(result, seat)
    shared = points.places[first - 1 : last]
    return [Worth("place", Fraction(sum(shared), len(shared)), {"first": first, "last": last})]


def places(result: MatchResult, seat: Seat) -> tuple[int, int]:
    """The first and the last of the places that the seat shares with those as good as it; mostly one and the same."""
    mine, theirs = standing(result, seat), [standing(result, other) for other in range(len(result.scores))]
    better = sum([other < mine for other in theirs])
    return better + 1, better + theirs.count(mine)


def standing(result: MatchResult, seat: Seat) -> tuple[bool, bool, int]:
    """What seats are ranked by, low ones first: forfeited or not, among the winners or not, the score.

    Winners are equal, and so are those who have forfeited. Winners come first even where scores say otherwise: the
    game's own rule, or a ruling, has named them.
    """
    forfeited, won = seat in result.forfeited, seat in result.winners
    return forfeited, not won, 0 if won or forfeited else -result.scores[seat]


def bye(rules: Rules, found: Round, results: Results) -> Worth:
    """What a bye of that round is worth: as the rules say, else as much as a win. By score: the median of the scores of
    the round, of those that are there."""
    if rules.bye is not None:
        return Worth("bye", Fraction(rules.bye))
    if rules.points.by == "rank":
        return Worth("bye", Fraction(rules.points.places[0]))
    if rules.points.by == "wins":
        return Worth("bye", Fraction(rules.points.win))
    scores = [
        sum([part.amount for part in parts], Fraction(0))
        for table in found.tables
        if over(table, results)
        for parts in worth(rules, table, results).values()
    ]
    return Worth("bye", median(scores), {"scores": len(scores)})


def median(numbers: list[Fraction]) -> Fraction:
    """The middle one, or the average of the two in the middle; 0 of none."""
    if not numbers:
        return Fraction(0)
    ordered, middle = sorted(numbers), len(numbers) // 2
    return ordered[middle] if len(numbers) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


BY_SEAT: Mapping[By, Callable[[Points, MatchResult, Seat], list[Worth]]] = {
    "score": _score,
    "rank": _rank,
    "wins": _wins,
}
BY_TEAM: Mapping[By, Callable[[Points, MatchResult], list[Worth]]] = {"score": _team_score, "wins": _team_wins}
"""A table with one team has no places (``rules.faults``)."""
