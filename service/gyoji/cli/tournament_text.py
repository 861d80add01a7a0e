"""Writes tournaments, rounds and standings as lines at a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.cli.terminal import padded, width
from gyoji.messages.language import Language, insert_facts
from gyoji.messages.tournaments import columns, standings_sentences
from gyoji.names import isolate_direction, printable

Document = Mapping[str, Any]


def tournament_lines(found: Document) -> Iterator[str]:
    """Write a tournament: what it is, its rounds, and who takes part."""
    yield printable(f"{isolate_direction(found['name'])}  {found['tournament']}")
    yield f"{found['game']} {found['version']} · {found['pairing']} · {found['status']} · event {found['seq']}"
    if "announcement" in found:
        yield printable(f"  announced: {isolate_direction(found['announcement'])}")
    for each in found["paired"]:
        state = "closed" if each["closed"] else "open"
        yield f"  round {each['round']}: {each['tables']} tables, {each['byes']} byes, {state}"
    yield f"  {found['rounds'] - len(found['paired'])} of {found['rounds']} rounds to come"
    for each in found["entrants"]:
        members = f" ({', '.join(map(isolate_direction, each['members']))})" if each["members"] else ""
        gone = "  withdrawn" if each["withdrawn"] is not None else "" if each.get("present", True) else "  absent"
        yield printable(f"  {each['entrant']:>5}  {isolate_direction(each['name'])}{members}{gone}")


def registration_lines(found: Document, url: str) -> Iterator[str]:
    """Write whether registration is open, and the joining link."""
    yield f"registration: {'open' if found['open'] else 'closed'} · event {found['seq']}"
    if found["token"] is not None:
        yield f"{url.rstrip('/')}/tournaments/{found['tournament']}/join#token={found['token']}"


def round_lines(found: Document, *, tokens: bool) -> Iterator[str]:
    """Write a round: its tables, who sits at them, and what has come of each."""
    state = "closed" if found["closed"] else "open"
    yield f"round {found['round']} · {found['pairing']} · {state} · event {found['seq']}"
    for table in found["tables"]:
        yield f"table {table['table']}  {table['match'] or '(proposed)'}  {_outcome(table)}".rstrip()
        for seat in table["seats"]:
            token = f"  {seat['token']}" if tokens and "token" in seat else ""
            yield printable(
                f"  {seat['seat']}  {seat['entrant']:>5}  {isolate_direction(seat['name'])}{_score(table, seat)}{token}"
            )
        for each in table.get("no_shows", ()):
            yield printable(f"  {each['outcome']}: {each['entrant']}  {isolate_direction(each['name'])}")
    if found["byes"]:
        yield f"byes: {', '.join(found['byes'])}"
    if found.get("absent"):
        yield f"absent: {', '.join(found['absent'])}"


def _outcome(table: Document) -> str:
    result = table["result"]
    return (table["status"] or "") if result is None else f"{table['status']} by {result['by']}"


def _score(table: Document, seat: Document) -> str:
    result = table["result"]
    if result is None or result["scores"] is None:
        return ""
    at = seat["seat"]
    mark = " *" if at in result["winners"] else " forfeited" if at in result["forfeited"] else ""
    return f"  {result['scores'][at]}{mark}"


def standing_lines(found: Document, language: Language, *, explain: bool) -> Iterator[str]:
    """Write the standings as a table of lines."""
    sentences = {name: sentence[language] for name, sentence in standings_sentences().items()}
    yield printable(insert_facts(sentences[found["status"]], found))
    if found["running"]:
        tables = ", ".join(f"{each['round']}-{each['table']}" for each in found["running"])
        yield sentences["running"].format(tables=tables)
    cells = [_headings(found["rows"], language), *[_cells(row) for row in found["rows"]]]
    widths = [max(width(row[at]) for row in cells) for at in range(len(cells[0]))]
    for number, row in enumerate(cells):
        yield "  ".join([padded(cell, columns) for cell, columns in zip(row, widths, strict=True)]).rstrip()
        if explain and number:
            yield from _explained(found["rows"][number - 1]["lines"], language)


def _headings(rows: Sequence[Document], language: Language) -> list[str]:
    figures = [each["figure"] for each in rows[0]["tie_breaks"]] if rows else []
    return [columns()[each][language] for each in ("place", "entrant", "name", "points", *figures)]


def _cells(row: Document) -> list[str]:
    figures = ["-" if each["value"] is None else each["value"] for each in row["tie_breaks"]]
    return [str(row["place"]), row["entrant"], printable(isolate_direction(row["name"])), row["points"], *figures]


def _explained(lines: Sequence[Document], language: Language) -> Iterator[str]:
    for line in lines:
        figure = padded(columns()[line["figure"]][language], 12)
        yield printable(f"      {figure} {line['amount']:>7}  {line['why']}")
