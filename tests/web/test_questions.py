"""Questions about positions that are known in part, over HTTP."""

from typing import Any

import pytest
from werkzeug.test import Client

from answers import CheckedClient
from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.messages.card_names import card_name

OPEN: dict[str, Any] = {"known": {"led": "W4", "hand": ["K15"]}, "move": {"type": "play", "card": "K15"}}
"""A question that hangs on whether a white card is held."""


def ask(client: CheckedClient, body: Any, slug: str = "catte", language: str = "en") -> Any:
    return client.post(f"/v1/games/{slug}/questions", json=body, headers={"Accept-Language": language})


def test_a_question_is_asked_and_answered_in_turn(client: CheckedClient) -> None:
    first = ask(client, {**OPEN, "asker": "Aiko"}).get_json()
    assert (first["answer"], first["missing"]["question"]) == ("undetermined", "Does Aiko hold any White card?")
    fact = {name: first["missing"][name] for name in ("fact", "among")}
    no = ask(client, {**OPEN, "answers": [{**fact, "is": False}]}).get_json()
    assert (no["answer"], no["rulings"][0]["legal"], no["rulings"][0]["rules"][0]["rule"]) == (
        "ruling",
        True,
        "CAT-3.1",
    )
    yes = ask(client, {**OPEN, "answers": [{**fact, "is": True}]}).get_json()
    assert (yes["answer"], yes["rulings"][0]["legal"], yes["rulings"][0]["reason"]) == (
        "ruling",
        False,
        "rule-violation",
    )


def test_it_is_answered_in_japanese(client: CheckedClient) -> None:
    answer = ask(client, {**OPEN, "asker": "アイコ"}, language="ja")
    assert answer.headers["Content-Language"] == "ja"
    assert answer.get_json()["missing"]["question"] == "アイコの手札に白の札はありますか？"
    refused = ask(
        client, {"known": {"led": "W4", "hand": ["W1", "K15"]}, "move": OPEN["move"]}, language="ja"
    ).get_json()
    assert "黒15" in refused["rulings"][0]["because"]
    impossible = ask(client, {"known": {"led": "K15", "hand": ["K15"]}, "move": OPEN["move"]}, language="ja").get_json()
    assert [found["message"] for found in impossible["findings"]] == ["黒15が2か所にあります。"]


def test_what_cannot_be_is_named_by_card(client: CheckedClient) -> None:
    body = {"known": {"led": "B5", "hand": ["B5", "K15"]}, "move": OPEN["move"]}
    answer = ask(client, body)
    assert (answer.status_code, answer.get_json()["code"]) == (409, "impossible-state")
    assert answer.get_json()["findings"] == [
        {"pointer": "/known/hand", "code": "duplicate-card", "message": "Brown 5 is in two places."}
    ]


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({"move": OPEN["move"]}, "/known", "missing"),
        ({"known": {}}, "/move", "one-of"),
        ({**OPEN, "moves": "which"}, "/move", "one-of"),
        ({**OPEN, "moves": "all", "move": None}, "/moves", "not-allowed"),
        ({**OPEN, "move": {"type": "coffee", "card": "B1"}}, "/move/type", "not-allowed"),
        ({**OPEN, "move": {"type": "play", "card": "K15", "seat": 0}}, "/move/seat", "unknown-member"),
        ({**OPEN, "known": {"led": 5}}, "/known/led", "wrong-type"),
        ({**OPEN, "answers": [{"fact": "trump", "among": ["W1"], "is": True}]}, "/answers/0/fact", "not-allowed"),
        ({**OPEN, "answers": [{"fact": "hand", "among": [], "is": True}]}, "/answers/0/among", "not-allowed"),
        ({**OPEN, "answers": 4 * [{"fact": "hand", "among": ["W1"], "is": True}]}, "/answers", "too-long"),
        ({**OPEN, "asker": "a\u0007b"}, "/asker", "name-control"),
        ({**OPEN, "asker": "\u202eoko"}, "/asker", "name-direction"),
        ({**OPEN, "known": {"options": {"deck": ["B1"]}}}, "/known/options/deck", "contradictory-options"),
    ],
)
def test_a_wrong_shape_is_named(client: CheckedClient, body: Any, pointer: str, code: str) -> None:
    answer = ask(client, body)
    assert answer.status_code == 422, answer.text
    assert (pointer, code) in [(error["pointer"], error["code"]) for error in answer.get_json()["errors"]]


def test_a_name_changes_nothing_around_it(client: CheckedClient) -> None:
    hostile = '{card} <img src=x onerror=alert(1)> "%s" אבג'
    said = ask(client, {**OPEN, "asker": hostile}).get_json()["missing"]["question"]
    assert said == f"Does \u2068{hostile}\u2069 hold any White card?"


def test_a_game_that_says_nothing_of_questions_cannot_be_asked(
    client: CheckedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BY_SLUG, "catte", BY_SLUG["catte"]._replace(questions=None))
    unchecked: Any = Client(client.application)  # the contract knows no game of ours that cannot be asked
    answer = ask(unchecked, OPEN)
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not-found")
    assert ask(unchecked, OPEN, "hearts").status_code == 404


def test_all_games_of_gyoji_can_be_asked() -> None:
    assert [game.slug for game in GAMES if game.questions is None] == []


@pytest.mark.parametrize(("code", "name"), [("B5", "Brown 5"), ("Z5", "Z5"), ("B", "B"), ("JOKER", "JOKER")])
def test_a_card_has_its_name_or_its_code(code: str, name: str) -> None:
    """A game that is installed beside these may have cards without a number, or without a suit that has a word."""
    assert card_name("catte", code, "en") == name
