"""Reads the cases of questions, written from the rules pages, and holds answers against them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

Plain = Mapping[str, Any]

EVERY: list[Plain] = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text("utf-8"))


def body(case: Plain, answers: list[Plain] | None = None) -> dict[str, Any]:
    """The body that asks the question of a case; ``answers`` in the place of its own."""
    given = case.get("answers", []) if answers is None else answers
    asked = {name: case[name] for name in ("asker", "move") if name in case}
    return {"known": case["known"], "answers": given, **asked, **({} if "move" in case else {"moves": "which"})}


def check(case: Plain, status: int, body: Plain) -> None:
    """Hold an answer against what its case expects."""
    if "impossible" in case:
        assert (status, body["code"]) == (409, "impossible-state")
        assert case["impossible"] in [found["message"] for found in body["findings"]]
        return
    assert status == 200, body
    if "ruling" in case:
        assert (body["answer"], body["missing"]) == ("ruling", None)
        _check_ruling(case["ruling"], body["rulings"])
        return
    assert body["answer"] == "undetermined"
    assert [body["missing"][name] for name in ("fact", "among")] == [
        case["missing"][name] for name in ("fact", "among")
    ]
    if "question" in case:
        assert body["missing"]["question"] == case["question"]


def _check_ruling(expected: Plain, rulings: list[Plain]) -> None:
    if "moves" in expected:
        assert [ruling["move"] for ruling in rulings] == expected["moves"]
        assert all(ruling["legal"] for ruling in rulings)
        return
    (ruling,) = rulings
    assert ruling["legal"] == expected["legal"]
    assert ruling["reason"] == expected.get("reason")
    assert [rule["rule"] for rule in ruling["rules"]] == expected["rules"]
    assert ruling["because"]
