"""A file that is buffered is read in larger pieces than one that streams by; what is made of it is the same."""

from collections.abc import Callable, Sequence
from random import Random

import orjson
import pytest

from golden.logs import EVERY, NAMES
from gyoji.audit.audit import audit
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical
from gyoji.log.lines import cut
from gyoji.log.parser import (
    LIMITS,
    HeadLine,
    Limits,
    OverLimits,
    Unreadable,
    parse_head_line,
    parse_object,
    read_head_line,
)
from gyoji.match.prescan import DISCLOSED, KEYED, OPENED, Prescan, prescan_buffered, prescan_lines
from gyoji.messages.verdicts import rules_for
from replay.changed_files import changed
from replay.changed_files import document as told
from replay.tampering import TRUSTED, Lines, cut_at_lf, entries_of, file_of

WHOLE: Lines = file_of(entries_of("catte"))
SECRET: str = orjson.loads(WHOLE[-2])["data"]["server_secret"]
OTHER = "ab" * 64
FILE = "00" * 32

# Lines


def test_lines_are_cut_at_line_feeds_alone() -> None:
    rng = Random("lines")
    for _ in range(300):
        body = bytes(rng.choices(b"\n\r\x0b\x0c\x1c\x85a\x00", k=rng.randrange(40)))
        places = sorted(rng.choices(range(len(body) + 1), k=rng.randrange(4)))
        pieces = [body[a:b] for a, b in zip([0, *places], [*places, len(body)], strict=True)]
        *whole, rest = body.split(b"\n")
        assert [*cut(pieces)] == [line + b"\n" for line in whole] + ([rest] if rest else [])


def test_a_line_over_the_limit_is_cut_short_and_is_the_last() -> None:
    assert [*cut([b"a\n" + b"x" * 5, b"", b"\n"], 5)] == [b"a\n", b"x" * 5 + b"\n"]
    assert [*cut([b"a\n" + b"x" * 9, b"\n", b"b\n"], 5)] == [b"a\n", b"x" * 6]
    assert [*cut([b"a\n", b"xxx", b"xxx", b"x\nb\n"], 5)] == [b"a\n", b"x" * 6]


# What is coming


def disclosed(secret: str) -> bytes:
    return b'{"actor":{"role":"service"},"data":{"server_secret":"%b"},' % secret.encode() + DISCLOSED


def opened(secret: str) -> bytes:
    return OPENED + secret.encode() + b'"},"salt":"","seq":1}}\n'


def ruled(to: int, seq: int) -> bytes:
    told = b'0"},"data":{"ruling":{"kind":"take_back","to":%d}},"seq":%d,"type":"ruling_made","v":1}\n' % (to, seq)
    return KEYED + told


KEYS_OWN = KEYED + b'0"},"data":{"server_secret":"%b"},' % SECRET.encode() + DISCLOSED
BARE = b'{"data":{"server_secret":"%b"}}\n' % SECRET.encode()
ADDED: dict[str, list[bytes]] = {
    "nothing": [],
    "another secret": [disclosed(OTHER)],
    "the secret once more": [disclosed(SECRET)],
    "another secret, opened": [opened(OTHER)],
    "the secret, opened": [opened(SECRET)],
    "under the name of a key": [KEYS_OWN],
    "in a line of no kind": [BARE],
    "upper case": [disclosed(SECRET.upper())],
    "too short": [disclosed(SECRET[:-1])],
    "a take-back": [ruled(3, 7)],
    "a take-back after another secret": [disclosed(OTHER), ruled(3, 7)],
    "no line feed": [disclosed(SECRET)[:-1]],
    "a word in a name": [b'{"x":"server_secret\\":\\"","y":"' + b'server_secret":"' + b'"}\n'],
    "CR LF": [disclosed(SECRET)[:-1] + b"\r\n"],
}


@pytest.mark.parametrize("name", ADDED)
@pytest.mark.parametrize("at", [0, 1, 2, 9, len(WHOLE) - 2, len(WHOLE) - 1, len(WHOLE)])
@pytest.mark.parametrize("without", [False, True])
def test_what_is_coming_is_the_same_read_at_once(name: str, at: int, without: bool) -> None:
    lines = [*WHOLE[:at], *ADDED[name], *WHOLE[at:]]
    if without:
        lines.remove(WHOLE[-2])
    assert prescan_buffered(lines, LIMITS) == prescan_lines(lines, LIMITS)


def test_what_is_coming_in_files_that_are_hardly_any() -> None:
    for lines in ([], [b""], [b"a"], [BARE], [BARE, BARE], [BARE, BARE, BARE], [WHOLE[0], WHOLE[1][:-1]]):
        assert prescan_buffered(lines, LIMITS) == Prescan()
    assert prescan_buffered(WHOLE, LIMITS).secret == bytes.fromhex(SECRET)
    assert prescan_buffered(WHOLE, Limits(line=len(WHOLE[1]) - 1)) == Prescan()


@pytest.mark.parametrize("file", EVERY, ids=NAMES)
def test_what_is_coming_in_golden_files(file: object) -> None:
    lines = [*cut([file.read_bytes()])]  # type: ignore[attr-defined]
    assert prescan_buffered(lines, LIMITS) == prescan_lines(lines, LIMITS)


# The last line


def head(**members: object) -> bytes:
    """The last line, with other members."""
    found = orjson.loads(WHOLE[-1])
    inner = {**found["head"], **{name: value for name, value in members.items() if name != "file"}}
    return canonical({"file": members.get("file", found["file"]), "head": inner}) + b"\n"


LAST: dict[str, bytes] = {
    "as it is": WHOLE[-1],
    "seq 0": head(seq=0),
    "the last seq": head(seq=2**32 - 1),
    "beyond the last seq": head(seq=2**32),
    "10 digits": head(seq=9_999_999_999),
    "a float": WHOLE[-1].replace(b'"seq":', b'"seq":1.'),
    "a zero before": WHOLE[-1].replace(b'"seq":', b'"seq":0'),
    "below zero": WHOLE[-1].replace(b'"seq":', b'"seq":-'),
    "seq as text": head(seq="7"),
    "upper case": head(hash="AB" * 32),
    "another key": head(key="0" * 15),
    "no match": head(match="-" * 36),
    "a signature too short": head(sig="0" * 127),
    "no digest": head(file=None),
    "more": head(more=1),
    "spaced": WHOLE[-1].replace(b",", b", "),
    "CR LF": WHOLE[-1][:-1] + b"\r\n",
    "another order": b'{"head":%b,"file":"%b"}\n' % (canonical(orjson.loads(WHOLE[-1])["head"]), FILE.encode()),
    "other digits": WHOLE[-1].replace(b'"seq":', '"seq":\u0661'.encode()),
    "nothing": b"\n",
}


def outcome(read: Callable[[], HeadLine]) -> HeadLine | str:
    try:
        return read()
    except Unreadable as fault:
        return fault.code
    except OverLimits:
        return "over-limits"


@pytest.mark.parametrize("name", LAST)
def test_the_last_line_is_read_in_one_look_or_in_full(name: str) -> None:
    line = LAST[name]
    in_full = outcome(lambda: read_head_line(parse_object(line)))
    assert outcome(lambda: parse_head_line(line, LIMITS.depth)) == in_full
    assert isinstance(in_full, HeadLine) == (name in ("as it is", "seq 0", "the last seq"))


# The verdict


def verdict(lines: Sequence[bytes], limits: Limits = LIMITS, *, in_full: bool = False) -> bytes:
    """All that is said of a file."""
    return told(audit(lambda: lines, rules_for, TRUSTED, None, limits, in_full=in_full))


def streamed(lines: Sequence[bytes], monkeypatch: pytest.MonkeyPatch, limits: Limits = LIMITS) -> bytes:
    """The same of a file that is too large to be held."""
    with monkeypatch.context() as patch:
        patch.setattr("gyoji.log.lines.MOST_HELD", 0)
        return verdict(lines, limits)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_verdicts_on_changed_files(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(f"held {slug}")
    whole = file_of(entries_of(slug))
    for _ in range(12):
        lines = cut_at_lf(b"".join(changed(whole, rng)))
        assert verdict(lines) == streamed(lines, monkeypatch)


@pytest.mark.parametrize("limits", [Limits(lines=60), Limits(lines=8), Limits(openings=100), Limits(line=400)])
@pytest.mark.parametrize("slug", BY_SLUG)
def test_verdicts_at_the_limits(slug: str, limits: Limits, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = file_of(entries_of(slug))
    found = verdict(lines, limits)
    assert found == verdict(lines, limits, in_full=True)
    assert found == streamed(lines, monkeypatch, limits)
