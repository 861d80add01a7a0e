"""Headers of answers about matches, and what is logged of requests: that unsealing was used, and nothing hidden."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import orjson
import pytest
import structlog

from gyoji.app import logs
from operators import OPERATOR, OPERATOR_KEY
from web.matches.tables import House, Table, holding, read, refused, values

OWN = ("Cache-Control", "Vary", "Content-Language")


def test_what_was_made_for_one_caller_is_kept_by_nobody(house: House, table: Table, over: Table) -> None:
    """Answers differ by credential, form and language, and are not to be kept anywhere."""
    head = over.seen(over.operator)["seq"]
    answers = [
        house.create(),
        house.client.get("/v1/matches", headers=OPERATOR),
        table.get("", table.sits(0)),
        table.get("/events", table.sits(0)),
        table.get("/events?raw=1", table.sits(0)),
        table.get("/positions/1", table.sits(0)),
        table.get("/replay", table.sits(0)),
        over.get("/events", {**over.sits(0), "Accept": "text/event-stream"}),
        over.get(f"/events?after={head}", {**over.sits(0), "Accept": "text/event-stream"}),
        table.put(table.legal(), table.sits(0)),
        table.put({"type": "play", "seat": 0, "card": "B1"}, table.sits(0)),  # refused: it is not its turn
        house.client.post(f"{table.path}/seats/2/token", headers=OPERATOR),
        house.client.delete(f"{table.path}/seats/2/token", headers=OPERATOR),
        house.client.post(f"{over.path}/fork", json={"seq": 2}, headers=OPERATOR),
        house.client.post("/v1/audits", json={"match": over.match}, headers=OPERATOR),
    ]
    assert sorted({answer.status_code for answer in answers}) == [200, 201, 204, 409]
    for answer in answers:
        found = tuple(answer.headers.get_all(name) for name in OWN)
        assert found == (["private, no-store"], ["Authorization, Accept, Accept-Language"], ["en"])


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_refusal_is_in_the_callers_language(table: Table, language: str) -> None:
    answer = table.put(
        {"type": "play", "seat": 1, "card": "B1"}, {**table.sits(1), "Accept-Language": f"{language}-XX, *;q=0.1"}
    )
    problem = refused(answer, 409, "illegal-move")
    assert answer.headers["Content-Language"] == language
    assert problem["because"].isascii() == (language == "en")


def test_refusals_are_not_kept_either(house: House, table: Table) -> None:
    for answer in (table.get("", {}), table.get("", holding("x" * 40)), house.create(table.sits(0))):
        assert "no-store" in answer.headers["Cache-Control"]
        assert "ETag" not in answer.headers


def test_only_401_says_how_to_identify_oneself(house: House, table: Table) -> None:
    refusals = {
        401: house.create({}),
        403: house.create(table.sits(0)),
        404: table.get("", {}),
    }
    for status, answer in refusals.items():
        assert answer.status_code == status
        assert answer.headers.get("WWW-Authenticate") == ("Bearer" if status == 401 else None)


def test_the_tag_is_the_counter_for_every_reader(house: House, table: Table) -> None:
    """It is the same for all, so it cannot tell what one of them does not see."""
    for seq in (1, 2, 3):
        readers = [OPERATOR, house.spectator(table), *(table.sits(seat) for seat in range(3))]
        assert {table.get("", headers).headers["ETag"] for headers in readers} == {f'"{seq}"'}
        assert table.move().headers["ETag"] == f'"{seq + 1}"'


def test_a_match_may_be_asked_for_without_its_body(table: Table) -> None:
    answer = table.client.head(table.path, headers=table.sits(0))
    assert (answer.status_code, answer.headers["ETag"], answer.data) == (200, '"1"', b"")


@pytest.mark.parametrize(
    ("part", "allowed"),
    [
        ("", "GET, HEAD, OPTIONS"),
        ("/moves", "OPTIONS, POST"),
        ("/positions/1", "GET, HEAD, OPTIONS"),
        ("/replay", "GET, HEAD, OPTIONS"),
        ("/fork", "OPTIONS, POST"),
        ("/seats/0/token", "DELETE, OPTIONS, POST"),
    ],
)
def test_methods_that_there_are_not(table: Table, part: str, allowed: str) -> None:
    answer = table.client.patch(table.path + part, headers=table.sits(0))
    refused(answer, 405, "method-not-allowed")
    assert answer.headers["Allow"] == allowed


@pytest.mark.parametrize("part", ["", "/positions/1", "/replay"])
def test_forms_that_there_are_not(table: Table, part: str) -> None:
    refused(table.get(part, {**table.sits(0), "Accept": "image/png"}), 406, "not-acceptable")


# --- the log of requests


Lines = Callable[[], list[bytes]]


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Lines:
    """The lines that requests leave, as the server writes them."""
    written = list[bytes]()
    logs.configure_logs(written.append)
    structlog.configure(cache_logger_on_first_use=False)
    monkeypatch.setattr(logs, "REQUESTS", structlog.get_logger("gyoji.request"))

    def read_lines() -> list[bytes]:
        found = written.copy()
        written.clear()
        return found

    return read_lines


def unsealing(lines: Lines) -> list[tuple[str | None, str | None]]:
    """Which key has unsealed something, and of which match, by line."""
    told = [orjson.loads(line) for line in lines()]
    return [(each["unsealed"], each["match"]) if "unsealed" in each else (None, None) for each in told]


def test_every_use_of_unsealing_is_logged(house: House, table: Table, lines: Lines) -> None:
    referee = house.key("referee", matches=[table.match])
    key = sha256(referee["Authorization"].removeprefix("Bearer ").encode()).hexdigest()[:16]
    for part in ("", "/events", "/events?raw=1", "/positions/1", "/positions/1?as=2", "/replay"):
        table.get(part, OPERATOR)
        table.get(part, referee)
    assert unsealing(lines) == [("operator", table.match), (key, table.match)] * 6
    table.put(table.legal(), OPERATOR)
    assert unsealing(lines)[-1] == ("operator", table.match)
    house.client.post("/v1/audits", json={"match": table.match}, headers=referee)
    assert unsealing(lines) == [(key, table.match)]


def test_nothing_else_is_said_to_unseal(house: House, table: Table, over: Table, lines: Lines) -> None:
    plain = house.key("operator", scopes=["matches:read", "matches:play"])
    bound = [table.match, over.match]
    readers = [
        table.sits(0),
        plain,
        house.key("auditor", matches=bound),
        house.key("referee", scopes=[], matches=bound),
    ]
    for headers in readers:
        table.get("", headers)
        over.get("", headers)
    over.get("", OPERATOR)  # disclosed: there is nothing to unseal
    table.get("/replay", {})  # refused
    house.client.get("/v1/matches", headers=OPERATOR)
    assert set(unsealing(lines)) == {(None, None)}


def test_no_line_has_a_credential_a_card_or_a_name(house: House, lines: Lines) -> None:
    """Whatever is asked and however it ends; cards by names that stand for nothing else."""
    names = ["Canary Ann", "Canary Ben", "Canary Cho"]
    cards = [f"{colour}{number}" for colour in "BWK" for number in range(50, 63)]
    table = house.table(
        seats=[{"name": name} for name in names],
        options={"deck": cards},
        tags=["canary-tag"],
        metadata={"note": "canary-note"},
    )
    seen: Any = table.turn()
    hand = seen["view"]["table"]["hands"][0]
    assert set(hand) < set(cards)
    move = {"type": "play", "seat": 0, "card": hand[0]}
    wrong = {"type": "play", "seat": 0, "card": next(card for card in cards if card not in hand)}
    for headers in (OPERATOR, table.sits(0), table.sits(1), holding("canary-credential-of-nobody-at-all-xx"), {}):
        own = {**headers, "Idempotency-Key": "canary-of-a-key"}
        for part in ("", "/events", "/events?raw=1", "/positions/1", "/replay", f"/positions/{hand[0]}"):
            table.get(part, headers)
        table.put(wrong, own)
        table.put({**move, "canary": hand[0]}, own)
        table.put(move, own, dry_run=True)
        house.client.get("/v1/matches?tag=canary-tag", headers=headers)
    table.put(move, {**table.sits(0), "Idempotency-Key": "canary-of-a-key"})
    written = lines()
    assert len(written) > 40
    told = [str(value) for line in written for value in values(orjson.loads(line))]
    hidden = [*names, *cards, *table.tokens, OPERATOR_KEY, "canary", table.tokens[0][11:40]]
    assert not any(secret in text for secret in hidden for text in told if secret not in ("", None))
    routes = {orjson.loads(line)["route"] for line in written}
    assert "/v1/matches/<match>/moves" in routes
    read(house.client.get("/healthz"))
