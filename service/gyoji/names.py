"""Checks and compares names that people choose, and makes them safe to show.

A name is kept in Unicode's normal form C and is otherwise as it was given. What lies in a log stays as it is, whoever
wrote it; whatever it holds, it is shown so that it changes nothing around it.
"""

import re
from functools import lru_cache
from typing import NamedTuple
from unicodedata import category, normalize

LONGEST = 64
"""Characters of a name, as it is sent and as it is kept."""
MOST_MARKS = 4
"""Marks upon one character, beside what normal form C makes one character of (UTS 39 has the same limit). More of them
reach into the lines above and below."""

OPENS, CLOSES = "\u2068", "\u2069"
"""FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: between them a text has a direction of its own."""
UNSHOWN = "\N{REPLACEMENT CHARACTER}"

_TURNS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Bidi_Control: what turns the direction of writing."""
_BREAKS = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
"""What commands devices, breaks lines, or is half a character."""
_TURNING = re.compile(f"[{_TURNS}]")
_BREAKING = re.compile(f"[{_BREAKS}]")
_UNSAFE = re.compile(f"[{_TURNS}{_BREAKS}]")
_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Default_Ignorable_Code_Point, the marks of annotations, and a note head without a head."""
_BLANK = re.compile(r"[\s\u2800]+")
"""Blanks of every width, and the braille pattern without a dot."""
_LEFTWARD = re.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]",
)
"""The blocks of what is written from right to left, Arabic digits among them."""
_TERMINAL = frozenset("\u200c\u200d" + OPENS + CLOSES)
"""What joins letters and emoji, and what isolates: a terminal gets it as it is."""


class NameFault(NamedTuple):
    """Why a name is not allowed: a code, and the character at fault with its place, counted from 1, if there is one."""

    code: str
    place: int = 0
    character: str = ""


def name_fault(name: str) -> NameFault | None:
    """Return why a name is not allowed; ``None`` if it is."""
    if not name.isascii() or not name.isprintable():
        for place, character in enumerate(name, 1):
            code = _code(character)
            if code is not None:
                return NameFault(code, place, f"U+{ord(character):04X}")
    stored = normalize_name(name)
    if len(stored) > LONGEST:
        return NameFault("name-too-long")
    if not any(map(_is_visible, stored)):
        return NameFault("name-invisible")
    return NameFault("name-marks") if _marks(stored) > MOST_MARKS else None


def _code(character: str) -> str | None:
    if _BREAKING.match(character):
        return "name-control"
    if _TURNING.match(character):
        return "name-direction"
    return "name-unassigned" if category(character) == "Cn" else None


def _is_visible(character: str) -> bool:
    """Whether something is to be seen that stands by itself; nobody knows what private characters look like."""
    return category(character)[0] in "LNPS" and not _INVISIBLE.match(character) and not _BLANK.match(character)


def _marks(name: str) -> int:
    """The most marks that stand upon one character; what is invisible is no other character."""
    most = now = 0
    for character in name:
        if category(character) in ("Mn", "Me") and not _INVISIBLE.match(character):
            now += 1
            most = max(most, now)
        elif not _INVISIBLE.match(character):
            now = 0
    return most


def normalize_name(name: str) -> str:
    """Return a name as it is stored: in normal form C."""
    return normalize("NFC", name)


@lru_cache(maxsize=4096)
def lookalike_key(name: str) -> str:
    """Return a key that is equal for two names that nobody who reads them could tell apart.

    That is the name in normal form KC without what is invisible, with one blank for several and none at the ends. Upper
    and lower case differ: everybody sees that, and folding case would make one name of Weiß and Weiss.
    """
    before, now = "", name
    while now != before:
        before, now = now, _BLANK.sub(" ", _INVISIBLE.sub("", normalize("NFKC", now))).strip()
    return now


def without_controls(text: str) -> str:
    """Return a text without characters that command a device, break the line or turn the direction of text around it.

    Isolates that open and close within it stay: they change nothing outside.
    """
    if text.isprintable() or _UNSAFE.search(text) is None:
        return text
    pairs = _pairs(text)
    return "".join(
        [UNSHOWN if at not in pairs and _UNSAFE.match(character) else character for at, character in enumerate(text)]
    )


def _pairs(text: str) -> set[int]:
    """Where isolates stand that open and close."""
    opened, pairs = list[int](), set[int]()
    for at, character in enumerate(text):
        if character == OPENS:
            opened.append(at)
        elif character == CLOSES and opened:
            pairs |= {opened.pop(), at}
    return pairs


def isolate_direction(text: str) -> str:
    """Return a text as it stands in a sentence: safe to show, and isolated if it is written from right to left.

    In a sentence from left to right nothing else can change places with what stands beside it. What is isolated already
    stays as it is.
    """
    safe = without_controls(text)
    if safe.isascii() or _LEFTWARD.search(_around(safe)) is None:
        return safe
    return f"{OPENS}{safe}{CLOSES}"


def _around(text: str) -> str:
    """The text without what is isolated in it."""
    if OPENS not in text:
        return text
    depth, outside = 0, list[str]()
    for character in text:
        depth -= character == CLOSES
        if not depth:
            outside.append(character)
        depth += character == OPENS
    return "".join(outside)


def printable(line: str) -> str:
    """Return a line that is safe to print at a terminal: nothing in it commands the terminal or turns its direction."""
    safe = without_controls(line)
    if safe.isprintable():
        return safe
    return "".join([character if _is_printable(character) else UNSHOWN for character in safe])


def _is_printable(character: str) -> bool:
    return character.isprintable() or character in _TERMINAL or category(character) == "Zs"
