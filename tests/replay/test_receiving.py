"""A receipt in its holder's hands: alone, and beside a log that keeps or breaks what it promises."""

import copy
from collections.abc import Sequence
from typing import Any

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gyoji.log import statements
from gyoji.log.canonical import canonical, leaf_hash
from gyoji.log.readers import Reader
from gyoji.log.signatures import Signer, public_bytes, signer
from gyoji.messages.receipts import held_document, held_sentence
from gyoji.trust.receipt_checks import Held, Logged, held, logged, read
from gyoji.trust.receipts import receipt
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
    return copy.deepcopy(receipt(signing, orjson.loads(entry.body)["match"], entry, reader))


def log_of(lines: Sequence[bytes]) -> Logged:
    """The log as a receipt of ``SEQ`` is held against it."""
    found = logged(lines, frozenset([SEQ]))
    assert found is not None
    return found


def result(found: Held, aspect: str) -> tuple[str, str | None]:
    """How an aspect came out, and the code of the reason."""
    return next((one.result, one.why and one.why.code) for one in found.weighed if one.aspect == aspect)


def later(parts: Parts) -> None:
    """Another time in the event that the receipt is of: what a service does that tells two stories."""
    parts.events[SEQ].document["at"] = "2031-01-01T00:00:00.000Z"


FILE: Lines = file_of(entries_of("towai"))


@pytest.mark.parametrize("slug", SHORT)
def test_every_receipt_of_a_match_is_good(slug: str) -> None:
    """Of every event, for every seat, alone and beside the log, full and redacted."""
    entries = entries_of(slug)
    for lines in (file_of(entries), file_of(entries, "public")):
        log = logged(lines, frozenset(range(len(entries))))
        assert log is not None
        for entry in entries:
            for seat in range(SHORT[slug][0]):
                found = held(given(entry.seq, seat, slug=slug), TRUSTED, log)
                assert (found.verdict, found.seq, [one.result for one in found.weighed]) == (
                    "verified",
                    entry.seq,
                    ["pass"] * 4,
                )


def test_alone_nothing_is_said_of_a_log() -> None:
    found = held(given(), TRUSTED, None)
    assert (found.verdict, found.match, found.seq) == ("verified", MATCH, SEQ)
    assert result(found, "log") == ("not_checkable", "receipt-no-log")
    untold = held(given(), None, None)
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
    assert read(wrong) is None
    assert held(wrong, TRUSTED, log_of(FILE))[:3] == ("malformed", None, None)


def test_whose_hash_or_signature_is_wrong() -> None:
    found = held({**given(), "hash": "0" * 64}, TRUSTED, None)
    assert (found.verdict, result(found, "event")) == ("tampered", ("fail", "receipt-hash"))
    found = held({**given(), "sig": given(4)["sig"]}, TRUSTED, None)
    assert (found.verdict, result(found, "signature")) == ("tampered", ("fail", "receipt-signature"))
    body = given()["event"].replace(MATCH, MATCH[:-1] + "0")
    changed = {**given(), "event": body, "hash": leaf_hash(body.encode()).hex()}
    assert held(changed, TRUSTED, None).verdict == "tampered"


def test_whose_key_nobody_trusts() -> None:
    assert held(given(signing=STRANGER), TRUSTED, None).verdict == "key_untrusted"
    assert held(given(), (), None).verdict == "key_untrusted"
    revoked = held(given(), (trust(SIGNING, revoked=True),), None)
    assert (revoked.verdict, result(revoked, "signature")) == ("key_untrusted", ("fail", "revoked-key"))


def test_a_key_that_signs_under_two_names() -> None:
    """The receipt does not name its origin: every name is tried that the key is trusted for."""
    elsewhere = trust(SIGNING)._replace(origin="there.example")
    assert held(given(), (elsewhere, *TRUSTED), log_of(FILE)).verdict == "verified"
    assert held(given(), (elsewhere,), None).verdict == "tampered"


def _opened(change: dict[str, Any]) -> Held:
    document = given(1, 0)
    document["openings"][0].update(change)
    return held(document, TRUSTED, None)


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
    found = held(given(1, "full"), TRUSTED, None)
    assert (found.verdict, result(found, "openings")) == ("verified_partial", ("not_checkable", "receipt-position"))


def test_a_log_shorter_than_the_receipt() -> None:
    short = file_of(entries_of("towai")[:SEQ])
    found = held(given(), TRUSTED, log_of(short))
    assert (found.verdict, result(found, "log")) == ("incomplete", ("fail", "receipt-beyond"))
    found = held(given(), TRUSTED, log_of(FILE[:4]))
    assert found.verdict == "incomplete"


def test_a_log_with_a_gap() -> None:
    gap = [line for line in FILE if b'"seq":5,' not in line or line.startswith(b'{"opening"')]
    found = held(given(), TRUSTED, log_of(gap))
    assert (found.verdict, result(found, "log")) == ("incomplete", ("fail", "receipt-gap"))


def test_a_log_that_tells_another_story_under_the_same_key() -> None:
    """The chain leads from the event to a signed head: service and receipt cannot both be right."""
    found = held(given(), TRUSTED, log_of(forged(FILE, later)))
    assert (found.verdict, result(found, "log")) == ("equivocation", ("fail", "receipt-against-head"))
    ends_there = forged(file_of(entries_of("towai")[: SEQ + 1]), later)
    assert held(given(), TRUSTED, log_of(ends_there)).verdict == "equivocation"


def test_two_signed_statements_do_without_the_chain() -> None:
    """The head says it by itself, whatever the lines before it are."""
    *_, head_line = forged(file_of(entries_of("towai")[: SEQ + 1]), later)
    assert held(given(), TRUSTED, log_of([FILE[0], FILE[1], head_line])).verdict == "equivocation"


def test_a_log_that_nobody_has_signed_like_that() -> None:
    """Changed by somebody without the key, or signed by a key that is not trusted: no proof against the service."""
    told = [line for line in forged(FILE, later) if b'"seq":5,' in line and line.startswith(b'{"actor"')]
    edited = [told[0] if b'"seq":5,' in line and line.startswith(b'{"actor"') else line for line in FILE]
    for lines in (edited, forged(FILE, later, STRANGER), forged(FILE, later)[:-1]):
        found = held(given(), TRUSTED, log_of(lines))
        assert (found.verdict, result(found, "log")) == ("tampered", ("fail", "receipt"))


def test_a_chain_that_is_broken_proves_nothing() -> None:
    parts = [line for line in forged(FILE, later) if b'"seq":7,' not in line]
    assert held(given(), TRUSTED, log_of(parts)).verdict == "tampered"


def test_a_log_of_another_name_is_no_contradiction() -> None:
    there = signer(bytes(range(3, 35)), "there.example")

    def moved(parts: Parts) -> None:
        later(parts)
        parts.header["origin"] = "there.example"

    assert held(given(), (*TRUSTED, trust(there)), log_of(forged(FILE, moved, there))).verdict == "tampered"


def test_a_receipt_that_nobody_has_signed_binds_no_log() -> None:
    found = held(given(signing=STRANGER), TRUSTED, log_of(forged(FILE, later)))
    assert (found.verdict, result(found, "log")) == ("key_untrusted", ("not_checkable", "receipt-doubtful"))


def test_the_log_of_another_match() -> None:
    found = held(given(), TRUSTED, log_of(file_of(entries_of("catte"))))
    assert (found.verdict, result(found, "log")) == ("verified_partial", ("not_checkable", "receipt-other-log"))


def test_what_is_no_log() -> None:
    for lines in ([], [b"{}\n"], [b"\xff\n"], FILE[1:]):
        assert logged(lines, frozenset()) is None
    hostile = [FILE[0], b"[" * 9999 + b"\n", b'{"a":1}\n', b"\xff", b'{"head":1}\n']
    found = logged(hostile, frozenset([0]))
    assert found is not None
    assert (found.last, found.head, found.hashes) == (-1, None, {})


def test_it_is_said_in_both_languages() -> None:
    found = held(given(), TRUSTED, log_of(forged(FILE, later)))
    assert held_sentence(found, "en").startswith("The service has signed two things that contradict each other. The r")
    assert held_sentence(found, "ja").startswith("署名された二つのものが矛盾しています。受領証と")
    document = held_document(found, "en")
    assert list(document) == ["verdict", "match", "seq", "checks"]
    assert [one["check"] for one in document["checks"]] == ["event", "openings", "signature", "log"]
    assert held_sentence(held(given(), TRUSTED, None), "en") == "The receipt is good."


def test_no_card_is_repeated() -> None:
    """What is said of a receipt holds nothing of what it opens."""
    document = given(1, 0)
    cards = document["openings"][0]["payload"]["/events/0/hands/0"]
    for found in (held(document, TRUSTED, None), _opened({"salt": "0" * 64})):
        said = canonical([held_document(found, "en"), held_sentence(found, "ja")]).decode()
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
