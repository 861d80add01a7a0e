"""How a verdict says where a log differs from the rules: with the names of seats and cards, as people at a table do."""

import copy
from typing import Any

import pytest

from gyoji.audit.verdicts import Explanation, Table
from gyoji.games.game import Infraction
from gyoji.messages.divergences import explain
from gyoji.messages.language import LANGUAGES, Language
from gyoji.messages.verdicts import verdict_document
from liar.lies import LIES, Lie
from liar.test_lying_server import judged as judge_lie
from replay.tampering import entries_of, file_of, judged, sealed, taken_apart

AIKO = Table("catte", ("Aiko", None, "Chidi"))


def differs(at: str, found: Any, expected: Any) -> Explanation:
    """The reason of an audit that found something else at a place than the rules have there."""
    return Explanation("differs", {"at": at, "expected": expected, "found": found})


SENTENCES: list[tuple[Explanation, str, str]] = [
    (
        differs("/data/events/4/scores/0", 97, 27),
        "Aiko's score: the file says 97, the rules 27.",
        "Aikoの得点：ファイルでは97、ルールでは27です。",
    ),
    (
        differs("/data/events/0/scores/1", -3, 0),
        "Seat 1's score: the file says -3, the rules 0.",
        "席1の得点：ファイルでは-3、ルールでは0です。",
    ),
    (
        differs("/data/result/winners/0", 2, 0),
        "Who has won: the file says Chidi, the rules Aiko.",
        "勝者：ファイルではChidi、ルールではAikoです。",
    ),
    (
        differs("/data/events/3/winners/1", 2, None),
        "Who has won: the file says Chidi, the rules nobody.",
        "勝者：ファイルではChidi、ルールではなしです。",
    ),
    (
        differs("/data/events/0/hands/2/5", "W12", "B3"),
        "A card dealt to Chidi: the file says White 12, the shuffle gives Brown 3.",
        "Chidiに配られた札：ファイルでは白12、シャッフルでは茶3です。",
    ),
    (
        differs("/data/position/table/hands/0/0", "K1", "K2"),
        "A card in Aiko's hand: the file says Black 1, the rules Black 2.",
        "Aikoの手札の1枚：ファイルでは黒1、ルールでは黒2です。",
    ),
    (
        differs("/data/banks_ms/0", 64001, 64000),
        "Aiko's bank: the file says 64001 ms, the rules 64000 ms.",
        "Aikoの持ち時間：ファイルでは64001ミリ秒、ルールでは64000ミリ秒です。",
    ),
    (
        Explanation(
            "illegal-move",
            {"breach": Infraction("card-not-in-hand", 0, None, "card-not-in-hand", {"card": "W12"}), "seat": 0},
        ),
        "The rules refuse Aiko's move: Seat 0 does not hold White 12.",
        "ルールによりAikoの手は認められません：席0は白12を持っていません。",
    ),
]


@pytest.mark.parametrize(("why", "english", "japanese"), SENTENCES)
def test_a_divergence_is_told_in_names(why: Explanation, english: str, japanese: str) -> None:
    assert explain(why, AIKO, "en") == english
    assert explain(why, AIKO, "ja") == japanese


def test_pages_count_seats_from_one() -> None:
    why = differs("/data/result/winners/0", 1, 0)
    assert explain(why, Table("catte"), "en", first=1) == "Who has won: the file says Seat 2, the rules Seat 1."
    acts = Infraction("not-your-turn", 1, None, "not-your-turn", {"seats": [0, 2]})
    told = explain(Explanation("illegal-move", {"breach": acts}), Table("catte"), "en", first=1)
    assert told == "The rules refuse Seat 2's move: It is not seat 2's turn; to act: 1, 3."


@pytest.mark.parametrize(
    ("at", "found"),
    [
        ("/data/events/0/scores/0", "97"),
        ("/data/events/0/scores/0", {"count": 3}),
        ("/data/result/winners/0", "Aiko"),
        ("/data/events/0/hands/0/0", 7),
        ("/data/events/0/hands/0", ["B1"]),
        ("/data/deadlines/0", "yesterday"),
        ("/data/position/ply", 3),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_no_sentence_fits_is_named_by_its_place(at: str, found: Any, language: Language) -> None:
    assert explain(differs(at, found, 1), AIKO, language) is None


TOLD = {
    "score_forged": "Seat 0's score: the file says 41, the rules 40.",
    "result_forged": "Who has won: the file says Seat 2, the rules Seat 1.",
    "hands_exchanged": "A card dealt to Seat 0: the file says Brown 8, the shuffle gives Brown 1.",
    "card_that_does_not_follow": "The rules refuse Seat 1's move: You hold black cards and black was led, so you must "
    "play one of them; Brown 8 is not black.",
}


@pytest.mark.parametrize("one", [one for one in LIES if one.name in TOLD], ids=lambda one: one.name)
def test_audits_say_so(one: Lie) -> None:
    verdict = judge_lie(one)
    whys = [checked["why"] for checked in verdict_document(verdict, "en")["checks"]]
    assert TOLD[one.name] in whys


def named(names: list[str]) -> str:
    """What the audit says of a forged score in a match of people with these names."""
    parts = copy.deepcopy(taken_apart(file_of(entries_of("towai"))))
    created = parts.events[0]
    created.openings[0]["payload"]["/names"] = names
    created.document["data"]["names"] = {"count": len(names)}
    scored = next(event for event in parts.events if "scores" in str(event.document["data"].get("events")))
    for told in scored.document["data"]["events"]:
        if "scores" in told:
            told["scores"][0] += 1
    found = verdict_document(judged(sealed(parts)), "en")
    return str(next(checked["why"] for checked in found["checks"] if checked["check"] == "scores"))


def test_names_of_a_forged_file_change_nothing_around_them() -> None:
    assert named(["Aiko", "B"]).startswith("Aiko's score: the file says ")
    assert named(["\u202eevil\x1b[2J", "B"]).startswith("\ufffdevil\ufffd[2J's score: ")
    assert named(["x" * 65, "B"]).startswith("Seat 0's score: ")
