"""Every cell of ``tests/access/matrix.yaml``, over HTTP: role, operation, ownership, phase, visibility."""

from collections.abc import Callable, Mapping
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import orjson
import pytest
import yaml
from structlog.testing import capture_logs
from werkzeug.test import TestResponse

from gyoji.access.keys import KeyRole
from gyoji.access.tokens import issue
from gyoji.api.rights import Scope
from web.matches.conftest import quiet
from web.matches.tables import Headers, House, Plain, Table, Wire, holding, read

MATRIX = yaml.safe_load((Path(__file__).parents[2] / "access" / "matrix.yaml").read_text("utf-8"))
PHASES = ("seeding", "playing", "withheld", "disclosed", "closed", "voided")
COLUMNS = tuple(product(("private", "public"), PHASES))
BEFORE_THE_END = ("seeding", "playing", "withheld")
TOURNAMENT = "2d9a4b1e-0f63-4c55-9b7a-6c1f8e20d4a7"
LATER = 4_000_000_000
CODES = {"401": "unauthenticated", "403": "forbidden", "404": "not-found", "409": "not-disclosed"}


class Hall(NamedTuple):
    """A match of every column, its owner's account, and another match for whoever is from elsewhere."""

    house: House
    account: str
    tables: Mapping[tuple[str, str], Table]
    other: Table
    spectators: dict[str, dict[str, str]]
    group: str
    """A group of the account."""
    tournament: str
    """A public tournament of the account that is closed, with one round."""
    webhook: str
    """The address of a webhook of the account."""
    delivery: str
    """The address of a message to it."""
    keys: dict[tuple[str, ...], dict[str, str]]


@pytest.fixture(scope="module")
def hall(house: House) -> Hall:
    """One match of each phase and visibility, and an unfinished one elsewhere."""
    with quiet():
        owner = house.key("operator", "club")
        tables = {}
        for visibility, phase in COLUMNS:
            tables[visibility, phase] = table = begun(house, owner, visibility, phase)
            if phase in ("withheld", "disclosed", "closed"):
                table.finish(Random(1))
            elif phase == "voided":
                read(post(table, "/void", owner))
        other = house.table(house.key("operator", "league"), randomness={"policy": "director"})
        group = read(house.client.post("/v1/groups", json={"game": "catte", "seats": 3}, headers=owner))["group"]
        watched = [*tables.values(), other]
        for table in tables.values():
            entered(house, table)
        spectators = {table.match: house.spectator(table) for table in watched}
        tournament = closed_tournament(house, owner)
        webhook = new_webhook(house, owner)
        tried = read(house.client.post(f"{webhook}/test", headers=owner))["delivery"]
    told = webhook, f"{webhook}/deliveries/{tried}"
    return Hall(house, "club", tables, other, spectators, group, tournament, *told, {})


def new_webhook(house: House, owner: Headers) -> str:
    """The address of a new webhook, to which nothing is delivered."""
    made: str = read(house.client.post("/v1/webhooks", json={"url": "https://hooks.example/"}, headers=owner))[
        "webhook"
    ]
    return f"/v1/webhooks/{made}"


def closed_tournament(house: House, owner: Headers) -> str:
    """A tournament that was over before it had begun: its only match is void."""
    setting = {"game": "catte", "name": "Cup", "seats": [3], "rounds": 1, "visibility": "public"}
    made: str = read(house.client.post("/v1/tournaments", json=setting, headers=owner))["tournament"]
    path = f"/v1/tournaments/{made}"
    entrants = {"entrants": [{"name": name} for name in ("Ann", "Ben", "Cho")]}
    read(house.client.post(f"{path}/entrants", json=entrants, headers=owner))
    paired = read(house.client.post(f"{path}/rounds", json={}, headers=owner))
    read(house.client.post(f"/v1/matches/{paired['tables'][0]['match']}/void", headers=owner))
    for part in ("/rounds/1/close", "/close"):
        read(house.client.post(path + part, headers=owner))
    return made


def begun(house: House, owner: Headers, visibility: str, phase: str) -> Table:
    """A match of a column, at its beginning."""
    disclosure = "auditors_only" if phase == "closed" else "public_on_close"
    setting: Plain = {"game": "familiars-trouble", "visibility": visibility, "disclosure": disclosure}
    if phase == "withheld":
        setting["withheld_until"] = "2999-01-01T00:00:00.000Z"
    table = house.table(owner, randomness={"policy": "director"}, **setting)
    if phase != "seeding":
        read(post(table, "/entropy", directing(house, table), {"entropy": "ab" * 16}))
    return table


def entered(house: House, table: Table) -> None:
    """The match becomes one of the tournament."""
    database = house.services.store._database  # no call moves a match into a tournament
    database.modify("UPDATE matches SET tournament = ? WHERE match = ?", (TOURNAMENT, table.match))


def directing(house: House, table: Table) -> dict[str, str]:
    """What the director of a match sends."""
    return holding(issue(house.services.store.token_key(), table.match, "director", 0, LATER))


def headers_of(hall: Hall, described: str, table: Table) -> dict[str, str]:
    """What the caller of a line sends; whatever is its own is of that table, or of the other one."""
    role, *more = described.split()
    if role == "anonymous":
        return {}
    own = hall.other if more[:1] == ["other"] else table
    if role == "seat":
        return own.sits(2)
    if role == "director":
        return directing(hall.house, own)
    if role == "spectator":
        return dict(hall.spectators[own.match])
    scopes = more[-1] if more else "bare"
    account = "league" if more[:1] == ["other"] else hall.account
    if more[:1] == ["tournament"]:
        bound: dict[str, tuple[str, ...]] = {"tournaments": (TOURNAMENT,)}
    else:
        bound = {"matches": () if role == "operator" else (own.match,)}
    known = (role, account, scopes, *bound, *chain(*bound.values()))
    if known not in hall.keys:
        held = {"bare": (), "every": tuple(Scope)}.get(scopes, (scopes,))
        hall.keys[known] = hall.house.key(cast(KeyRole, role), account, held, **bound)
    return hall.keys[known]


class Asked(NamedTuple):
    """How an answer looks: the refusal that it is, and how much it shows where it shows anything."""

    refusal: str | None
    status: int
    shows: str | None


def asked(answer: TestResponse, shows: Callable[[TestResponse], str | None] | None = None) -> Asked:
    """The answer as a cell has it."""
    code = None if answer.status_code < 400 or answer.json is None else answer.json["code"]
    refusal = next((cell for cell, said in CODES.items() if said == code), None)
    seen = None if refusal is not None or shows is None or answer.status_code >= 400 else shows(answer)
    return Asked(refusal, answer.status_code, seen)


def hands(holder: Plain) -> str:
    """Whose hands are there as cards and not as numbers: nobody's, one seat's, everybody's."""
    return {0: "public", 1: "seat", 3: "all"}[sum(isinstance(hand, list) for hand in holder["hands"])]


def view(answer: TestResponse) -> str | None:
    """How much a view shows; ``None`` before the deal."""
    seen = body(answer)["view"]
    return None if seen is None else hands(seen["table"])


def first_view(answer: TestResponse) -> str | None:
    """How much the first frame with a position shows; ``None`` before the deal."""
    dealt = [frame["view"] for frame in body(answer)["frames"] if frame.get("view") is not None]
    return hands(dealt[0]["table"]) if dealt else None


def frames(table: Table, query: str, headers: Headers) -> TestResponse:
    """What the page of the match steps through at its beginning."""
    return table.client.get(f"/matches/{table.match}/frames?limit=3{query}", headers=dict(headers))


def deal(answer: TestResponse) -> str | None:
    """How much a feed shows of the deal; ``None`` before it."""
    dealt = [event for event in body(answer)["events"] if event["type"] == "dealt"]
    return hands(dealt[0]["data"]["events"][0]) if dealt else None


def begun_stream(table: Table, headers: Headers) -> TestResponse:
    """A stream of a match, until its first events have come."""
    wire = {"gunicorn.socket": Wire(3)}
    return table.client.get(f"{table.path}/stream", headers=dict(headers), environ_overrides=wire)


def streamed_deal(answer: TestResponse) -> str | None:
    """How much a stream shows of the deal; ``None`` before it."""
    events = [orjson.loads(line[6:]) for line in answer.data.splitlines() if line.startswith(b"data: ")]
    dealt = [event for event in events if event["type"] == "dealt"]
    return hands(dealt[0]["data"]["events"][0]) if dealt else None


def audience(answer: TestResponse) -> str:
    """For whom a replay file is."""
    found = orjson.loads(answer.data.splitlines()[0])["audience"]
    return {"full": "all", "public": "public"}.get(str(found), "seat")


def completeness(answer: TestResponse) -> str:
    """What a verdict on a finished match tells of its reader: without all openings it is partial."""
    return "all" if body(answer)["verdict"] == "verified" else "some"


def body(answer: TestResponse) -> Plain:
    """The body of an answer."""
    found: Plain | None = answer.json
    assert found is not None
    return found


def post(table: Table, part: str, headers: Headers, sent: Any = None) -> TestResponse:
    """A part of the match, posted to."""
    return table.client.post(table.path + part, json=sent, headers=dict(headers))


IMPOSSIBLE = {"type": "play", "seat": 2, "card": "no such card"}

GIVES_TOKENS = "renewSeatToken"
"""Whoever may do this may see a hand, where nothing is disclosed to it: it is logged as an unsealing is."""

ASK: Mapping[str, Callable[[Table, Headers], Asked]] = {
    "readMatch": lambda table, by: asked(table.get("", by), view),
    "readFeed": lambda table, by: asked(table.get("/events", by), deal),
    "followMatch": lambda table, by: asked(begun_stream(table, by), streamed_deal),
    "readPosition": lambda table, by: asked(table.get("/positions/2", by), view),
    "exportReplay": lambda table, by: asked(table.get("/replay", by), audience),
    "auditReplay": lambda table, by: asked(
        table.client.post("/v1/audits", json={"match": table.match}, headers=dict(by)), completeness
    ),
    "playMove": lambda table, by: asked(table.put(IMPOSSIBLE, by)),
    "renewSeatToken": lambda table, by: asked(post(table, "/seats/0/token", by)),
    "revokeSeatTokens": lambda table, by: asked(
        table.client.delete(f"{table.path}/seats/spectator/token", headers=dict(by))
    ),
    "forkMatch": lambda table, by: asked(post(table, "/fork", by, {"seq": 2})),
    "as": lambda table, by: asked(table.get("/positions/2?as=2", by), view),
    "readFrames": lambda table, by: asked(frames(table, "", by), first_view),
    "frames as": lambda table, by: asked(frames(table, "&as=2", by), first_view),
    "giveEntropy": lambda table, by: asked(post(table, "/entropy", by, {})),
    "closeSeeding": lambda table, by: asked(post(table, "/entropy/close", by)),
    "makeRuling": lambda table, by: asked(post(table, "/rulings", by, {})),
    "claimExpiry": lambda table, by: asked(post(table, "/claims", by)),
    "callReferee": lambda table, by: asked(post(table, "/calls", by, {})),
    "readCalls": lambda table, by: asked(table.get("/calls", by)),
    "closeCall": lambda table, by: asked(post(table, "/calls/2/close", by)),
    "voidMatch": lambda table, by: asked(post(table, "/void", by)),
    "discloseMatch": lambda table, by: asked(post(table, "/disclosure", by)),
}
"""How each operation is asked for."""

GRANTED = {
    **dict.fromkeys(("playMove", "giveEntropy", "makeRuling"), 422),
    **dict.fromkeys(("closeSeeding", "claimExpiry"), 409),
    "revokeSeatTokens": 204,
    "forkMatch": 201,
}
"""The status for those who may, where it is not 200: of moves one is asked for that cannot be, of contributions and
rulings one of no shape; no seats are waited for, and no time is kept."""

IN_PHASE = {
    **{(operation, "seeding"): 404 for operation in ("readPosition", "as")},
    **{("voidMatch", phase): 409 for phase in ("withheld", "disclosed", "closed")},
    **{("callReferee", phase): 409 for phase in ("withheld", "disclosed", "closed", "voided")},
    **{("discloseMatch", phase): 409 for phase in BEFORE_THE_END},
    ("forkMatch", "voided"): 201,
}
"""The same, by phase: before the deal there is no position, what has ended cannot be cancelled and no referee comes to
it, and what stands against a disclosure does so whoever asks."""

SHOWN = {
    "as": {"unsealed": "seat"},
    "frames as": {"unsealed": "seat"},
    "auditReplay": {"public": "some", "seat": "some"},
}
"""What a cell shows, where that is not what it says."""


def fits(operation: str, holds: str, found: Asked, phase: str) -> bool:
    """Whether an answer is what the cell decides."""
    if holds in CODES:
        return (found.refusal, found.status) == (holds, int(holds))
    granted = IN_PHASE.get((operation, phase), GRANTED.get(operation, 200))
    if found.status != granted or (found.refusal is not None and (operation, phase) not in IN_PHASE):
        return False
    expected = {"unsealed": "all", **SHOWN.get(operation, {})}.get(holds, holds)
    if operation == "auditReplay" and phase in BEFORE_THE_END:
        expected = "some"  # its secret is not told: in part, whoever asks
    return found.shows in (None, expected)


@pytest.mark.parametrize("operation", ASK)
def test_every_cell_about_a_match_holds(hall: Hall, operation: str) -> None:
    (group,) = [group for group in MATRIX["with_match"] if operation in group["operations"]]
    wrong = []
    for described, line in group["cells"].items():
        for column, holds in zip(COLUMNS, line.split(), strict=True):
            table = hall.tables[column]
            if operation == "voidMatch" and column[1] in ("seeding", "playing"):  # they are needed alive
                table = begun(hall.house, hall.tables[column].operator, *column)
                entered(hall.house, table)
                hall.spectators[table.match] = hall.house.spectator(table)
            headers = headers_of(hall, described, table)
            with capture_logs() as logged:
                found = ASK[operation](table, headers)
            unsealed = ["unsealed" in line for line in logged]
            written_down = holds == "unsealed" or (operation == GIVES_TOKENS and holds == "public")
            if not fits(operation, holds, found, column[1]) or unsealed != [written_down]:
                wrong.append((described, column, holds, found, unsealed))
            if operation == "revokeSeatTokens" and found.status == 204:
                hall.spectators[table.match] = hall.house.spectator(table)
    assert wrong == []


def test_every_operation_about_a_match_is_asked_for() -> None:
    assert set(ASK) == {name for group in MATRIX["with_match"] for name in group["operations"]}


@pytest.mark.parametrize("described", MATRIX["may_move"])
def test_which_seat_a_move_may_be_for(hall: Hall, described: str) -> None:
    """``forbidden`` for another seat's, before anything of the move is looked at; the shape for whoever may."""
    table = hall.tables["private", "playing"]
    allowed = [word == "yes" for word in MATRIX["may_move"][described].split()]
    own = f"{described} own every" if described == "operator" else f"{described} own bare"
    headers = headers_of(hall, described if described == "anonymous" else own, table)
    for seat, may in zip((0, 2), allowed, strict=True):
        found = asked(table.put({**IMPOSSIBLE, "seat": seat}, headers))
        if may:
            assert (found.refusal, found.status) == (None, 422)
        else:
            assert found.refusal == ("401" if described == "anonymous" else "403")


ALONE: Mapping[str, tuple[str, str, Any]] = {
    "createMatch": ("POST", "/v1/matches", {}),
    "listMatches": ("GET", "/v1/matches", None),
    "followMatches": ("GET", "/v1/stream", None),
    "storeReplay": ("POST", "/v1/replays", b"no replay\n"),
    "auditReplay": ("POST", "/v1/audits", b"no replay\n"),
    "createGroup": ("POST", "/v1/groups", {}),
    "readGroup": ("GET", "/v1/groups/{group}", None),
    "closeGroup": ("POST", "/v1/groups/{group}/close", None),
    "start": ("POST", "/v1/games/catte/states", {}),
    "adjudicate": ("POST", "/v1/games/catte/adjudications", {}),
    "listLegalMoves": ("POST", "/v1/games/catte/legal-moves", {}),
    "ask": ("POST", "/v1/games/catte/questions", {}),
    "score": ("POST", "/v1/games/catte/scores", {}),
    "view": ("POST", "/v1/games/catte/views", {}),
    "listGames": ("GET", "/v1/games", None),
    "describeGame": ("GET", "/v1/games/catte", None),
    "listRules": ("GET", "/v1/games/catte/rules", None),
    "readRule": ("GET", "/v1/games/catte/rules/CAT-1.1", None),
    "readHealth": ("GET", "/healthz", None),
    "readReadiness": ("GET", "/readyz", None),
    "readMetrics": ("GET", "/metrics", None),
    "readContract": ("GET", "/openapi.json", None),
    "readSchema": ("GET", "/schemas/problem.json", None),
    "readIndex": ("GET", "/", None),
    "readDocumentation": ("GET", "/docs", None),
    "readStaticFile": ("GET", "/static/page.css", None),
    "listProblemTypes": ("GET", "/problems", None),
    "readProblemType": ("GET", "/problems/forbidden", None),
    "readMatchPage": ("GET", "/matches/6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10", None),
    "listTournamentPages": ("GET", "/tournaments", None),
    "readNewMatch": ("GET", "/matches/new", None),
    "readNewTournament": ("GET", "/tournaments/new", None),
    "readPlan": ("GET", "/tournaments/new/plan?game=catte&entrants=9&seats=4.3&rounds=3&pairing=swiss", None),
    "readTournamentPage": ("GET", "{page}", None),
    "readRoundPage": ("GET", "{page}/rounds/1", None),
    "readTournamentDesk": ("GET", "{page}/desk", None),
    "readPlacePage": ("GET", "{page}/place", None),
    "readJoinPage": ("GET", "{page}/join", None),
    "readProjector": ("GET", "{page}/projector", None),
    "readStandingsTable": ("GET", "{page}/standings.csv", None),
    "readTables": ("GET", "{page}/tables", None),
    "readAuditPage": ("GET", "/audit", None),
    "readFramesOfFile": ("POST", "/audit/frames", b"no replay\n"),
    "readVerdictOnFile": ("POST", "/audit/verdict", b"no replay\n"),
    "readCollection": ("GET", "/docs/collection.json", None),
    "listGuides": ("GET", "/docs/guides", None),
    "readGuide": ("GET", "/docs/guides/matches", None),
    "listRulebooks": ("GET", "/rules", None),
    "readRulebook": ("GET", "/rules/catte", None),
    "readQuickRuling": ("GET", "/rule", None),
    "readConsole": ("GET", "/console", None),
    "readConsoleCase": ("GET", "/console/cases/CAT-031", None),
    "readSigningKeys": ("GET", "/v1/keys", None),
    "readCheckpoint": ("GET", "/v1/log/checkpoint", None),
    "readLogKeys": ("GET", "/v1/log/key", None),
    "readLogEntries": ("GET", "/v1/log/tile/entries/000.p/1", None),
    "readLogTile": ("GET", "/v1/log/tile/0/000.p/1", None),
    "proveInclusion": ("GET", "/v1/log/proofs/inclusion?match=x", None),
    "proveConsistency": ("GET", "/v1/log/proofs/consistency?from=0", None),
    "createTournament": ("POST", "/v1/tournaments", {}),
    "listTournaments": ("GET", "/v1/tournaments", None),
    "readTournament": ("GET", "{tournament}", None),
    "readStandings": ("GET", "{tournament}/standings", None),
    "readRound": ("GET", "{tournament}/rounds/1", None),
    "exportTournament": ("GET", "{tournament}/log", None),
    "addEntrants": ("POST", "{tournament}/entrants", {"entrants": [{"name": "Dan"}]}),
    "readEntrantTokens": ("GET", "{tournament}/entrants", None),
    "findPlace": ("POST", "{tournament}/places", {}),
    "checkIn": ("POST", "{tournament}/check-ins", {}),
    "readInvitation": ("POST", "{tournament}/invitations", {}),
    "join": ("POST", "{tournament}/registrations", {}),
    "readRegistration": ("GET", "{tournament}/registration", None),
    "setRegistration": ("POST", "{tournament}/registration", {"open": True}),
    "withdrawEntrant": ("POST", "{tournament}/entrants/e1/withdrawal", None),
    "readmitEntrant": ("POST", "{tournament}/entrants/e1/re-entry", None),
    "setPresence": ("POST", "{tournament}/entrants/e1/presence", {"present": True}),
    "pairRound": ("POST", "{tournament}/rounds", {}),
    "startRound": ("POST", "{tournament}/rounds/1/start", None),
    "pauseRound": ("POST", "{tournament}/rounds/1/pause", None),
    "closeRound": ("POST", "{tournament}/rounds/1/close", None),
    "takeBackRound": ("POST", "{tournament}/rounds/1/take-back", None),
    "replaceMatch": ("POST", "{tournament}/rounds/1/tables/1/match", None),
    "settleNoShow": ("POST", "{tournament}/rounds/1/tables/1/no-show", {"entrant": "e1", "outcome": "removed"}),
    "correctStandings": ("POST", "{tournament}/corrections", {"entrant": "e1", "points": "1", "reason": "Late"}),
    "announce": ("POST", "{tournament}/announcements", {"text": "Dinner at seven."}),
    "closeTournament": ("POST", "{tournament}/close", None),
    "createWebhook": ("POST", "/v1/webhooks", {}),
    "listWebhooks": ("GET", "/v1/webhooks", None),
    "readWebhook": ("GET", "{webhook}", None),
    "deleteWebhook": ("DELETE", "{webhook}", None),
    "testWebhook": ("POST", "{webhook}/test", None),
    "enableWebhook": ("POST", "{webhook}/enable", None),
    "listDeliveries": ("GET", "{webhook}/deliveries", None),
    "retryDelivery": ("POST", "{delivery}/retry", None),
}
"""How each operation that is about no match is asked for; whoever may is told what is wrong with the request."""

ANSWERED = {
    **dict.fromkeys(
        (
            "createMatch",
            "createGroup",
            "start",
            "adjudicate",
            "listLegalMoves",
            "score",
            "view",
            "ask",
            "findPlace",
            "checkIn",
            "readInvitation",
            "join",
        ),
        422,
    ),
    **dict.fromkeys(
        (
            "addEntrants",
            "withdrawEntrant",
            "readmitEntrant",
            "setPresence",
            "setRegistration",
            "pairRound",
            "startRound",
            "pauseRound",
            "closeRound",
            "replaceMatch",
            "settleNoShow",
        ),
        409,
    ),
    "takeBackRound": 428,
    "readFramesOfFile": 400,
    **dict.fromkeys(("storeReplay", "correctStandings", "announce", "closeTournament"), 409),
    **dict.fromkeys(("proveInclusion", "createTournament", "createWebhook"), 422),
    **dict.fromkeys(("testWebhook", "retryDelivery"), 202),
    "deleteWebhook": 204,
}
"""The status for those who may, where it is not 200."""


@pytest.mark.parametrize("described", MATRIX["without_match"]["cells"])
def test_every_cell_without_a_match_holds(hall: Hall, described: str) -> None:
    table = MATRIX["without_match"]
    headers = headers_of(hall, described, hall.tables["private", "playing"])
    for column, holds in zip(table["columns"].split(), table["cells"][described].split(), strict=True):
        for operation in table.get(column, [column]):
            method, path, sent = ALONE[operation]
            path = path.replace("{group}", hall.group).replace("{tournament}", f"/v1/tournaments/{hall.tournament}")
            path = path.replace("{page}", f"/tournaments/{hall.tournament}").replace("{delivery}", hall.delivery)
            is_gone = operation == "deleteWebhook" and holds == "yes"
            path = path.replace("{webhook}", new_webhook(hall.house, headers) if is_gone else hall.webhook)
            extra = {"data": sent, "content_type": "application/jsonl"} if isinstance(sent, bytes) else {"json": sent}
            wire = {"gunicorn.socket": Wire(2)} if operation == "followMatches" else None  # it has no end by itself
            found = asked(hall.house.client.open(path, method=method, headers=headers, environ_overrides=wire, **extra))
            expected = (None, ANSWERED.get(operation, 200)) if holds == "yes" else (holds, int(holds))
            assert (found.refusal, found.status) == expected, operation


def test_every_operation_without_a_match_is_asked_for() -> None:
    table = MATRIX["without_match"]
    columns = table["columns"].split()
    assert set(ALONE) == {operation for column in columns for operation in table.get(column, [column])}
