"""Files that somebody made up: a verdict for each, in bounded time and memory, and never an exception."""

import json
import random
from typing import Any

import pytest

from replay.tampering import Parts, forged
from replay.test_audit_hostile import WHOLE, hiding, opened_places
from verifier.corpora import TRUST, differences, disfigurements, judged
from verifier.javascript import Refused, called, result, verdict, verdicts

BODY = b"".join(WHOLE)


NONE = [
    b"", b"\n", b"\n\n", b"\x00" * 100, b"{}", b"null\n", b"[]\n", b"\xff\xfe{\n", b"\xef\xbb\xbf" + WHOLE[0],
    WHOLE[0][:-1], b"PK\x03\x04" + bytes(60), b"[" * 100_000 + b"\n", b'{"format":"gyoji-replay/1"}\n',
    WHOLE[0].replace(b'"version":1', b'"version":true'), WHOLE[0].replace(b'"full"', b'["full"]'),
    WHOLE[0].replace(b'"full"', b'{"seat":-1}'), WHOLE[0].replace(b'"full"', b'{"toString":1,"valueOf":1}'),
]  # fmt: skip


def test_what_is_no_replay_file() -> None:
    for body, told in zip(NONE, verdicts(NONE, trust=TRUST), strict=True):
        assert (told["verdict"], told["match"]) == ("malformed", None), body[:60]
        assert told["first_divergence"]["expected"] == "gyoji-replay/1"
        assert {check["result"] for check in told["checks"]} == {"fail", "not_checkable"}


def test_random_bytes_in_the_middle() -> None:
    rng = random.Random(5)
    files = []
    for _ in range(16):
        at, length = rng.randrange(len(BODY)), rng.randrange(1, 200)
        files.append(BODY[:at] + rng.randbytes(length) + BODY[at + rng.randrange(300) :])
    for told in verdicts(files, trust=TRUST):
        assert told["verdict"] in ("tampered", "malformed", "incomplete")


def test_disfigured_events() -> None:
    """Signed by whoever holds the key: nothing that stands in an event ends the verifier."""
    files = disfigurements(5, "hostile")
    found = verdicts([b"".join(lines) for lines in files.values()], trust=TRUST)
    for lines, told in zip(files.values(), found, strict=True):
        assert told["verdict"] == "verified_partial" or judged(lines).verdict != "verified"
        assert len(told["checks"]) == 12


def test_members_that_are_special_to_javascript() -> None:
    names = ("__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "length", "then")
    files = []
    for name in names:
        line = json.dumps({name: {name: 1}}, separators=(",", ":")).encode() + b"\n"
        payload = json.dumps({f"/{name}": None, f"/names/{name}": [1]}, separators=(",", ":"))
        opening = f'{{"opening":{{"index":0,"payload":{payload},"salt":"{"0" * 64}","seq":0}}}}\n'.encode()
        files += [b"".join((*WHOLE[:9], line, *WHOLE[9:])), b"".join((*WHOLE[:2], opening, *WHOLE[3:]))]
    assert {told["verdict"] for told in verdicts(files, trust=TRUST)} == {"tampered"}


def test_a_long_file_of_short_lines_is_read_once() -> None:
    lines = b"".join((*WHOLE[:3], WHOLE[3] * 5_000))
    assert verdict(lines, trust=TRUST)["verdict"] in ("tampered", "malformed")


def test_openings_without_end() -> None:
    big = b'{"opening":{"index":0,"payload":{"/a":"%b"},"salt":"%b","seq":0}}\n' % (b"x" * 1_000_000, b"0" * 64)
    for count, word, expected in ((4, "tampered", "pass"), (5, "malformed", "fail")):
        told = verdict(b"".join((*WHOLE[:2], big * count)), trust=TRUST)
        assert (told["verdict"], result(told, "bytes")) == (word, expected)


def test_text_is_taken_as_well_as_bytes() -> None:
    (told,) = called([("verifyText", [BODY.decode()])])
    assert told["verdict"] == "verified_partial"


def test_what_a_file_says_is_nothing_that_a_terminal_obeys() -> None:
    def typed(parts: Parts) -> None:
        parts.events[2].document["type"] = "\x1b[2J\u202emove_played\n" * 100

    told = verdict(b"".join(forged(WHOLE, typed)), trust=TRUST)
    (why,) = [check["why"] for check in told["checks"] if check["result"] == "fail"]
    assert why.isprintable()
    assert len(why) < 300


@pytest.mark.parametrize("wrong", [7, [], {}, {"keys": 7}])
def test_a_trust_document_of_another_shape_is_refused_and_not_passed_over(wrong: object) -> None:
    with pytest.raises(Refused, match="trust has to be"):
        verdict(BODY, trust=wrong)


PLACES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"a~1b": None}, {"/a~1b": 1}),
    ({"a~b": None}, {"/a~b": 1}),
    ({"a": [None]}, {"/a/00": 1}),
    ({"a": [None]}, {"/a/-": 1}),
    ({"a": None}, {"/a": {"b": None}, "/a/b": 1}),
    ({"a": {"count": True}}, {"/a": [1]}),
    ({"a": {"count": 2}}, {"/a": [1]}),
    ({"a": {"count": 1}}, {"/a/count": 1}),
    ({"a": None}, {"/a": []}),
    ({"a": None}, {}),
    ({"__proto__": None}, {"/__proto__": 1}),
    ({"a": {}}, {"/a/constructor": None}),
    ({"a/b": None}, {"/a~1b": 1}),
    ({"a~1": None}, {"/a~01": 1}),
    ({"": {"count": 0}}, {"/": []}),
    ({"a": [None, {"count": 1}]}, {"/a/0": 1, "/a/1": [1]}),
]
"""What an event hides, and what an opening puts there: nowhere, or in its place."""


def test_places_are_the_same_to_both() -> None:
    files = {str(place): hiding(seq, *place) for place in PLACES for seq in (5, -1)}
    found = verdicts([b"".join(lines) for lines in files.values()], trust=TRUST)
    assert differences(files, found) == []
    assert {told["verdict"] for told in found} == {"tampered", "rules_divergence"}


def test_bounds_of_one_event_are_the_same_to_both() -> None:
    bounds = {
        f"{openings} of {places}": opened_places(openings, places)
        for openings, places in [(64, 1), (65, 1), (64, 256), (1, 257)]
    }
    opening = b'{"opening":{"position":"%b","seq":5}}\n' % (b"0" * 64)
    at = [number for number, line in enumerate(WHOLE) if b'"seq":5,' in line][-1]
    bounds |= {f"{count} lines": (*WHOLE[: at + 1], *[opening] * count, *WHOLE[at + 1 :]) for count in (65, 66)}
    found = verdicts([b"".join(lines) for lines in bounds.values()], trust=TRUST)
    assert differences(bounds, found) == []
    words = dict(zip(bounds, [told["verdict"] for told in found], strict=True))
    assert {name for name, word in words.items() if word == "malformed"} == {"65 of 1", "1 of 257", "66 lines"}


def test_what_was_wrong_before_a_bound_keeps_its_graver_verdict() -> None:
    long = b'{"a":"' + b"x" * 2**20 + b'"}\n'
    files = {
        "alone": (*WHOLE[:9], long, *WHOLE[9:]),
        "after an unreadable line": (*WHOLE[:9], b"[]\n", *WHOLE[9:12], long, *WHOLE[12:]),
        "after a gap": (*WHOLE[:-5], *WHOLE[-4:-1], long),
    }
    found = verdicts([b"".join(lines) for lines in files.values()], trust=TRUST)
    assert differences(files, found) == []
    assert [told["verdict"] for told in found] == ["malformed", "tampered", "incomplete"]
