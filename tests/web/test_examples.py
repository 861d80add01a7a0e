"""The published examples of every game, asked for over HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest

from answers import CheckedClient
from gyoji.games.catalogue import BY_SLUG

FOLDER = Path(__file__).parent.parent / "games" / "examples"


@pytest.fixture(params=BY_SLUG)
def example(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The examples of one game, with its slug."""
    found: dict[str, Any] = json.loads((FOLDER / f"{request.param}.json").read_text("utf-8"))
    return {**found, "slug": request.param}


def _asked(client: CheckedClient, example: dict[str, Any], call: str, body: Any) -> Any:
    response = client.post(f"/v1/games/{example['slug']}/{call}", json=body)
    assert response.status_code == 200, response.text[:500]
    return response.get_json()


def test_initial_position(client: CheckedClient, example: dict[str, Any]) -> None:
    initial = example["initial"]
    answer = _asked(client, example, "states", initial["request"])
    assert answer["state"] == initial["state"]
    assert list(answer["state"]["table"]) == list(initial["state"]["table"])
    assert answer["legal_moves"] == initial["legal_moves"]


def test_legal_moves_in_the_middle(client: CheckedClient, example: dict[str, Any]) -> None:
    state = example["middle"]["state"]
    answer = _asked(client, example, "legal-moves", {"state": state})
    assert answer["to_act"] == state["to_act"]
    assert answer["legal_moves"] == example["middle"]["legal_moves"]
    for seat in range(state["seats"]):
        own = [move for move in example["middle"]["legal_moves"] if move["seat"] == seat]
        assert _asked(client, example, "legal-moves", {"state": state, "seat": seat})["legal_moves"] == own


def test_views_of_the_middle(client: CheckedClient, example: dict[str, Any]) -> None:
    middle = example["middle"]
    seen = _asked(client, example, "views", {"state": middle["state"], "seat": 1})
    assert seen["view"] == middle["view_seat_1"]
    assert seen["legal_moves"] == [move for move in middle["legal_moves"] if move["seat"] == 1]
    spectated = _asked(client, example, "views", {"state": middle["state"], "seat": None})
    assert spectated["view"] == middle["view_spectator"]
    assert spectated["legal_moves"] == []


def test_adjudication(client: CheckedClient, example: dict[str, Any]) -> None:
    expected = example["adjudication"]
    answer = _asked(client, example, "adjudications", {"state": example["middle"]["state"], "move": expected["move"]})
    assert answer["state"] == expected["state"]
    assert answer["legal_moves"] == expected["legal_moves"]
    assert answer["scores"] == expected["scores"]
    several = _asked(
        client, example, "adjudications", {"state": example["middle"]["state"], "moves": [expected["move"]]}
    )
    assert several == answer


def test_scores_of_the_middle_add_up(client: CheckedClient, example: dict[str, Any]) -> None:
    state = example["middle"]["state"]
    answer = _asked(client, example, "scores", {"state": state})
    assert answer["scores"] == state["scores"]
    assert answer["outcome"] is None
    by_seat: dict[Any, int] = {}
    for line in answer["lines"]:
        by_seat[line["seat"]] = by_seat.get(line["seat"], 0) + line["points"]
    if None in by_seat:
        assert set(by_seat) == {None}
        assert set(answer["scores"]) == set(by_seat.values())
    else:
        assert [by_seat.get(seat, 0) for seat in range(state["seats"])] == answer["scores"]
