"""The referee's console as it is served: the cases on it, and the words that its script needs."""

import json
import re
from html import unescape
from typing import Any

import pytest

from answers import CheckedClient
from gyoji.app.conformance import Case, cases, request_of
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.game_words import game_words
from gyoji.messages.language import LANGUAGES, Language
from gyoji.published_files import schema
from gyoji.web.pages import console
from gyoji.web.pages.templates import words_of

BLOCK = re.compile(r'<script type="application/json" id="(\w+)">(.*?)</script>')

CALLS = [(slug, call) for slug in BY_SLUG for call in ("adjudications", "legal-moves", "scores", "views")]


def blocks(html: str) -> dict[str, Any]:
    """The blocks of data of a page, by id."""
    return {name: json.loads(text) for name, text in BLOCK.findall(html)}


def case_of(slug: str, call: str) -> Case:
    """The first case of a game that makes that call."""
    return next(case for case in cases(slug) if case.get("call", "adjudications") == call)


@pytest.mark.parametrize(("slug", "call"), CALLS)
def test_a_case_lies_on_the_console_as_it_is_sent(client: CheckedClient, slug: str, call: str) -> None:
    case = case_of(slug, call)
    html = client.get(f"/console/cases/{case['case']}").text
    asked = blocks(html)["case"]
    _method, path, body = request_of(case)
    assert path == f"/v1/games/{asked.pop('game')}/{asked.pop('call')}"
    assert asked == {name: part for name, part in body.items() if name != "seat"}
    assert case["title"] in unescape(html)
    for rule in case["rules"]:
        assert f'href="/rules/{slug}#{rule}"' in html
    assert words_of("console", "en")["case_met"] in html
    shown = dict(re.findall(r"<dt><code>(\w+)</code></dt><dd><code>(.*?)</code></dd>", html, re.DOTALL))
    assert {name: json.loads(unescape(text)) for name, text in shown.items()} == case["expect"]


def test_the_body_of_a_first_position_is_handed_on(client: CheckedClient) -> None:
    case = case_of("catte", "states")
    asked = blocks(client.get(f"/console/cases/{case['case']}").text)["case"]
    assert asked == {"game": "catte", "call": "states", "body": case["body"]}


def test_a_case_leads_to_its_neighbours(client: CheckedClient) -> None:
    first, second, third = (case["case"] for case in cases("towai")[:3])
    assert neighbours(client, second) == {"prev": first, "next": third}
    assert neighbours(client, first) == {"next": second}


def neighbours(client: CheckedClient, case: str) -> dict[str, str]:
    """The cases that the page of a case leads on to."""
    return dict(re.findall(r'rel="(\w+)" href="/console/cases/([^"]+)"', client.get(f"/console/cases/{case}").text))


@pytest.mark.parametrize("name", ["CAT-9999", "XYZ-001", "CAT", "<b>", "TOW-020/more"])
def test_there_is_no_other_case(client: CheckedClient, name: str) -> None:
    answer = client.get(f"/console/cases/{name}")
    assert answer.status_code == 404
    assert answer.get_json()["code"] == "not-found"


def test_a_case_that_is_answered_otherwise_is_told(client: CheckedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "failures", lambda _case, _ask: ["rule is None instead of '<b>'"])
    text = client.get("/console/cases/CAT-031").text
    assert words_of("console", "en")["case_unmet"] in text
    assert "rule is None instead of &#39;&lt;b&gt;&#39;" in text
    assert words_of("console", "en")["case_met"] not in text


def test_the_disputes_are_moves_that_break_a_rule(client: CheckedClient) -> None:
    html = client.get("/console").text
    for slug in BY_SLUG:
        name = game_words(slug).disputed
        case = next(case for case in cases(slug) if case["case"] == name)
        assert case["expect"]["reason"] == "rule-violation"
        assert f'href="/console/cases/{name}"' in html
        assert game_words(slug).dispute["en"] in unescape(html)


def test_an_address_that_says_its_language_keeps_it(client: CheckedClient) -> None:
    html = client.get("/console/cases/CAT-031?lang=ja").text
    assert 'href="/rules/catte?lang=ja#CAT-3.1"' in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_case_is_titled_in_the_language_of_the_page(client: CheckedClient, language: Language) -> None:
    case = case_of("catte", "adjudications")
    title = case["title_ja"] if language == "ja" else case["title"]
    html = unescape(client.get(f"/console/cases/{case['case']}?lang={language}").text)
    assert f'<h1 lang="{language}">{title}</h1>' in html
    assert f'<meta name="description" content="{title}">' in html


def test_a_case_without_a_japanese_title_has_its_english_one_marked_as_such(
    client: CheckedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = {name: part for name, part in case_of("catte", "adjudications").items() if name != "title_ja"}
    monkeypatch.setattr(console, "case_of", lambda _name: case)
    html = unescape(client.get(f"/console/cases/{case['case']}?lang=ja").text)
    assert f'<h1 lang="en">{case["title"]}</h1>' in html


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_event_is_told_with_facts_that_it_has(client: CheckedClient, slug: str) -> None:
    events = schema(f"{slug}/event")["$defs"]
    for language in LANGUAGES:
        told = blocks(client.get("/console", query_string={"lang": language}).text)["telling"]["events"][slug]
        for event in events.values():
            kind = event.get("properties", {}).get("type", {}).get("enum")
            if kind is not None:
                totals = {"red", "blue", "green"} if "totals" in event["properties"] else set()
                assert set(re.findall(r"\{(\w+)\}", told[kind[0]])) <= {*event["properties"], *totals}


def needed(slug: str) -> set[str]:
    """The keys of the words for every place of a game's position, every option and every kind of move."""
    defined = {name.lower(): part for name, part in schema(f"{slug}/state")["$defs"].items()}
    camel = slug.replace("-", "")
    places = [*schema(f"{slug}/state")["properties"], *defined[f"{camel}table"]["properties"]]
    places += defined.get(f"{camel}coffee", {"properties": {}})["properties"]
    options = schema(f"{slug}/new-options")["properties"]
    values = [value for option in options.values() for value in option.get("enum", ()) if isinstance(value, str)]
    moves = [move["properties"] for move in schema(f"{slug}/move")["$defs"].values() if "properties" in move]
    moves = [move for move in moves if "type" in move]
    parts = {name for move in moves for name in move} - {"type", "seat"}
    skipped = {"game", "version", "seats", "options", "coffee"}
    return {
        *(f"place_{name}" for name in places if name not in skipped),
        *(f"option_{name}" for name in options),
        *(f"value_{value}" for value in values),
        *(f"type_{move['type']['enum'][0]}" for move in moves),
        *(f"part_{name}" for name in parts),
    }


@pytest.mark.parametrize("slug", BY_SLUG)
def test_everything_that_can_be_built_has_a_name(client: CheckedClient, slug: str) -> None:
    for language in LANGUAGES:
        words = blocks(client.get("/console", query_string={"lang": language}).text)["words"]
        assert needed(slug) - words.keys() == set()


def test_the_script_asks_for_no_word_that_is_not_there(client: CheckedClient) -> None:
    words = blocks(client.get("/console").text)["words"]
    scripts = [
        client.get(f"/static/console{part}.mjs").text
        for part in ("", "-deal", "-fields", "-link", "-moves", "-parts", "-places", "-ruling")
    ]
    asked = {key for script in scripts for key in re.findall(r'\bsay\("(\w+)"', script)}
    assert len(asked) > 30
    assert asked - words.keys() == set()
