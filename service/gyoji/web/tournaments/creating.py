"""New tournaments."""

from collections.abc import Mapping
from typing import Any

from gyoji.access.callers import Caller
from gyoji.app.application import Desk
from gyoji.app.clocks import control_of, wrong_clock
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.language import Language
from gyoji.messages.problems import invalid_request
from gyoji.published_files import rules_digest
from gyoji.store.interface import Remembered, Request
from gyoji.store.tournaments import Held
from gyoji.tournaments.deciding import Event, created
from gyoji.tournaments.recording import recorded
from gyoji.tournaments.refusals import Refusal as Refused
from gyoji.tournaments.rules import Rules, read_points
from gyoji.web.matches.asking import Refusal
from gyoji.web.matches.creating import account_of, new_id
from gyoji.web.matches.preconditions import idempotency, once
from gyoji.web.tournaments.asking import AskedOf, actor_of, found
from gyoji.web.tournaments.sending import sent_document

TIE_BREAKS = ("opponents", "head_to_head", "lot")
"""Where nothing else is said; for teams, who meet nobody, ``TEAMS``."""
TEAMS = ("score", "lot")


def new_tournament(here: Desk, caller: Caller, body: bytes, language: Language) -> AskedOf:
    """``createTournament``: the tournament, to which nobody has entered yet."""
    account = account_of(caller)
    key = idempotency(here, caller, f"owner:{account}", b"createTournament\n", body)

    def made() -> AskedOf:
        return AskedOf(here, caller, _made(here, caller, account, body, key, language))

    def told(known: Remembered) -> AskedOf:
        return AskedOf(here, caller, found(here, known.match))

    return once(here, key, made, told)


def _made(here: Desk, caller: Caller, account: str, body: bytes, key: Request | None, language: Language) -> Held:
    sent = sent_document(body, "tournaments", "/v1/tournaments", language)
    visibility, secret = sent.get("visibility", "private"), here.random(32)
    event = _event(sent, visibility, secret, language)
    name, at = new_id(here), here.at()
    first = recorded(name, 0, bytes(32), at, actor_of(caller), event)
    held = Held(name, account, at, visibility, closed=False, seq=0, hash=first.hash, secret=secret)
    here.store.tournaments.create(held, first, key)
    return held


def _event(sent: Mapping[str, Any], visibility: str, secret: bytes, language: Language) -> Event:
    """The first event; 422 where the rules contradict each other or the game."""
    game = BY_SLUG[sent["game"]]
    wrong = [] if sent.get("clock") is None else list(wrong_clock(game, sent["clock"]))
    event = None if wrong else created(sent["name"], rules_of(sent), game, secret)
    if isinstance(event, Refused):
        wrong = [(fault["pointer"], fault["code"]) for fault in event.facts["faults"]]
    if event is None or isinstance(event, Refused):
        raise Refusal(invalid_request(wrong, "/v1/tournaments", language), language)
    pinned = {"visibility": visibility, "rules_digest": rules_digest(game.slug)}
    return event._replace(data={**event.data, **pinned})


def rules_of(sent: Mapping[str, Any]) -> Rules:
    """The rules that a request states, with everything that it leaves to its default."""
    game = BY_SLUG[sent["game"]]
    return Rules(
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
    )
