"""The pages, health and readiness."""

import gzip
import re
from collections.abc import Iterable
from html import unescape
from importlib.resources import files
from pathlib import Path

import orjson
import pytest
import yaml
from flask import Flask

from answers import CheckedClient, contract
from gyoji import published_files
from gyoji.app.conformance import cases
from gyoji.app.readiness import Readiness
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.language import LANGUAGES, messages
from gyoji.store.interface import Unavailable
from gyoji.web import service
from gyoji.web.pages.templates import words_of, words_of_player

READING = ["/", "/docs", "/rules", "/problems", *(f"/problems/{code}" for code in messages()["problem"])]
PAGES = [*READING, "/tournaments", *(f"/rules/{slug}" for slug in BY_SLUG)]
LINK = re.compile(r"""(?:href|src|action)\s*=\s*["']([^"']*)["']""")

CASE = re.compile(r"/console/cases/([A-Z]{3}-\d{3})")
CASES = {case["case"] for slug in BY_SLUG for case in cases(slug)}

TYPES = {".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".svg": "image/svg+xml"}


ANSWERED: dict[str, int] = {}
"""Addresses that pages link to, and with what status they answer: the same on every page."""


def status_of(client: CheckedClient, address: str) -> int:
    """The status with which a linked address answers."""
    if address not in ANSWERED:
        ANSWERED[address] = client.get(address).status_code
    return ANSWERED[address]


@pytest.mark.parametrize("path", PAGES)
def test_pages_run_nothing_inline_and_ask_no_other_host(client: CheckedClient, path: str) -> None:
    response = client.get(path)
    html = response.text
    assert response.content_type == "text/html; charset=utf-8"
    assert not re.search(r"<script(?![^>]*(\bsrc=|type=\"application/json\"))", html)
    assert not re.search(r"<style|\son[a-z]+\s*=|\sstyle\s*=|javascript:", html)
    for link in sorted(set(LINK.findall(html))):
        if link.startswith("data:image/svg+xml,"):
            continue  # the icon, which is in the page itself
        address, _, fragment = unescape(link).partition("#")
        assert address == "" or (address.startswith("/") and not address.startswith("//")), link
        if address == "":
            assert html.count(f'id="{fragment}"') == 1, link
        elif (case := CASE.fullmatch(address)) is not None:
            assert case[1] in CASES, link  # that each of them is a page is a test of the console's
        else:
            assert status_of(client, address) == 200, link
    policy = response.headers["Content-Security-Policy"].split("; ")
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert not any("unsafe" in source or "http" in source for source in policy)


def test_our_own_files_ask_no_other_host(client: CheckedClient) -> None:
    for name in ("docs.js", "docs.css", "page.css", "page.mjs"):
        assert not re.search(r"https?:|[\"'(]//", client.get(f"/static/{name}").text)
    assert 'fetch(tag === null ? "/openapi.json"' in client.get("/static/docs.js").text
    assert "validatorUrl: null" in client.get("/static/docs.js").text


def test_every_static_file_is_served(client: CheckedClient) -> None:
    folder = Path(service.__file__).parent / "static"
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) > 4
    for path in files:
        response = client.get(f"/static/{path.relative_to(folder).as_posix()}")
        served = service.composed().get(path.name)  # the verifier: what it knows of each game follows
        assert response.data == (served or path.read_bytes())
        assert response.mimetype == TYPES.get(path.suffix, "text/plain")
        response.close()


def test_how_a_game_is_drawn_is_served_apart_from_the_page_of_a_match(client: CheckedClient) -> None:
    """The page is the same for every match, and has no game's words before its script knows which one it is."""
    (data,) = re.findall(r'id="words">(.*?)</script>', client.get("/matches/none").text)
    assert orjson.loads(data)["table"]["games"] == {}
    for slug in BY_SLUG:
        for language in LANGUAGES:
            response = client.get(f"/static/games/{slug}.{language}.json")
            assert (response.mimetype, response.headers["Cache-Control"]) == ("application/json", "no-cache")
            assert response.get_json() == words_of_player(slug, language)
    assert client.get("/static/games/none.en.json").status_code == 404


def test_what_a_referees_desk_says_is_served_apart_from_the_page_of_a_match(client: CheckedClient) -> None:
    for language in LANGUAGES:
        for table in ("ruling", "referee-call"):
            assert client.get(f"/static/{table}.{language}.json").get_json() == words_of(table, language)


def test_no_module_of_a_match_is_asked_for_only_by_another(client: CheckedClient) -> None:
    """A module that the page names neither in its head nor in its lists is asked for when another has come."""
    static = files("gyoji.web").joinpath("static")

    def imported(name: str) -> list[str]:
        source = static.joinpath(f"{name}.mjs").read_text("utf-8")
        return re.findall(r'^import .* from "\./([\w-]+)\.mjs";$', source, re.MULTILINE)

    def reached(names: Iterable[str]) -> set[str]:
        found = list(names)
        for name in found:
            found += [other for other in imported(name) if other not in found]
        return set(found)

    head = set(re.findall(r'modulepreload" href="/static/([\w-]+)\.mjs"', client.get("/matches/none").text))
    modes = re.findall(
        r"^  (?:play|review): (\[\".*\]),$", static.joinpath("match.mjs").read_text("utf-8"), re.MULTILINE
    )
    assert len(modes) == 2
    listed = [set(orjson.loads(names)) for names in modes]
    assert listed == [reached(names) - head for names in listed]
    assert reached(["match"]) <= head
    assert head - reached(["match"]) <= reached(listed[0]) & reached(listed[1])


def test_pages_speak_the_callers_language(client: CheckedClient) -> None:
    for path in ("/", "/rules", "/rules/towai", "/problems", "/problems/illegal-move"):
        answers = [client.get(path, headers={"Accept-Language": language}) for language in LANGUAGES]
        assert [answer.headers["Content-Language"] for answer in answers] == ["en", "ja"]
        assert [f'<html lang="{language}">' in answer.text for language, answer in zip(LANGUAGES, answers, strict=True)]
        assert answers[0].text != answers[1].text


@pytest.mark.parametrize("code", messages()["problem"])
def test_every_problem_type_resolves_to_what_it_means(client: CheckedClient, code: str) -> None:
    for language in LANGUAGES:
        text = client.get(f"/problems/{code}", headers={"Accept-Language": language}).text
        assert messages()["problem"][code]["title"][language] in unescape(text)
        assert code in text
    assert f"/problems/{code}" in client.get("/problems").text


def test_the_page_of_impossible_states_lists_all_findings(client: CheckedClient) -> None:
    text = client.get("/problems/impossible-state").text
    assert all(f"<code>{code}</code>" in text for code in messages()["finding"])


def test_the_contract_is_served_as_it_is_committed(client: CheckedClient) -> None:
    served = orjson.loads(client.get("/openapi.json").data)
    committed = yaml.load(published_files.contract_file().read_bytes(), Loader=yaml.CSafeLoader)
    assert served == committed == contract()
    assert list(served["paths"]) == list(committed["paths"])


def test_health(client: CheckedClient) -> None:
    assert client.get("/healthz").get_json() == {"status": "ok"}
    assert client.get("/readyz").get_json() == {"status": "ok"}


def test_not_ready_without_schemas(client: CheckedClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(published_files, "schemas_folder", lambda: tmp_path)
    published_files.rules_digest.cache_clear()
    response = client.get("/readyz")
    monkeypatch.undo()
    assert response.status_code == 503
    assert response.get_json()["code"] == "unavailable"
    assert response.headers["Retry-After"] == "5"
    assert client.get("/healthz").status_code == 200
    assert client.get("/readyz").status_code == 200


def test_not_ready_without_the_store(client: CheckedClient, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise Unavailable("the database does not answer")

    monkeypatch.setattr(app.extensions["gyoji.services"], "readiness", Readiness(gone))
    response = client.get("/readyz")
    assert (response.status_code, response.get_json()["code"]) == (503, "unavailable")
    assert response.headers["Retry-After"] == "5"
    assert client.get("/healthz").status_code == 200


def test_files_of_pages_come_packed_for_whoever_unpacks(client: CheckedClient) -> None:
    plain = client.get("/static/verify.mjs")
    packed = client.get("/static/verify.mjs", headers={"Accept-Encoding": "br, gzip"})
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) * 3 < len(plain.data)
    assert packed.mimetype == plain.mimetype == "text/javascript"
    assert (packed.headers["Content-Encoding"], "Content-Encoding" in plain.headers) == ("gzip", False)
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert packed.headers["ETag"] != plain.headers["ETag"]
    again = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
    assert client.get("/static/verify.mjs", headers=again).status_code == 304
    assert client.get("/static/verify.mjs", headers={"Accept-Encoding": "gzip;q=0"}).data == plain.data
    for outside in ("../service.py", "nothing.mjs", "swagger-ui/../../app.mjs", "swagger-ui", f"{'a' * 3000}.mjs"):
        assert client.get(f"/static/{outside}", headers={"Accept-Encoding": "gzip"}).status_code == 404
        assert client.get(f"/static/{outside}").status_code == 404
