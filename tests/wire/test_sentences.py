"""Everything that is said to people is said in English and in Japanese, with the facts of real rulings."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pytest

from bodies import games, played, refusals
from gyoji.app.conformance import cases, request_of, this_engine
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import FindingCode, Infraction, Line
from gyoji.messages.language import LANGUAGES, Language, message, messages
from gyoji.messages.problems import malformed, problem, problem_with_cause
from gyoji.messages.rulebooks import Rulebook, rulebook
from gyoji.store.interface import CAUSES

JAPANESE = re.compile(r"[\u3001\u3002\u3040-\u30ff\u4e00-\u9fff]")
NOT_SAID = re.compile(r"[{}]|\('|\[\]|\bNone\b|\bTrue\b|\bFalse\b")
"""What a sentence shows where a fact was not put into words."""


def _sentences(node: Any, place: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every pair of English and Japanese in a document, with its place."""
    if isinstance(node, Mapping) and set(node) == {"en", "ja"}:
        yield place, node
    elif isinstance(node, Mapping | list):
        for name, inner in node.items() if isinstance(node, Mapping) else enumerate(node):
            yield from _sentences(inner, f"{place}/{name}")


def _is_english(text: str) -> bool:
    return bool(text.strip()) and not JAPANESE.search(text)


def _is_japanese(text: str) -> bool:
    return bool(JAPANESE.search(text))


ONLY_FACTS = re.compile(r"(\{\w+\}\s?)+")


def test_common_sentences_are_in_both_languages() -> None:
    sentences = dict(_sentences(messages(), ""))
    assert len(sentences) > 60
    for place, sentence in sentences.items():
        assert set(sentence) == {"en", "ja"}
        if not all(ONLY_FACTS.fullmatch(text) for text in sentence.values()):
            assert _is_english(sentence["en"]), place
            assert _is_japanese(sentence["ja"]), place


@pytest.mark.parametrize("slug", BY_SLUG)
def test_rules_have_headings_and_texts_in_both_languages(slug: str) -> None:
    book = rulebook(slug)
    for entry in book.rules:
        for part in ("heading", "text"):
            assert _is_english(entry[part]["en"]), entry["rule"]
            assert _is_japanese(entry[part]["ja"]), entry["rule"]
        assert entry["print"]
    for component in book.components:
        assert _is_english(component["name"]["en"])
        assert _is_japanese(component["name"]["ja"])
        assert _is_japanese(component["note"]["ja"])


@pytest.mark.parametrize("slug", BY_SLUG)
def test_words_of_the_game_are_in_both_languages(slug: str) -> None:
    book = rulebook(slug)
    assert set(BY_SLUG[slug].phases) <= set(book.words)
    for word, sentence in book.words.items():
        assert set(sentence) == {"en", "ja"}, word
        assert all(sentence.values())


def test_every_finding_code_and_every_problem_has_sentences() -> None:
    assert set(messages()["finding"]) == set(get_args(FindingCode))
    for language in LANGUAGES:
        for code in messages()["finding"]:
            assert message("finding", code, language)
        for code, entry in messages()["problem"].items():
            said = {"why": "w", "because": "b", "verdict": "tampered", "allowed": "GET"}
            answer = problem(code, "/v1", language, {"media": "text/html", "limit": 1, "count": 2, **said})
            assert answer.body["title"] == entry["title"][language]
            assert not NOT_SAID.search(answer.body["detail"])
        for why, sentence in messages()["malformed"].items():
            facts = {"byte": 7, "line": 2, "column": 5, "name": "seats", "number": "1.5"}
            assert malformed(why, facts, "/v1", language).body["detail"] == sentence[language].format_map(facts)


def test_causes_have_sentences_but_for_what_concerns_the_key() -> None:
    assert list(messages()["cause"]) == [cause for cause in CAUSES if cause != "wrong-key"]
    asked = {language: problem("unavailable", "/v1", language) for language in LANGUAGES}
    assert problem_with_cause(asked["en"], "disk-full", "en").body["detail"] == (
        "The disk of the database is full. Try again after the number of seconds in the Retry-After header."
    )
    assert problem_with_cause(asked["ja"], "disk-full", "ja").body["detail"] == (
        "データベースのディスクがいっぱいです。Retry-After ヘッダーの秒数が過ぎてから、もう一度試してください。"
    )
    assert problem_with_cause(asked["en"], "wrong-key", "en") == asked["en"]


class Said:
    """What rulebooks were asked for, and what they said."""

    def __init__(self) -> None:
        self.because: set[str] = set()
        self.why: set[str] = set()


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Said:
    """Listens to the rulebooks while a test runs, and checks each sentence."""
    heard, because, why = Said(), Rulebook.because, Rulebook.why

    def hear_because(book: Rulebook, infraction: Infraction, language: Language) -> str:
        heard.because.add(infraction.because)
        return _checked(because(book, infraction, language), language)

    def hear_why(book: Rulebook, line: Line, language: Language) -> str:
        heard.why.add(f"{line['rule']}.{line['times']}" if "times" in line else line["rule"])
        return _checked(why(book, line, language), language)

    monkeypatch.setattr(Rulebook, "because", hear_because)
    monkeypatch.setattr(Rulebook, "why", hear_why)
    return heard


def _checked(sentence: str, language: Language) -> str:
    assert not NOT_SAID.search(sentence), sentence
    assert (_is_english if language == "en" else _is_japanese)(sentence), sentence
    assert sentence.endswith("." if language == "en" else "。"), sentence
    return sentence


def _say_all_of_random_games(slug: str) -> None:
    book = rulebook(slug)
    codes = {code for component in book.components for code in component["codes"]}
    for _state, infraction in refusals(slug):
        for language in LANGUAGES:
            book.because(infraction, language)
        for name, fact in infraction.facts.items():
            for item in fact if isinstance(fact, tuple) else (fact,):
                assert isinstance(item, int) or item in book.words or item in codes, (infraction.because, name, item)
    for path, (game, seats, options) in enumerate(games(slug)):
        *_before, (last, _move) = played(game, seats, options, path, 1000)
        for line in game.lines(last):
            for language in LANGUAGES:
                book.why(line, language)


def _say_all_of_the_cases(slug: str) -> None:
    for language in LANGUAGES:
        ask = this_engine(language)
        for case in cases(slug):
            ask(*request_of(case))


@pytest.mark.parametrize("slug", BY_SLUG)
def test_whatever_the_referee_says_it_says_in_full(slug: str, said: Said) -> None:
    """Random games and the conformance cases together reach every reason and every score line that the rulebook has
    words for; each sentence is whole, in both languages, and no fact in it is a bare code. ``unseen`` is for those who
    may not see a seat's cards and no rulebook's."""
    _say_all_of_random_games(slug)
    _say_all_of_the_cases(slug)
    book = rulebook(slug)
    of_one_game = {"card-not-in-row": "catte", "errand-not-on-display": "familiars-trouble"}
    elsewhere = {"unseen", *(key for key, game in of_one_game.items() if game != slug)}
    assert said.because == set(book._because) - elsewhere
    assert said.why == set(book._why)
