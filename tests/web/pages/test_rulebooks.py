"""The rulebooks as pages: every rule by its id, how surely it is known, and the cases that show it."""

import re
from html import unescape

import pytest

from answers import CheckedClient
from gyoji.app.conformance import cases
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.game_words import game_words
from gyoji.messages.language import LANGUAGES, Language
from gyoji.messages.rulebooks import rulebook
from gyoji.web.pages.rulebooks import PROVENANCES, count_codes, join_runs, options, sections, split_citations

HEAVIEST = 150_000
"""Bytes of a page with all that it loads."""

ARTICLE = re.compile(r'<article class="rule" id="([^"]+)">(.*?)</article>', re.DOTALL)
MARK = re.compile(r'<span class="mark (\w+)">')
TAG = re.compile(r"<[^>]+>")

EVERY = [(slug, language) for slug in BY_SLUG for language in LANGUAGES]


def page(client: CheckedClient, slug: str, language: Language = "en") -> str:
    """The rulebook as HTML."""
    response = client.get(f"/rules/{slug}", query_string={"lang": language})
    assert response.status_code == 200
    return response.text


def articles(html: str) -> dict[str, str]:
    """What is said of each rule, by its id."""
    return dict(ARTICLE.findall(html))


def plain(html: str) -> str:
    """The text alone."""
    return unescape(TAG.sub("", html))


@pytest.mark.parametrize(("slug", "language"), EVERY)
def test_every_rule_stands_there_by_its_id(client: CheckedClient, slug: str, language: Language) -> None:
    html = page(client, slug, language)
    told = articles(html)
    for rule in rulebook(slug).rules:
        text = plain(told[rule["rule"]])
        assert rule["heading"][language] in text
        assert rule["text"][language] in text
        assert rule["print"] in text
        assert f'href="#{rule["rule"]}"' in told[rule["rule"]]
        assert html.count(f'id="{rule["rule"]}"') == 1
        assert all(f'href="#option-{option}"' in told[rule["rule"]] for option in rule["options"])


@pytest.mark.parametrize(("slug", "language"), EVERY)
def test_marks_say_what_is_not_printed_and_what_is_a_ruling(
    client: CheckedClient, slug: str, language: Language
) -> None:
    told = articles(page(client, slug, language))
    for rule in rulebook(slug).rules:
        marks = MARK.findall(told[rule["rule"]])
        assert ("ruling" in marks) == (rule["kind"] == "ruling")
        unsure = [] if rule["provenance"] == "printed" else [rule["provenance"]]
        assert [mark for mark in marks if mark != "ruling"] == unsure


@pytest.mark.parametrize(("slug", "language"), EVERY)
def test_the_cards_and_how_surely_they_are_known(client: CheckedClient, slug: str, language: Language) -> None:
    table = page(client, slug, language).partition('id="cards"')[2]
    assert MARK.findall(table) == [card["provenance"] for card in rulebook(slug).components]
    for card in rulebook(slug).components:
        assert card["name"][language] in unescape(table)
        assert card["note"][language] in unescape(table)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_each_case_is_linked_from_the_rules_that_it_shows(client: CheckedClient, slug: str) -> None:
    told = articles(page(client, slug))
    for rule in rulebook(slug).rules:
        linked = re.findall(r"/console/cases/([A-Z]{3}-\d{3})", told[rule["rule"]])
        assert linked == [case["case"] for case in cases(slug) if rule["rule"] in case["rules"]]
        assert linked, rule["rule"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cases_are_listed_by_their_titles_in_the_language_of_the_page(
    client: CheckedClient, language: Language
) -> None:
    listed = re.findall(r'<b>CAT-\d{3}</b> <span lang="(\w+)">(.*?)</span>', unescape(page(client, "catte", language)))
    title = "title" if language == "en" else "title_ja"
    assert set(listed) == {(language, case[title]) for case in cases("catte")}


@pytest.mark.parametrize(("slug", "language"), EVERY)
def test_it_is_light_enough(client: CheckedClient, slug: str, language: Language) -> None:
    loaded = re.findall(
        r'<(?:link|script|img)[^>]+(?:href|src)="(/static/[^"]+)"', html := page(client, slug, language)
    )
    assert "/static/page.css" in loaded
    weights = [len(client.get(path).data) for path in set(loaded)]
    assert len(html.encode()) + sum(weights) < HEAVIEST


def test_all_games_are_listed(client: CheckedClient) -> None:
    html = client.get("/rules").text
    assert [slug for slug in BY_SLUG if f'href="/rules/{slug}"' not in html] == []
    assert "21 rules, 4 rulings" in html
    assert client.get("/rules/chess").status_code == 404


def test_sections_come_in_order_and_have_names() -> None:
    """The sections of the rules pages: Familiar's Trouble has six, the others seven, and rulings come last."""
    numbers = {slug: [section.number for section in sections(slug)] for slug in BY_SLUG}
    assert numbers["familiars-trouble"] == [*"123456", "R"]
    assert all(numbers[slug] == [*"1234567", "R"] for slug in BY_SLUG if slug != "familiars-trouble")
    rulings = [rule["rule"] for rule in sections("familiars-trouble")[-1].rules]
    assert rulings == [f"FAM-R{number}" for number in range(1, 10)]
    for slug in BY_SLUG:
        assert list(game_words(slug).sections) == numbers[slug][:-1]


def test_every_option_has_a_sentence() -> None:
    for slug in BY_SLUG:
        assert game_words(slug).options.keys() == {option.name for option in options(slug)}
    assert all(option.rules for slug in BY_SLUG for option in options(slug))
    bust_bonus = options("catte")[0]
    assert (bust_bonus.default, bust_bonus.values, bust_bonus.rules) == (
        "keep",
        ["keep", "forfeit"],
        ["CAT-6.2", "CAT-R2"],
    )


def test_provenances_are_those_that_there_are() -> None:
    used = {entry["provenance"] for slug in BY_SLUG for entry in (*rulebook(slug).rules, *rulebook(slug).components)}
    assert used == set(PROVENANCES)


@pytest.mark.parametrize(
    ("codes", "listed"),
    [
        ([], ""),
        (["B1"], "B1"),
        (["B1", "B2"], "B1 B2"),
        (["B1", "B2", "B3"], "B1–B3"),
        (["B8", "B9", "B10", "B12"], "B8–B10 B12"),
        (["B1", "W2", "K3"], "B1 W2 K3"),
        (["2-R5", "2-R6", "2-R7", "fine", "cloudy"], "2-R5–2-R7 fine cloudy"),
    ],
)
def test_runs_of_codes(codes: list[str], listed: str) -> None:
    assert " ".join(join_runs(codes)) == listed


def test_how_often_each_card_is_there() -> None:
    """TOWAI has two 4s among its TOWAI cards and three of each other number."""
    assert count_codes(rulebook("towai").components[2]) == [("T1–T3 T5–T7", 3), ("T4", 2)]
    assert count_codes({"codes": ["B1", "B2", "B3"], "count": 1}) == [("B1–B3", 1)]


def test_ids_in_a_text_are_cited() -> None:
    assert split_citations("see TNM-5.3 (TNM-R10).") == [
        ("see ", False),
        ("TNM-5.3", True),
        (" (", False),
        ("TNM-R10", True),
        (").", False),
    ]
