"""Names: which may be given, which two are the same, and how one stands in a sentence or on a terminal."""

import json
import subprocess
from pathlib import Path
from unicodedata import is_normalized

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.messages.language import insert_facts
from gyoji.names import (
    NameFault,
    isolate_direction,
    lookalike_key,
    name_fault,
    normalize_name,
    printable,
    without_controls,
)
from gyoji.web import service
from verifier.javascript import NODE

MODULE = Path(service.__file__).parent / "static" / "names.mjs"

TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Bidi_Control (UAX 9)."""

GOOD = (
    "Ann",
    "長谷川 直子",
    "\u908a\U000e0101",  # a variant of a character that names are written with
    "O\u2019Brien-Smith, Jr.",
    "\u05d3\u05d5\u05d3 \u05db\u05d4\u05df",
    "\u0645\u062d\u0645\u062f",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian needs the joiner that is not seen
    "\u0915\u094d\u200d\u0937",
    "\u0e19\u0e49\u0e33\u0e43\u0e2a",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "\u2764\ufe0f",
    "Z\u0335\u0336y",
    "e\u0301",
    "7",
    "!",
)


@pytest.mark.parametrize("name", GOOD)
def test_names_of_all_the_world_may_be_given(name: str) -> None:
    assert name_fault(name) is None


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("", NameFault("name-invisible")),
        (" ", NameFault("name-invisible")),
        ("\u3000", NameFault("name-invisible")),
        ("\u200b", NameFault("name-invisible")),
        ("\u3164", NameFault("name-invisible")),  # the Hangul filler
        ("\u2800", NameFault("name-invisible")),  # braille without a dot
        ("\u0301", NameFault("name-invisible")),  # a mark upon nothing
        ("\ue000", NameFault("name-invisible")),  # a private character looks like nothing that is known
        ("Ann\u202e", NameFault("name-direction", 4, "U+202E")),
        ("\u2066Ann\u2069", NameFault("name-direction", 1, "U+2066")),
        ("A\u200fnn", NameFault("name-direction", 2, "U+200F")),
        ("Ann\nBen", NameFault("name-control", 4, "U+000A")),
        ("Ann\x1b[2J", NameFault("name-control", 4, "U+001B")),
        ("Ann\u2028", NameFault("name-control", 4, "U+2028")),
        ("Ann\ufdd0", NameFault("name-unassigned", 4, "U+FDD0")),  # will never be a character
        ("Z" + "\u0335" * 5, NameFault("name-marks")),
        ("\u0958" * 33, NameFault("name-too-long")),  # two characters each in normal form C
    ],
)
def test_what_no_name_may_be(name: str, wrong: NameFault) -> None:
    assert name_fault(name) == wrong


@pytest.mark.parametrize("control", TURNING)
def test_no_name_turns_the_direction(control: str) -> None:
    assert name_fault(f"A{control}nn") == NameFault("name-direction", 2, f"U+{ord(control):04X}")


def test_a_name_is_kept_in_normal_form_c() -> None:
    assert normalize_name("Rene\u0301") == "Ren\u00e9"
    assert normalize_name("\u304b\u3099") == "\u304c"
    assert normalize_name("\uff21\uff4e\uff4e") == "\uff21\uff4e\uff4e"  # what looks otherwise stays


@pytest.mark.parametrize(
    "other",
    [
        "Ann\u200b",
        "Ann\u202e",
        "Ann ",
        " Ann",
        "A\u00adnn",
        "Ann\ufe0f",
        "\uff21\uff4e\uff4e",
        "Ann\u3000",
        "Ann\u2800",
    ],
)
def test_what_nobody_can_tell_apart_is_the_same(other: str) -> None:
    assert lookalike_key(other) == lookalike_key("Ann")


def test_both_normal_forms_are_the_same() -> None:
    assert lookalike_key("Rene\u0301") == lookalike_key("Ren\u00e9")
    assert lookalike_key("Jo  Ann") == lookalike_key("Jo\u00a0Ann")


@pytest.mark.parametrize(("one", "other"), [("Ann", "ann"), ("Ann", "Anna"), ("Weiß", "Weiss"), ("Jo Ann", "JoAnn")])
def test_what_everybody_can_tell_apart_differs(one: str, other: str) -> None:
    assert lookalike_key(one) != lookalike_key(other)


def test_a_sentence_with_names_that_earlier_versions_took() -> None:
    """The scores of Ann + U+202E, Bob and Cho were read as those of others."""
    said = insert_facts("{first} {one}, {second} {two}", {"first": "Ann\u202e", "one": 13, "second": "Bob", "two": 12})
    assert said == "Ann\ufffd 13, Bob 12"


def test_a_name_from_right_to_left_is_isolated() -> None:
    assert insert_facts("{name} 13", {"name": "\u05d3\u05d5\u05d3"}) == "\u2068\u05d3\u05d5\u05d3\u2069 13"
    assert isolate_direction(isolate_direction("\u05d3\u05d5\u05d3")) == "\u2068\u05d3\u05d5\u05d3\u2069"
    assert isolate_direction("Ann") == "Ann"


def test_a_terminal_gets_no_commands() -> None:
    assert printable("Ann\x1b[2J\r\x9b\u202e") == "Ann\ufffd[2J\ufffd\ufffd\ufffd"
    assert printable("長谷川\u3000直子 \U0001f469\u200d\U0001f467") == "長谷川\u3000直子 \U0001f469\u200d\U0001f467"


ANY = st.text(
    st.one_of(
        st.sampled_from(f"{TURNING}\u200b\u200c\u200d\u2800\u3164 \u0301\u0335\u05d3\u0645aA\uff21é\n\x1b\x9b"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=70,
)


@given(ANY)
def test_names_that_may_be_given_are_good_everywhere(name: str) -> None:
    if name_fault(name) is not None:
        return
    stored = normalize_name(name)
    assert is_normalized("NFC", stored)
    assert name_fault(stored) is None
    assert lookalike_key(stored) == lookalike_key(name) != ""
    assert without_controls(stored) == stored


@given(ANY)
def test_what_is_shown_turns_nothing_around_it(text: str) -> None:
    for safe in (without_controls(text), isolate_direction(text), printable(text)):
        assert not set(safe) & set("\n\x1b\x9b\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067")
        assert _depths(safe)
    assert isolate_direction(isolate_direction(text)) == isolate_direction(text)
    assert lookalike_key(lookalike_key(text)) == lookalike_key(text)


def _depths(text: str) -> bool:
    """Whether every isolate that opens closes, and none closes that has not opened."""
    depth = 0
    for character in text:
        depth += (character == "\u2068") - (character == "\u2069")
        if depth < 0:
            return False
    return depth == 0


SCRIPT = """
import { cut, isolated, shown } from %s;
let sent = "";
for await (const part of process.stdin) sent += part;
console.log(JSON.stringify(JSON.parse(sent).map((text) => [shown(text), isolated(text), cut(shown(text), 8)])));
"""


@settings(max_examples=5, deadline=None)
@given(st.lists(ANY, max_size=50))
def test_pages_show_names_like_everything_else(texts: list[str]) -> None:
    ran = subprocess.run(
        [NODE, "--input-type=module", "--eval", SCRIPT % json.dumps(MODULE.as_uri())],
        input=json.dumps(texts),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    for text, (safe, apart, short) in zip(texts, json.loads(ran.stdout), strict=True):
        assert safe == without_controls(text)
        assert apart == isolate_direction(text)
        assert _depths(short)
