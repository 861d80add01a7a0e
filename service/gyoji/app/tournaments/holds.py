"""Starts and pauses all matches of a round together: the clocks of a round that was paired as held start when its
director says so. Each is a ruling in the log of each match, as a referee's pause is.
"""

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Literal

import orjson

from gyoji.app.idempotency import do_once
from gyoji.app.match_states import head_of
from gyoji.app.matches.rulings import key_of
from gyoji.app.problems import HttpProblem
from gyoji.app.services import Services
from gyoji.app.tournaments.appends import TournamentChange, accept_decision, append
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.match import recorder
from gyoji.match.events.kind import Refusal
from gyoji.match.rulings.kind import Kind, Ruling
from gyoji.match.state import MatchState
from gyoji.messages.tournaments import holds
from gyoji.store.interface import Match
from gyoji.store.tournaments import MatchAppend
from gyoji.tournaments.decisions import open_round
from gyoji.tournaments.match_points import Results
from gyoji.tournaments.tournament import Round

Hold = Literal["hold", "pause", "start"]
"""Why a match is ruled in: its round begins held; its round is paused; its clocks start."""

KINDS: Mapping[Hold, Kind] = {"hold": "pause", "pause": "pause", "start": "resume"}
STATUS: Mapping[Hold, str] = {"pause": "playing", "start": "paused"}
"""The matches that it changes."""

AT_ONCE = 3
"""Attempts to rule in all matches at once. Nobody moves in one of 64 tables meanwhile, mostly; in one of 256 somebody
does."""

LOOKED_AT = 20
"""Events that are read at a time."""

SINCE_DEAL = ("ruling_made", "match_paused", "ruling_made", "match_resumed")
"""What stands behind the deal of a match that began held, and then was started."""


def rule_for_round(request: TournamentRequest, match: MatchState, hold: Hold, at: str) -> recorder.Written:
    """Record the ruling that pauses a match or lets it go on, with the reason in the language of the request."""
    reason = holds()[hold][request.context.language]
    ruling = Ruling(KINDS[hold], {"role": "operator", "key": key_of(request.caller)}, reason)
    ruled = recorder.rule(match, ruling, at, request.services.salt)
    if isinstance(ruled, Refusal):
        raise ValueError(f"a match that is {match.status} cannot {hold}: {ruled.code}")
    return ruled


def change_round(request: TournamentRequest, number: int, hold: Hold) -> TournamentRequest:
    """Answer ``startRound`` and ``pauseRound``: all matches of the round that stand still go on, or all that are played
    pause; all of them at once, or none. Those that do so already stay as they are.

    In a large round somebody moves while all are being paused, again and again: then they pause one after another.
    """
    key = request.read_key(f"{hold}Round {number}", b"")
    found = request.tournament.round(number)
    if found is None:
        raise HttpProblem("not-found")

    def make() -> TournamentRequest:
        seen, all_tables = request.context.precondition(demanded=False), partial(_decide, number, hold, None)
        try:
            return append(request, seen, key, all_tables, AT_ONCE)[0]
        except HttpProblem as problem:
            if problem.cause != "busy":
                raise
        for table in found.tables:
            append(request, seen, None, partial(_decide, number, hold, table.number))
        return append(request, seen, key, all_tables)[0]

    return do_once(request.services, key, make, lambda _known: request.read_again())


def _decide(number: int, hold: Hold, only: int | None, now: TournamentRequest) -> TournamentChange:
    """Rule in the matches of a round, or in that of one table."""
    services, found = now.services, accept_decision(now, open_round(now.tournament, number))
    tables = [table for table in found.tables if only in (None, table.number)]
    rows = [services.store.match(table.match or "") for table in tables]
    ruled, states = list[MatchAppend](), list[MatchState]()
    for row in rows:
        if row is not None and row.head.status == STATUS[hold] and not waits_for_referee(services, row):
            before = services.match_states.latest(row)
            entries, after = rule_for_round(now, before, hold, services.at_after(before))
            ruled.append(MatchAppend(row.match, row.head.seq, entries, head_of(after)))
            states.append(after)
    return TournamentChange(ruled=ruled, states=states)


def waits_for_referee(services: Services, row: Match) -> bool:
    """Tell whether the match is paused because time was over: then a referee has to rule, and nobody just goes on.
    Other rulings, as that of a substitute, may stand behind the pause."""
    return row.head.status == "paused" and _latest(services, row, "match_paused") == ("clock_expired", "match_paused")


def _latest(services: Services, row: Match, *wanted: str) -> tuple[str, str] | None:
    """Return the type of the latest event of these types in the log of a match, behind that of the event before it."""
    for last in range(row.head.seq, 0, -LOOKED_AT):
        entries = services.store.entries(row.match, max(-1, last - LOOKED_AT - 1), last)
        types = [orjson.loads(entry.body)["type"] for entry in entries]
        for before, latest in reversed([*pairwise(types)]):
            if latest in wanted:
                return before, latest
    return None


def is_at_deal(services: Services, row: Match) -> bool:
    """Tell whether a match that began held is still as it was dealt: nothing has happened in it but that its clocks
    were started."""
    if row.head.seq not in (3, 5):
        return False
    dealt, *more = [orjson.loads(entry.body) for entry in services.store.entries(row.match, 0, row.head.seq)]
    return more[0]["at"] == dealt["at"] and tuple([event["type"] for event in more]) == SINCE_DEAL[: len(more)]


def is_held(services: Services, found: Round, results: Results, before: Match | None) -> bool:
    """Tell whether the round stands still, so that a new match in the place of the one ``before`` does: some of its
    matches are paused, and none is played. Where all are over it stands as that one stood before its end."""
    played = [results.get(table.match or "") for table in found.tables]
    statuses = {result.status for result in played if result is not None}
    if not statuses & {"paused", "playing"} and before is not None:
        stood = _latest(services, before, "match_paused", "match_resumed")
        return stood is not None and stood[1] == "match_paused"
    return "paused" in statuses and "playing" not in statuses
