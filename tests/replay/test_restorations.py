"""Receipts of events that were lost in a restore: no lie where the service has signed it, and only there."""

from typing import Any

import orjson
import pytest

from gyoji.audit.verdicts import Verdict
from gyoji.log.statements import statement_of_document
from gyoji.trust.log_excerpts import LogExcerpt, read_excerpt
from gyoji.trust.proofs import check_proof, make_proof
from gyoji.trust.receipt_comparison import compare_receipts
from gyoji.trust.receipts import CheckedReceipt, check_receipt
from gyoji.trust.restorations import read_restoration, sign_restoration
from gyoji.trust.trusted_keys import read_trusted_keys
from replay.restored import (
    AFTER,
    AT,
    BOTH_BY_ONE,
    ENTRIES,
    KNOWN,
    LOG,
    LOST,
    MATCH,
    ORIGIN,
    SEQ,
    SUCCESSOR,
    TRUST,
    key_of,
    published,
    received,
    signed,
    told,
)
from replay.tampering import SIGNING, STRANGER, Lines, failed, file_of, judged, taken_apart, why

BY_LOST = received(LOST, SEQ, SIGNING)
WITHOUT = published()


def judged_by(lines: Lines, trust: Any, receipts: list[Any]) -> Verdict:
    return judged(lines, read_trusted_keys(trust), receipts)


def code(verdict: Verdict) -> str | None:
    reason = why(verdict, "receipts")
    return None if reason is None else reason.code


def logged_in(lines: Lines, *seqs: int) -> LogExcerpt:
    found = read_excerpt(lines, frozenset(seqs))
    assert found is not None
    return found


def held_by(one: Any, trust: Any, log: LogExcerpt) -> tuple[str, str | None]:
    found = check_receipt(one, read_trusted_keys(trust), log)
    (aspect,) = [each for each in found.checks if each.aspect == "log"]
    return found.verdict, aspect.why and aspect.why.code


def test_what_is_written_is_what_is_read() -> None:
    assert read_restoration(signed()) == told()
    text = signed()["statement"]
    assert orjson.loads(text)["open"]["count"] == 1
    assert orjson.dumps(orjson.loads(text), option=orjson.OPT_SORT_KEYS) == text.encode()


def test_a_receipt_of_the_lost_stretch_is_no_lie() -> None:
    """Without the statement it is: on 201a27e that was said of an honest operator."""
    assert judged_by(AFTER, WITHOUT, [BY_LOST]).verdict == "equivocation"
    verdict = judged_by(AFTER, TRUST, [BY_LOST])
    assert (verdict.verdict, failed(verdict), code(verdict)) == ("incomplete", {"receipts"}, "lost-in-restore")
    reason = why(verdict, "receipts")
    assert reason is not None
    assert reason.facts == {"seq": SEQ, "at": AT}
    assert verdict.contradiction is None
    assert verdict.first_divergence is not None
    assert verdict.first_divergence.seq == SEQ


def test_what_was_known_and_what_came_after_are_good() -> None:
    receipts = [received(LOST, KNOWN, SIGNING), received(AFTER, SEQ, SUCCESSOR), received(AFTER, 6, SUCCESSOR)]
    assert judged_by(AFTER, TRUST, receipts).verdict == "verified"


def test_the_same_key_never_has_an_excuse() -> None:
    verdict = judged_by(BOTH_BY_ONE, TRUST, [BY_LOST])
    assert (verdict.verdict, failed(verdict)) == ("equivocation", {"receipts"})
    verdict = judged_by(AFTER, TRUST, [received(LOST, SEQ, SUCCESSOR)])
    assert verdict.verdict == "equivocation"


def test_what_was_known_has_no_excuse() -> None:
    for known in (SEQ, SEQ + 1):
        trust = published(signed(told(open={MATCH: known})))
        assert judged_by(AFTER, trust, [BY_LOST]).verdict == "equivocation"


def test_a_match_that_was_closed_has_no_excuse() -> None:
    assert judged_by(AFTER, published(signed(told(open={}))), [BY_LOST]).verdict == "equivocation"


UNBELIEVABLE: dict[str, Any] = {
    "signed by a stranger": signed(told(), STRANGER),
    "signed by the key that ended alone": signed(told(), SIGNING),
    "signed by the next key alone": signed(told(), SUCCESSOR),
    "of another service": signed(told(origin="there.example")),
    "another text": {**signed(), "statement": signed()["statement"].replace(AT, "2026-03-02T12:30:45.000Z")},
    "another list": {**signed(), "open": [{"log": MATCH, "seq": 1}]},
    "a list out of order": {**signed(), "open": [{"log": MATCH, "seq": KNOWN}, {"log": MATCH, "seq": KNOWN}]},
    "a wrong signature among good ones": {
        **signed(),
        "signatures": [*signed()["signatures"], {"key": SIGNING.key, "sig": "0" * 128}],
    },
    "another version": {**signed(), "format": "gyoji-restoration/2"},
    "more members": {**signed(), "more": 1},
    "no text": {**signed(), "statement": 7},
    "no statement": {**signed(), "statement": "{}"},
    "nothing": None,
}


@pytest.mark.parametrize("what", UNBELIEVABLE)
def test_what_is_not_believed_excuses_nothing(what: str) -> None:
    assert judged_by(AFTER, published(UNBELIEVABLE[what]), [BY_LOST]).verdict == "equivocation"
    assert judged_by(AFTER, published(UNBELIEVABLE[what], signed()), [BY_LOST]).verdict == "incomplete"


def test_a_revoked_key_signs_no_excuse() -> None:
    keys = [key_of(SIGNING), key_of(SUCCESSOR, revoked=AT)]
    found = judged_by(AFTER, {"keys": keys, "restorations": [signed()]}, [BY_LOST])
    assert (found.verdict, failed(found)) == ("tampered", {"head", "receipts"})
    keys = [key_of(SIGNING, revoked=AT), key_of(SUCCESSOR)]
    found = judged_by(AFTER, {"keys": keys, "restorations": [signed()]}, [BY_LOST])
    assert found.verdict == "verified_partial"


def test_one_who_says_both_is_caught_whatever_came_first() -> None:
    """The key that follows has signed the lost event as well."""
    for receipts in ([BY_LOST, received(LOST, SEQ, SUCCESSOR)], [received(LOST, SEQ, SUCCESSOR), BY_LOST]):
        assert judged_by(AFTER, TRUST, receipts).verdict == "equivocation"
        log = logged_in(AFTER, SEQ)
        together = compare_receipts(
            [check_receipt(one, read_trusted_keys(TRUST), log) for one in receipts],
            {MATCH: log},
            read_trusted_keys(TRUST),
        )
        assert "equivocation" in {one.verdict for one in together}


def test_a_log_that_does_not_reach_to_a_lost_event() -> None:
    short = file_of(ENTRIES[:SEQ])
    verdict = judged_by(short, TRUST, [received(LOST, 7, SIGNING)])
    assert (verdict.verdict, code(verdict)) == ("incomplete", "lost-in-restore")
    assert code(judged_by(short, WITHOUT, [received(LOST, 7, SIGNING)])) == "receipt-beyond"


def test_a_receipt_by_itself_against_a_log() -> None:
    log = logged_in(AFTER, SEQ, KNOWN)
    assert held_by(BY_LOST, TRUST, log) == ("incomplete", "lost-in-restore")
    assert held_by(BY_LOST, WITHOUT, log) == ("equivocation", "receipt-against-head")
    assert held_by(received(LOST, KNOWN, SIGNING), TRUST, log) == ("verified", None)
    assert held_by(received(AFTER, SEQ, SUCCESSOR), TRUST, log) == ("verified", None)
    lied = received(LOST, SEQ, SUCCESSOR)
    assert held_by(lied, TRUST, log) == ("equivocation", "receipt-against-head")


def test_a_match_that_was_lost_as_a_whole() -> None:
    nothing = LogExcerpt("", MATCH, {}, -1, 0, None, None)
    unknown = published(signed(told(open={})))
    assert held_by(BY_LOST, unknown, nothing) == ("incomplete", "lost-in-restore")
    assert held_by(BY_LOST, WITHOUT, nothing) == ("incomplete", "receipt-beyond")
    later_key = received(AFTER, SEQ, SUCCESSOR)
    assert held_by(later_key, unknown, nothing) == ("incomplete", "receipt-beyond")


def compared(trust: Any, *receipts: Any) -> list[CheckedReceipt]:
    keys = read_trusted_keys(trust)
    return compare_receipts([check_receipt(one, keys, None) for one in receipts], None, keys)


def test_two_receipts_of_before_and_after() -> None:
    pair = BY_LOST, received(AFTER, SEQ, SUCCESSOR)
    assert [one.verdict for one in compared(WITHOUT, *pair)] == ["equivocation", "equivocation"]
    found = compared(TRUST, *pair)
    assert [(one.verdict, one.checks[-1].why and one.checks[-1].why.code) for one in found] == [
        ("incomplete", "lost-in-restore"),
        ("incomplete", "lost-in-restore"),
    ]
    assert [one.contradiction for one in found] == [None, None]
    neighbours = BY_LOST, received(AFTER, SEQ + 1, SUCCESSOR)
    assert {one.verdict for one in compared(WITHOUT, *neighbours)} == {"equivocation"}
    assert {one.verdict for one in compared(TRUST, *neighbours)} == {"incomplete"}


def test_a_proof_of_it_does_not_hold() -> None:
    (convicted, _other) = compared(WITHOUT, BY_LOST, received(AFTER, SEQ, SUCCESSOR))
    assert convicted.contradiction is not None
    document = make_proof(convicted.contradiction, ())
    assert check_proof(document, read_trusted_keys(WITHOUT)).verdict == "equivocation"
    said = check_proof(document, read_trusted_keys(TRUST))
    assert (said.verdict, said.seq, said.why.code) == ("incomplete", SEQ, "lost-in-restore")


def test_a_proof_through_the_chain_does_not_hold_either() -> None:
    verdict = judged_by(AFTER, WITHOUT, [BY_LOST])
    assert verdict.contradiction is not None
    document = make_proof(verdict.contradiction, AFTER)
    assert check_proof(document, read_trusted_keys(WITHOUT)).verdict == "equivocation"
    assert check_proof(document, read_trusted_keys(TRUST)).verdict == "incomplete"


def test_two_heads_of_before_and_after() -> None:
    head = taken_apart(LOST).ending["head"]
    assert statement_of_document(ORIGIN, head) is not None
    assert judged_by(AFTER, WITHOUT, [head]).verdict == "equivocation"
    verdict = judged_by(AFTER, TRUST, [head])
    assert (verdict.verdict, code(verdict)) == ("incomplete", "lost-in-restore")


def test_of_several_restores_the_first_counts() -> None:
    """What was known at the second one excuses nothing that was known after the first."""
    third = LOG._replace(origin=ORIGIN)
    second = sign_restoration(
        told(generation=20260401000000, ended=(SIGNING.key, SUCCESSOR.key), key=third.key, open={MATCH: 9}),
        (SUCCESSOR, third),
    )
    trust = published(second, signed(), keys=(SIGNING, SUCCESSOR, third))
    assert judged_by(AFTER, trust, [BY_LOST]).verdict == "incomplete"
    assert judged_by(AFTER, trust, [received(LOST, SEQ, third)]).verdict == "equivocation"
