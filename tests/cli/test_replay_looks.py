"""How ``gyoji replay show`` looks: rounds, names, scores, positions in words, colour."""

import re
from pathlib import Path
from typing import Any

import pytest

from commands import Gyoji
from golden.logs import REPLAYS, match_states
from gyoji.cli.terminal import Colours, is_coloured, padded, width
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.files import write_replay as file_of
from gyoji.log.signatures import signer
from gyoji.messages.drawings import drawing
from gyoji.simulation.matches import plan_match, simulate_match
from stored import ORIGIN, PRIVATE

CATTE = REPLAYS / "catte" / "shared-win.jsonl"
WISHES = REPLAYS / "tomorrow-never-meows" / "every-wish.jsonl"
ERRANDS = REPLAYS / "familiars-trouble" / "all-piles-empty.jsonl"
NAMED = REPLAYS / "towai" / "names-and-tags.jsonl"
ESCAPE = re.compile(r"\x1b\[[\d;]*m")


def run_show(gyoji: Gyoji, file: Path, *more: Any) -> str:
    """What is printed, with nothing gone wrong."""
    done = gyoji("replay", "show", file, *map(str, more))
    assert done.exit_code == 0, done.stderr
    return done.stdout


# The account


def test_a_heading_stands_before_every_round(gyoji: Gyoji) -> None:
    text = run_show(gyoji, CATTE)
    rounds = match_states(CATTE)[-1].state.round
    assert re.findall(r"^-- Round (\d+) --$", text, re.MULTILINE) == [str(number) for number in range(1, rounds + 1)]
    assert re.search(r"\n\n-- Round 2 --\n +Round 2 is dealt\.\n", text)  # in the middle of the event that ends round 1
    assert "\n\n-- 第1ラウンド --\n    1  第1ラウンドの札を配りました。\n" in run_show(gyoji, CATTE, "--lang", "ja")


def test_the_scores_stand_at_the_end(gyoji: Gyoji) -> None:
    state = match_states(CATTE)[-1].state
    lines = run_show(gyoji, CATTE).splitlines()
    at = lines.index("Final scores")
    found = [re.fullmatch(r"([* ]) seat (\d) +(-?\d+)", line) for line in lines[at + 1 : at + 1 + state.seats]]
    assert [(int(line[2]), int(line[3])) for line in found if line] == [*enumerate(state.scores)]
    assert tuple(int(line[2]) for line in found if line and line[1] == "*") == state.outcome["winners"]
    assert len(state.outcome["winners"]) == 2
    assert "最終得点" in run_show(gyoji, CATTE, "--lang", "ja")


def test_seats_have_their_names(gyoji: Gyoji) -> None:
    text = run_show(gyoji, NAMED)
    assert "Seat 2 西 declares night." in text
    assert "At the table: 0 East, 1 South, 2 西.\n" in text
    assert "\n* seat 2 西 " in text
    assert "席0 EastはT6を出しました。" in run_show(gyoji, NAMED, "--lang", "ja")
    assert "East" not in run_show(gyoji, CATTE)


def test_of_several_seats_none_is_named(gyoji: Gyoji) -> None:
    assert "Won by: seat 0, 1, 2." in run_show(gyoji, ERRANDS)


# Positions


def test_a_position_in_words(gyoji: Gyoji) -> None:
    state = match_states(CATTE)[30].state
    text = run_show(gyoji, CATTE, "--at", 30)
    assert text.splitlines()[0].endswith(" · after event 30 · round 3 · playing to the trick")
    assert text.splitlines()[1] == "To act: seat 3"
    hands = re.findall(r"^([> ]) seat (\d) +(\d+)  (.+)$", text, re.MULTILINE)
    assert [(int(seat), int(score), tuple(hand.split())) for _mark, seat, score, hand in hands] == [
        (seat, state.scores[seat], state.hands[seat]) for seat in range(4)
    ]
    assert [mark for mark, *_rest in hands] == [" ", " ", " ", ">"]
    assert re.search(r"^  trick +seat 2: W13$", text, re.MULTILINE)
    assert re.search(r"^  rounds +\+4 \+9 \+9 \+9 \| \+12 \+9 \+4 \+9$", text, re.MULTILINE)
    assert re.search(r"^ +coffee left +B7 W8 K5$", text, re.MULTILINE)
    assert "limit_exceeded" not in text


def test_a_position_in_japanese(gyoji: Gyoji) -> None:
    text = run_show(gyoji, WISHES, "--at", 60, "--lang", "ja")
    assert text.splitlines()[0].endswith(" · 第60イベントの後 · 第2ラウンド · トリック")
    assert text.splitlines()[1] == "手番：席0"
    assert re.search(r"^ +お願い +豪雨$", text, re.MULTILINE)
    assert re.search(r"^  お願いの順 +席2、席1、席0、席3$", text, re.MULTILINE)


def test_a_position_as_a_seat(gyoji: Gyoji) -> None:
    state = match_states(CATTE)[30].state
    text = run_show(gyoji, CATTE, "--at", 30, "--as", 1)
    assert text.splitlines()[0].split(" · ")[2] == "seat 1"
    hands = re.findall(r"^[> ] seat \d +\d+  (.+)$", text, re.MULTILINE)
    expected = [f"{len(hand)} cards" for hand in state.hands]
    expected[1] = " ".join(state.hands[1])
    assert hands == expected
    assert re.search(r"^  aside +1 cards$", text, re.MULTILINE)
    japanese = run_show(gyoji, CATTE, "--at", 30, "--as", 1, "--lang", "ja")
    assert japanese.splitlines()[0].split(" · ")[2:5] == ["席1", "第30イベントの後", "第3ラウンド"]


def test_the_heading_says_for_whom_a_file_is(gyoji: Gyoji, tmp_path: Path) -> None:
    file = tmp_path / "public.jsonl"
    assert gyoji("replay", "redact", CATTE, "--for", "public", "--out", file).exit_code == 0
    assert run_show(gyoji, file).splitlines()[0].endswith(" · public")
    assert run_show(gyoji, file, "--lang", "ja").splitlines()[0].endswith(" · 公開")
    assert len(run_show(gyoji, CATTE).splitlines()[0].split(" · ")) == 2


def test_the_last_position_says_who_has_won(gyoji: Gyoji) -> None:
    last = match_states(ERRANDS)[-1]
    text = run_show(gyoji, ERRANDS, "--at", last.seq)
    assert text.splitlines()[1] == "Won by: seat 0, seat 1, seat 2 · Rating: poor"
    assert text.count("\n* seat") == 3


@pytest.mark.parametrize("slug", BY_SLUG)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_part_of_a_table_has_words(gyoji: Gyoji, slug: str, lang: str) -> None:
    """No name of a member is printed as it is, and every card that lies open is there."""
    file = next(file for file in sorted((REPLAYS / slug).glob("*.jsonl")) if len(match_states(file)) > 30)
    state = match_states(file)[20].state
    members = BY_SLUG[slug].write_state(state)["table"]
    text = run_show(gyoji, file, "--at", 20, "--lang", lang)
    assert not [name for name in members if "_" in name and name in text]
    for hand in state.hands:
        assert " ".join(hand) in text


def test_columns_stand_below_each_other_in_japanese_too() -> None:
    assert (width("seat 0"), width("席0 西"), width("ｱ")) == (6, 6, 1)
    assert padded("席0", 6) == "席0   "


# Colour


def test_there_is_no_colour_where_there_is_no_terminal(gyoji: Gyoji) -> None:
    assert "\x1b" not in run_show(gyoji, CATTE)
    assert "\x1b" not in run_show(gyoji, CATTE, "--color", "never")


@pytest.mark.parametrize("more", [(), ("--at", "30")])
@pytest.mark.parametrize("file", [CATTE, WISHES, ERRANDS, NAMED], ids=lambda file: file.parent.name)
def test_colour_says_nothing_that_the_text_does_not(gyoji: Gyoji, file: Path, more: tuple[str, ...]) -> None:
    coloured = run_show(gyoji, file, "--color", "always", *more)
    assert coloured.count("\x1b[") > 40
    assert ESCAPE.sub("", coloured) == run_show(gyoji, file, *more)


def test_json_is_never_coloured(gyoji: Gyoji) -> None:
    assert "\x1b" not in run_show(gyoji, CATTE, "--json", "--color", "always", "--at", "9")


def test_cards_have_the_colours_of_their_suits() -> None:
    ink = Colours("familiars-trouble", on=True)
    assert ink.cards("seat 0 plays RBG1, R10.") == "seat 0 plays \x1b[38;5;243mRBG1\x1b[0m, \x1b[38;5;160mR10\x1b[0m."
    assert ink.cards("席0はB4を出しました。") == "席0は\x1b[38;5;33mB4\x1b[0mを出しました。"
    for text in ("[FAM-R4]", "3-R12B5", "XR4", "R4x", "B", "seat 4"):
        assert ink.cards(text) == text
    assert Colours("familiars-trouble", on=False).cards("R4") == "R4"
    assert Colours("go-fish", on=True).cards("R4") == "R4"


@pytest.mark.parametrize("slug", BY_SLUG)
def test_the_colours_read_on_black_and_on_white(slug: str) -> None:
    """Contrast of at least 3.5 to either, and no two suits of a game alike."""
    colours = [*drawing(slug).terminal.values()]
    assert len(set(colours)) == len(colours)
    for number in colours:
        light = luminance(number)
        assert min(1.05 / (light + 0.05), (light + 0.05) / 0.05) >= 3.5, number


def luminance(number: int) -> float:
    """Relative luminance (WCAG 2.2) of one of the 256 colours of a terminal, of which 16 and up are fixed."""
    if number >= 232:
        parts = [8 + 10 * (number - 232)] * 3
    else:
        steps = (0, 95, 135, 175, 215, 255)
        parts = [steps[(number - 16) // base % 6] for base in (36, 6, 1)]
    red, green, blue = [
        share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
        for share in (part / 255 for part in parts)
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    ("set_to", "is_terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colour_is_for_terminals(
    monkeypatch: pytest.MonkeyPatch, set_to: dict[str, str], is_terminal: bool, expected: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in set_to.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: is_terminal, raising=False)
    assert (is_coloured("auto"), is_coloured("always"), is_coloured("never")) == (expected, True, False)


def test_hostile_names_are_made_harmless(gyoji: Gyoji, tmp_path: Path) -> None:
    setting = plan_match(BY_SLUG["towai"], 2, {}, "public_on_close", "0", 0)
    names = ("\x1b]0;nasty\x07\u202e", "Seat 1 wins")
    log = simulate_match(setting._replace(beginning=setting.beginning._replace(names=names)), 3)
    first, *rest = log.entries
    file = tmp_path / "made.jsonl"
    file.write_bytes(b"".join(file_of(first, rest, signer(PRIVATE, ORIGIN), "full")))
    for more in ((), ("--at", "2"), ("--at", "2", "--lang", "ja")):
        text = run_show(gyoji, file, *more)
        assert "nasty" in text
        assert all(character.isprintable() or character == "\n" for character in text)


def test_hostile_rules_are_made_harmless(gyoji: Gyoji, tmp_path: Path) -> None:
    hostile = CATTE.read_bytes().replace(b'"rule":"CAT-', b'"rule":"\\u001b]0;nasty\\u0007CAT-', 1)
    file = tmp_path / "made.jsonl"
    file.write_bytes(hostile)
    text = run_show(gyoji, file)
    assert "nasty" in text
    assert all(character.isprintable() or character == "\n" for character in text)
