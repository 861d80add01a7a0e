"""Pairs rounds, with all their matches at once or not at all; closes them; replaces a match that is void."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from gyoji.app.disclosures import OVER, settle_afterwards
from gyoji.app.idempotency import do_once
from gyoji.app.match_states import head_of
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import parse_document
from gyoji.app.services import Services
from gyoji.app.tournament_state import results_of
from gyoji.app.tournaments.appends import (
    TournamentChange,
    accept_decision,
    append,
    precondition_or_key,
    refuse,
    require_seq,
)
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.app.tournaments.holds import is_at_deal, is_held
from gyoji.app.tournaments.tables import make_matches
from gyoji.match import recorder
from gyoji.match.state import MatchState
from gyoji.store.interface import Match, Remembered
from gyoji.store.records import Group
from gyoji.store.tournaments import MatchAppend
from gyoji.tournaments.decisions import (
    ProposedRound,
    decide_rematch,
    decide_round,
    decide_round_close,
    decide_round_take_back,
)
from gyoji.tournaments.log import read_event
from gyoji.tournaments.match_points import DEALT, MatchResult
from gyoji.tournaments.pairings import propose_by_hand, propose_round
from gyoji.tournaments.tournament import Round


class InRound(NamedTuple):
    """A request about a round of a tournament, with the round as the log has it."""

    request: TournamentRequest
    round: Round
    made: tuple[str, ...] = ()
    """The matches that this very request made."""


def in_round(request: TournamentRequest, number: int) -> InRound:
    """Return the round of that number. Raises 404 where there is none."""
    found = request.tournament.round(number)
    if found is None:
        raise HttpProblem("not-found")
    return InRound(request, found)


def pair_round(request: TournamentRequest, body: bytes) -> InRound:
    """Answer ``pairRound``: the next round with its matches; with ``dry_run`` only what it would be, and nothing is
    stored.

    Whoever pairs while matches are played says what that rests on: nothing else would stop a request that comes twice.
    """
    key = request.read_key("pairRound", body)

    def make() -> InRound:
        sent = _read_body(request, body)
        dry = sent.get("dry_run", False)
        seen = precondition_or_key(request.context, key, demanded=sent.get("early", False) and not dry)
        if dry:
            require_seq(seen, request.held)
            return _proposed(request, proposal(request, sent))
        after, decided = append(request, seen, key, partial(_decide_pairing, sent))
        return InRound(after, after.tournament.rounds[-1], decided.names)

    return do_once(request.services, key, make, partial(_paired_before, request))


def _read_body(request: TournamentRequest, body: bytes) -> Mapping[str, Any]:
    """Read the body. Raises 422 too where tables are given and something else is to make them, or the other way
    round."""
    sent: Mapping[str, Any] = parse_document(request.context, "tournaments", "rounds", body)
    wrong = [("/byes", "not-allowed")] if "byes" in sent and "tables" not in sent else []
    if "tables" in sent and sent.get("pairing", "hand") != "hand":
        wrong.append(("/pairing", "not-allowed"))
    if wrong:
        raise request.context.invalid(wrong)
    return sent


def _paired_before(request: TournamentRequest, known: Remembered) -> InRound:
    request = request.read_again()
    (entry,) = request.services.store.tournaments.entries(request.held.tournament, known.seq - 1, known.seq)
    return in_round(request, read_event(entry)["data"]["round"])


def proposal(request: TournamentRequest, sent: Mapping[str, Any]) -> ProposedRound:
    """Propose the next round as it would be paired, or as it is given by hand; ``early``: whatever is still played."""
    tournament, results, seed = request.tournament, results_of(request.services, request.held), request.held.secret
    early = sent.get("early", False)
    if "tables" in sent:
        return accept_decision(
            request, propose_by_hand(tournament, results, sent["tables"], sent.get("byes", ()), seed, early)
        )
    return accept_decision(request, propose_round(tournament, results, seed, sent.get("pairing"), early))


def _proposed(request: TournamentRequest, proposed: ProposedRound) -> InRound:
    number = len(request.tournament.rounds) + 1
    shown = Round(number, proposed.pairing, proposed.seed, proposed.tables, proposed.byes, absent=proposed.absent)
    return InRound(request, shown)


def _decide_pairing(sent: Mapping[str, Any], now: TournamentRequest) -> TournamentChange:
    """Decide the next round, with all its matches."""
    proposed, tournament = proposal(now, sent), now.tournament
    new = make_matches(now, len(tournament.rounds) + 1, proposed.tables, held=sent.get("held", False))
    return new._replace(events=[decide_round(tournament, proposed, new.names)])


def replace_match(request: TournamentRequest, number: int, table: int) -> InRound:
    """Answer ``replaceMatch``: another match at a table whose match is void. Its deals are new, unless all tables of
    the round share theirs."""
    key = request.read_key(f"replaceMatch {number} {table}", b"")
    at_table(request, number, table)

    def make() -> InRound:
        seen = request.context.precondition(demanded=False)
        after, decided = append(request, seen, key, lambda now: _decide_replacement(now, number, table))
        settle_groups(after, decided.closing)
        return in_round(after, number)._replace(made=decided.names)

    return do_once(request.services, key, make, lambda _known: in_round(request.read_again(), number))


def at_table(request: TournamentRequest, number: int, table: int) -> None:
    """Raise 404 where the round has no such table."""
    if not 1 <= table <= len(in_round(request, number).round.tables):
        raise HttpProblem("not-found")


def _decide_replacement(now: TournamentRequest, number: int, table: int) -> TournamentChange:
    found = in_round(now, number).round.tables[table - 1]
    before, void = group_of(now, found.match), [] if found.match is None else [found.match]
    duplicate = now.tournament.rules.duplicate
    results = results_of(now.services, now.held)
    held = is_held(now.services, in_round(now, number).round, results, now.services.store.match(found.match or ""))
    new = make_matches(now, number, [found], before if duplicate else None, held=held)
    event = accept_decision(now, decide_rematch(now.tournament, number, table, new.names[0], results))
    closing = [] if duplicate or before is None else [before.group]
    return new._replace(events=[event], closing=closing, void=void)


def close_round(request: TournamentRequest, number: int) -> InRound:
    """Answer ``closeRound``: its results stand, and everything about its matches is disclosed."""
    key = request.read_key(f"closeRound {number}", b"")
    in_round(request, number)

    def make() -> InRound:
        seen = request.context.precondition(demanded=False)
        after, _decided = append(request, seen, key, partial(_decide_close, number))
        return in_round(after, number)

    done = do_once(request.services, key, make, lambda _known: in_round(request.read_again(), number))
    settle_groups(done.request, groups_of(done))
    return done


def _decide_close(number: int, now: TournamentRequest) -> TournamentChange:
    found = in_round(now, number).round
    event = accept_decision(now, decide_round_close(now.tournament, number, results_of(now.services, now.held)))
    groups = groups_of(InRound(now, found))
    running = [match for group in groups for match in _in_play(now, group)]
    if running:
        raise refuse(now, "matches-running", {"tables": _tables_of(now, running)})
    return TournamentChange([event], closing=groups)


def take_back_round(request: TournamentRequest, number: int) -> TournamentRequest:
    """Answer ``takeBackRound``: the latest round, which nobody has begun, is not paired any more. Its matches become
    void and are disclosed; its number is paired anew. The caller has to say what it saw: a request that comes twice
    must not take back the round that was paired after the first time."""
    key = request.read_key(f"takeBackRound {number}", b"")

    def make() -> TournamentRequest:
        in_round(request, number)
        seen = precondition_or_key(request.context, key, demanded=True)
        after, decided = append(request, seen, key, partial(_decide_take_back, number))
        settle_groups(after, decided.closing)
        return after

    return do_once(request.services, key, make, lambda _known: request.read_again())


def _decide_take_back(number: int, now: TournamentRequest) -> TournamentChange:
    services, found = now.services, in_round(now, number)
    rows = [row for table in found.round.tables if (row := services.store.match(table.match or "")) is not None]
    event = accept_decision(now, decide_round_take_back(now.tournament, number, results_at_deal(now, rows)))
    ruled, states = cancel_matches(services, rows)
    return TournamentChange([event], ruled=ruled, closing=groups_of(found), states=states)


def results_at_deal(now: TournamentRequest, rows: Sequence[Match]) -> dict[str, MatchResult]:
    """Return the results of all matches; of those ``rows`` that began held and were only started, as at their deal."""
    results = results_of(now.services, now.held)
    at_deal = [row.match for row in rows if is_at_deal(now.services, row)]
    return {**results, **{match: results[match]._replace(seq=DEALT) for match in at_deal}}


def cancel_matches(services: Services, rows: Sequence[Match]) -> tuple[list[MatchAppend], list[MatchState]]:
    """Make those matches void that are not over: what their logs grow by, and their states then."""
    ruled, states = list[MatchAppend](), list[MatchState]()
    for row in rows:
        if row.head.status not in OVER:
            before = services.match_states.latest(row)
            entries, after = recorder.cancel(before, services.at_after(before), services.salt)
            ruled.append(MatchAppend(row.match, row.head.seq, entries, head_of(after)))
            states.append(after)
    return ruled, states


def _in_play(request: TournamentRequest, group: str) -> list[str]:
    """Return the matches of the group that are not over, though they may count no more."""
    return [each.match for each in request.services.store.group_members(group) if each.status not in OVER]


def _tables_of(request: TournamentRequest, matches: Sequence[str]) -> list[dict[str, int]]:
    """Return the tables that these matches were made for, those that have been replaced there among them."""
    log = [read_event(entry) for entry in request.services.store.tournaments.entries(request.held.tournament)]
    made = [
        (event["data"]["round"], table)
        for event in log
        if event["type"] in ("round_paired", "match_replaced", "entrant_removed")
        for table in event["data"].get("tables", [event["data"]])
    ]
    return [{"round": number, "table": table["table"]} for number, table in made if table["match"] in matches]


def groups_of(found: InRound) -> list[str]:
    """Return the groups of the round's matches."""
    groups = [group_of(found.request, table.match) for table in found.round.tables]
    return list(dict.fromkeys(group.group for group in groups if group is not None))


def group_of(request: TournamentRequest, match: str | None) -> Group | None:
    """Return the group of a match, if it has one."""
    row = None if match is None else request.services.store.match(match)
    return None if row is None or row.group is None else request.services.store.group(row.group)


def settle_groups(request: TournamentRequest, groups: Sequence[str]) -> None:
    """Disclose groups that have been closed."""
    for group in groups:
        settle_afterwards(request.services, group)
