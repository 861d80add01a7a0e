"""The audit gives a verdict on any bytes that somebody made up, and never an exception."""

import copy
import random
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest

from gyoji.audit.audit import audit
from gyoji.log.canonical import canonical
from gyoji.log.lines import cut
from gyoji.log.parser import LIMITS, Limits, parse_object
from gyoji.log.redaction import merge
from gyoji.messages.verdicts import rules_for, sentences, verdict_document
from replay.tampering import (
    SHORT,
    TRUSTED,
    Event,
    Lines,
    Parts,
    entries_of,
    failed,
    file_of,
    forged,
    judged,
    refiled,
    result,
    sealed,
    taken_apart,
    why,
    word,
)

WHOLE: Lines = file_of(entries_of("catte"))
HEAD = taken_apart(WHOLE).ending["head"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\n",
        b"\x00" * 100,
        b"{}",
        b"null\n",
        b"[]\n",
        b"\xff\xfe{\n",
        b"\xef\xbb\xbf" + WHOLE[0],
        WHOLE[0][:-1],
        WHOLE[0].replace(b"gyoji-replay/1", b"gyoji-replay/2"),
        WHOLE[0].replace(b'{"aud', b'{ "aud'),
        WHOLE[0].replace(b'"version":1', b'"version":1.0'),
        WHOLE[0].replace(b'"version":1', b'"version":true'),
        WHOLE[0].replace(b'"full"', b'{"seat":-1}'),
        WHOLE[0].replace(b'"full"', b'["full"]'),
        b'{"type":"move","seat":0}\n{"type":"move","seat":1}\n',
        b'[Event "Linares"]\n1. e4 e5\n',
        b"PK\x03\x04" + bytes(60),
        b"[" * 100_000 + b"\n",
    ],
)
def test_what_is_no_replay_file(body: bytes) -> None:
    verdict = judged(cut((body,)))
    assert (verdict.verdict, verdict.match) == ("malformed", None)
    assert verdict.first_divergence is not None
    assert verdict.first_divergence.expected == "gyoji-replay/1"
    assert {checked.result for checked in verdict.checks} == {"fail", "not_checkable"}


LINES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "not-json"),
    "NUL": (b"\x00", "not-json"),
    "no UTF-8": (b'{"actor":"\xff"}', "not-json"),
    "a lone surrogate": (b'{"actor":"\\ud800"}', "not-json"),
    "a list": (b"[1]", "not-an-object"),
    "NaN": (b'{"a":NaN}', "not-json"),
    "minus zero": (b'{"a":-0}', "not-canonical"),
    "a float": (b'{"a":1.0}', "number"),
    "an exponent": (b'{"a":1e400}', "not-json"),
    "2^53": (b'{"a":9007199254740992}', "number"),
    "2^64": (b'{"a":18446744073709551616}', "number"),
    "5,000 digits": (b'{"a":%b}' % (b"9" * 5_000), "not-json"),
    "a name twice": (b'{"a":1,"a":1}', "not-canonical"),
    "a name that is not ASCII": ('{"é":1}'.encode(), "name"),
    "names out of order": (b'{"b":1,"a":1}', "not-canonical"),
    "an escape too many": (b'{"a":"\\u0041"}', "not-canonical"),
    "CR LF": (b'{"a":1}\r', "not-canonical"),
    "an object": (b'{"a":1}', "not-an-event"),
    "half an event": (WHOLE[7][:90], "not-json"),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_behind_a_valid_header(name: str) -> None:
    body, code = LINES[name]
    verdict = judged(refiled((*WHOLE[:9], body + b"\n", *WHOLE[9:-1]), HEAD))
    assert verdict.verdict == "tampered"
    reason = why(verdict, "bytes")
    assert reason is not None
    assert (reason.code, reason.facts["line"]) == (code, 10)


@pytest.mark.parametrize("levels", [100, 300, 2_000])
def test_nesting(levels: int) -> None:
    deep = b'{"a":' + b"[" * levels + b"]" * levels + b"}\n"
    assert word((*WHOLE[:9], deep, *WHOLE[9:])) == "malformed"
    opening = b'{"opening":{"index":0,"payload":{"/a":' + b"[" * levels + b"]" * levels
    opening += b'},"salt":"%b","seq":0}}\n' % (b"0" * 64)
    assert word((*WHOLE[:2], opening, *WHOLE[2:])) == "malformed"


def test_as_many_levels_as_are_read() -> None:
    deep = b'{"a":' + b"[" * 60 + b"]" * 60 + b"}\n"
    assert word((*WHOLE[:9], deep, *WHOLE[9:])) == "tampered"


def endless(taken: list[int]) -> Iterator[bytes]:
    """100 MB without a line feed."""
    yield WHOLE[0]
    for _ in range(1_600):
        taken.append(1 << 16)
        yield bytes(1 << 16)


def test_an_endless_line_costs_no_more_than_the_limit() -> None:
    taken: list[int] = []
    tracemalloc.start()
    verdict = audit(lambda: cut(endless(taken)), rules_for, TRUSTED)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert verdict.verdict == "malformed"
    assert sum(taken) < 3 * LIMITS.line  # read twice
    assert most < 8 * LIMITS.line


def test_lines_and_openings_without_end() -> None:
    few = Limits(lines=50)
    assert audit(lambda: WHOLE, rules_for, TRUSTED, None, few).verdict == "malformed"
    many = (*WHOLE[:3], *[WHOLE[2]] * 10_000)
    assert audit(lambda: many, rules_for, TRUSTED, None, Limits(openings=1 << 16)).verdict == "malformed"


@pytest.mark.parametrize(
    "short", [b"\n", b"[\n", b"{}\n", b'{"actor":1}\n', b'{"actor":' + b"[" * 40 + b"]" * 40 + b"}\n"]
)
def test_short_lines_after_one_that_cannot_be_read_are_not_looked_at(
    monkeypatch: pytest.MonkeyPatch, short: bytes
) -> None:
    """Two million of them took twenty seconds; the verdict on them is that on the first."""
    looked: list[bytes] = []

    def counted(line: bytes, depth: int) -> Any:
        looked.append(line)
        return parse_object(line, depth)

    monkeypatch.setattr("gyoji.audit.audit.parse_object", counted)
    one, many = (judged((*WHOLE[:9], *[short] * times, *WHOLE[9:])) for times in (1, 1_000))
    assert verdict_document(one, "en") == verdict_document(many, "en")
    assert looked.count(short) == 2
    assert (one.verdict, one.first_divergence is not None and one.first_divergence.check) == ("tampered", "bytes")


def test_memory_does_not_grow_with_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log that repeats its middle a hundred times is tampered with, and as cheap to hold as a short one."""
    monkeypatch.setattr("gyoji.log.lines.MOST_HELD", 2**14)

    def lines(times: int) -> Iterator[bytes]:
        yield from WHOLE[:30]
        for _ in range(times):
            yield from WHOLE[30:60]

    peaks = []
    for times in (10, 10, 200):
        tracemalloc.start()
        assert audit(lambda times=times: lines(times), rules_for, TRUSTED).verdict == "tampered"  # type: ignore[misc]
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 1.5 * peaks[1]


# well-formed events that say what they like, all of it signed

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    99,
    2**53 - 1,
    "",
    "x",
    "D3",
    "play",
    "０",
    [],
    [[]],
    [None],
    {},
    {"count": 1},
    {"count": True},
    {"type": "play"},
    {"type": []},
    {"seat": {}},
)


def nodes(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and every item, as the container and the key or place in it."""
    for key in list(node) if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from nodes(node[key])


def disfigured(parts: Parts, rng: random.Random) -> None:
    """One value of one event or opening is replaced, removed or doubled."""
    event = rng.choice(parts.events)
    data = event.document.get("data") or event.document
    where: Any = rng.choice([data, data, event.document, event.openings or data])
    if not isinstance(where, dict | list):
        return
    spots = list(nodes(where))
    if not spots:
        return
    container, key = rng.choice(spots)
    deed = rng.random()
    if deed < 0.15:
        del container[key]
    elif deed < 0.25 and isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    elif deed < 0.35 and isinstance(container, dict):
        container["more"] = rng.choice(ODD)
    else:
        container[key] = copy.deepcopy(rng.choice(ODD))


def resealed(parts: Parts) -> Lines | None:
    """Sealed, unless the forger's own tools stumble over it."""
    try:
        return sealed(parts)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, IndexError):
        return None


def disfigure(slug: str, disclosure: Any, times: int, rng: random.Random) -> int:
    """How many files were judged; every one has a verdict that can be told in both languages."""
    lines = file_of(entries_of(slug, disclosure))
    parts, judged_files = taken_apart(lines), 0
    for _ in range(times):
        changed = copy.deepcopy(parts)
        for _ in range(rng.choice((1, 1, 2))):
            disfigured(changed, rng)
        made = resealed(changed)
        if made is not None and made != lines:
            verdict = judged(made)
            judged_files += 1
            assert verdict.verdict != "verified" or taken_apart(made).events == parts.events or is_harmless(made, lines)
            for language in ("en", "ja"):
                canonical(verdict_document(verdict, language))
    return judged_files


def is_harmless(made: Lines, lines: Lines) -> bool:
    """Times, names, ids and policies are the service's own to say, and the seat that an operator moved for."""
    free = ("at", "actor")

    def bound(parts: Parts) -> list[Any]:
        return [
            [{**event.document, "prev": 0, "secret": 0, "position": 0, **dict.fromkeys(free, 0)}, len(event.openings)]
            for event in parts.events[1:]
        ]

    return bound(taken_apart(made)) == bound(taken_apart(lines))


@pytest.mark.parametrize("slug", SHORT)
@pytest.mark.parametrize("disclosure", ["public_on_close", "auditors_only"])
def test_disfigured_events_are_judged(slug: str, disclosure: Any) -> None:
    assert disfigure(slug, disclosure, 60, random.Random(f"{slug} {disclosure}")) > 20


PLACES = ["", "names", "/", "/nowhere", "/names/0", "/options", "/names~", "/tags/count", "/" + "9" * 5_000]
ZEROS = "0" * 64


@pytest.mark.parametrize("place", PLACES)
def test_an_opening_of_something_that_is_not_hidden(place: str) -> None:
    def misplace(parts: Parts) -> None:
        parts.events[0].openings[0]["payload"] = {place: None}

    verdict = judged(forged(WHOLE, misplace))
    assert (verdict.verdict, failed(verdict)) == ("tampered", {"openings"})


def hiding(seq: int, data: dict[str, Any], *payloads: dict[str, Any]) -> Lines:
    """The file whose event holds that as well, and hides what these payloads tell in it, all of it signed."""

    def hide(parts: Parts) -> None:
        event = parts.events[seq]
        event.data.update(data)
        begin = len(event.document["secret"])
        for index, payload in enumerate(payloads, begin):
            event.document["secret"].append({"for": [], "commit": ZEROS})
            event.openings.insert(
                index, {"seq": event.document["seq"], "index": index, "salt": ZEROS, "payload": payload}
            )

    return forged(WHOLE, hide)


LAST = -1
"""The event that tells the secret, which the audit looks into before it is compared with what it has to be."""


@pytest.mark.parametrize(
    ("data", "payload"),
    [
        ({"a~1b": None}, {"/a~1b": 1}),  # the pointer leads to "a/b"
        ({"a~b": None}, {"/a~b": 1}),
        ({"a": [None]}, {"/a/00": 1}),
        ({"a": None}, {"/a": {"b": None}, "/a/b": 1}),  # nothing is hidden in what is opened
        ({"a": {"count": True}}, {"/a": [1]}),
        ({"a": {"count": 1, "b": 1}}, {"/a": [1]}),
        ({"a": {"count": 2}}, {"/a": [1]}),
        ({"a": {"count": 1}}, {"/a": None}),
        ({"a": {"count": 1}}, {"/a/count": 1}),
        ({"a": None}, {"/a": []}),
    ],
)
def test_an_opening_of_a_place_that_is_none(data: dict[str, Any], payload: dict[str, Any]) -> None:
    """RFC 6901 says what a pointer leads to; an index is written in one way."""
    verdict = judged(hiding(LAST, data, payload))
    assert verdict.verdict == "tampered"
    assert "openings" in failed(verdict)


@pytest.mark.parametrize(
    ("data", "payload"),
    [
        ({"a/b": None}, {"/a~1b": 1}),
        ({"a~b": None}, {"/a~0b": 1}),
        ({"a~1": None}, {"/a~01": 1}),
        ({"": {"count": 0}}, {"/": []}),
        ({"a": [None, {"count": 1}]}, {"/a/0": 1, "/a/1": [1]}),
        ({"9" * 5_000: None}, {"/" + "9" * 5_000: 1}),
    ],
)
@pytest.mark.parametrize("seq", [1, 5, LAST])
def test_an_opening_of_a_place_that_is_there(seq: int, data: dict[str, Any], payload: dict[str, Any]) -> None:
    """It is opened rightly; that the event has no such place to hide is a matter of the moves."""
    verdict = judged(hiding(seq, data, payload))
    assert (verdict.verdict, result(verdict, "openings")) == ("rules_divergence", "pass")


@pytest.mark.parametrize("more", [{"type": "game_finished", "winners": None}, {"winners": None}])
def test_more_events_than_there_are_with_something_hidden(more: dict[str, Any]) -> None:
    def add(parts: Parts) -> None:
        event = parts.events[1]
        event.data["events"].append(more)
        event.openings[0]["payload"]["/events/1/winners"] = 0

    verdict = judged(forged(WHOLE, add))
    assert (verdict.verdict, failed(verdict)) == ("rules_divergence", {"moves"})


MANY = {"many": [None] * 16_640}


def opened_places(openings: int, places: int) -> Lines:
    """The last event with so many openings of so many places each."""
    told = [{f"/many/{opening * places + place}": place for place in range(places)} for opening in range(openings)]
    return hiding(LAST, MANY, *told)


@pytest.mark.parametrize(
    ("openings", "places", "expected"),
    [
        (64, 1, "rules_divergence"),
        (65, 1, "malformed"),
        (64, 256, "rules_divergence"),
        (1, 257, "malformed"),
    ],
)
def test_bounds_of_one_event(openings: int, places: int, expected: str) -> None:
    verdict = judged(opened_places(openings, places))
    assert verdict.verdict == expected
    if expected == "malformed":
        assert failed(verdict) == {"bytes"}
        assert why(verdict, "bytes").code == "over-limits"  # type: ignore[union-attr]


@pytest.mark.parametrize(("lines", "expected"), [(65, "tampered"), (66, "malformed")])
def test_lines_of_openings_after_one_event(lines: int, expected: str) -> None:
    opening = b'{"opening":{"position":"%b","seq":5}}\n' % ZEROS.encode()
    at = [number for number, line in enumerate(WHOLE) if b'"seq":5,' in line][-1]
    assert word((*WHOLE[: at + 1], *[opening] * lines, *WHOLE[at + 1 :])) == expected


class Counted(list[Any]):
    """A list that counts how often it is copied."""

    copies = 0

    def copy(self) -> "Counted":
        Counted.copies += 1
        return Counted(self)


def test_a_list_is_copied_once_for_all_that_is_opened_in_it() -> None:
    Counted.copies = 0
    data = {"many": Counted([None] * 512), "other": [None]}
    payloads = [{f"/many/{256 * one + place}": place for place in range(256)} for one in range(2)]
    assert merge(data, payloads) == {"many": [*range(256)] * 2, "other": [None]}
    assert data == {"many": [None] * 512, "other": [None]}
    assert Counted.copies == 1
    assert merge(data, [])["many"] is data["many"]


def test_openings_in_the_wrong_order_twice_or_of_another_event() -> None:
    def turned(parts: Parts) -> None:
        parts.events[1].openings.reverse()

    def twice(parts: Parts) -> None:
        parts.events[1].openings.insert(1, parts.events[1].openings[0])

    def elsewhere(parts: Parts) -> None:
        parts.events[2].openings.append({**parts.events[1].openings[0], "seq": 2})

    def before_any(parts: Parts) -> None:
        parts.events.insert(0, Event({}, []))

    for change in (turned, twice, elsewhere):
        assert judged(forged(WHOLE, change)).verdict == "tampered"
    assert word(refiled((WHOLE[0], WHOLE[2], *WHOLE[1:-1]), HEAD)) == "tampered"


def test_every_reason_has_a_sentence_in_both_languages() -> None:
    for section in sentences().values():
        for code, sentence in section.items():
            assert set(sentence) == {"en", "ja"}, code
