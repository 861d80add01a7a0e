"""Makes tournaments, and what a director changes besides the rounds: entrants, corrections, the closing."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from gyoji.access.callers import Caller
from gyoji.app.authorization import account_of
from gyoji.app.clock import clock_errors, control_of
from gyoji.app.idempotency import do_once, read_key
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext, parse_document
from gyoji.app.tournaments.appends import TournamentChange, accept_decision, append
from gyoji.app.tournaments.authorization import TournamentRequest, actor_of, find_tournament
from gyoji.games.catalogue import BY_SLUG
from gyoji.published_files import rules_digest
from gyoji.store.interface import IdempotencyRecord, Remembered
from gyoji.store.tournaments import StoredTournament
from gyoji.tournaments.decisions import (
    Event,
    RefusedDecision,
    decide_announcement,
    decide_close,
    decide_correction,
    decide_creation,
    decide_entry,
    decide_return,
    decide_withdrawal,
)
from gyoji.tournaments.fold import apply_event
from gyoji.tournaments.log import record_event
from gyoji.tournaments.rules import TournamentRules, read_points
from gyoji.tournaments.tournament import Tournament

TIE_BREAKS = ("opponents", "head_to_head", "lot")
"""Where nothing else is said; for teams, who meet nobody, ``TEAMS``."""
TEAMS = ("score", "lot")


def create_tournament(context: RequestContext, caller: Caller, body: bytes) -> TournamentRequest:
    """Answer ``createTournament``: the tournament, to which nobody has entered yet."""
    account = account_of(caller)
    key = read_key(context, caller, f"owner:{account}", b"createTournament\n", body)

    def create() -> TournamentRequest:
        return TournamentRequest(context, caller, _create(context, caller, account, body, key))

    def answer_again(known: Remembered) -> TournamentRequest:
        return TournamentRequest(context, caller, find_tournament(context.services, known.match))

    return do_once(context.services, key, create, answer_again)


def _create(
    context: RequestContext, caller: Caller, account: str, body: bytes, key: IdempotencyRecord | None
) -> StoredTournament:
    services, sent = context.services, parse_document(context, "tournaments", "tournaments", body)
    visibility, secret = sent.get("visibility", "private"), services.random(32)
    event = _event(context, sent, visibility, secret)
    name, at = services.new_id(), services.at()
    first = record_event(name, 0, bytes(32), at, actor_of(caller), event)
    held = StoredTournament(name, account, at, visibility, closed=False, seq=0, hash=first.hash, secret=secret)
    services.store.tournaments.create(held, first, key)
    return held


def _event(context: RequestContext, sent: Mapping[str, Any], visibility: str, secret: bytes) -> Event:
    """Decide the first event. Raises 422 where the rules contradict each other or the game."""
    game = BY_SLUG[sent["game"]]
    wrong = [] if sent.get("clock") is None else list(clock_errors(game, sent["clock"]))
    event = None if wrong else decide_creation(sent["name"], rules_of(sent), game, secret)
    if isinstance(event, RefusedDecision):
        wrong = [(fault["pointer"], fault["code"]) for fault in event.facts["faults"]]
    if event is None or isinstance(event, RefusedDecision):
        raise context.invalid(wrong)
    pinned = {"visibility": visibility, "rules_digest": rules_digest(game.slug)}
    return event._replace(data={**event.data, **pinned})


def rules_of(sent: Mapping[str, Any]) -> TournamentRules:
    """Return the rules that a request states, with everything that it leaves to its default."""
    game = BY_SLUG[sent["game"]]
    return TournamentRules(
        game=game.slug,
        version=game.version,
        teams=game.cooperative,
        seats=tuple(sent["seats"]),
        options=game.write_options(game.read_options(sent.get("options", {}))),
        disclosure=sent.get("disclosure", "public_on_close"),
        clock=control_of(sent["clock"]) if sent.get("clock") is not None else None,
        duplicate=sent.get("duplicate", False),
        rounds=sent["rounds"],
        pairing=sent.get("pairing", "draw" if game.cooperative else "swiss"),
        points=read_points({"forfeit": 0, **sent.get("points", {"by": "score"})}),
        bye=sent.get("bye"),
        tie_breaks=tuple(sent.get("tie_breaks", TEAMS if game.cooperative else TIE_BREAKS)),
        check_in=sent.get("check_in", False),
    )


Decide = Callable[[TournamentRequest], TournamentChange]
"""What a change makes of the tournament where it stands."""


def add_entrants(request: TournamentRequest, body: bytes) -> TournamentRequest:
    """Answer ``addEntrants``: all of them enter, or none."""

    def read() -> Decide:
        sent = parse_document(request.context, "tournaments", "entrants", body)
        return partial(_decide_entries, sent["entrants"])

    return change_once(request, request.read_key("addEntrants", body), read)


def _decide_entries(entrants: list[dict[str, Any]], now: TournamentRequest) -> TournamentChange:
    tournament, events = now.tournament, list[Event]()
    for entrant in entrants:
        event = accept_decision(now, decide_entry(tournament, entrant["name"], tuple(entrant.get("members", ()))))
        tournament = apply_event(tournament, event.type, event.data)
        events.append(event)
    return TournamentChange(events)


def withdraw_entrant(request: TournamentRequest, entrant: str) -> TournamentRequest:
    """Answer ``withdrawEntrant``: the entrant plays no further round."""
    return _change_entrant(request, f"withdrawEntrant {entrant}", entrant, decide_withdrawal)


def readmit_entrant(request: TournamentRequest, entrant: str) -> TournamentRequest:
    """Answer ``readmitEntrant``: an entrant who has withdrawn plays the rounds to come."""
    return _change_entrant(request, f"readmitEntrant {entrant}", entrant, decide_return)


def _change_entrant(
    request: TournamentRequest,
    operation: str,
    entrant: str,
    decided: Callable[[Tournament, str], Event | RefusedDecision],
) -> TournamentRequest:
    key = request.read_key(operation, b"")
    if request.tournament.entrant(entrant) is None:
        raise HttpProblem("not-found")

    def decide(now: TournamentRequest) -> TournamentChange:
        return TournamentChange([accept_decision(now, decided(now.tournament, entrant))])

    return change_once(request, key, lambda: decide)


def correct_standings(request: TournamentRequest, body: bytes) -> TournamentRequest:
    """Answer ``correctStandings``: points are given or taken besides all matches."""

    def read() -> Decide:
        return partial(_decide_correction, parse_document(request.context, "tournaments", "corrections", body))

    return change_once(request, request.read_key("correctStandings", body), read)


def _decide_correction(sent: dict[str, Any], now: TournamentRequest) -> TournamentChange:
    event = decide_correction(now.tournament, sent["entrant"], Fraction(sent["points"]), sent["reason"])
    return TournamentChange([accept_decision(now, event)])


def announce(request: TournamentRequest, body: bytes) -> TournamentRequest:
    """Answer ``announce``: everybody reads it until it is replaced, or taken away by ``null``."""

    def read() -> Decide:
        return partial(_decide_announcement, parse_document(request.context, "tournaments", "announcements", body))

    return change_once(request, request.read_key("announce", body), read)


def _decide_announcement(sent: dict[str, Any], now: TournamentRequest) -> TournamentChange:
    return TournamentChange([accept_decision(now, decide_announcement(now.tournament, sent["text"]))])


def close_tournament(request: TournamentRequest) -> TournamentRequest:
    """Answer ``closeTournament``: the standings are final, and what the lots came from is disclosed."""

    def decide(now: TournamentRequest) -> TournamentChange:
        return TournamentChange([accept_decision(now, decide_close(now.tournament, now.held.secret))], last=True)

    return change_once(request, request.read_key("closeTournament", b""), lambda: decide)


def change_once(
    request: TournamentRequest, key: IdempotencyRecord | None, read: Callable[[], Decide]
) -> TournamentRequest:
    """Store a change once, and return the request of the tournament after it; ``read`` reads the body, if it has to be
    decided on."""

    def change() -> TournamentRequest:
        decide = read()
        return append(request, request.context.precondition(demanded=False), key, decide)[0]

    return do_once(request.services, key, change, lambda _known: request.read_again())
