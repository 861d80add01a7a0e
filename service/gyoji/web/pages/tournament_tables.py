"""Where the matches of a tournament stand, for the desk: data of the page, with the rights of those who ask."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from gyoji.access.rights import Granted, decision
from gyoji.app.application import Desk
from gyoji.app.positions import clock_document
from gyoji.match.clocks import expired
from gyoji.match.state import MatchState
from gyoji.store.interface import Match
from gyoji.tournaments.tournament import Round, Table
from gyoji.web.matches.asking import facts_of
from gyoji.web.tournaments.asking import AskedOf
from gyoji.web.tournaments.rounds import InRound
from gyoji.web.tournaments.showing import round_document

RUNNING = ("seeding", "playing", "paused")

UNKNOWN: Mapping[str, Any] = {
    "seq": None,
    "rules": False,
    "claims": False,
    "flag": None,
    "clock": None,
    "to_act": [],
    "rulings": 0,
}
"""What is told of a match that the caller may not read."""


def tables_document(asked: AskedOf) -> dict[str, Any]:
    """The tables of all rounds that are open; where none is, of the last one. ``manages``: the caller runs the
    tournament; ``rules`` and ``claims`` of a table: the caller may rule in its match, and claim that time is over."""
    now = asked.desk.at()
    tables = [table for found in _open(asked) for table in _tables(asked, found, now)]
    return {
        "tournament": asked.held.tournament,
        "seq": asked.held.seq,
        "now": now,
        "manages": asked.manages,
        "rules": any(table["rules"] for table in tables),
        "tables": tables,
    }


def _open(asked: AskedOf) -> tuple[Round, ...]:
    rounds = asked.tournament.rounds
    return tuple([found for found in rounds if not found.closed]) or rounds[-1:]


def _tables(asked: AskedOf, found: Round, now: str) -> Iterator[dict[str, Any]]:
    shown = round_document(InRound(asked, found), tokens=False)["tables"]
    for table, document in zip(found.tables, shown, strict=True):
        yield {"round": found.number, "closed": found.closed, **document, **_standing(asked, table, now)}


def _standing(asked: AskedOf, table: Table, now: str) -> Mapping[str, Any]:
    """How the match of a table stands, to whoever may read it."""
    here = asked.desk
    row = None if table.match is None else here.store.match(table.match)
    if row is None or not _may("readMatch", asked, row):
        return UNKNOWN
    standing = here.standings.latest(row)
    running = row.head.status in RUNNING
    return {
        "seq": row.head.seq,
        "rules": _may("makeRuling", asked, row),
        "claims": _may("claimExpiry", asked, row),
        "flag": _flag(here, row, standing, now),
        "clock": clock_document(standing, now) if running else None,
        "to_act": standing.state.to_act if running and standing.state is not None else [],
        "rulings": standing.rulings,
    }


def _may(operation: str, asked: AskedOf, row: Match) -> bool:
    """Whether the caller may do that in the match."""
    return isinstance(decision(operation, asked.caller, facts_of(asked.desk, row)), Granted)


def _flag(here: Desk, row: Match, standing: MatchState, now: str) -> str | None:
    """Why somebody has to look: time is over and nobody has claimed it; it was claimed, and a referee is to rule; the
    match is paused; it is void, and may be replaced."""
    if row.head.status == "playing":
        return "expired" if standing.clock is not None and expired(standing.clock, now) else None
    if row.head.status == "paused":
        return "referee" if _by_clock(here, row) else "paused"
    return "voided" if row.head.status == "voided" else None


def _by_clock(here: Desk, row: Match) -> bool:
    """Whether the pause in which the match is followed from an expiry, after which a referee has to rule."""
    latest = here.store.entries(row.match, row.head.seq - 2, row.head.seq)
    return any(orjson.loads(entry.body)["type"] == "clock_expired" for entry in latest)
