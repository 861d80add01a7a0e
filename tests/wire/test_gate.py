"""The quick reading of a body gives what the strict one gives, or leaves the body to it."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from gyoji.wire.gate import MAX_DEPTH, Malformed, _plain, _strictly, checked, parsed

DOCUMENTS = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
)
PIECES = some.lists(
    some.sampled_from(
        [*'{}[],:"\\-+.eE0123456789 ', '"a"', '"a":', "1e16", "1e+16", "1e-7", "18446744073709551616", "null"]
    )
)


def _read(body: bytes) -> Any:
    """What the strict reading makes of the bytes, or why it makes nothing of them; written out, so that 1 is not True
    and not 1.0."""
    try:
        return repr(_strictly(body))
    except Malformed as found:
        return found.why


def _agree(body: bytes) -> None:
    plain = _plain(body)
    assert plain is None or repr(plain) == _read(body)


@given(DOCUMENTS)
def test_written_documents(document: Any) -> None:
    _agree(json.dumps(document).encode())
    _agree(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())


@given(some.binary())
def test_any_bytes(body: bytes) -> None:
    _agree(body)


@given(PIECES)
@example(["1e+16"])
@example(["1e16"])
@example(["1e-7"])
@example(["[", "18446744073709551616", "]"])
@example(["{", '"a":', "1", ",", '"a":', "1", "}"])
def test_pieces_of_documents(pieces: list[str]) -> None:
    _agree("".join(pieces).encode())


@pytest.mark.parametrize("body", [b'{"a":[1,"x",true],"b":{}}', '{"名":"猫"}'.encode(), b"[]", b"7"])
def test_a_plain_body_is_read_quickly(body: bytes) -> None:
    assert _plain(body) == json.loads(body)


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 200, 300, 2000, 100_000])
def test_deep_bodies_are_refused_whichever_reading_meets_them(levels: int) -> None:
    with pytest.raises(Malformed) as found:
        checked(parsed(b"[" * levels + b"]" * levels))
    assert found.value.why == "too-deep"
