"""The audit verifies honest files: in full, partly where something is hidden or to come, and never worse."""

from typing import Any

import orjson
import pytest

from gyoji.audit.verdicts import CHECKS
from gyoji.log.canonical import canonical
from gyoji.log.files import redact_lines
from gyoji.log.signatures import signer
from gyoji.match.seeding import Disclosure
from gyoji.trust.receipts import make_receipt
from replay.tampering import (
    SHORT,
    SIGNING,
    STRANGER,
    TRUSTED,
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

EACH = pytest.mark.parametrize("slug", SHORT)
DISCLOSURES = pytest.mark.parametrize("disclosure", ["public_on_close", "auditors_only"])

PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("tomorrow-never-meows", {"wishes": "basic", "round_leader": "clockwise"}),
    ("tomorrow-never-meows", {"concealed": True, "bluff_scoring": "per_trick"}),
    ("catte", {"bust_bonus": "forfeit"}),
    ("towai", {"finishes_to_win": 2, "first_card": "any", "reform": "discard"}),
    ("familiars-trouble", {"hand_exchange": False, "opening": [2, 2, 1], "lead_rule": "any"}),
    ("familiars-trouble", {"errand_exchange": False}),
]


@EACH
@DISCLOSURES
def test_a_finished_match_is_verified(slug: str, disclosure: Disclosure) -> None:
    verdict = judged(file_of(entries_of(slug, disclosure)))
    assert (verdict.verdict, verdict.first_divergence) == ("verified", None)
    assert [checked.check for checked in verdict.checks] == list(CHECKS)
    assert {checked.check for checked in verdict.checks if checked.result != "pass"} == {"receipts"}


@pytest.mark.parametrize(("slug", "options"), PLAYED)
def test_options_and_seeds(slug: str, options: dict[str, Any]) -> None:
    for seed in ("one", "two"):
        assert judged(file_of(entries_of(slug, "auditors_only", seed, canonical(options)))).verdict == "verified"


@EACH
@DISCLOSURES
def test_a_redacted_file_is_never_less_than_partly_verified(slug: str, disclosure: Disclosure) -> None:
    whole = file_of(entries_of(slug, disclosure))
    for reader in ("public", *range(SHORT[slug][0])):
        verdict = judged(redact_lines(whole, reader))
        assert (verdict.verdict, failed(verdict)) == ("verified_partial", set())
        assert result(verdict, "chain") == result(verdict, "head") == result(verdict, "file") == "pass"
        assert result(verdict, "openings") == result(verdict, "positions") == "not_checkable"
        assert result(verdict, "commitment") == ("pass" if disclosure == "public_on_close" else "not_checkable")


def test_open_moves_are_played_again_from_a_public_seed() -> None:
    verdict = judged(file_of(entries_of("catte"), "public"))
    checks = ("commitment", "shuffles", "moves", "scores", "result")
    assert [result(verdict, check) for check in checks] == ["pass"] * 5  # type: ignore[arg-type]


def test_hidden_cards_cannot_be_played_again() -> None:
    verdict = judged(file_of(entries_of("catte", "auditors_only"), 0))
    assert result(verdict, "moves") == "not_checkable"
    reason = why(verdict, "moves")
    assert reason is not None
    assert reason.code == "hidden-cards"


@EACH
def test_a_running_match_is_partly_verified_at_every_event(slug: str) -> None:
    entries = entries_of(slug)
    readers: tuple[Any, ...] = ("full", "public", 1)
    for until in range(1, len(entries)):
        verdict = judged(file_of(entries[:until], readers[until % 3]))
        assert (verdict.verdict, failed(verdict)) == ("verified_partial", set()), until


def test_what_a_running_match_leaves_open() -> None:
    verdict = judged(file_of(entries_of("catte")[:40]))
    left = {checked.check for checked in verdict.checks if checked.result == "not_checkable"}
    assert left == {"commitment", "shuffles", "result", "receipts"}


# keys


def test_without_trusted_keys_the_head_is_not_checkable() -> None:
    verdict = judged(file_of(entries_of("catte")), None)
    assert (verdict.verdict, result(verdict, "head")) == ("verified_partial", "not_checkable")


@pytest.mark.parametrize(
    "trusted",
    [(), (trust(STRANGER),), (trust(SIGNING, revoked=True),), (trust(SIGNING)._replace(origin="there.example"),)],
)
def test_a_key_that_is_not_trusted(trusted: Any) -> None:
    verdict = judged(file_of(entries_of("catte")), trusted)
    assert (verdict.verdict, failed(verdict)) == ("key_untrusted", {"head"})


def test_one_trusted_key_among_several() -> None:
    other = signer(bytes(32), "elsewhere.example")
    assert judged(file_of(entries_of("catte")), (trust(other), trust(SIGNING))).verdict == "verified"


def test_signed_again_by_another_key() -> None:
    lines = forged(file_of(entries_of("catte")), lambda _parts: None, STRANGER)
    assert judged(lines).verdict == "key_untrusted"


# rules


def test_unknown_rules_still_have_chain_head_and_openings_checked() -> None:
    def unknown(parts: Any) -> None:
        parts.header["rules_digest"] = parts.events[0].data["rules_digest"] = "0" * 64

    verdict = judged(forged(file_of(entries_of("catte")), unknown))
    assert (verdict.verdict, failed(verdict)) == ("rules_unknown", set())
    checks = ("bytes", "chain", "head", "file", "openings", "commitment")
    assert [result(verdict, check) for check in checks] == ["pass"] * 6  # type: ignore[arg-type]
    assert result(verdict, "moves") == "not_checkable"


# receipts


def receipts_of(slug: str) -> list[Any]:
    entries = entries_of(slug)
    match = orjson.loads(entries[0].body)["match"]
    return [make_receipt(SIGNING, match, entry, 0) for entry in entries[2:8]]


def test_receipts_that_agree() -> None:
    verdict = judged(file_of(entries_of("catte")), TRUSTED, receipts_of("catte"))
    assert (verdict.verdict, result(verdict, "receipts")) == ("verified", "pass")


def test_receipts_of_other_matches_say_nothing() -> None:
    verdict = judged(file_of(entries_of("catte")), TRUSTED, receipts_of("towai"))
    assert (verdict.verdict, result(verdict, "receipts")) == ("verified", "not_checkable")


def test_a_receipt_beyond_the_end() -> None:
    verdict = judged(file_of(entries_of("catte")[:5]), TRUSTED, receipts_of("catte"))
    assert (verdict.verdict, failed(verdict)) == ("incomplete", {"receipts"})


def test_a_receipt_that_contradicts() -> None:
    def later(parts: Any) -> None:
        parts.events[4].document["at"] = "2026-01-01T00:00:04.001Z"

    verdict = judged(forged(file_of(entries_of("catte")), later), TRUSTED, receipts_of("catte"))
    assert (verdict.verdict, failed(verdict)) == ("equivocation", {"receipts"})
    assert verdict.first_divergence is not None
    assert verdict.first_divergence.seq == 4


@pytest.mark.parametrize("wrong", [None, 7, {}, {"sig": "0" * 128, "key": SIGNING.key, "event": "\ud800", "hash": ""}])
def test_what_is_no_receipt_proves_nothing(wrong: Any) -> None:
    verdict = judged(file_of(entries_of("catte")), TRUSTED, [wrong])
    assert (verdict.verdict, result(verdict, "receipts")) == ("verified_partial", "not_checkable")


def test_a_receipt_that_nobody_signed_proves_nothing() -> None:
    made_up = {**receipts_of("catte")[0], "sig": "0" * 128}
    assert result(judged(file_of(entries_of("catte")[:1]), TRUSTED, [made_up]), "receipts") == "not_checkable"


# openings that are missing


def test_a_full_file_without_an_opening_is_partly_verified() -> None:
    parts = taken_apart(file_of(entries_of("catte")))
    lines = [line for line in file_of(entries_of("catte"))[:-1] if b'"payload":{"/metadata"' not in line]
    verdict = judged(refiled(lines, parts.ending["head"]))
    left = {checked.check for checked in verdict.checks if checked.result != "pass"}
    assert (verdict.verdict, left) == ("verified_partial", {"openings", "receipts"})
