"""The audit checks who has signed a log: receipts and heads of every kind of key, beside logs of every kind of end."""

from typing import Any

import orjson
import pytest

from gyoji.audit.verdicts import Word
from gyoji.log.canonical import leaf_hash
from gyoji.log.signatures import Signer, head, signer
from gyoji.trust.proofs import check_proof, make_proof
from gyoji.trust.receipts import make_receipt
from replay.seedings import log_of
from replay.tampering import (
    SIGNING,
    STRANGER,
    TRUSTED,
    Parts,
    entries_of,
    failed,
    file_of,
    forged,
    judged,
    refiled,
    result,
    taken_apart,
    trust,
    why,
)

ENTRIES = entries_of("towai")
WHOLE = file_of(ENTRIES)
MATCH = orjson.loads(ENTRIES[0].body)["match"]
SUCCESSOR = signer(bytes(range(3, 35)), "here.example")
ELSEWHERE = SIGNING._replace(origin="there.example")


def later(parts: Parts) -> None:
    """Another time for event 4, and so other hashes from there on."""
    parts.events[4].document["at"] = "2026-01-01T00:00:04.001Z"


OTHER = forged(WHOLE, later)


def received(*seqs: int, signing: Signer = SIGNING) -> list[Any]:
    return [make_receipt(signing, MATCH, ENTRIES[seq], "public") for seq in seqs]


def test_keys_of_one_origin_are_one_voice() -> None:
    """After a rotation both are the service's own."""
    keys = (*TRUSTED, trust(SUCCESSOR))
    verdict = judged(OTHER, keys, received(4, signing=SUCCESSOR))
    assert (verdict.verdict, failed(verdict)) == ("equivocation", {"receipts"})


@pytest.mark.parametrize("signing", [STRANGER, ELSEWHERE, SUCCESSOR])
def test_a_receipt_of_an_unknown_revoked_or_foreign_key_proves_nothing(signing: Signer) -> None:
    keys = (*TRUSTED, trust(SUCCESSOR, revoked=True), trust(ELSEWHERE))
    verdict = judged(OTHER, keys, received(4, signing=signing))
    assert (verdict.verdict, result(verdict, "receipts")) == ("verified_partial", "not_checkable")


@pytest.mark.parametrize(
    ("signing", "keys", "expected"),
    [
        (STRANGER, TRUSTED, "tampered"),
        (SUCCESSOR, (*TRUSTED, trust(SUCCESSOR, revoked=True)), "tampered"),
        (SUCCESSOR, (*TRUSTED, trust(SUCCESSOR)), "equivocation"),
    ],
)
def test_a_log_that_differs_is_an_equivocation_only_under_a_trusted_head(
    signing: Signer, keys: Any, expected: Word
) -> None:
    verdict = judged(forged(WHOLE, later, signing), keys, received(4, 5))
    assert verdict.verdict == expected
    assert "receipts" in failed(verdict)


def test_a_later_receipt_that_the_log_keeps_speaks_for_what_comes_before_it() -> None:
    """The head is a stranger's, but a receipt of event 6 names the hashes of those before."""
    given = [*received(4), receipted(OTHER, 6)]
    verdict = judged(forged(OTHER, lambda _parts: None, STRANGER), TRUSTED, given)
    assert (verdict.verdict, failed(verdict)) == ("equivocation", {"receipts", "head"})
    assert verdict.contradiction is not None
    assert [told.seq for told in verdict.contradiction] == [4, 6]
    found = make_proof(verdict.contradiction, OTHER)
    assert [orjson.loads(text)["seq"] for text in found["chain"]] == [4, 5, 6]
    assert check_proof(found, TRUSTED).verdict == "equivocation"


def receipted(lines: Any, seq: int) -> dict[str, Any]:
    """A receipt of an event as a file has it."""
    body = next(line[:-1] for line in lines if line.startswith(b'{"actor"') and orjson.loads(line)["seq"] == seq)
    entry = ENTRIES[seq]._replace(body=body, hash=leaf_hash(body))
    return make_receipt(SIGNING, MATCH, entry, "public")


def test_two_receipts_that_contradict_each_other_whatever_the_log_says() -> None:
    verdict = judged(WHOLE, TRUSTED, [*received(4), receipted(OTHER, 4)])
    assert (verdict.verdict, failed(verdict)) == ("equivocation", {"receipts"})
    reason = why(verdict, "receipts")
    assert reason is not None
    assert reason.code == "statements-apart"


def test_a_head_that_another_reader_has() -> None:
    before = taken_apart(file_of(ENTRIES[:6])).ending
    assert judged(WHOLE, TRUSTED, [before]).verdict == "verified"
    assert judged(OTHER, TRUSTED, [before]).verdict == "equivocation"
    assert judged(file_of(ENTRIES[:6]), TRUSTED, [taken_apart(WHOLE).ending["head"]]).verdict == "incomplete"
    made_up = {**head(SIGNING, MATCH, 5, bytes(32)), "sig": "0" * 128}
    assert result(judged(WHOLE, TRUSTED, [made_up]), "receipts") == "not_checkable"


def test_an_event_that_a_receipt_tells_of_is_left_out() -> None:
    lines = [line for line in WHOLE if b'"seq":4,' not in line]
    verdict = judged(refiled(lines[:-1], taken_apart(WHOLE).ending["head"]), TRUSTED, received(4))
    assert (verdict.verdict, result(verdict, "receipts")) == ("incomplete", "fail")


def test_receipts_of_a_void_match() -> None:
    log = log_of("cancelled in play")
    given = [make_receipt(SIGNING, log.match.match, entry, "public") for entry in log.entries]
    assert result(judged(file_of(log.entries), TRUSTED, given), "receipts") == "pass"
    verdict = judged(file_of(log.entries[:-3]), TRUSTED, given)
    assert (verdict.verdict, failed(verdict)) == ("incomplete", {"receipts"})


def test_without_keys_nobody_is_accused() -> None:
    verdict = judged(OTHER, None, received(4))
    assert (verdict.verdict, result(verdict, "receipts")) == ("verified_partial", "not_checkable")
