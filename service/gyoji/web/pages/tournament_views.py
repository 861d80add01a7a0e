"""Prepares tournaments for their public pages: standings figure by figure, rounds table by table."""

from collections.abc import Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import orjson

from gyoji.app.authorization import facts_of
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.app.tournaments.documents import round_document
from gyoji.app.tournaments.rounds import InRound
from gyoji.app.tournaments.standings import standings_json
from gyoji.messages.language import Language
from gyoji.messages.tournaments import columns

FigureValue = Mapping[str, Any]

PARTS = {
    Fraction(1, 4): "¼",
    Fraction(1, 3): "⅓",
    Fraction(1, 2): "½",
    Fraction(2, 3): "⅔",
    Fraction(3, 4): "¾",
}
"""Fractions that have a sign of their own."""


class Figure(NamedTuple):
    """One figure of an entrant, and the items that add up to it."""

    name: str
    value: str
    lines: Sequence[FigureValue]


class Standing(NamedTuple):
    """A row of the standings."""

    row: FigureValue
    points: Figure
    tie_breaks: Sequence[Figure]


class Standings(NamedTuple):
    """All rows of the standings, and the tables whose matches may still change them."""

    rows: Sequence[Standing]
    running: Sequence[FigureValue]
    tie_breaks: Sequence[str]
    """The names of the tie-breaks, in their order."""


def explain_standings(request: TournamentRequest) -> Standings:
    """Return the standings as ``GET /v1/tournaments/{tournament}/standings`` has them, with the items of each
    figure."""
    document = orjson.loads(standings_json(request))
    return Standings(
        [_standing(row) for row in document["rows"]], document["running"], request.tournament.rules.tie_breaks
    )


def _standing(row: FigureValue) -> Standing:
    ties = [
        Figure(each["figure"], format_figure(each["value"]), _lines(row, each["figure"])) for each in row["tie_breaks"]
    ]
    return Standing(row, Figure("points", format_figure(row["points"]), _lines(row, "points")), ties)


def _lines(row: FigureValue, figure: str) -> list[FigureValue]:
    return [line for line in row["lines"] if line["figure"] == figure]


def format_figure(written: str | int | None) -> str:
    """Write a figure as people do: ``5/2`` is 2½; a dash where there is none."""
    if written is None:
        return "–"
    value = Fraction(written)
    whole, part = divmod(abs(value), 1)
    sign = "−" if value < 0 else ""
    if part and part not in PARTS:
        return f"{sign}{abs(value)}"
    return f"{sign}{whole if whole or not part else ''}{PARTS.get(part, '')}"


def format_decimal(value: Fraction) -> str:
    """Write a figure with two decimal places at most: 5/2 is 2.5, 1/3 is 0.33."""
    rounded = (Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal("0.01"))
    return f"{rounded:f}".rstrip("0").rstrip(".").replace("-", "−")


class RoundPoints(NamedTuple):
    """What a round has brought an entrant: the points, and the table; without one ``bye`` or ``absent``."""

    points: str
    table: int | None
    what: str


class CrossRow(NamedTuple):
    """A row of the cross-table: what each round has brought, ``None`` where that is nothing yet; what corrections have;
    and the sum."""

    row: FigureValue
    rounds: Sequence[RoundPoints | None]
    corrections: str | None
    points: str


def cross_table(standings: Standings, rounds: int) -> Sequence[CrossRow]:
    """Arrange the points of the standings by rounds. Each row adds up to the points of its entrant."""
    running = {(table["round"], table["table"]) for table in standings.running}
    return [_cross_row(standing, rounds, running) for standing in standings.rows]


def _cross_row(standing: Standing, rounds: int, running: Set[tuple[int, int]]) -> CrossRow:
    lines = [line for line in standing.points.lines if (line["round"], line["table"]) not in running]
    given = [Fraction(line["amount"]) for line in lines if line["round"] is None]
    brought = [_round_points([line for line in lines if line["round"] == number]) for number in range(1, rounds + 1)]
    corrections = format_decimal(sum(given, Fraction(0))) if given else None
    return CrossRow(standing.row, brought, corrections, format_decimal(Fraction(standing.row["points"])))


def _round_points(lines: Sequence[FigureValue]) -> RoundPoints | None:
    if not lines:
        return None
    points = format_decimal(sum((Fraction(line["amount"]) for line in lines), Fraction(0)))
    return RoundPoints(points, lines[0]["table"], lines[0]["what"])


def table_sizes(request: TournamentRequest) -> Sequence[int]:
    """Return the sizes of the tables that have been played at, the largest first."""
    seats = {len(table.seats) for found in request.tournament.rounds for table in found.tables}
    return sorted(seats, reverse=True)


def figure_names(spoken: Language) -> Mapping[str, str]:
    """Return what figures are called, by name."""
    return {name: sentence[spoken] for name, sentence in columns().items()}


def round_with_names(found: InRound) -> Mapping[str, Any]:
    """Return a round as the API has it, with the names of those with a bye, of the absent, and of each team.
    ``unwatched_rounds``: nobody may watch its matches yet."""
    document = round_document(found, tokens=False)
    tournament = found.request.tournament
    names = {entrant.id: entrant.name for entrant in tournament.entrants}
    teams = tournament.rules.teams
    tables = [{**table, "team": names[table["seats"][0]["entrant"]] if teams else None} for table in document["tables"]]
    byes, absent = ([names[entrant] for entrant in document.get(part, ())] for part in ("byes", "absent"))
    return {**document, "tables": tables, "byes": byes, "absent": absent, "unwatched": is_unwatched(found)}


def is_unwatched(found: InRound) -> bool:
    """Tell whether nobody may watch the matches of a public tournament's round before it is closed. That is so where
    its tables share their deals."""
    request, match = found.request, found.round.tables[0].match if found.round.tables else None
    if request.held.visibility != "public" or not request.tournament.rules.duplicate or match is None:
        return False
    row = request.services.store.match(match)
    return row is not None and facts_of(request.services, row).visibility == "private"


def unwatched_rounds(request: TournamentRequest) -> frozenset[int]:
    """Return the rounds whose matches nobody may watch yet."""
    found = [each for each in request.tournament.rounds if not each.closed]
    return frozenset([each.number for each in found if is_unwatched(InRound(request, each))])


def entrants_by_table(found: FigureValue) -> Sequence[tuple[str, int | str]]:
    """Return who sits at which table, by name; or ``bye`` or ``absent``."""
    seated = [(seat["name"], table["table"]) for table in found["tables"] for seat in table["seats"]]
    others = [(name, why) for why, part in (("bye", "byes"), ("absent", "absent")) for name in found[part]]
    return sorted([*seated, *others], key=lambda one: one[0].casefold())
