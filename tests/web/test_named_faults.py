"""Problems name what the service knows of the fault: which header, which place, which character, which values fit."""

from typing import Any

import pytest

from answers import CheckedClient
from bodies import body
from gyoji.messages.language import LANGUAGES
from operators import OPERATOR
from servers import serving
from web.matches.tables import House, house, refused

STATES = "/v1/games/catte/states"
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def table_of(app: Any) -> House:
    """The application with its store."""
    return house(app)


# --- JSON


@pytest.mark.parametrize(
    ("sent", "line", "column"),
    [
        (b"{", 1, 2),
        (b'{"seats": 3', 1, 12),
        (b'{\n  "seats": 3,\n  "first" 0\n}', 3, 11),
        (b'{"seats": 3} {}', 1, 14),
        ('{"行": 司}'.encode(), 1, 7),
        (b"\xef\xbb\xbf{}", 1, 1),
    ],
)
def test_it_is_said_where_json_breaks(client: CheckedClient, sent: bytes, line: int, column: int) -> None:
    """By line and character, counted from 1, as editors count them."""
    for language in LANGUAGES:
        answer = client.post(STATES, data=sent, headers={**JSON, "Accept-Language": language})
        found = refused(answer, 400, "malformed-json")
        assert (found["line"], found["column"]) == (line, column)
        assert str(line) in found["detail"]
        assert str(column) in found["detail"]


@pytest.mark.parametrize(
    ("sent", "named"),
    [
        (b'{"seats": 3, "first": 0, "seats": 4}', "seats"),
        (b'{"seats": 3.5}', "3.5"),
        (b'{"seats": 9007199254740992}', "9007199254740992"),
        (b'{"seats": NaN}', "NaN"),
        (b'{"seats": "\xff"}', "12"),
    ],
)
def test_it_is_said_what_json_may_not_hold(client: CheckedClient, sent: bytes, named: str) -> None:
    for language in LANGUAGES:
        answer = client.post(STATES, data=sent, headers={**JSON, "Accept-Language": language})
        assert named in refused(answer, 400, "malformed-json")["detail"]


def test_what_was_sent_is_repeated_in_part_at_most(client: CheckedClient) -> None:
    long = "x" * 5000
    for sent in (f'{{"{long}": 1, "{long}": 2}}', f'{{"seats": {"9" * 4000}}}', f'{{"seats": {"9" * 5000}}}'):
        found = refused(client.post(STATES, data=sent, headers=JSON), 400, "malformed-json")
        assert len(found["detail"]) < 250


# --- shapes


@pytest.mark.parametrize(
    ("call", "change", "pointer", "allowed"),
    [
        ("adjudications", {"move": {"type": "steal", "seat": 0}}, "/move/type", {"play"}),
        ("adjudications", {"state": {"game": "chess"}}, "/state/game", {"catte"}),
        ("adjudications", {"state": {"phase": "tea"}}, "/state/phase", {"coffee", "trick", "finished"}),
    ],
)
def test_it_is_said_which_words_a_member_may_have(
    client: CheckedClient, call: str, change: dict[str, Any], pointer: str, allowed: set[str]
) -> None:
    request = body("catte", call)
    request = {**request, **{name: {**request[name], **inner} for name, inner in change.items()}}
    for language in LANGUAGES:
        answer = client.post(f"/v1/games/catte/{call}", json=request, headers={"Accept-Language": language})
        (wrong,) = [each for each in refused(answer, 422, "invalid-request")["errors"] if each["pointer"] == pointer]
        assert wrong["code"] == "not-allowed"
        assert allowed <= {*wrong["allowed"]}
        assert all(word in wrong["message"] for word in wrong["allowed"])


def test_it_is_said_between_which_bounds_a_number_has_to_be(client: CheckedClient) -> None:
    for language in LANGUAGES:
        answer = client.post(STATES, json={"seats": 99}, headers={"Accept-Language": language})
        (wrong,) = refused(answer, 422, "invalid-request")["errors"]
        assert (wrong["pointer"], wrong["minimum"], wrong["maximum"]) == ("/seats", 3, 4)
        assert "3" in wrong["message"]
        assert "4" in wrong["message"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("status=over", {"allowed": ["seeding", "playing", "paused", "finished", "voided"]}),
        ("limit=0", {"minimum": 1, "maximum": 200}),
        ("limit=x", {"minimum": 1, "maximum": 200}),
    ],
)
def test_it_is_said_what_a_parameter_may_be(client: CheckedClient, query: str, named: dict[str, Any]) -> None:
    answer = client.get(f"/v1/matches?{query}", headers=OPERATOR)
    (wrong,) = refused(answer, 422, "invalid-request")["errors"]
    assert wrong["pointer"] == f"/{query.partition('=')[0]}"
    assert named.items() <= wrong.items()


def test_what_is_right_or_not_known_by_name_is_not_listed(client: CheckedClient) -> None:
    (missing,) = refused(client.post(STATES, json={}), 422, "invalid-request")["errors"]
    (pattern,) = refused(client.post(STATES, json={"seats": 3, "seed": "x"}), 422, "invalid-request")["errors"]
    for wrong in (missing, pattern):
        assert {*wrong} == {"pointer", "code", "message"}


# --- headers


def test_it_is_said_which_header_cannot_be_read(client: CheckedClient, table_of: House) -> None:
    table = table_of.table()
    move, seat = table.legal(), table.sits(0)
    stream = {"Accept": "text/event-stream", "Last-Event-ID": "x"}
    short = {"CONTENT_LENGTH": "500"}
    answers = {
        "If-Match": table.put(move, {**seat, "If-Match": "1"}),
        "Idempotency-Key": table.put(move, {**seat, "Idempotency-Key": "a b"}),
        "Last-Event-ID": table.get("/events", {**seat, **stream}),
        "Content-Length": client.post(STATES, data=b"{}", headers=JSON, environ_overrides=short),
        "Range": client.get("/static/page.css", headers={"Range": "bytes=9999999-"}),
    }
    for header, answer in answers.items():
        found = refused(answer, 400, "malformed-header")
        assert found["header"] == header
        assert found["detail"].startswith(header)


def test_a_sentence_about_a_header_is_in_the_callers_language(table_of: House) -> None:
    table = table_of.table()
    wrong = {**table.sits(0), "If-Match": "1"}
    told = {
        language: table.put(table.legal(), {**wrong, "Accept-Language": language}).get_json()["detail"]
        for language in LANGUAGES
    }
    assert told["en"].isascii()
    assert not told["ja"].isascii()


@pytest.mark.parametrize(
    ("head", "header"),
    [
        (b"GET /healthz HTTP/1.1\r\nContent-Length: x\r\n", "Content-Length"),
        (b"GET /healthz HTTP/1.1\r\nTransfer-Encoding: brotli\r\n", "Transfer-Encoding"),
        (b"GET /healthz HTTP/1.1\r\nHost: x\r\nno header\r\n", None),
        (b"GET /healthz HTTP/1.1\r\nsecret-of-a-body (x): 1\r\n", None),
        (b"secret-of-a-body\r\n", None),
    ],
)
def test_a_head_that_is_none_is_said_to_be_wrong_in_its_kind(head: bytes, header: str | None) -> None:
    """Nothing of its bytes is repeated but the name of a header that every request may have."""
    with serving("--server", "gunicorn", "--workers", "1") as running, running.socket() as sock:
        sock.sendall(head + b"\r\n")
        answer = sock.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert (b'"header":"%b"' % (header or "").encode() in answer) == (header is not None)
    assert b"secret" not in answer
    assert b"{why}" not in answer


# --- other problems


def test_a_method_that_is_not_answered_names_those_that_are(client: CheckedClient) -> None:
    found = refused(client.delete(STATES), 405, "method-not-allowed")
    assert "OPTIONS, POST" in found["detail"]


def test_a_media_type_that_is_not_read_names_the_one_that_is(client: CheckedClient) -> None:
    found = refused(client.post(STATES, data=b"{}", content_type="text/plain"), 415, "unsupported-media-type")
    assert "application/json," in found["detail"]
    found = refused(
        client.post("/v1/replays", data=b"{}", content_type="text/plain", headers=OPERATOR),
        415,
        "unsupported-media-type",
    )
    assert "application/jsonl," in found["detail"]


def test_a_position_that_is_past_names_the_present_one(table_of: House) -> None:
    """412 with the ETag that a new decision has to be sent with: the counter of the match, the same for all readers."""
    table = table_of.table()
    table.move()
    stale = {**table.sits(1), "If-Match": '"1"'}
    answer = table.put(table.legal(), {**table.sits(table.legal()["seat"]), "If-Match": '"1"'})
    refused(answer, 412, "stale-position")
    assert answer.headers["ETag"] == '"2"' == table.get("", stale).headers["ETag"]
    ruling = {"ruling": {"kind": "note"}, "reason": "Seen."}
    answer = table.client.post(f"{table.path}/rulings", json=ruling, headers={**OPERATOR, "If-Match": '"1"'})
    refused(answer, 412, "stale-position")
    assert answer.headers["ETag"] == '"2"'


def test_a_tournament_that_has_moved_on_says_where_it_is(client: CheckedClient) -> None:
    made = client.post(
        "/v1/tournaments", json={"game": "catte", "name": "Cup", "seats": [3], "rounds": 2}, headers=OPERATOR
    )
    path, now = made.headers["Location"], made.headers["ETag"]
    entrants = {"entrants": [{"name": "Ann"}]}
    answer = client.post(f"{path}/entrants", json=entrants, headers={**OPERATOR, "If-Match": '"999"'})
    refused(answer, 412, "stale-position")
    assert answer.headers["ETag"] == now


def test_a_capsule_that_is_past_has_no_tag(client: CheckedClient) -> None:
    """There is no counter that it could be sent with: the newest capsule is what is accepted."""
    first = client.post(STATES, json={"seats": 3, "sealed": "head"}, headers=OPERATOR).get_json()
    views = [
        client.post("/v1/games/catte/views", json={"capsule": first["capsule"], "seat": seat}) for seat in range(3)
    ]
    seat, moves = next((at, found) for at, view in enumerate(views) if (found := view.get_json()["legal_moves"]))
    sent = {"capsule": first["capsule"], "seat": seat}
    assert client.post("/v1/games/catte/adjudications", json={**sent, "move": moves[0]}).status_code == 200
    answer = client.post("/v1/games/catte/adjudications", json={**sent, "move": moves[-1]})
    refused(answer, 412, "stale-position")
    assert "ETag" not in answer.headers
