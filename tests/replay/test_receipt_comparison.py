"""Receipts are compared with each other: what a service has signed for one player and for another."""

from collections.abc import Sequence
from typing import Any

import orjson
import pytest

from gyoji.log.canonical import leaf_hash
from gyoji.log.signatures import Signer, signer
from gyoji.trust.log_excerpts import LogExcerpt, read_excerpt
from gyoji.trust.proofs import check_proof, make_proof
from gyoji.trust.receipt_comparison import compare_receipts
from gyoji.trust.receipts import CheckedReceipt, check_receipt, make_receipt
from replay.tampering import SIGNING, STRANGER, TRUSTED, Lines, Parts, entries_of, file_of, forged, trust

SEQ = 5
ENTRIES = entries_of("towai")
MATCH = orjson.loads(ENTRIES[0].body)["match"]
FILE: Lines = file_of(ENTRIES)


def later(parts: Parts) -> None:
    """Another time in one event: what a service does that tells two stories."""
    parts.events[SEQ].document["at"] = "2031-01-01T00:00:00.000Z"


OTHER: Lines = forged(FILE, later)
"""The other story, whole and signed: it differs in that event and in the hashes from there on."""


def told(lines: Lines, seq: int, signing: Signer = SIGNING) -> Any:
    """The receipt of an event of a story, for a spectator."""
    (body,) = [line[:-1] for line in lines if line.startswith(b'{"actor"') and b'"seq":%d,' % seq in line]
    entry = ENTRIES[seq]._replace(body=body, hash=leaf_hash(body), openings=(), position=None)
    return make_receipt(signing, orjson.loads(body)["match"], entry, "public")


def compared(*receipts: Any, log: LogExcerpt | None = None, trusted: Any = TRUSTED) -> list[CheckedReceipt]:
    """What is said of them together."""
    logs = None if log is None else {orjson.loads(one["event"])["match"]: log for one in receipts}
    return compare_receipts([check_receipt(one, trusted, log) for one in receipts], logs)


def said(found: Sequence[CheckedReceipt]) -> list[tuple[str, str, str | None]]:
    """Verdict, result of the comparison, and code of its reason."""
    return [(one.verdict, one.checks[-1].result, (why := one.checks[-1].why) and why.code) for one in found]


GOOD = ("verified", "pass", None)
APART = ("equivocation", "fail", "receipts-apart")


def test_two_of_one_event_are_good_alone_and_an_equivocation_together() -> None:
    one, other = told(FILE, SEQ), told(OTHER, SEQ)
    assert said(compared(one)) == said(compared(other)) == [GOOD]
    found = compared(one, other)
    assert said(found) == [APART, APART]
    pairs = {each.contradiction for each in found}
    assert len(pairs) == 1
    for pair in pairs:
        assert pair is not None
        assert check_proof(make_proof(pair, ()), TRUSTED)[:3] == ("equivocation", MATCH, SEQ)
        assert check_proof(make_proof(pair, ()), (trust(STRANGER),)).verdict == "key_untrusted"


def test_what_others_are_said_of_nobody_else_bears() -> None:
    """Of another event, of another match, and one that is wrong by itself."""
    elsewhere = make_receipt(SIGNING, orjson.loads(entries_of("catte")[SEQ].body)["match"], entries_of("catte")[SEQ], 0)
    found = compared(told(FILE, SEQ), told(FILE, 2), elsewhere, {"event": 1}, told(OTHER, SEQ))
    assert said(found) == [
        APART,
        GOOD,
        GOOD,
        ("malformed", "not_checkable", "receipt-unsigned"),
        APART,
    ]


def test_a_whole_match_is_good_together() -> None:
    """Every event, each twice, and once more signed by the next key."""
    next_key = signer(bytes(range(5, 37)), SIGNING.origin)
    receipts = [told(FILE, entry.seq, key) for entry in ENTRIES for key in (SIGNING, SIGNING, next_key)]
    found = compared(*receipts, trusted=(*TRUSTED, trust(next_key)))
    assert said(found) == [GOOD] * 3 * len(ENTRIES)
    assert {one.contradiction for one in found} == {None}


def test_three_stories() -> None:
    def again(parts: Parts) -> None:
        parts.events[SEQ].document["at"] = "2032-01-01T00:00:00.000Z"

    found = compared(told(FILE, SEQ), told(OTHER, SEQ), told(forged(FILE, again), SEQ))
    assert said(found) == [APART] * 3
    for one in found:
        assert one.contradiction is not None
        assert one.statement in one.contradiction
        assert check_proof(make_proof(one.contradiction, ()), TRUSTED).verdict == "equivocation"


@pytest.mark.parametrize("order", [1, -1])
def test_an_event_and_the_one_after_another_one(order: int) -> None:
    """The later one names the hash of the event before it. The proof would need that event itself."""
    found = compared(*[told(FILE, SEQ), told(OTHER, SEQ + 1)][::order])
    assert said(found) == [APART, APART]
    assert [one.contradiction for one in found] == [None, None]
    assert [one.checks[-1].why and one.checks[-1].why.facts for one in found] == [{"seq": SEQ}] * 2
    assert said(compared(told(FILE, SEQ), told(OTHER, SEQ + 2))) == [GOOD, GOOD]  # nothing is known of what is between
    assert said(compared(told(FILE, SEQ - 1), told(OTHER, SEQ))) == [GOOD, GOOD]  # the stories part after it


def test_a_log_that_nobody_has_signed_leads_from_the_one_to_the_other() -> None:
    log = read_excerpt(OTHER[:-1], frozenset([SEQ, SEQ + 3]))
    assert log is not None
    one, other = told(FILE, SEQ), told(OTHER, SEQ + 3)
    assert check_receipt(one, TRUSTED, log).verdict == "tampered"
    found = compared(one, other, log=log)
    assert said(found) == [APART, APART]
    pair = found[0].contradiction
    assert pair is not None
    assert check_proof(make_proof(pair, OTHER), TRUSTED)[:3] == ("equivocation", MATCH, SEQ)
    honest = read_excerpt(FILE[:-1], frozenset([SEQ, SEQ + 3]))
    assert said(compared(one, told(FILE, SEQ + 3), log=honest)) == [GOOD, GOOD]


def test_a_log_whose_chain_is_broken_leads_nowhere() -> None:
    lines = [line for line in OTHER[:-1] if b'"seq":%d,' % (SEQ + 2) not in line]
    log = read_excerpt(lines, frozenset([SEQ, SEQ + 3]))
    assert log is not None
    found = compared(told(FILE, SEQ), told(OTHER, SEQ + 3), log=log)
    assert said(found) == [("tampered", "pass", None), GOOD]


def test_a_head_and_a_receipt_are_a_proof_as_well() -> None:
    log = read_excerpt(OTHER, frozenset([SEQ]))
    (found,) = compared(told(FILE, SEQ), log=log)
    assert found.verdict == "equivocation"
    assert found.contradiction is not None
    assert check_proof(make_proof(found.contradiction, OTHER), TRUSTED)[:3] == ("equivocation", MATCH, SEQ)


@pytest.mark.parametrize(
    ("trusted", "verdict"),
    [
        (None, "verified_partial"),
        ((), "key_untrusted"),
        ((trust(SIGNING, revoked=True),), "key_untrusted"),
    ],
)
def test_what_nobody_who_is_trusted_has_signed_contradicts_nothing(trusted: Any, verdict: str) -> None:
    found = compared(told(FILE, SEQ), told(OTHER, SEQ), trusted=trusted)
    assert said(found) == [(verdict, "not_checkable", "receipt-unsigned")] * 2


def test_a_strangers_receipt_makes_no_liar_of_the_service() -> None:
    found = compared(told(FILE, SEQ), told(OTHER, SEQ, STRANGER))
    assert said(found) == [GOOD, ("key_untrusted", "not_checkable", "receipt-unsigned")]
    there = signer(bytes(range(3, 35)), "there.example")  # of another service, which is trusted too
    found = compared(told(FILE, SEQ), told(OTHER, SEQ, there), trusted=(*TRUSTED, trust(there)))
    assert said(found) == [GOOD, GOOD]


def test_an_edited_receipt_makes_no_liar_of_the_service() -> None:
    edited = {**told(OTHER, SEQ), "sig": told(FILE, SEQ)["sig"]}
    found = compared(told(FILE, SEQ), edited)
    assert [one.verdict for one in found] == ["verified", "tampered"]
