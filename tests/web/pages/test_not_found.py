"""Addresses that lead nowhere, as a browser is answered."""

import re

import pytest
from flask.testing import FlaskClient

from gyoji.web.pages.templates import words_of

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
NOWHERE = ["/nowhere", "/rules/nowhere", "/docs/guides/nowhere", "/console/cases/CAT-9999", "/%2Fevil.example/", "/v2"]


@pytest.mark.parametrize("path", NOWHERE)
def test_a_browser_is_shown_ways_on(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert words_of("not-found", "en")["title"] in answer.text
    links = re.findall(r'<li><a href="([^"]+)"', answer.text)
    assert len(links) == 6
    assert [client.get(link, headers=BROWSER).status_code for link in links] == [200] * 6


@pytest.mark.parametrize("path", NOWHERE)
def test_whatever_else_asks_is_told_a_problem(client: FlaskClient, path: str) -> None:
    for accepted in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}, {"Accept": "text/html;q=0"}):
        answer = client.get(path, headers=accepted)
        assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
    answer = client.post(path, headers=BROWSER)
    assert answer.mimetype == "application/problem+json"


@pytest.mark.parametrize("path", ["/v1/nowhere", "/v1/matches/none/feed", "/schemas/nowhere", "/static/nowhere"])
def test_what_programs_read_stays_theirs(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")


def test_it_is_in_japanese_too(client: FlaskClient) -> None:
    for asked in ({"query_string": "lang=ja"}, {"headers": {**BROWSER, "Accept-Language": "ja"}}):
        answer = client.get("/nowhere", **{"headers": BROWSER, **asked})
        assert words_of("not-found", "ja")["title"] in answer.text
        assert answer.headers["Content-Language"] == "ja"


def test_nothing_of_the_address_is_repeated(client: FlaskClient) -> None:
    for path in ("/%2Fevil.example/<script>", "/%0d%0aX-Evil:1", "/javascript:alert(1)", "/%E2%80%AEtxt"):
        answer = client.get(path, headers=BROWSER)
        assert answer.status_code == 404
        for part in ("evil", "X-Evil", "alert", "\u202e", "%E2"):
            assert part not in answer.text


def test_a_head_has_no_body(client: FlaskClient) -> None:
    answer = client.head("/nowhere", headers=BROWSER)
    assert (answer.status_code, answer.mimetype, answer.text) == (404, "text/html", "")
