"""What does not change: packed for whoever unpacks it (RFC 9110, 8.4), not sent to whoever has it (13.1.2)."""

import gzip
from collections.abc import Mapping
from hashlib import sha256

import pytest
from flask import Flask
from werkzeug.test import Client, TestResponse

from answers import CheckedClient
from gyoji.games.catalogue import BY_SLUG
from gyoji.published_files import CHECKOUT, rules_digest

SCHEMAS = sorted(path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "schemas").rglob("*.json"))

PATHS = [
    "/openapi.json",
    "/v1/games",
    *(f"/v1/games/{slug}{part}" for slug in BY_SLUG for part in ("", "/rules")),
    "/v1/games/catte/rules/CAT-1.1",
    *(f"/schemas/{name}.json" for name in ("problem", "catte/state", "catte/rules", "matches/matches-request")),
]

UNPACKS = {"Accept-Encoding": "br, gzip"}


@pytest.fixture
def plain_client(app: Flask) -> Client:
    """A client whose answers are not held against the contract each time, which takes long for what is large."""
    return Client(app)


def tag_of(answer: TestResponse) -> str:
    """The strong entity tag of an answer."""
    tag = answer.headers["ETag"]
    assert tag[0] == tag[-1] == '"'
    return tag


def kept(answer: TestResponse) -> Mapping[str, str | None]:
    """What caches go by."""
    return {name: answer.headers.get(name) for name in ("Cache-Control", "Vary", "ETag")}


@pytest.mark.parametrize("path", PATHS)
def test_it_comes_packed_for_whoever_unpacks(plain_client: Client, path: str) -> None:
    plain, packed = plain_client.get(path), plain_client.get(path, headers=UNPACKS)
    assert (packed.headers["Content-Encoding"], "Content-Encoding" in plain.headers) == ("gzip", False)
    assert gzip.decompress(packed.data) == plain.data
    assert packed.mimetype == plain.mimetype
    assert packed.headers["Content-Length"] == str(len(packed.data))
    assert tag_of(packed) != tag_of(plain)  # 8.8.3.3: other bytes, another tag
    for answer in (plain, packed):
        assert (answer.headers["Cache-Control"], answer.headers["Vary"]) == ("public, max-age=300", "Accept-Encoding")
    for accepted in ("gzip;q=0", "identity", "br", ""):
        assert plain_client.get(path, headers={"Accept-Encoding": accepted}).data == plain.data


@pytest.mark.parametrize("path", PATHS)
def test_the_contract_promises_every_form_of_it(client: CheckedClient, path: str) -> None:
    tag = tag_of(client.get(path, headers=UNPACKS))
    assert client.get(path, headers={**UNPACKS, "If-None-Match": tag}).status_code == 304


def test_what_is_large_is_much_smaller_packed(plain_client: Client) -> None:
    for path in ("/openapi.json", "/v1/games/catte/rules", "/schemas/catte/state.json"):
        assert len(plain_client.get(path, headers=UNPACKS).data) * 3 < len(plain_client.get(path).data)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_whoever_has_it_is_told_so(plain_client: Client, path: str, accepted: str) -> None:
    answer = plain_client.get(path, headers={"Accept-Encoding": accepted})
    tag = tag_of(answer)
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        for ask in (plain_client.get, plain_client.head):
            again = ask(path, headers={"Accept-Encoding": accepted, "If-None-Match": known})
            assert (again.status_code, again.data, kept(again)) == (304, b"", kept(answer))
            assert "Content-Type" not in again.headers
    for other in ('"other"', tag.strip('"') + "x", "", tag_of(plain_client.get(path, headers=UNPACKS)) + "x"):
        again = plain_client.get(path, headers={"Accept-Encoding": accepted, "If-None-Match": other})
        assert (again.status_code, again.data) == (200, answer.data)


def test_bytes_of_the_other_form_are_not_taken_for_these(plain_client: Client) -> None:
    packed = tag_of(plain_client.get("/openapi.json", headers=UNPACKS))
    assert plain_client.get("/openapi.json", headers={"If-None-Match": packed}).status_code == 200


def test_other_bytes_have_other_tags(plain_client: Client) -> None:
    assert len({tag_of(plain_client.get(path)) for path in PATHS}) == len(PATHS)


def test_what_is_not_there_is_refused_whatever_the_caller_has(client: CheckedClient) -> None:
    for path in ("/v1/games/catte/rules/CAT-99", "/v1/games/chess", "/schemas/nothing.json"):
        for known in ("*", '"1"'):
            answer = client.get(path, headers={"If-None-Match": known, **UNPACKS})
            assert (answer.status_code, answer.get_json()["code"]) == (404, "not-found")
            assert "Content-Encoding" not in answer.headers


# --- the schemas


def test_every_schema_is_served_as_it_is_committed(client: CheckedClient) -> None:
    assert len(SCHEMAS) > 100
    for path in SCHEMAS:
        answer = client.get(f"/{path}")
        assert (answer.status_code, answer.mimetype) == (200, "application/json")
        assert answer.data == (CHECKOUT / path).read_bytes()


def test_the_rule_data_that_is_served_is_what_games_are_pinned_by(client: CheckedClient) -> None:
    for slug in BY_SLUG:
        assert sha256(client.get(f"/schemas/{slug}/rules.json").data).hexdigest() == rules_digest(slug)


@pytest.mark.parametrize(
    "path",
    ["README.md", "catte", "catte/", "catte/state", "catte/../problem.json", "../openapi.yaml", "/catte/state.json"],
)
def test_nothing_but_schemas_is_served_there(client: CheckedClient, path: str) -> None:
    assert client.get(f"/schemas/{path}").status_code == 404
