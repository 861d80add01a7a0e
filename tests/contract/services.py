"""Runs services on ports of their own, with something to ask about, for requests that nobody thought of."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Thread
from time import time
from typing import Any, NamedTuple

import schemathesis
from flask import Flask
from hypothesis import strategies
from werkzeug.serving import WSGIRequestHandler, make_server

from gyoji.api.media import JSON_LINES
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.app.shutdown import STOP
from gyoji.web.app import create_app
from operators import OPERATOR, OPERATOR_KEY
from web.matches.tables import House, Plain, Table, house, read
from web.tournaments.directing import Cup, cup, matches_of, play_out

SERVER = {"policy": "server"}
BEACON = {"policy": "external", "beacon": "a lottery", "reference": "its next draw"}
SHORTLY = {"policy": "players", "within": 1}
CLOCK = {"move": 1, "on_expiry": "default"}
JOINING = "8e03978e-40d5-43dd-bc93-6894a57f9324"
"""An idempotency key that nobody guesses."""
LONG_AGO = 3600.0

NOWHERE = "http://127.0.0.1:9/discard"
"""Where the webhooks lead. Nothing is sent there: nobody delivers."""


class Tried(NamedTuple):
    """What an operation is tried with: what stands in its address, query and headers, by name; and its body."""

    given: Mapping[str, Any] = {}
    body: Plain | None = None


@dataclass(frozen=True)
class Fuzzed:
    """Where a service is, and what it has: matches and tournaments that only their operator may know of."""

    url: str
    usual: Mapping[str, Any]
    """What is asked about where nothing else is said, by the name of the parameter."""
    tried: Mapping[str, Sequence[Tried]]
    """What an operation is tried with first, by its name, in this order: what it changes is its own."""


class Quiet(WSGIRequestHandler):
    """Connections that stay open, and no lines on them."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - the name is the server's
        """Nothing."""


@contextmanager
def fuzzed_matches(folder: Path) -> Iterator[Fuzzed]:
    """Run a service with stored matches while the block lasts. Replay files that are sent to it come from a service
    whose keys it trusts: a match that is new here, and what becomes of its file when it is cut or altered."""
    trust = folder / "trust.json"
    with opened(folder / "elsewhere.db", None) as there:
        replay = there.finished().get("/replay", OPERATOR).data
        trust.write_bytes(there.client.get("/v1/keys").data)
    with opened(folder / "gyoji.db", trust) as here, _served(here.app) as url:
        over = here.finished()
        group = read(here.client.post("/v1/groups", json={"game": "catte", "seats": 3}, headers=OPERATOR))
        usual = {"match": over.match, "group": group["group"], "seq": 5, "seat": "1", "If-Match": "*"}
        cut = replay[:-200], replay.replace(b'"seq":3', b'"seq":4'), b"{}\n"
        schemathesis.openapi.media_type(JSON_LINES, strategies.sampled_from([replay, *cut]))
        yield Fuzzed(url, usual, _tried_at_matches(here, over))


def _tried_at_matches(here: House, over: Table) -> dict[str, Sequence[Tried]]:
    def table(randomness: Plain = SERVER, **setting: Any) -> Table:
        return here.table(randomness=randomness, **setting)

    def at(found: Table, body: Plain | None = None, **given: Any) -> Tried:
        return Tried({"match": found.match, **given}, body)

    playing, ruled = table(), table()
    seq = ruled.seen(OPERATOR)["seq"]

    def ruling(kind: str, if_match: str, **more: Any) -> Tried:
        said = {"kind": kind, "seat": 1, "points": -3} if kind == "points" else {"kind": kind}
        return at(ruled, {"ruling": said, "reason": "A card was shown.", **more}, **{"If-Match": if_match})

    return {
        "playMove": [at(playing, {"move": playing.legal()})],
        "voidMatch": [at(table())],
        "giveEntropy": [at(table(BEACON), {"entropy": "ab" * 16})],
        "closeSeeding": [at(table(SHORTLY))],
        "auditReplay": [Tried({}, {"match": over.match})],
        "makeRuling": [
            ruling("points", f'"{seq}"', dry_run=True),
            ruling("points", f'"{seq}"'),
            ruling("points", f'"{seq}"', reason="Too late."),
            ruling("points", "*"),
            ruling("resume", f'"{seq + 1}"'),
            ruling("note", f'"{seq + 1}"', audience=[3]),
        ],
        "claimExpiry": [at(_expired(here)), at(playing)],
        "readPosition": [at(over, None, **{"If-None-Match": "*"})],
        "exportReplay": [at(over, None, **{"If-None-Match": "*"})],
    }


def _expired(here: House) -> Table:
    """Create a match in which the time of the seat to move has been up for long."""
    here.services.clock = lambda: time() - LONG_AGO
    found = here.table(clock=CLOCK)
    here.services.clock = time
    return found


@contextmanager
def fuzzed_tournaments(folder: Path) -> Iterator[Fuzzed]:
    """Run a service with tournaments and webhooks while the block lasts; nobody delivers."""
    with opened(folder / "gyoji.db", None) as here, _served(here.app) as url:
        over = _played(here)
        over.close(1)
        hook, delivery = _sent(here)
        within = {"tournament": over.tournament, "number": 1, "table": 1, "entrant": "e1"}
        usual = {**within, "webhook": hook, "delivery": delivery, "about": hook, "If-Match": "*"}
        yield Fuzzed(url, usual, {**_tried_at_tournaments(here, over), **_tried_at_webhooks(here)})


def _tried_at_tournaments(here: House, over: Cup) -> dict[str, Sequence[Tried]]:
    def at(found: Cup, body: Plain | None = None, **given: Any) -> Tried:
        return Tried({"tournament": found.tournament, **given}, body)

    def cup_of_three() -> Cup:
        return _entered(here)

    corrected, paired = cup_of_three(), cup_of_three()
    correction = {"entrant": "e1", "points": "-5/2", "reason": "Late for the first round."}
    ended, final = _played(here), _played(here)
    ended.close(1)
    final.close(1)
    final.ask("/close")
    entered = cup_of_three()
    token = read(entered.get("/entrants"))["entrants"][0]["token"]
    checking = cup(here, check_in=True).enter("Ann", "Ben", "Cho")
    joining = read(checking.ask("/registration", {"open": True}))["token"]
    own = read(checking.get("/entrants"))["entrants"][0]["token"]
    return {
        "findPlace": [at(entered, {"token": token}), at(over, {"token": token})],
        "addEntrants": [at(cup_of_three(), {"entrants": [{"name": "Dan"}]}), at(over, {"entrants": [{"name": "Ann"}]})],
        "withdrawEntrant": [at(cup_of_three())] * 2,
        "readmitEntrant": [at(_gone(here))] * 2,
        "checkIn": [at(checking, {"token": own, "present": True}), at(entered, {"token": token, "present": True})],
        "setRegistration": [at(entered, {"open": True}), at(_gone(here), {"open": False}), at(final, {"open": True})],
        "readInvitation": [at(checking, {"token": joining})],
        "join": [
            at(checking, {"token": joining, "name": "Dan"}, **{"Idempotency-Key": JOINING}),
            at(checking, {"token": joining, "name": "Ann"}, **{"Idempotency-Key": f"{JOINING}-2"}),
        ],
        "setPresence": [at(checking, {"present": True}), at(entered, {"present": True})],
        "pairRound": [at(paired, {"dry_run": True}), at(paired, {}), at(paired, {})],
        "takeBackRound": [
            *[at(found, None, **{"If-Match": '"4"'}) for found in (_paired(here), _played(here))],
            at(over),
        ],
        "startRound": [at(_paired(here)), at(over)],
        "pauseRound": [at(_paired(here)), at(over)],
        "closeRound": [at(_played(here)), at(paired)],
        "replaceMatch": [at(_voided(here)), at(over)],
        "settleNoShow": [
            at(_paired(here), {"entrant": "e1", "outcome": "forfeited", "stand_in": "Zoe"}),
            at(over, {"entrant": "e1", "outcome": "removed"}),
        ],
        "announce": [at(cup_of_three(), {"text": "Dinner at seven."}), at(over, {"text": None})],
        "correctStandings": [
            at(corrected, correction),
            at(corrected, correction, **{"If-Match": '"1"'}),
            at(corrected, {**correction, "points": "0"}),
        ],
        "closeTournament": [at(ended)] * 2,
    }


def _entered(here: House) -> Cup:
    return cup(here).enter("Ann", "Ben", "Cho")


def _gone(here: House) -> Cup:
    """Create a tournament whose first entrant has withdrawn."""
    found = _entered(here)
    read(found.ask("/entrants/e1/withdrawal"))
    return found


def _paired(here: House) -> Cup:
    """Create a tournament whose first round nobody has begun."""
    found = _entered(here)
    found.pair()
    return found


def _played(here: House) -> Cup:
    """Create a tournament of one round, in which all is played and which is not closed."""
    found = _entered(here)
    for match in matches_of(found.pair()):
        play_out(here.services, match, Random(match))
    return found


def _voided(here: House) -> Cup:
    found = _entered(here)
    for match in matches_of(found.pair()):
        read(here.client.post(f"/v1/matches/{match}/void", headers=OPERATOR))
    return found


def _tried_at_webhooks(here: House) -> dict[str, Sequence[Tried]]:
    def at(hook: str, delivery: str) -> Tried:
        return Tried({"webhook": hook, "delivery": delivery})

    deaf = _sent(here)
    here.services.store.webhooks.disable(deaf[0], here.services.at(), "gone")
    asleep = _sent(here)
    here.services.store.webhooks.disable(asleep[0], here.services.at(), "failing")
    return {
        "createWebhook": [Tried({}, {"url": NOWHERE, "types": ["match.finished"]})],
        "deleteWebhook": [at(*_sent(here))],
        "testWebhook": [at(*_sent(here)), at(*deaf)],
        "enableWebhook": [at(*asleep)],
        "retryDelivery": [at(*_sent(here)), at(*deaf)],
    }


def _sent(here: House) -> tuple[str, str]:
    """Create a webhook, and a delivery that waits for it."""
    hook = read(here.client.post("/v1/webhooks", json={"url": NOWHERE}, headers=OPERATOR))
    delivery = read(here.client.post(hook["links"]["test"], headers=OPERATOR))
    return hook["webhook"], delivery["delivery"]


@contextmanager
def opened(store: Path, trust: Path | None) -> Iterator[House]:
    settings = Settings(
        store=f"sqlite:///{store}",
        operator_key=OPERATOR_KEY,
        origin=store.stem,
        trust=None if trust is None else str(trust),
        webhooks_to="anywhere",
    )
    prepare_store(settings)
    opened = house(create_app(settings))
    with closing(opened.services.store):
        yield opened


@contextmanager
def _served(app: Flask) -> Iterator[str]:
    """Serve the application on a port. It has been told to stop, so that nobody waits for news."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    STOP.set()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        STOP.clear()
        server.shutdown()
        thread.join()
        server.server_close()
