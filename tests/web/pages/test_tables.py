"""What the drawn tables call cards, moves and errands; how they look is asked in a browser."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.familiars_trouble.errands import ERRANDS
from gyoji.messages.drawings import drawing
from gyoji.messages.language import LANGUAGES, Language
from gyoji.messages.rulebooks import rulebook
from gyoji.web import service
from gyoji.web.pages.templates import words_of_all_tables
from verifier.javascript import NODE

CARDS = service.STATIC / "cards.mjs"

SCRIPT = """
const cards = await import(process.argv[1]);
const { readFileSync } = await import("node:fs");
const calls = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(calls.map(([name, ...given]) => cards[name](...given))));
"""


def called(*calls: tuple[Any, ...]) -> list[Any]:
    """What the exports of ``cards.mjs`` answer to these calls."""
    command: list[str | Path] = [NODE, "--input-type=module", "-e", SCRIPT, CARDS.as_uri()]
    done = subprocess.run(command, input=json.dumps(calls), capture_output=True, encoding="utf-8", check=True)
    answers: list[Any] = json.loads(done.stdout)
    return answers


def words(spoken: Language) -> dict[str, Any]:
    """The words as a page gives them to its script."""
    return {"table": words_of_all_tables(spoken)}


NAMES = [
    ("tomorrow-never-meows", "F10", None, "Fine 10", "晴10"),
    ("tomorrow-never-meows", "S3", None, "Snow 3", "雪3"),
    ("catte", "K15", None, "Black 15", "黒15"),
    ("catte", "B5", "coffee", "Coffee Brown 5", "コーヒー茶5"),
    ("towai", "D7", None, "Day 7", "昼7"),
    ("towai", "T4", None, "TOWAI 4", "トワイ4"),
    ("familiars-trouble", "G9", None, "Green 9", "緑9"),
    ("familiars-trouble", "RB2", None, "Red-blue 2", "赤青2"),
    ("familiars-trouble", "RBG1", None, "Red-blue-green 1", "赤青緑1"),
    ("towai", "constructor", None, "constructor", "constructor"),
    ("catte", "<b>K1</b>", None, "<b>K1</b>", "<b>K1</b>"),
    ("catte", None, None, "a card", "札"),
]

MOVES: dict[str, list[tuple[dict[str, Any], str]]] = {
    "tomorrow-never-meows": [
        ({"type": "wish", "wish": "very_fine"}, "Wish for Very Fine"),
        ({"type": "announce", "wish": "snow"}, "Announce Snow"),
        ({"type": "play", "card": "T1"}, "Play Thunder 1"),
    ],
    "catte": [
        ({"type": "coffee", "card": "W6"}, "Serve Coffee White 6"),
        ({"type": "play", "card": "W6"}, "Play White 6"),
    ],
    "towai": [
        ({"type": "play", "card": "T1", "daylight": "night"}, "Declare Night, play TOWAI 1"),
        ({"type": "play", "card": "N1"}, "Play Night 1"),
        ({"type": "pass"}, "Pass"),
        ({"type": "end_turn"}, "End the turn"),
        ({"type": "swap", "card": "N1"}, "Pass Night 1 to the right"),
    ],
    "familiars-trouble": [
        ({"type": "skip_exchange"}, "Skip the hand exchange"),
        ({"type": "exchange", "card": "R3"}, "Pass Red 3 to the left"),
        ({"type": "skip_errand"}, "Skip the errand exchange"),
        ({"type": "replace_errand", "errand": "1-R6", "level": 3}, "Replace 1-R6 by an errand of level 3"),
        ({"type": "play", "card": "RG2"}, "Play Red-green 2"),
        ({"type": "draw_errand", "level": 2}, "Turn up an errand of level 2"),
    ],
}
"""Every type of move of the rules pages."""


def test_cards_are_called_by_suit_and_number_and_what_is_no_card_by_its_text() -> None:
    for at, spoken in enumerate(LANGUAGES):
        calls = [("cardName", game, code, words(spoken), kind) for game, code, kind, *_said in NAMES]
        assert called(*calls) == [said[at] for _game, _code, _kind, *said in NAMES]


@pytest.mark.parametrize("game", BY_SLUG)
def test_every_move_is_called_by_what_it_does(game: str) -> None:
    calls = [("moveName", game, {"seat": 0, **move}, words("en")) for move, _said in MOVES[game]]
    assert called(*calls) == [said for _move, said in MOVES[game]]


@pytest.mark.parametrize("game", BY_SLUG)
def test_every_phase_has_words(game: str) -> None:
    for spoken in LANGUAGES:
        said = words_of_all_tables(spoken)["games"][game]
        assert {f"phase_{phase}" for phase in BY_SLUG[game].phases} - {"phase_finished"} <= set(said)


def test_errands_ask_for_and_score_what_the_deck_says() -> None:
    read = called(*(("task", words("en"), "familiars-trouble", errand.id) for errand in ERRANDS))
    for errand, found in zip(ERRANDS, read, strict=True):
        asked = errand.requires._asdict()
        assert found == {
            "level": errand.level,
            "requires": {colour: least for colour, least in asked.items() if least},
            "points": errand.points,
        }


def test_a_match_with_errands_of_its_own_is_read_by_them_alone() -> None:
    own = {"id": "1-R6", "level": 2, "requires": {"red": 4, "blue": 0, "green": 0}, "points": 9}
    of_it = ("task", words("en"), "familiars-trouble")
    assert called((*of_it, "1-R6", [own]), (*of_it, "1-R9", [own]), (*of_it, "1-R99")) == [own, None, None]


def said_by(laid: Any) -> Iterator[str]:
    """The words that a layout asks for."""
    if isinstance(laid, Mapping):
        for name, value in laid.items():
            if name in ("label", "unseen", "fan") and value:
                yield value
            yield from said_by(value)
    elif isinstance(laid, list):
        for part in laid:
            yield from said_by(part)


@pytest.mark.parametrize("game", BY_SLUG)
def test_a_drawing_has_every_shape_and_word_that_it_asks_for(game: str) -> None:
    page = drawing(game).page
    suits = [*page["suits"].values()]
    suits += [suit for deck in page.get("decks", {}).values() for suit in deck["suits"].values()]
    wanted = {suit["shape"] for suit in suits if "shape" in suit} | {page["back"]["shape"]}
    wanted |= {*page.get("words", {}).values(), *page.get("effects", {}).values()}
    assert wanted <= page["shapes"].keys()
    assert all(set(suit["of"]) <= page["suits"].keys() for suit in suits if "of" in suit)
    letters = {
        code.rstrip("0123456789") for card in rulebook(game).components for code in card["codes"] if code[-1].isdigit()
    }
    assert set(drawing(game).terminal) == letters - {*task_ids(page)}
    table = words_of_all_tables("en")
    assert {*said_by(page["layout"])} <= {*table["games"][game], *table}


def task_ids(page: Mapping[str, Any]) -> Iterator[str]:
    """The ids of cards that are no suits, without their last figures."""
    for task in page.get("tasks", {}).get("deck", ()):
        yield task["id"].rstrip("0123456789")


def test_grouped_moves_come_apart() -> None:
    grouped = [{"type": "play", "seat": 1, "card": ["B1", "W2"]}, {"type": "pass", "seat": 1}]
    assert called(("expanded", grouped)) == [
        [
            {"type": "play", "seat": 1, "card": "B1"},
            {"type": "play", "seat": 1, "card": "W2"},
            {"type": "pass", "seat": 1},
        ]
    ]
