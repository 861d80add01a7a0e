"""Writes standings as documents: computed from logs, with every figure explained, and as a table."""

import csv
from collections.abc import Mapping
from fractions import Fraction
from io import StringIO
from typing import Any
from unicodedata import category, normalize

import orjson

from gyoji.app.tournament_state import results_from
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.messages.language import Language
from gyoji.messages.tournaments import columns, why
from gyoji.store.tournaments import TournamentMatch
from gyoji.tournaments.decisions import running_tables
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.standings import StandingsRow, compute_standings
from gyoji.tournaments.tie_breaks import FigureItem
from gyoji.tournaments.tournament import Tournament

Names = Mapping[str, str]

MARKED = "utf-8-sig"
"""UTF-8 with a byte order mark, without which spreadsheets take Japanese for something else."""
FORMULAS = frozenset("=+-−@|%")
"""What a cell begins with that a spreadsheet would compute, in whatever width it is written."""


def standings_json(request: TournamentRequest) -> bytes:
    """Write ``readStandings`` as JSON; made anew only after something has happened."""
    return _made(request, "json")


def standings_csv(request: TournamentRequest) -> bytes:
    """Write the standings as comma-separated values (RFC 4180), one row an entrant, without the reasons."""
    return _made(request, "csv")


def _made(request: TournamentRequest, form: str) -> bytes:
    language = request.context.language
    services, held = request.services, request.held
    played = services.store.tournaments.played(held.tournament)

    def make() -> bytes:
        tournament, results = request.tournament, results_from(services, played)
        rows = compute_standings(tournament, results)
        return _json(request, tournament, results, rows, language) if form == "json" else _csv(rows, language)

    return services.tournament_cache.document((held.tournament, form, language), _source(held.seq, played), make)


def _source(seq: int, played: list[TournamentMatch]) -> tuple[int, int]:
    """Return what standings follow from: the events that the tournament and every match of it have come to."""
    return seq, hash(tuple([(each.match, each.seq) for each in played]))


def _json(
    request: TournamentRequest,
    tournament: Tournament,
    results: Mapping[str, MatchResult],
    rows: tuple[StandingsRow, ...],
    language: Language,
) -> bytes:
    names = {entrant.id: entrant.name for entrant in tournament.entrants}
    return orjson.dumps(
        {
            "tournament": request.held.tournament,
            "name": tournament.title,
            "status": "closed" if request.held.closed else "open",
            "seq": request.held.seq,
            "rounds": tournament.rules.rounds,
            "paired": len(tournament.rounds),
            "running": running_tables(tournament.rounds, results),
            "rows": [_row(row, names, language) for row in rows],
        }
    )


def _row(row: StandingsRow, names: Names, language: Language) -> dict[str, Any]:
    return {
        "place": row.place,
        "entrant": row.entrant.id,
        "name": row.entrant.name,
        "withdrawn": row.entrant.withdrawn is not None,
        "points": str(row.points),
        "tie_breaks": [
            {"figure": name, "value": None if figure is None else str(figure)} for name, figure in row.figures
        ],
        "lines": [_line(line, names, language) for line in row.lines],
    }


def _line(line: FigureItem, names: Names, language: Language) -> dict[str, Any]:
    return {
        "figure": line.figure,
        "what": line.what,
        "amount": str(line.amount),
        "round": line.round,
        "table": line.table,
        "match": line.match,
        "why": why(line, names, language),
    }


def _csv(rows: tuple[StandingsRow, ...], language: Language) -> bytes:
    text = StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    figures = [name for name, _figure in rows[0].figures] if rows else []
    headings = ["place", "entrant", "name", "withdrawn", "points", *figures]
    writer.writerow([columns()[name][language] for name in headings])
    for row in rows:
        gone = "" if row.entrant.withdrawn is None else columns()["withdrawn"][language]
        told = ["" if figure is None else decimal(figure) for _name, figure in row.figures]
        writer.writerow([row.place, row.entrant.id, harmless(row.entrant.name), gone, decimal(row.points), *told])
    return text.getvalue().encode(MARKED)


def decimal(number: Fraction) -> str:
    """Write a number with six decimal places at most: spreadsheets would take a fraction for a date."""
    return f"{float(number):.6f}".rstrip("0").rstrip(".")


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, with an apostrophe before it where it looks like one. The
    same after a semicolon, which separates cells in many countries, quoted or not."""
    return ";".join([f"'{part}" if _is_formula(part) else part for part in text.split(";")])


def _is_formula(text: str) -> bool:
    """Tell whether the first sign that is to be seen, quotes aside, begins a formula."""
    seen = (sign for sign in text if not (sign.isspace() or sign == '"' or category(sign) == "Cf"))
    return normalize("NFKC", next(seen, "")) in FORMULAS
