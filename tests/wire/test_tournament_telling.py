"""What tournaments are told about is told in both languages, whatever the reason."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, get_args

import pytest

from gyoji.messages.language import LANGUAGES
from gyoji.messages.tournaments import columns, faults, lines, refusals, tournament_refused, why
from gyoji.tournaments.decisions import Code
from gyoji.tournaments.tie_breaks import FigureItem

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
NOT_SAID = re.compile(r"[{}]|\('|\[\]|\bNone\b|\bTrue\b")

FACTS: Mapping[str, Any] = {
    "name": "Ann",
    "seats": (3, 4),
    "members": 2,
    "most": 1024,
    "rounds": [1, 2],
    "entrant": "e7",
    "entrants": 2,
    "least": 3,
    "tables": [{"round": 1, "table": 2}, {"round": 2, "table": 1}],
    "faults": [{"code": "twice", "entrant": "e1", "times": 2}, {"code": "no-tables"}],
    "possible": [],
    "fields": [4, 6],
    "round": 1,
    "table": 2,
}


def test_every_reason_has_its_sentences() -> None:
    """Impossible rules are told as what is wrong with a request, and a wrong seed is nobody's to send."""
    assert refusals().keys() == {*get_args(Code), "group-closed"} - {"impossible-rules", "wrong-seed"}


@pytest.mark.parametrize("reason", refusals())
def test_a_refusal_is_said_with_its_facts(reason: str) -> None:
    for language in LANGUAGES:
        answer = tournament_refused(reason, FACTS, "/v1/tournaments/x", language)
        because = answer.body["because"]
        assert (answer.status, answer.body["reason"]) == (409, reason)
        assert not NOT_SAID.search(because)
        assert bool(JAPANESE.search(because)) == (language == "ja")


def test_tables_are_said_by_their_round_and_faults_in_words() -> None:
    running = tournament_refused("matches-running", FACTS, "/", "en").body["because"]
    assert running.endswith("(round-table): 1-2, 2-1.")
    impossible = tournament_refused("impossible-tables", FACTS, "/", "en").body
    assert impossible["because"] == (
        "The round cannot be played like that: entrant e1 is named 2 times, there are no tables."
    )
    assert impossible["faults"][0] == {
        "code": "twice",
        "table": None,
        "entrant": "e1",
        "why": "entrant e1 is named 2 times",
    }
    assert "(seats-rounds): –." in tournament_refused("no-rotation", FACTS, "/", "en").body["because"]


@pytest.mark.parametrize("table", [refusals(), faults(), lines(), columns()])
def test_sentences_are_in_both_languages(table: Mapping[str, Mapping[str, str]]) -> None:
    for code, sentence in table.items():
        assert set(sentence) == {"en", "ja"}, code
        assert JAPANESE.search(sentence["ja"]), code
        assert not JAPANESE.search(sentence["en"]), code
        places = [sorted(re.findall(r"{(\w+)}", text)) for text in sentence.values()]
        assert places[0] == places[1], code


def test_lines_are_said_with_their_facts() -> None:
    def said(what: str, **facts: Any) -> str:
        return why(FigureItem("points", what, Fraction(1), 1, 1, "m", facts), {"e2": "Ben"}, "en")

    assert said("place", first=2, last=2) == "place 2 at the table"
    assert said("place", first=1, last=2) == "places 1 to 2 at the table, shared"
    assert said("met", entrant="e2") == "points of Ben, who was met"
    assert said("correction", reason="Late") == "correction: Late"
    assert said("bye", scores=4) == "bye"
