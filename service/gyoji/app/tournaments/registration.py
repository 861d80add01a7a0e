"""Opens and closes the registration of a tournament, and enters whoever comes by its joining link."""

from functools import partial
from typing import Any, NamedTuple

from gyoji.access.callers import Anonymous
from gyoji.access.entrant_tokens import JoiningClaim, issue_joining_token, read_joining_token
from gyoji.api.parameters import LEAST_JOINING_KEY
from gyoji.app.idempotency import do_once, read_key
from gyoji.app.problems import HttpProblem, unauthenticated
from gyoji.app.requests import Precondition, RequestContext, parse_document
from gyoji.app.services import Services
from gyoji.app.tournaments.appends import TournamentChange, accept_decision, append
from gyoji.app.tournaments.authorization import TournamentRequest
from gyoji.app.tournaments.management import Decide, change_once
from gyoji.app.tournaments.places import entrant_token
from gyoji.messages.language import messages
from gyoji.store.interface import IdempotencyRecord, Remembered
from gyoji.store.tournaments import StoredTournament
from gyoji.tournaments.decisions import decide_joining, decide_registration
from gyoji.tournaments.log import read_event


class Joined(NamedTuple):
    """A request by which somebody has entered, and their number as the log has it."""

    request: TournamentRequest
    entrant: str


def registration_document(request: TournamentRequest) -> dict[str, Any]:
    """Write ``readRegistration``: whether anybody may enter, and the joining token, for whoever runs the
    tournament."""
    registration, held = request.tournament.registration, request.held
    return {
        "tournament": held.tournament,
        "seq": held.seq,
        "open": registration.open,
        "token": _token(request.services, held, registration.link) if registration.link else None,
    }


def _token(services: Services, held: StoredTournament, link: int) -> str:
    return issue_joining_token(services.store.token_key(), JoiningClaim(held.tournament, link))


def set_registration(request: TournamentRequest, body: bytes) -> TournamentRequest:
    """Answer ``setRegistration``: anybody who has the link may enter from now on, or nobody; or there is another
    link."""

    def read() -> Decide:
        sent = parse_document(request.context, "tournaments", "registration", body)
        if sent.get("renew") and not sent["open"]:
            raise request.context.invalid([("/renew", "not-allowed")])
        return partial(_decide_registration, sent)

    return change_once(request, request.read_key("setRegistration", body), read)


def _decide_registration(sent: dict[str, Any], now: TournamentRequest) -> TournamentChange:
    decided = decide_registration(now.tournament, is_open=sent["open"], renew=sent.get("renew", False))
    event = accept_decision(now, decided)
    return TournamentChange([] if event is None else [event])


def invitation_document(context: RequestContext, name: str, body: bytes) -> dict[str, Any]:
    """Write ``readInvitation``: what the holder of the joining token enters, and whether that is possible now."""
    sent = parse_document(context, "tournaments", "invitations", body)
    request = _invited(context, name, sent["token"])
    tournament = request.tournament
    return {
        "tournament": request.held.tournament,
        "title": tournament.title,
        "game": tournament.rules.game,
        "open": tournament.registration.open and not tournament.closed,
        "teams": tournament.rules.teams,
        "seats": tournament.rules.seats,
    }


def _invited(context: RequestContext, name: str, token: str) -> TournamentRequest:
    """Return the request of whoever holds the joining token in force. Raises 401 for any other token."""
    services = context.services
    claim = read_joining_token(services.store.token_key(), token)
    held = None if claim is None or claim.tournament != name else services.store.tournaments.tournament(name)
    if held is None or claim is None:
        raise unauthenticated("unknown")
    request = TournamentRequest(context, Anonymous(), held, as_entrant=True)
    if request.tournament.registration.link != claim.link:
        raise unauthenticated("unknown")
    return request


def join(context: RequestContext, name: str, body: bytes) -> dict[str, Any]:
    """Answer ``join``: a new entrant, with the token that is theirs for the whole event."""
    sent = parse_document(context, "tournaments", "registrations", body)
    request = _invited(context, name, sent["token"])
    key = _joining_key(request, body)

    def enter() -> Joined:
        after, decided = append(request, Precondition(None), key, partial(_decide_joining, sent))
        return Joined(after, decided.events[0].data["entrant"])

    joined = do_once(request.services, key, enter, partial(_joined_before, request))
    entrant = next(each for each in joined.request.tournament.entrants if each.id == joined.entrant)
    return {
        "tournament": joined.request.held.tournament,
        "entrant": entrant.id,
        "name": entrant.name,
        "token": entrant_token(joined.request.services, joined.request.held, entrant),
    }


def _joining_key(request: TournamentRequest, body: bytes) -> IdempotencyRecord | None:
    """Read the idempotency key of somebody who joins. Raises 400 for one that could be guessed."""
    key = read_key(request.context, None, f"registration:{request.held.tournament}", b"join\n", body)
    if key is not None and len(key.key) < LEAST_JOINING_KEY:
        said = {"why": messages()["header"]["joining-key"]}
        raise HttpProblem("malformed-header", said, members={"header": "Idempotency-Key"})
    return key


def _decide_joining(sent: dict[str, Any], now: TournamentRequest) -> TournamentChange:
    """Decide the entry; the link may have been replaced since it was read."""
    _invited(now.context, now.held.tournament, sent["token"])
    event = accept_decision(now, decide_joining(now.tournament, sent["name"], tuple(sent.get("members", ()))))
    return TournamentChange([event])


def _joined_before(request: TournamentRequest, known: Remembered) -> Joined:
    request = request.read_again()
    (entry,) = request.services.store.tournaments.entries(request.held.tournament, known.seq - 1, known.seq)
    return Joined(request, read_event(entry)["data"]["entrant"])
