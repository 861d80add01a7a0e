"""Sends the requests that the contract has as examples to the real application, in an order in which each can be
answered, and keeps what is answered.

``python -m contract.session`` (with ``tests`` on the path) writes what it keeps, and an example of every problem, to
``examples.json`` beside the rules of the game that examples are taken from.
"""

import json
import re
from importlib.resources import files
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import orjson
from werkzeug.test import TestResponse

from contract.services import opened
from gyoji.api.contract import operations
from gyoji.api.media import EVENT_STREAM, JSON, JSON_LINES, TEXT
from gyoji.games.catalogue import EXAMPLE
from gyoji.messages.language import messages
from gyoji.web.pages.examples import example
from operators import OPERATOR
from web.matches.tables import Headers, House, Plain, Wire, holding, read
from web.tournaments.directing import play_out

KEPT = Path(str(files(EXAMPLE.package).joinpath("examples.json")))
NOON = 1_780_315_200.0
"""A day in 2026, when all of it happens."""
SHORT = 100
"""Characters of JSON that a list of an example may have."""
COMMITTED = "8f2c1d3e" * 8
"""What a seat commits to: any digest will do until it is revealed."""

PATTERNS: tuple[tuple[str, str], ...] = (
    ("<id>", r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"),
    ("<time>", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"),
    ("<token>", r"(gyoji_|whsec_|msg_)[\w+/=.-]+|[\w-]+\.[\w-]+\.[\w-]{20,}"),
    ("<hex>", r"[0-9a-f]{16,}"),
    ("<base64>", r"[\w+/]{40,}=*"),
    ("<key>", r"\+[0-9a-f]{8}\+"),
)
"""What is new whenever an example is sent."""
PLACED = ("index", "proof")
"""Where a leaf of the log over all matches comes to lie among those of the same time."""


class Session:
    """A client that keeps what it has asked and been answered, by the name of the operation."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.kept: dict[str, Plain] = {}
        self._rows = {row.name: row for row in operations()}

    def ask(
        self, name: str, body: Any = None, by: Headers | None = None, query: str = "", pulls: int = 0, **places: Any
    ) -> Any:
        """Ask an operation once; keep its example, and return the document that was answered. Of a stream without an
        end so many pieces are taken."""
        row = self._rows[name]
        path = row.path.format(**places) + query
        asked = OPERATOR if by is None else by
        sent = {} if body is None else {"data": body} if isinstance(body, bytes) else {"json": body}
        headers = {**asked, **({"Content-Type": JSON_LINES} if isinstance(body, bytes) else {})}
        wire = {"gunicorn.socket": Wire(pulls + 1)} if pulls else None
        answer = self.house.client.open(
            path, method=row.method.upper(), headers=headers, environ_overrides=wire, **sent
        )
        assert answer.status_code in row.good, (name, answer.status_code, answer.text[:1000])
        if name not in self.kept:
            self.kept[name] = {"status": answer.status_code, **_request(body), **_answer(answer)}
        return answer.json if answer.mimetype == JSON else answer.data


def _request(body: Any) -> Plain:
    return {"request": body} if isinstance(body, dict) else {}


def _answer(answer: TestResponse) -> Plain:
    """The example of an answer: a document with its long lists cut, or the first lines of a text."""
    if answer.mimetype == JSON:
        return {"answer": cut(answer.json)}
    if answer.mimetype == EVENT_STREAM:
        return {"answer": next(json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: "))}
    if answer.mimetype == TEXT:
        is_counted = answer.text.startswith("#")  # figures of this process, which are others each time
        return {"answer": "".join(answer.text.splitlines(keepends=True)[: 2 if is_counted else 9])}
    return {}


def cut(document: Any) -> Any:
    """Return a document whose long lists have been cut to their first item."""
    if isinstance(document, dict):
        return {name: cut(value) for name, value in document.items()}
    if isinstance(document, list):
        is_long = len(document) > 1 and len(json.dumps(document)) > SHORT
        return [cut(item) for item in (document[:1] if is_long else document)]
    return document


def masked(document: Any) -> Any:
    """Return a document in which what is new every time is only named by its sort."""
    if isinstance(document, dict):
        return {name: name if name in PLACED else masked(value) for name, value in document.items()}
    if isinstance(document, list):
        return [masked(item) for item in document]
    for sort, pattern in PATTERNS if isinstance(document, str) else ():
        document = re.sub(pattern, sort, document)
    return document


def session(folder: Path) -> dict[str, Plain]:
    """Ask every operation that is no page, and return the examples by its name."""
    with opened(folder / "gyoji.db", None) as house:
        chance = Random("gyoji")
        house.services.random = chance.randbytes
        house.services.clock = lambda: NOON
        asking = Session(house)
        for part in (_catalogue, _matches, _shared_deals, _groups, _replays, _tournaments, _webhooks, _log):
            part(asking)
        return asking.kept


def problems() -> dict[str, Any]:
    """Make an example of every problem, the way the service makes it."""
    return {code: json.loads(json.dumps(example(code, "en"))) for code in messages()["problem"]}


def _catalogue(asking: Session) -> None:
    asking.ask("listGames")
    asking.ask("describeGame", game="catte")
    asking.ask("listRules", game="catte")
    asking.ask("readRule", game="catte", rule="CAT-3.1")
    asking.ask("readSchema", schema="catte/options.json")
    for name in ("readHealth", "readReadiness", "readMetrics"):
        asking.ask(name)


def _seats(made: Plain) -> list[Headers]:
    return [holding(seat["token"]) for seat in made["seats"]]


def _matches(asking: Session) -> None:
    clock = {"bank": 600, "increment": 5, "on_expiry": "referee"}
    named = [{"name": name} for name in ("East", "South", "West")]
    made = asking.ask("createMatch", {"game": "catte", "seats": named, "tags": ["league"], "clock": clock})
    match, seats = made["match"], _seats(made)
    asking.ask("listMatches", query="?game=catte")
    seen = asking.ask("readMatch", by=seats[0], match=match)
    appends = asking.house.services.store.appends
    followed = appends.follow((), lambda _appends: None)
    followed.leave()
    first = seen["view"]["to_act"][0]
    legal = read(asking.house.client.get(f"/v1/matches/{match}", headers=dict(seats[first])))["legal_moves"]
    asking.ask("playMove", {"move": legal[0]}, by=seats[first], match=match)
    before = {"Last-Event-ID": appends.write_position(followed.found, followed.found.position)}
    asking.ask("followMatches", by={**seats[0], **before}, pulls=2)
    asking.ask("readFeed", by=seats[0], match=match, query="?after=1")
    asking.ask("readPosition", by=seats[0], match=match, seq=2)
    seen = read(asking.house.client.get(f"/v1/matches/{match}", headers=dict(OPERATOR)))
    ruling = {"ruling": {"kind": "points", "seat": 1, "points": -3}, "reason": "A card was shown.", "rule": "CAT-3.1"}
    asking.ask("makeRuling", ruling, by={**OPERATOR, "If-Match": f'"{seen["seq"]}"'}, match=match)
    asking.ask("callReferee", {"text": "I have shown a card by mistake."}, by=seats[1], match=match)
    asking.ask("closeCall", match=match, seat=1)
    asking.ask("readCalls", match=match)
    asking.house.services.clock = lambda: NOON + 3600
    asking.ask("claimExpiry", match=match)
    asking.ask("renewSeatToken", match=match, seat=1)
    asking.ask("revokeSeatTokens", match=match, seat=1)
    ended = asking.ask("voidMatch", match=match)
    asking.ask("followMatch", match=match, query=f"?after={ended['seq'] - 1}")
    asking.house.services.clock = lambda: NOON


def _played(asking: Session, **setting: Any) -> str:
    """A match that has been played to its end."""
    match: str = asking.house.table(**setting).match
    play_out(asking.house.services, match, Random(match))
    return match


def _shared_deals(asking: Session) -> None:
    policy = {"policy": "players", "within": 60}
    body = {"game": "catte", "seats": 3, "randomness": policy}
    made = read(asking.house.client.post("/v1/matches", json=body, headers=dict(OPERATOR)))
    asking.ask("giveEntropy", {"commit": COMMITTED}, by=_seats(made)[0], match=made["match"])
    asking.house.services.clock = lambda: NOON + 3600
    asking.ask("closeSeeding", match=made["match"])
    asking.house.services.clock = lambda: NOON
    withheld = _played(asking, withheld_until="2026-06-01T13:00:00.000Z")
    asking.house.services.clock = lambda: NOON + 7200
    asking.ask("discloseMatch", match=withheld)
    asking.house.services.clock = lambda: NOON
    asking.ask("forkMatch", {"seq": 4}, match=_played(asking))


def _groups(asking: Session) -> None:
    group = asking.ask("createGroup", {"game": "catte", "seats": 3})["group"]
    asking.ask("readGroup", group=group)
    asking.ask("closeGroup", group=group)


def _replays(asking: Session) -> None:
    match = _played(asking)
    replay = asking.ask("exportReplay", match=match)
    asking.ask("auditReplay", {"match": match})
    asking.ask("storeReplay", replay)
    asking.ask("readSigningKeys")


def _tournaments(asking: Session) -> None:
    cup = {"game": "catte", "name": "Spring cup", "seats": [3], "rounds": 2}
    tournament = asking.ask("createTournament", cup)["tournament"]
    at: dict[str, Any] = {"tournament": tournament}
    asking.ask("addEntrants", {"entrants": [{"name": name} for name in ("Ann", "Ben", "Cho")]}, **at)
    asking.ask("listTournaments")
    asking.ask("readTournament", **at)
    held = asking.ask("readEntrantTokens", **at)["entrants"][0]["token"]
    asking.ask("pairRound", {"dry_run": True}, **at)
    path = f"/v1/tournaments/{tournament}"
    _change(asking, f"{path}/rounds", {})
    asking.ask("readRound", number=1, **at)
    tag = asking.house.client.get(path, headers=dict(OPERATOR)).headers["ETag"]
    asking.ask("takeBackRound", by={**OPERATOR, "If-Match": tag}, number=1, **at)
    paired = _change(asking, f"{path}/rounds", {"held": True})
    asking.ask("startRound", number=1, **at)
    asking.ask("pauseRound", number=1, **at)
    _change(asking, f"{path}/rounds/1/start")
    _change(asking, f"/v1/matches/{paired['tables'][0]['match']}/void")
    placed = asking.ask("replaceMatch", number=1, table=1, **at)
    asking.ask("findPlace", {"token": held}, **at)
    no_show = {"entrant": "e3", "outcome": "forfeited", "stand_in": "Zoe"}
    asking.ask("settleNoShow", no_show, number=1, table=1, **at)
    play_out(asking.house.services, placed["tables"][0]["match"], Random(1))
    asking.ask("closeRound", number=1, **at)
    asking.ask("correctStandings", {"entrant": "e1", "points": "-2", "reason": "Late for round 2"}, **at)
    asking.ask("announce", {"text": "Dinner at seven; round 2 begins at eight."}, **at)
    asking.ask("readStandings", **at)
    asking.ask("withdrawEntrant", entrant="e3", **at)
    asking.ask("readmitEntrant", entrant="e3", **at)
    asking.ask("exportTournament", **at)
    _check_in(asking, cup)
    asking.ask("closeTournament", **at)


def _check_in(asking: Session, cup: Plain) -> None:
    """A tournament in which only those play who have checked in."""
    made = _change(asking, "/v1/tournaments", {**cup, "name": "Autumn cup", "check_in": True})
    at: dict[str, Any] = {"tournament": made["tournament"]}
    path = f"/v1/tournaments/{made['tournament']}"
    _change(asking, f"{path}/entrants", {"entrants": [{"name": "Ann"}]})
    asking.ask("setRegistration", {"open": True}, **at)
    token = asking.ask("readRegistration", **at)["token"]
    asking.ask("readInvitation", {"token": token}, **at)
    asking.ask("join", {"token": token, "name": "Ben"}, by={}, **at)
    links = read(asking.house.client.get(f"{path}/entrants", headers=dict(OPERATOR)))
    asking.ask("checkIn", {"token": links["entrants"][0]["token"], "present": True}, **at)
    asking.ask("setPresence", {"present": False}, entrant="e1", **at)


def _change(asking: Session, path: str, body: Any = None) -> Plain:
    sent = {} if body is None else {"json": body}
    found: Plain = read(asking.house.client.post(path, headers=dict(OPERATOR), **sent))
    return found


def _webhooks(asking: Session) -> None:
    types = ["match.finished", "standings.changed"]
    hook = asking.ask("createWebhook", {"url": "https://example.com/gyoji", "types": types})["webhook"]
    asking.ask("listWebhooks")
    asking.ask("readWebhook", webhook=hook)
    delivery = asking.ask("testWebhook", webhook=hook)["delivery"]
    asking.ask("listDeliveries", webhook=hook)
    asking.ask("retryDelivery", webhook=hook, delivery=delivery)
    asking.ask("enableWebhook", webhook=hook)
    asking.ask("deleteWebhook", webhook=hook)


def _log(asking: Session) -> None:
    """What the log over all matches says of the last of them."""
    table = asking.house.finished()
    asking.house.services.clock = lambda: NOON + 7200
    asking.ask("readCheckpoint")
    asking.ask("readLogKeys")
    asking.ask("proveInclusion", query=f"?match={table.match}")
    asking.ask("proveConsistency", query="?from=1")


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        found = {"operations": session(Path(made)), "problems": problems()}
    KEPT.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
