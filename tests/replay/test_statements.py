"""Signed statements: what each says, who is believed, and which two cannot both be true."""

from typing import Any

import orjson
import pytest

from gyoji.log.signatures import Signer, head
from gyoji.log.statements import (
    Statement,
    contradiction,
    statement_of_head,
    statement_of_receipt,
    why_doubted,
)
from gyoji.trust.receipts import make_receipt
from replay.tampering import SIGNING, STRANGER, TRUSTED, entries_of, trust

MATCH = "0e0c6c2e-8d3c-4bb2-8a8e-8b2d8a0d4e5f"
ONE, OTHER = bytes([1]) * 32, bytes([2]) * 32


def headed(hashed: bytes, seq: int = 7, signing: Signer = SIGNING, match: str = MATCH) -> Statement:
    """A head as its reader takes it."""
    found = statement_of_head(signing.origin, head(signing, match, seq, hashed))
    assert found is not None
    return found


def received(index: int = 3, signing: Signer = SIGNING) -> tuple[dict[str, Any], Statement]:
    """The receipt of a move, and what it says."""
    entry = entries_of("catte")[index]
    document = make_receipt(signing, orjson.loads(entry.body)["match"], entry, "public")
    found = statement_of_receipt("here.example", document)
    assert found is not None
    return document, found


def test_what_they_say() -> None:
    assert headed(ONE)[:6] == ("head", "here.example", MATCH, 7, ONE, SIGNING.key)
    entry = entries_of("catte")[3]
    match = orjson.loads(entry.body)["match"]
    assert received()[1][:6] == ("receipt", "here.example", match, 3, entry.hash, SIGNING.key)
    assert [why_doubted(told, TRUSTED) for told in (headed(ONE), received()[1])] == [None] * 2


@pytest.mark.parametrize(
    "wrong", [{"match": "m"}, {"seq": -1}, {"seq": True}, {"hash": "00"}, {"key": "K"}, {"sig": "00"}, {"more": 1}]
)
def test_what_is_no_head(wrong: dict[str, Any]) -> None:
    assert statement_of_head("here.example", {**head(SIGNING, MATCH, 7, ONE), **wrong}) is None
    assert statement_of_head("here.example", None) is None


def test_what_is_no_receipt() -> None:
    document, _ = received()
    for wrong in ({"hash": "0" * 64}, {"event": "{}"}, {"event": 1}, {"sig": "z"}, {"key": None}):
        assert statement_of_receipt("here.example", {**document, **wrong}) is None


def test_who_is_believed() -> None:
    told = headed(ONE)
    elsewhere = trust(SIGNING)._replace(origin="there.example")
    assert why_doubted(told, ()) == "unknown-key"
    assert why_doubted(told, [trust(STRANGER)]) == "unknown-key"
    assert why_doubted(told, [elsewhere]) == "other-origin"
    assert why_doubted(told, [elsewhere, *TRUSTED]) is None
    assert why_doubted(told, [trust(SIGNING, revoked=True)]) == "revoked-key"
    assert why_doubted(told, [*TRUSTED, trust(SIGNING, revoked=True)]) == "revoked-key"
    assert why_doubted(told._replace(hash=OTHER), TRUSTED) == "signature"
    assert why_doubted(told._replace(seq=8), TRUSTED) == "signature"
    assert why_doubted(told._replace(kind="receipt"), TRUSTED) == "signature"
    assert why_doubted(told._replace(sig="zz"), TRUSTED) == "signature"
    impossible = TRUSTED[0]._replace(public=bytes(31))
    assert why_doubted(told, [impossible]) == "signature"


def test_two_things_told_of_one_place() -> None:
    assert contradiction(headed(ONE), headed(OTHER))
    assert contradiction(headed(ONE), headed(OTHER)._replace(kind="receipt"))
    assert not contradiction(headed(ONE), headed(ONE)._replace(kind="receipt", sig=""))
    assert not contradiction(headed(ONE), headed(OTHER, seq=8))
    assert not contradiction(headed(ONE), headed(OTHER, match=MATCH.replace("0", "1")))
    assert not contradiction(headed(ONE), headed(OTHER)._replace(origin="there.example"))
