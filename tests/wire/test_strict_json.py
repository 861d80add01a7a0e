"""The strict JSON corpus, at every call that takes a body: the right status, no echo, and the service goes on."""

import orjson
import pytest

from answers import CheckedClient
from bodies import POSTS, body

CANARY = "canary-b7d1c3"
"""Stands in every body as a value, and in no answer."""

DEEP = 100_000

NO_VALUES: dict[str, bytes] = {
    "NaN": b"NaN",
    "Infinity": b"Infinity",
    "minus Infinity": b"-Infinity",
    "1e999": b"1e999",
    "minus 1e999": b"-1e999",
    "an exponent out of all bounds": b"1e99999999999999999999",
    "a great exponent": b"1e1000000",
    "the greatest exponent that Python reads": b"-1.5e999999999999999999",
    "a fraction": b"4.5",
    "a small fraction": b"1e-1",
    "a fraction that a float would lose": b"4.00000000000000000001",
    "2 to the 53rd": b"9007199254740992",
    "minus 2 to the 53rd": b"-9007199254740992",
    "2 to the 53rd with a fraction of nothing": b"9007199254740992.0",
    "2 to the 53rd as an exponent": b"9.007199254740992e15",
    "10 to the 400th": b"1" + b"0" * 400,
    "5,000 digits": b"7" * 5000,
    "5,000 digits and a fraction of nothing": b"7" * 5000 + b".0",
    "a lone high surrogate": rb'"\ud800"',
    "a lone low surrogate": rb'"x\udfffy"',
    "surrogates the wrong way round": rb'"\udc00\ud800"',
    "a lone surrogate in a name": rb'{"\ud83d":1}',
    "a surrogate in UTF-8": b'"\xed\xa0\x80"',
    "bytes that are no UTF-8": b'"\xff\xfe"',
    "an overlong form": b'"\xc0\xaf"',
    "UTF-8 cut short": b'"\xe2\x82"',
    "Latin-1": b'"caf\xe9"',
    "a line feed in a string": b'"a\nb"',
    "a tab in a string": b'"a\tb"',
    "NUL in a string": b'"a\x00b"',
    "NUL for a value": b"\x00",
    "an escape that is none": rb'"\q"',
    "a short escape": rb'"\u12"',
    "a string that does not end": b'"',
    "a leading zero": b"01",
    "a leading zero after the sign": b"-01",
    "a plus sign": b"+1",
    "no digit before the point": b".5",
    "no digit after the point": b"5.",
    "no exponent": b"1e",
    "hexadecimal": b"0x10",
    "Arabic digits": "٣".encode(),
    "full-width digits": "３".encode(),
    "a thousands separator": b"1_000",
    "Python's word for true": b"True",
    "JavaScript's undefined": b"undefined",
    "single quotes": b"'x'",
    "no value": b"",
    "a comma more in a list": b"[1,]",
    "a comma more in an object": b'{"a":1,}',
    "a name without quotes": b"{a:1}",
    "a number for a name": b"{1:1}",
    "a comment to the end of the line": b"1 // one\n",
    "a comment between": b"/* one */ 1",
    "a comment with a hash": b"1 # one\n",
    "a name twice": b'{"a":1,"a":2}',
    "a name twice, once escaped": rb'{"a":1,"\u0061":1}',
    "a name twice, deep down": b'[[{"x":{"a":null,"b":0,"a":null}}]]',
    "brackets that do not match": b"[}",
    "33 levels": b"[" * 32 + b"]" * 32,  # the object around it is one more
    "33 levels of objects": b'{"a":' * 32 + b"0" + b"}" * 32,
    "100 levels": b"[" * 100 + b"]" * 100,
    "100 levels, mixed": b'[{"a":' * 50 + b"0" + b"}]" * 50,
    "10,000 levels": b"[" * 10_000 + b"]" * 10_000,
}
"""What is no JSON value of this service, wherever it stands: 400."""

NO_DOCUMENTS: dict[str, bytes] = {
    "nothing": b"",
    "a space": b" ",
    "white space": b" \r\n\t\n",
    "NUL": b"\x00",
    "a vertical tab for white space": b"\x0b{}",
    "a no-break space for white space": "\u00a0{}".encode(),
    "a byte-order mark": b"\xef\xbb\xbf{}",
    "UTF-16, little end first": '{"a":1}'.encode("utf-16-le"),
    "UTF-16, big end first": '{"a":1}'.encode("utf-16-be"),
    "UTF-16 with its mark": '{"a":1}'.encode("utf-16"),
    "UTF-32": '{"a":1}'.encode("utf-32"),
    "UTF-32, big end first": '{"a":1}'.encode("utf-32-be"),
    "two documents": b"{}{}",
    "two documents on two lines": b"{}\n{}",
    "NUL after the document": b"{}\x00",
    "a word after the document": b"{} x",
    "an object that does not end": b'{"a":1',
    "only a brace": b"{",
    "only the end of a list": b"]",
    "half a word": b"nul",
    "a form": b"state=1&move=2",
    "XML": b"<?xml version='1.0'?><state/>",
    "MessagePack": b"\x81\xa5state\x80",
    "compressed": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
    "lists without end": b"[" * 60_000,
    "30,000 levels": b"[" * 30_000 + b"]" * 30_000,
    "objects without end": b'{"a":' * 12_000,
}
"""What is no document: 400."""

NO_SHAPES: dict[str, bytes] = {
    "null": b"null",
    "true": b"true",
    "a number": b"1",
    "zero below zero": b"-0",
    "a whole number with a fraction of nothing": b"4.0",
    "a string": b'"x"',
    "an empty string": b'""',
    "an empty list": b"[]",
    "an empty object": b"{}",
    "a list of nothing": b"[null]",
    "32 levels": b"[" * 32 + b"]" * 32,
    "32 levels of objects": b'{"a":' * 32 + b"0" + b"}" * 32,
    "the greatest integers": b"[9007199254740991,-9007199254740991]",
    "characters beyond the first plane, as a pair": rb'["\ud83d\ude00"]',
    "NUL, escaped": rb'["\u0000"]',
    "white space around": b" \t\r\n[ ] ",
    "a long list": b"[" + b"0," * 32_000 + b"0]",
    "a long list of objects": b"[" + b"{}," * 20_000 + b"{}]",
    "a long string": b'"' + b"x" * 60_000 + b'"',
    "a long name": b'{"' + b"x" * 60_000 + b'":1}',
    "names without number": b"{" + b",".join(b'"%d":0' % number for number in range(6000)) + b"}",
    "65,536 bytes": b"[" + b" " * 65_534 + b"]",
}
"""JSON, and no request: 422."""

TOO_LARGE: dict[str, bytes] = {
    "65,537 bytes": b"[" + b" " * 65_535 + b"]",
    "100,000 levels": b"[" * DEEP + b"]" * DEEP,
    "a million digits": b"1" * 1_000_000,
    "white space": b" " * 70_000,
}


def _members(slug: str, call: str, inserted: bytes) -> bytes:
    """A body of that call that would be answered, with two members more: the canary and another."""
    sound = orjson.dumps(body(slug, call))
    return b'{"extra":"%b","other":%b,' % (CANARY.encode(), inserted) + sound[1:]


@pytest.fixture(params=POSTS, ids="/".join)
def call(request: pytest.FixtureRequest) -> tuple[str, str]:
    """(game, call) of an operation."""
    found: tuple[str, str] = request.param
    return found


def _post(client: CheckedClient, call: tuple[str, str], sent: bytes) -> tuple[int, str]:
    length = {"CONTENT_LENGTH": str(len(sent))}  # which the test client leaves out where it is 0
    response = client.post(
        f"/v1/games/{call[0]}/{call[1]}", data=sent, content_type="application/json", environ_overrides=length
    )
    assert CANARY not in response.text
    return response.status_code, "" if response.status_code == 200 else response.get_json()["code"]


def _still_answers(client: CheckedClient, call: tuple[str, str]) -> None:
    assert _post(client, call, orjson.dumps(body(*call))) == (200, "")


def test_values_that_are_none(client: CheckedClient, call: tuple[str, str]) -> None:
    for name, value in NO_VALUES.items():
        assert _post(client, call, _members(*call, value)) == (400, "malformed-json"), name
    _still_answers(client, call)


def test_documents_that_are_none(client: CheckedClient, call: tuple[str, str]) -> None:
    for name, document in NO_DOCUMENTS.items():
        assert _post(client, call, document) == (400, "malformed-json"), name
    _still_answers(client, call)


def test_documents_that_are_no_requests(client: CheckedClient, call: tuple[str, str]) -> None:
    for name, document in NO_SHAPES.items():
        assert _post(client, call, document) == (422, "invalid-request"), name
    _still_answers(client, call)


def test_documents_that_are_too_large(client: CheckedClient, call: tuple[str, str]) -> None:
    for name, document in TOO_LARGE.items():
        assert _post(client, call, document) == (413, "too-large"), name
    _still_answers(client, call)


def test_sound_bodies_with_one_fault(client: CheckedClient, call: tuple[str, str]) -> None:
    """The body would be answered but for one thing about its bytes."""
    sound = orjson.dumps(body(*call))
    first = sound[1 : sound.index(b":")]
    for fault in (
        b"\xef\xbb\xbf" + sound,
        sound.decode().encode("utf-16"),
        sound + b",",
        sound[:-1] + b",}",
        sound[:-1],
        sound + sound,
        b"[" + sound,
        sound[:-1] + b"," + first + b":null}",
        b"{" + first + b":null," + sound[1:],
    ):
        assert _post(client, call, fault) == (400, "malformed-json"), fault[:40]
    assert _post(client, call, b"[" + sound + b"]") == (422, "invalid-request")
    _still_answers(client, call)


@pytest.mark.parametrize("spelled", ["%d.0", "%d.000", "%de0", "%d0e-1", " %d ", "%d.0E+0"])
def test_whole_numbers_however_they_are_spelled(client: CheckedClient, call: tuple[str, str], spelled: str) -> None:
    """4.0 is the integer 4 (and so for JSON Schema), here as the number of seats."""
    if call[1] == "states":
        sent = orjson.dumps(body(*call)).replace(b'"seats":3', b'"seats":' + (spelled % 3).encode())
    else:
        sent = orjson.dumps(body(*call)).replace(b'"version":1', b'"version":' + (spelled % 1).encode())
    assert _post(client, call, sent) == (200, "")


def test_a_fraction_of_nothing_does_not_come_back(client: CheckedClient) -> None:
    response = client.post("/v1/games/catte/states", data=b'{"seats":4.0,"first":0.0}', content_type="application/json")
    assert response.status_code == 200
    assert b'"seats":4,' in response.data


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (b'{"a":"\xff"}', "The body is not UTF-8 from byte 7 on, counted from 1."),
        (b"{", "The body is not one JSON document: it breaks at line 1, column 2."),
        (b'{"a":1,"a":1}', "An object in the body has the same name twice: a."),
        (b'{"a":1.5}', "A number in the body is not an integer within ±(2^53−1): 1.5."),
        (b"[" * 33 + b"]" * 33, "The body is nested deeper than 32 levels."),
        (rb'{"a":"\ud800"}', "A string in the body holds a lone surrogate."),
    ],
)
def test_the_detail_says_which(client: CheckedClient, sent: bytes, why: str) -> None:
    response = client.post("/v1/games/catte/states", data=sent, content_type="application/json")
    assert response.get_json()["detail"] == why
