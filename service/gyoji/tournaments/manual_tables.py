"""Checks the tables that a director has made by hand, and finds every reason why they cannot be played."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.tournaments.refusals import Refusal
from gyoji.tournaments.tournament import EntrantId, Tournament

Fault = Mapping[str, Any]
Given = Sequence[Sequence[EntrantId]]


def check_tables(tournament: Tournament, tables: Given, byes: Sequence[EntrantId]) -> Refusal | None:
    """Check that everybody who has not withdrawn is at exactly one table, or rests, and that tables are of the sizes
    allowed."""
    found = [*_of_sizes(tournament, tables), *_of_names(tournament, tables, byes), *_of_count(tournament, tables, byes)]
    return Refusal("impossible-tables", {"faults": found}) if found else None


def _of_sizes(tournament: Tournament, tables: Given) -> Iterator[Fault]:
    if not tables:
        yield {"code": "no-tables"}
    for number, table in enumerate(tables, 1):
        if tournament.rules.teams and len(set(table)) != 1:
            yield {"code": "one-team-a-table", "table": number}
        elif not tournament.rules.teams and len(table) not in tournament.rules.seats:
            yield {"code": "wrong-size", "table": number, "entrants": len(table), "seats": tournament.rules.seats}


def _of_names(tournament: Tournament, tables: Given, byes: Sequence[EntrantId]) -> Iterator[Fault]:
    """Find names that are not those of active entrants; ``table`` is 0 for a bye."""
    active = {entrant.id for entrant in tournament.active}
    for number, names in enumerate((byes, *tables)):
        for name in dict.fromkeys(names):
            if tournament.entrant(name) is None:
                yield {"code": "unknown", "entrant": name, "table": number}
            elif name not in active:
                yield {"code": "withdrawn", "entrant": name, "table": number}


def _of_count(tournament: Tournament, tables: Given, byes: Sequence[EntrantId]) -> Iterator[Fault]:
    """Find who is at two tables, or at none. A team may be named at each of its seats."""
    places = [dict.fromkeys(table) if tournament.rules.teams else table for table in tables]
    times = Counter([name for names in (byes, *places) for name in names])
    yield from [{"code": "twice", "entrant": name, "times": count} for name, count in times.items() if count > 1]
    yield from [{"code": "missing", "entrant": one.id} for one in tournament.active if not times[one.id]]
