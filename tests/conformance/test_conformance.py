"""The conformance cases over HTTP, and whether every rule has its text, its code and its cases."""

import re
import tomllib
from collections import Counter
from importlib.resources import files
from typing import Any

import pytest

from answers import CheckedClient
from gyoji.app.conformance import Case, cases, failures
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.rulebooks import rulebook
from gyoji.published_files import CHECKOUT

PREFIXES = {rulebook(slug).prefix: slug for slug in BY_SLUG}
IDS = (CHECKOUT / "tests" / "conformance" / "rule-ids.txt").read_text("utf-8").split()
EVERY_CASE = [case for slug in BY_SLUG for case in cases(slug)]
CITED = re.compile(r"\b[A-Z]{3}-(?:R[0-9]+|[0-9]+\.[0-9]+)\b")


def _slug(rule: str) -> str:
    return PREFIXES[rule[:3]]


@pytest.mark.parametrize("case", EVERY_CASE, ids=lambda case: case["case"])
def test_case(client: CheckedClient, case: Case) -> None:
    def ask(method: str, path: str, body: Any) -> tuple[int, Any]:
        response = client.open(path, method=method, json=body) if body is not None else client.open(path, method=method)
        return response.status_code, response.get_json()

    assert failures(case, ask) == []


def test_all_138_ids_are_there() -> None:
    assert len(IDS) == len(set(IDS)) == 138
    assert all(CITED.fullmatch(rule) for rule in IDS)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_the_rulebook_has_the_ids_and_no_others_in_their_order(slug: str) -> None:
    assert [entry["rule"] for entry in rulebook(slug).rules] == [rule for rule in IDS if _slug(rule) == slug]


@pytest.mark.parametrize("rule", IDS)
def test_every_id_has_text(rule: str) -> None:
    entry = rulebook(_slug(rule)).rule(rule)
    assert entry is not None
    for part in ("heading", "text"):
        assert entry[part]["en"].strip()
        assert entry[part]["ja"].strip()


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_id_is_cited_by_code(slug: str) -> None:
    folder = files("gyoji.games").joinpath(slug.replace("-", "_"))
    code = "".join(file.read_text("utf-8") for file in folder.iterdir() if file.name.endswith(".py"))
    cited = set(CITED.findall(code))
    assert {rule for rule in IDS if _slug(rule) == slug} <= cited
    assert cited <= set(IDS)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_id_has_a_case(slug: str) -> None:
    shown = {rule for case in cases(slug) for rule in case["rules"]}
    assert shown == {rule for rule in IDS if _slug(rule) == slug}


@pytest.mark.parametrize("slug", BY_SLUG)
def test_what_the_rulebook_can_refuse_is_refused_in_a_case_and_let_pass_in_another(slug: str) -> None:
    """Each rule that a refusal cites in some case also has a case that is answered with 200."""
    refusing = {case["expect"]["rule"] for case in cases(slug) if case["expect"].get("rule")}
    passing = {rule for case in cases(slug) if case["expect"]["status"] == 200 for rule in case["rules"]}
    assert refusing
    assert refusing <= passing


@pytest.mark.parametrize("slug", BY_SLUG)
def test_there_are_at_least_60_cases(slug: str) -> None:
    assert len(cases(slug)) >= 60


def test_cases_are_numbered_once() -> None:
    numbers = [case["case"] for case in EVERY_CASE]
    assert len(set(numbers)) == len(numbers)
    assert all(PREFIXES[number[:3]] == case["game"] for number, case in zip(numbers, EVERY_CASE, strict=True))
    assert all(re.fullmatch(r"[A-Z]{3}-[0-9]{3}", number) for number in numbers)


def test_cases_have_different_titles_within_a_game() -> None:
    for slug in BY_SLUG:
        titles = [case["title"] for case in cases(slug)]
        assert len(set(titles)) == len(titles)


JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
NUMBER = re.compile(r"[A-Z]{3}-R?[0-9]+(?:\.[0-9]+)?|[A-Z]{1,3}[0-9]+|[0-9]+")
"""An id of a rule, the code of a card, or a number."""
WORDS = [
    "nothing",
    "a an once alone only single first",
    "two twice both second double doubled squared later pair",
    *("three third", "four fourth", "five fifth", "six sixth", "seven seventh", "eight eighth", "nine nines ninth"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "hexadecimal hex"),
]
"""What English says in words, by number."""
IN_WORDS = {word: str(number) for number, words in enumerate(WORDS) for word in words.split()} | {"one": "1"}


@pytest.mark.parametrize("slug", BY_SLUG)
def test_cases_have_different_japanese_titles_within_a_game(slug: str) -> None:
    titles = [case["title_ja"] for case in cases(slug)]
    assert all(JAPANESE.search(title) for title in titles)
    assert len(set(titles)) == len(titles)
    assert not [title for title in titles if "打つ" in title]


@pytest.mark.parametrize("case", EVERY_CASE, ids=lambda case: case["case"])
def test_both_titles_have_the_same_numbers_and_codes(case: Case) -> None:
    """A number that English says in a word may be a digit in Japanese, which also counts what is one with a 1."""
    english, japanese = (Counter(NUMBER.findall(case[title])) for title in ("title", "title_ja"))
    words = Counter(IN_WORDS[word] for word in re.findall(r"[a-z]+", case["title"].lower()) if word in IN_WORDS)
    assert english - japanese == Counter()
    assert set(japanese - english - words) <= {"1"}


def test_rulebooks_say_which_options_touch_a_rule() -> None:
    for slug in BY_SLUG:
        folder = files("gyoji.games").joinpath(slug.replace("-", "_"))
        book = tomllib.loads(folder.joinpath("rulebook.toml").read_text("utf-8"))
        options = set(BY_SLUG[slug].read_options({})._fields)
        touched = {option for entry in book["rule"] for option in entry["options"]}
        assert touched == options
