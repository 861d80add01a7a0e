"""What a director does beside the rounds: entrants, withdrawals, corrections, the closing."""

from fractions import Fraction
from functools import partial
from typing import Any

from gyoji.app.idempotency import do_once
from gyoji.app.problems import HttpProblem
from gyoji.app.requests import parse_document
from gyoji.app.tournaments.appends import Decided, append, taken
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.tournaments.decisions import Event, decide_correction, decide_entry, decide_withdrawal
from gyoji.tournaments.decisions import decide_close as closing
from gyoji.tournaments.fold import apply_event


def add_entrants(request: TournamentRequest, body: bytes) -> TournamentRequest:
    """``addEntrants``: all of them, or none."""
    key = request.read_key("addEntrants", body)

    def make() -> TournamentRequest:
        sent = parse_document(request.context, "tournaments", "entrants", body)
        return append(request, request.context.precondition(demanded=False), key, partial(_entering, sent["entrants"]))

    return do_once(request.services, key, make, lambda _known: request.read_again())


def _entering(entrants: list[dict[str, Any]], now: TournamentRequest) -> Decided:
    tournament, events = now.tournament, list[Event]()
    for entrant in entrants:
        event = taken(now, decide_entry(tournament, entrant["name"], tuple(entrant.get("members", ()))))
        tournament = apply_event(tournament, event.type, event.data)
        events.append(event)
    return Decided(events)


def withdraw_entrant(request: TournamentRequest, entrant: str) -> TournamentRequest:
    """``withdrawEntrant``: the entrant plays no further round."""
    key = request.read_key(f"withdrawEntrant {entrant}", b"")
    if request.tournament.entrant(entrant) is None:
        raise HttpProblem("not-found")

    def decide(now: TournamentRequest) -> Decided:
        return Decided([taken(now, decide_withdrawal(now.tournament, entrant))])

    return do_once(
        request.services,
        key,
        lambda: append(request, request.context.precondition(demanded=False), key, decide),
        lambda _known: request.read_again(),
    )


def correct_standings(request: TournamentRequest, body: bytes) -> TournamentRequest:
    """``correctStandings``: points given or taken beside all matches."""
    key = request.read_key("correctStandings", body)

    def make() -> TournamentRequest:
        sent = parse_document(request.context, "tournaments", "corrections", body)
        return append(request, request.context.precondition(demanded=False), key, partial(_correcting, sent))

    return do_once(request.services, key, make, lambda _known: request.read_again())


def _correcting(sent: dict[str, Any], now: TournamentRequest) -> Decided:
    event = decide_correction(now.tournament, sent["entrant"], Fraction(sent["points"]), sent["reason"])
    return Decided([taken(now, event)])


def close_tournament(request: TournamentRequest) -> TournamentRequest:
    """``closeTournament``: the standings are final, and what the lots came from is told."""
    key = request.read_key("closeTournament", b"")

    def decide(now: TournamentRequest) -> Decided:
        return Decided([taken(now, closing(now.tournament, now.held.secret))], last=True)

    return do_once(
        request.services,
        key,
        lambda: append(request, request.context.precondition(demanded=False), key, decide),
        lambda _known: request.read_again(),
    )
