"""What players keep, held against a file: fewer events than a receipt proves, others, or two that contradict."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import orjson
import pytest

from gyoji.log.entries import Entry
from gyoji.log.signatures import Signer, head
from gyoji.trust.receipts import make_receipt
from gyoji.trust.trusted_keys import read_trusted_keys
from replay import restored
from replay.tampering import SIGNING, STRANGER, Lines, Parts, entries_of, file_of, forged, judged, refiled, taken_apart
from replay.test_restorations import UNBELIEVABLE
from verifier.corpora import TRUST
from verifier.javascript import called, command, result, verdict

ENTRIES = entries_of("towai")
MATCH = orjson.loads(ENTRIES[0].body)["match"]
BODY = b"".join(file_of(ENTRIES))


def received(entry: Entry, signing: Signer = SIGNING) -> dict[str, Any]:
    """The receipt of an entry."""
    return make_receipt(signing, MATCH, entry, 0)


def later(parts: Parts) -> None:
    """Another time for event 4, and so other hashes from there on."""
    parts.events[4].document["at"] = "2026-01-01T00:00:04.001Z"


OTHER = forged(file_of(ENTRIES), later)
OTHER_HEAD = taken_apart(OTHER).ending["head"]


def test_those_that_agree() -> None:
    told = verdict(BODY, trust=TRUST, receipts=[received(entry) for entry in ENTRIES])
    assert (told["verdict"], result(told, "receipts")) == ("verified_partial", "pass")
    answer = {"receipt": received(ENTRIES[2]), "seq": 2}
    assert result(verdict(BODY, trust=TRUST, receipts=answer), "receipts") == "pass"
    assert result(verdict(BODY, trust=TRUST, receipts=taken_apart(file_of(ENTRIES)).ending), "receipts") == "pass"


def test_one_beyond_the_end() -> None:
    told = verdict(b"".join(file_of(ENTRIES[:5])), trust=TRUST, receipts=[received(ENTRIES[7])])
    assert (told["verdict"], result(told, "receipts")) == ("incomplete", "fail")
    assert told["first_divergence"]["seq"] == 5


def test_two_heads_of_the_same_event() -> None:
    told = verdict(BODY, trust=TRUST, receipts=[OTHER_HEAD])
    assert told["verdict"] == "equivocation"
    assert told["first_divergence"]["seq"] == len(ENTRIES) - 1
    hashes = {told["first_divergence"]["expected"], told["first_divergence"]["found"]}
    assert hashes == {OTHER_HEAD["hash"], taken_apart(file_of(ENTRIES)).ending["head"]["hash"]}


def test_two_heads_of_an_event_that_the_file_goes_beyond() -> None:
    one, other = (head(SIGNING, MATCH, 3, bytes([number]) * 32) for number in (1, 2))
    assert verdict(BODY, trust=TRUST, receipts=[one, other])["verdict"] == "equivocation"


ELSEWHERE = SIGNING._replace(origin="there.example")


def test_a_receipt_that_the_chain_under_a_signed_head_contradicts() -> None:
    """The head speaks for every event before it. Without it nobody has said two things: the file is another."""
    receipts = [make_receipt(SIGNING, MATCH, ENTRIES[4], 0)]
    told = verdict(b"".join(OTHER), trust=TRUST, receipts=receipts)
    assert (told["verdict"], told["first_divergence"]["seq"]) == ("equivocation", 4)
    told = verdict(b"".join(forged(file_of(ENTRIES), later, STRANGER)), trust=TRUST, receipts=receipts)
    assert (told["verdict"], result(told, "receipts")) == ("tampered", "fail")


AGAINST: list[tuple[Lines, list[Any], str]] = [
    (OTHER, [received(ENTRIES[4])], "equivocation"),
    (forged(file_of(ENTRIES), later, STRANGER), [received(ENTRIES[4])], "tampered"),
    (file_of(ENTRIES), [OTHER_HEAD], "equivocation"),
    (file_of(ENTRIES[:3]), [received(ENTRIES[4])], "incomplete"),
    (file_of(ENTRIES[:5]), [received(ENTRIES[7]), received(ENTRIES[2])], "incomplete"),
]


def test_both_verifiers_say_the_same_of_receipts_and_heads() -> None:
    for lines, receipts, word in AGAINST:
        ours, other = judged(lines, receipts=receipts), verdict(b"".join(lines), trust=TRUST, receipts=receipts)
        assert (ours.verdict, other["verdict"]) == (word, word)
        assert ours.first_divergence is not None
        assert other["first_divergence"]["seq"] == ours.first_divergence.seq


def test_a_receipt_of_an_event_that_was_left_out() -> None:
    lines = [line for line in file_of(ENTRIES) if b'"seq":4,"type"' not in line]
    told = verdict(b"".join(refiled(lines[:-1], taken_apart(OTHER).ending["head"])), trust=TRUST, receipts=[])
    assert told["verdict"] == "tampered"
    honest = refiled(lines[:-1], taken_apart(file_of(ENTRIES)).ending["head"])
    told = verdict(b"".join(honest), trust=TRUST, receipts=[received(ENTRIES[4])])
    assert (told["verdict"], result(told, "receipts")) == ("incomplete", "fail")


@pytest.mark.parametrize("signing", [STRANGER, SIGNING._replace(key="0" * 16), ELSEWHERE])
def test_what_no_trusted_key_has_signed_proves_nothing(signing: Signer) -> None:
    told = verdict(BODY, trust=TRUST, receipts=[head(signing, MATCH, len(ENTRIES) - 1, bytes(32))])
    assert (told["verdict"], result(told, "receipts")) == ("verified_partial", "not_checkable")


WRONG: list[Any] = [
    None, 7, "x", [], {}, {"receipt": None}, {"head": []}, {"event": 7}, {"event": "{}", "hash": ""},
    {**received(ENTRIES[3]), "hash": "0" * 64}, {**received(ENTRIES[3]), "sig": "0" * 128},
    {**received(ENTRIES[3]), "event": "\ud800"}, {**received(ENTRIES[3]), "event": "[" * 9_000},
]  # fmt: skip


def test_what_is_no_receipt_proves_nothing() -> None:
    file = b64encode(BODY).decode()
    for told in called([("verify", [file, {"trust": TRUST, "receipts": [wrong]}]) for wrong in WRONG]):
        assert (told["verdict"], result(told, "receipts")) == ("verified_partial", "not_checkable")


@pytest.mark.parametrize("doubtful", [{**received(ENTRIES[3]), "sig": "0" * 128}, "x"])
def test_one_that_nobody_signed_is_not_passed_over_among_good_ones(doubtful: Any) -> None:
    receipts = [received(ENTRIES[2]), doubtful]
    told = verdict(BODY, trust=TRUST, receipts=receipts)
    ours = judged(file_of(ENTRIES), receipts=receipts)
    assert result(told, "receipts") == "not_checkable"
    assert "not_checkable" in [one.result for one in ours.checks if one.check == "receipts"]


def test_without_trusted_keys_no_receipt_says_anything() -> None:
    told = verdict(BODY, receipts=[OTHER_HEAD])
    assert (told["verdict"], result(told, "receipts")) == ("verified_partial", "not_checkable")


def test_the_command_takes_them_one_or_many(tmp_path: Path) -> None:
    (tmp_path / "match.jsonl").write_bytes(BODY)
    (tmp_path / "trust.json").write_text(json.dumps(TRUST), "utf-8")
    many = "".join(json.dumps(received(entry)) + "\n" for entry in ENTRIES[:3])
    for name, text in (("one.json", json.dumps(OTHER_HEAD)), ("many.jsonl", many), ("none.json", "what?")):
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept.json").write_text(json.dumps([received(ENTRIES[3]), OTHER_HEAD]), "utf-8")
    given = ("match.jsonl", "--trust", "trust.json", "--receipts")
    names = ("one.json", "many.jsonl", "none.json", "folder", "nowhere")
    assert [command(*given, name, cwd=tmp_path).returncode for name in names] == [41, 10, 2, 41, 2]


BY_LOST = restored.received(restored.LOST, restored.SEQ, SIGNING)
LIE = restored.received(restored.LOST, restored.SEQ, restored.SUCCESSOR)
"""The same event by the key that follows."""

RESTORED: list[tuple[Lines, Any, list[Any], str]] = [
    (restored.AFTER, restored.published(), [BY_LOST], "equivocation"),
    (restored.AFTER, restored.TRUST, [BY_LOST], "incomplete"),
    (restored.AFTER, restored.TRUST, [BY_LOST, LIE], "equivocation"),
    (restored.AFTER, restored.TRUST, [LIE, BY_LOST], "equivocation"),
    (restored.AFTER, restored.TRUST, [taken_apart(restored.LOST).ending], "incomplete"),
    (restored.BOTH_BY_ONE, restored.TRUST, [BY_LOST], "equivocation"),
    (file_of(ENTRIES[: restored.SEQ]), restored.TRUST, [restored.received(restored.LOST, 7, SIGNING)], "incomplete"),
    *[
        (restored.AFTER, restored.published(restored.signed(restored.told(open=known))), [BY_LOST], word)
        for known, word in (
            ({restored.MATCH: restored.KNOWN}, "incomplete"),
            ({restored.MATCH: restored.SEQ}, "equivocation"),
            ({}, "equivocation"),
        )
    ],
    *[(restored.AFTER, restored.published(found), [BY_LOST], "equivocation") for found in UNBELIEVABLE.values()],
]


def test_both_verifiers_say_the_same_of_what_was_lost_in_a_restore() -> None:
    """Of such receipts, and of statements that are not to be believed."""
    files = [b64encode(b"".join(lines)).decode() for lines, *_ in RESTORED]
    given = [{"trust": trust, "receipts": kept} for _lines, trust, kept, _word in RESTORED]
    asked = [("verify", [file, more]) for file, more in zip(files, given, strict=True)]
    for (lines, trust, kept, word), other in zip(RESTORED, called(asked), strict=True):
        ours = judged(lines, read_trusted_keys(trust), kept)
        assert (ours.verdict, other["verdict"]) == (word, word)
        assert ours.first_divergence is not None
        assert other["first_divergence"]["seq"] == ours.first_divergence.seq
        sentence = next(one["why"] for one in other["checks"] if one["check"] == "receipts")
        said = next(one.why for one in ours.checks if one.check == "receipts")
        assert said is not None
        assert (said.code == "lost-in-restore") == ("was lost when the store of the service was restored" in sentence)
