"""A receipt is checked alone, and beside a log that keeps or breaks what it states."""

import copy
from collections.abc import Sequence
from typing import Any

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gyoji.log import statements
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.redaction import Reader
from gyoji.log.signatures import Signer, public_bytes, signer
from gyoji.messages.receipts import receipt_document, receipt_sentence
from gyoji.trust.log_excerpts import LogExcerpt, read_excerpt
from gyoji.trust.receipts import CheckedReceipt, check_receipt, make_receipt, read_receipt
from replay.tampering import (
    SHORT,
    SIGNING,
    STRANGER,
    TRUSTED,
    Lines,
    Parts,
    entries_of,
    file_of,
    forged,
    judged,
    trust,
)

SEQ = 5
MATCH = orjson.loads(entries_of("towai")[0].body)["match"]


def given(seq: int = SEQ, reader: Reader = "public", signing: Signer = SIGNING, slug: str = "towai") -> Any:
    """The receipt of an event, as a document that may be changed."""
    entry = entries_of(slug)[seq]
    return copy.deepcopy(make_receipt(signing, orjson.loads(entry.body)["match"], entry, reader))


def log_of(lines: Sequence[bytes]) -> LogExcerpt:
    """The log as a receipt of ``SEQ`` is held against it."""
    found = read_excerpt(lines, frozenset([SEQ]))
    assert found is not None
    return found


def result(found: CheckedReceipt, aspect: str) -> tuple[str, str | None]:
    """How an aspect came out, and the code of the reason."""
    return next((one.result, one.why and one.why.code) for one in found.checks if one.aspect == aspect)


def later(parts: Parts) -> None:
    """Another time in the event that the receipt is of: what a service does that tells two stories."""
    parts.events[SEQ].document["at"] = "2031-01-01T00:00:00.000Z"


FILE: Lines = file_of(entries_of("towai"))


@pytest.mark.parametrize("slug", SHORT)
def test_every_receipt_of_a_match_is_good(slug: str) -> None:
    """Of every event, for every seat, alone and beside the log, full and redacted."""
    entries = entries_of(slug)
    for lines in (file_of(entries), file_of(entries, "public")):
        log = read_excerpt(lines, frozenset(range(len(entries))))
        assert log is not None
        for entry in entries:
            for seat in range(SHORT[slug][0]):
                found = check_receipt(given(entry.seq, seat, slug=slug), TRUSTED, log)
                assert (found.verdict, found.seq, [one.result for one in found.checks]) == (
                    "verified",
                    entry.seq,
                    ["pass"] * 4,
                )


def test_alone_nothing_is_said_of_a_log() -> None:
    found = check_receipt(given(), TRUSTED, None)
    assert (found.verdict, found.match, found.seq) == ("verified", MATCH, SEQ)
    assert result(found, "log") == ("not_checkable", "receipt-no-log")
    untold = check_receipt(given(), None, None)
    assert untold.verdict == "verified_partial"
    assert result(untold, "signature") == ("not_checkable", "no-trusted-keys")


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        [],
        "receipt",
        {},
        {**given(), "more": 1},
        {**given(), "event": 7},
        {**given(), "event": "\ud800"},
        {**given(), "event": given()["event"] + " "},
        {**given(), "event": "{}"},
        {**given(), "hash": "0"},
        {**given(), "key": None},
        {**given(), "sig": given()["sig"][:-2]},
        {**given(), "openings": None},
    ],
)
def test_what_is_no_receipt(wrong: Any) -> None:
    assert read_receipt(wrong) is None
    assert check_receipt(wrong, TRUSTED, log_of(FILE))[:3] == ("malformed", None, None)


def test_whose_hash_or_signature_is_wrong() -> None:
    found = check_receipt({**given(), "hash": "0" * 64}, TRUSTED, None)
    assert (found.verdict, result(found, "event")) == ("tampered", ("fail", "receipt-hash"))
    found = check_receipt({**given(), "sig": given(4)["sig"]}, TRUSTED, None)
    assert (found.verdict, result(found, "signature")) == ("tampered", ("fail", "receipt-signature"))
    body = given()["event"].replace(MATCH, MATCH[:-1] + "0")
    changed = {**given(), "event": body, "hash": leaf_hash(body.encode()).hex()}
    assert check_receipt(changed, TRUSTED, None).verdict == "tampered"


def test_whose_key_nobody_trusts() -> None:
    assert check_receipt(given(signing=STRANGER), TRUSTED, None).verdict == "key_untrusted"
    assert check_receipt(given(), (), None).verdict == "key_untrusted"
    revoked = check_receipt(given(), (trust(SIGNING, revoked=True),), None)
    assert (revoked.verdict, result(revoked, "signature")) == ("key_untrusted", ("fail", "revoked-key"))


def test_a_key_that_signs_under_two_names() -> None:
    """The receipt does not name its origin: every name is tried that the key is trusted for."""
    elsewhere = trust(SIGNING)._replace(origin="there.example")
    assert check_receipt(given(), (elsewhere, *TRUSTED), log_of(FILE)).verdict == "verified"
    assert check_receipt(given(), (elsewhere,), None).verdict == "tampered"


def _opened(change: dict[str, Any]) -> CheckedReceipt:
    document = given(1, 0)
    document["openings"][0].update(change)
    return check_receipt(document, TRUSTED, None)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"salt": "0" * 64}, "commit"),
        ({"payload": {"/events/0/hands/0": []}}, "commit"),
        ({"index": 9}, "misplaced"),
        ({"seq": 2}, "misplaced"),
        ({"salt": 1}, "receipt-opening"),
    ],
)
def test_openings_that_do_not_fit(change: dict[str, Any], code: str) -> None:
    found = _opened(change)
    assert (found.verdict, result(found, "openings")) == ("tampered", ("fail", code))


def test_the_opening_of_a_position_is_left_open() -> None:
    found = check_receipt(given(1, "full"), TRUSTED, None)
    assert (found.verdict, result(found, "openings")) == ("verified_partial", ("not_checkable", "receipt-position"))


def test_a_log_shorter_than_the_receipt() -> None:
    short = file_of(entries_of("towai")[:SEQ])
    found = check_receipt(given(), TRUSTED, log_of(short))
    assert (found.verdict, result(found, "log")) == ("incomplete", ("fail", "receipt-beyond"))
    found = check_receipt(given(), TRUSTED, log_of(FILE[:4]))
    assert found.verdict == "incomplete"


def test_a_log_with_a_gap() -> None:
    gap = [line for line in FILE if b'"seq":5,' not in line or line.startswith(b'{"opening"')]
    found = check_receipt(given(), TRUSTED, log_of(gap))
    assert (found.verdict, result(found, "log")) == ("incomplete", ("fail", "receipt-gap"))


def test_a_log_that_tells_another_story_under_the_same_key() -> None:
    """The chain leads from the event to a signed head: service and receipt cannot both be right."""
    found = check_receipt(given(), TRUSTED, log_of(forged(FILE, later)))
    assert (found.verdict, result(found, "log")) == ("equivocation", ("fail", "receipt-against-head"))
    ends_there = forged(file_of(entries_of("towai")[: SEQ + 1]), later)
    assert check_receipt(given(), TRUSTED, log_of(ends_there)).verdict == "equivocation"


def test_two_signed_statements_do_without_the_chain() -> None:
    """The head says it by itself, whatever the lines before it are."""
    *_, head_line = forged(file_of(entries_of("towai")[: SEQ + 1]), later)
    assert check_receipt(given(), TRUSTED, log_of([FILE[0], FILE[1], head_line])).verdict == "equivocation"


def test_a_log_that_nobody_has_signed_like_that() -> None:
    """Changed by somebody without the key, or signed by a key that is not trusted: no proof against the service."""
    told = [line for line in forged(FILE, later) if b'"seq":5,' in line and line.startswith(b'{"actor"')]
    edited = [told[0] if b'"seq":5,' in line and line.startswith(b'{"actor"') else line for line in FILE]
    for lines in (edited, forged(FILE, later, STRANGER), forged(FILE, later)[:-1]):
        found = check_receipt(given(), TRUSTED, log_of(lines))
        assert (found.verdict, result(found, "log")) == ("tampered", ("fail", "receipt"))


def test_a_chain_that_is_broken_proves_nothing() -> None:
    parts = [line for line in forged(FILE, later) if b'"seq":7,' not in line]
    assert check_receipt(given(), TRUSTED, log_of(parts)).verdict == "tampered"


def test_a_log_of_another_name_is_no_contradiction() -> None:
    there = signer(bytes(range(3, 35)), "there.example")

    def moved(parts: Parts) -> None:
        later(parts)
        parts.header["origin"] = "there.example"

    assert check_receipt(given(), (*TRUSTED, trust(there)), log_of(forged(FILE, moved, there))).verdict == "tampered"


def test_a_receipt_that_nobody_has_signed_binds_no_log() -> None:
    found = check_receipt(given(signing=STRANGER), TRUSTED, log_of(forged(FILE, later)))
    assert (found.verdict, result(found, "log")) == ("key_untrusted", ("not_checkable", "receipt-doubtful"))


def test_the_log_of_another_match() -> None:
    found = check_receipt(given(), TRUSTED, log_of(file_of(entries_of("catte"))))
    assert (found.verdict, result(found, "log")) == ("verified_partial", ("not_checkable", "receipt-other-log"))


def test_what_is_no_log() -> None:
    for lines in ([], [b"{}\n"], [b"\xff\n"], FILE[1:]):
        assert read_excerpt(lines, frozenset()) is None
    hostile = [FILE[0], b"[" * 9999 + b"\n", b'{"a":1}\n', b"\xff", b'{"head":1}\n']
    found = read_excerpt(hostile, frozenset([0]))
    assert found is not None
    assert (found.last, found.head, found.hashes) == (-1, None, {})


def test_it_is_said_in_both_languages() -> None:
    found = check_receipt(given(), TRUSTED, log_of(forged(FILE, later)))
    sentence = receipt_sentence(found, "en")
    assert sentence.startswith("The service has signed two things that contradict each other. The r")
    assert receipt_sentence(found, "ja").startswith("署名された二つのものが矛盾しています。受領証と")
    document = receipt_document(found, "en")
    assert list(document) == ["verdict", "match", "seq", "checks"]
    assert [one["check"] for one in document["checks"]] == ["event", "openings", "signature", "log"]
    assert receipt_sentence(check_receipt(given(), TRUSTED, None), "en") == "The receipt is good."


def test_no_card_is_repeated() -> None:
    """What is said of a receipt holds nothing of what it opens."""
    document = given(1, 0)
    cards = document["openings"][0]["payload"]["/events/0/hands/0"]
    for found in (check_receipt(document, TRUSTED, None), _opened({"salt": "0" * 64})):
        said = canonical([receipt_document(found, "en"), receipt_sentence(found, "ja")]).decode()
        assert len(cards) == 7
        assert not [card for card in cards if f'"{card}"' in said]


def test_an_audit_verifies_one_signature_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the head; the chain carries it to every event. Of receipts those of this match are verified as well."""
    keys: list[bytes] = []

    class Counted:
        """Public keys, counted as they are taken to verify with."""

        @staticmethod
        def from_public_bytes(public: bytes) -> Ed25519PublicKey:
            keys.append(public)
            return Ed25519PublicKey.from_public_bytes(public)

    monkeypatch.setattr(statements, "Ed25519PublicKey", Counted)
    assert judged(FILE).verdict == "verified"
    assert keys == [public_bytes(SIGNING.private)]
    keys.clear()
    assert judged(FILE, receipts=[given(3), given(4), given(5, slug="catte")]).verdict == "verified"
    assert len(keys) == 3
