"""What a referee has to say to questions about positions that are known in part, written from the rules pages."""

import pytest

from gyoji.app.questions import answer_question
from questions.cases import EVERY, Plain, body, check

CASES = [case for case in EVERY if case["game"] != "lanterns"]  # whose cases are those of its package: tests/plugin


def legal(case: Plain, answers: list[Plain]) -> bool | None:
    answer = answer_question(case["game"], body(case, answers), "/", "en")
    assert answer.status == 200, answer.body
    ruling: bool | None = answer.body["rulings"][0]["legal"]
    return ruling


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_it_is_ruled_on_as_the_rules_say(case: Plain) -> None:
    answer = answer_question(case["game"], body(case), "/", "en")
    check(case, answer.status, answer.body)


@pytest.mark.parametrize(
    "case", [case for case in CASES if "if_yes" in case.get("missing", {})], ids=lambda case: case["case"]
)
def test_the_answer_to_what_is_missing_decides(case: Plain) -> None:
    missing = case["missing"]
    fact = {"fact": missing["fact"], "among": missing["among"]}
    assert legal(case, [{**fact, "is": True}]) == missing["if_yes"]
    assert legal(case, [{**fact, "is": False}]) == missing["if_no"]


@pytest.mark.parametrize("case", [case for case in CASES if "missing" in case], ids=lambda case: case["case"])
def test_the_example_each_way_is_ruled_on_as_it_says(case: Plain) -> None:
    found = answer_question(case["game"], body(case), "/", "en").body["missing"]
    for way in ("yes", "no"):
        example = found[way]
        answer = answer_question(
            case["game"], {"known": example["known"], "move": example["ruling"]["move"]}, "/", "en"
        )
        (ruling,) = answer.body["rulings"]
        # of which moves there are, a move that is not legal is only left out
        assert (answer.status, ruling["legal"]) == (200, bool(example["ruling"]["legal"]))
