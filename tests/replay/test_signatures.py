"""What is signed, byte for byte."""

import json
from pathlib import Path
from typing import Literal

import pytest

from gyoji.games.chance import length_prefixed, u32
from gyoji.log.signatures import Label, message

VECTORS = json.loads((Path(__file__).parents[2] / "docs" / "vectors" / "replay-v1.json").read_text("utf-8"))


@pytest.mark.parametrize("label", ["head/1", "receipt/1"])
@pytest.mark.parametrize("origin", ["", "club.example", "行司" * 100])
@pytest.mark.parametrize("seq", [0, 258, 2**32 - 1])
def test_what_is_signed_are_fields_behind_their_lengths(label: Label, origin: str, seq: int) -> None:
    match, hashed = "0e0c6c2e-8d3c-4bb2-8a8e-8b2d8a0d4e5f", bytes(range(32))
    assert message(label, origin, match, seq, hashed) == length_prefixed(label, origin, match, u32(seq), hashed)


@pytest.mark.parametrize("name", ["head", "receipt"])
def test_what_is_signed_is_what_the_vectors_say(name: Literal["head", "receipt"]) -> None:
    given = VECTORS[name]
    label: Label = "head/1" if name == "head" else "receipt/1"
    said = message(label, given["origin"], given["match"], given["seq"], bytes.fromhex(given["hash"]))
    assert said.hex() == given["message"]
