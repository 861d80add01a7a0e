"""Audits of every policy of randomness: honest logs, and liars who hold the service's own key."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from gyoji.audit.audit import audit
from gyoji.audit.commitments import UnreadableBeacons, beacons_document, known_beacons
from gyoji.audit.verdicts import Verdict
from gyoji.games.chance import player_commitment
from gyoji.log.files import redact_lines
from gyoji.match.seeding import Disclosure
from gyoji.messages.verdicts import reason, rules_for
from gyoji.trust.receipts import make_receipt
from replay.seedings import BEACONS, COURSES, log_of
from replay.tampering import (
    SIGNING,
    TRUSTED,
    Event,
    Lines,
    Parts,
    failed,
    file_of,
    forged,
    result,
    why,
)


def judged(lines: Any, beacons: Any = BEACONS, receipts: Any = None) -> Verdict:
    kept = tuple(lines)
    return audit(lambda: kept, rules_for, TRUSTED, receipts, beacons=beacons)


def file_named(name: str, slug: str = "catte", disclosure: Disclosure = "public_on_close") -> Lines:
    return file_of(log_of(name, slug, disclosure).entries)


# Honest logs


@pytest.mark.parametrize("name", [name for name in COURSES if not name.startswith("withheld")])
@pytest.mark.parametrize("disclosure", ["public_on_close", "auditors_only"])
def test_a_closed_log_is_verified(name: str, disclosure: Disclosure) -> None:
    verdict = judged(file_named(name, disclosure=disclosure))
    assert (verdict.verdict, verdict.first_divergence) == ("verified", None)
    assert {checked.check for checked in verdict.checks if checked.result != "pass"} == {"receipts"}


@pytest.mark.parametrize("slug", ["towai", "tomorrow-never-meows", "familiars-trouble"])
@pytest.mark.parametrize("name", ["players", "empty", "cancelled in play"])
def test_of_every_game(name: str, slug: str) -> None:
    assert judged(file_named(name, slug)).verdict == "verified"


@pytest.mark.parametrize("name", ["withheld group", "withheld void"])
def test_a_withheld_secret_is_partly_verified(name: str) -> None:
    verdict = judged(file_named(name))
    assert (verdict.verdict, failed(verdict)) == ("verified_partial", set())
    left = {checked.check for checked in verdict.checks if checked.result == "not_checkable"}
    assert left == {"commitment", "shuffles", "receipts"}
    found = why(verdict, "commitment")
    assert found is not None
    assert found.code == "seed-not-disclosed"


@pytest.mark.parametrize("name", COURSES)
@pytest.mark.parametrize("disclosure", ["public_on_close", "auditors_only"])
def test_redacted_or_cut_short_it_is_never_worse_than_partly_verified(name: str, disclosure: Disclosure) -> None:
    whole = file_named(name, disclosure=disclosure)
    for reader in ("public", 1):
        verdict = judged(redact_lines(whole, reader))
        assert failed(verdict) == set()
        assert verdict.verdict in ("verified_partial", "verified")
    for until in range(1, min(24, len(log_of(name).entries) - 1)):
        verdict = judged(file_of(log_of(name, disclosure=disclosure).entries[:until], ("full", "public", 1)[until % 3]))
        assert (verdict.verdict, failed(verdict)) == ("verified_partial", set()), until


def test_who_reads_only_what_is_public_still_checks_what_the_seats_promised() -> None:
    lines = forged(tuple(redact_lines(file_named("players", disclosure="auditors_only"), "public")), another_entropy)
    assert judged(lines).verdict == "deal_divergence"


def test_receipts_of_contributions_are_held_against_the_log() -> None:
    log = log_of("players")
    given = [make_receipt(SIGNING, log.match.match, entry, 1) for entry in log.entries[1:7]]
    assert result(judged(file_named("players"), receipts=given), "receipts") == "pass"
    verdict = judged(forged(file_named("players"), both_changed), receipts=given)
    assert verdict.verdict == "equivocation"
    assert "receipts" in failed(verdict)


# Liars


def of_kind(parts: Parts, kind: str, number: int = 0) -> Event:
    return [event for event in parts.events if event.document["type"] == kind][number]


def renumbered(parts: Parts) -> None:
    for seq, event in enumerate(parts.events):
        event.document["seq"] = seq
        for opening in event.openings:
            opening["seq"] = seq


def another_entropy(parts: Parts) -> None:
    of_kind(parts, "entropy_revealed").data["entropy"] = "ab" * 32


def another_commitment(parts: Parts) -> None:
    of_kind(parts, "entropy_committed", 1).data["commit"] = "ab" * 32


def both_changed(parts: Parts) -> None:
    """Commitment and entropy of a seat are others, in accord: the deal was made from those that the seat had sent."""
    commit = player_commitment(parts.events[0].data["deal_id"], 0, bytes(32))
    of_kind(parts, "entropy_committed").data["commit"] = commit
    of_kind(parts, "entropy_revealed").data["entropy"] = bytes(32).hex()


def entropies_exchanged(parts: Parts) -> None:
    """Each seat is said to have sent what the other has."""
    one, other = of_kind(parts, "entropy_revealed"), of_kind(parts, "entropy_revealed", 1)
    one.data["entropy"], other.data["entropy"] = other.data["entropy"], one.data["entropy"]


def entropies_exchanged_in_full(parts: Parts) -> None:
    """Also their commitments are made anew: the order of entropies is part of the root."""
    entropies_exchanged(parts)
    for seat in (0, 1):
        entropy = bytes.fromhex(of_kind(parts, "entropy_revealed", seat).data["entropy"])
        commit = player_commitment(parts.events[0].data["deal_id"], seat, entropy)
        of_kind(parts, "entropy_committed", seat).data["commit"] = commit


def revealed_early(parts: Parts) -> None:
    parts.events[3], parts.events[4] = parts.events[4], parts.events[3]
    renumbered(parts)


def revealed_uncommitted(parts: Parts) -> None:
    del parts.events[1]
    parts.events[2], parts.events[3] = parts.events[3], parts.events[2]
    renumbered(parts)


def committed_twice(parts: Parts) -> None:
    of_kind(parts, "entropy_committed", 1).document["actor"]["seat"] = 0


def committed_again(parts: Parts) -> None:
    """After everything, with the words of before."""
    parts.events[9].document.update(type="entropy_committed", actor={"role": "seat", "seat": 0})
    parts.events[9].document["data"] = of_kind(parts, "entropy_committed").data


def revealed_twice(parts: Parts) -> None:
    of_kind(parts, "entropy_revealed", 1).document.update(actor={"role": "seat", "seat": 0})


def committed_by_nobody(parts: Parts) -> None:
    of_kind(parts, "entropy_committed", 1).document["actor"] = {"role": "seat", "seat": 3}


def committed_by_the_operator(parts: Parts) -> None:
    of_kind(parts, "entropy_committed", 1).document["actor"] = {"role": "operator"}


def revealed_for_a_seat(parts: Parts) -> None:
    of_kind(parts, "entropy_revealed", 1).document["actor"]["role"] = "operator"


def misshapen_commitment(parts: Parts) -> None:
    of_kind(parts, "entropy_committed", 1).data["commit"] = "AB" * 32


def misshapen_entropy(parts: Parts) -> None:
    of_kind(parts, "entropy_revealed", 1).data["more"] = 1


def reveal_left_out(parts: Parts) -> None:
    del parts.events[6]
    renumbered(parts)


def of_the_server_alone(parts: Parts) -> None:
    parts.events[0].data["randomness"] = {"policy": "server"}


def of_the_director(parts: Parts) -> None:
    parts.events[0].data["randomness"] = {"policy": "director"}


def other_cards(parts: Parts) -> None:
    hands = of_kind(parts, "dealt").openings[0]["payload"]
    hands["/events/0/hands/0"] = sorted(hands["/events/0/hands/0"], reverse=True)


def missing_hushed_up(parts: Parts) -> None:
    del of_kind(parts, "dealt").data["missing"]


def missing_another(parts: Parts) -> None:
    of_kind(parts, "dealt").data["missing"] = [0, 1]


def missing_nobody(parts: Parts) -> None:
    of_kind(parts, "dealt").data["missing"] = [2]


def missing_of_none(parts: Parts) -> None:
    """The member is there only if it names a seat."""
    of_kind(parts, "dealt").data["missing"] = []


def missing_null(parts: Parts) -> None:
    of_kind(parts, "dealt").data["missing"] = None


def longer_time(parts: Parts) -> None:
    parts.events[0].data["randomness"]["within"] = 7


def no_such_time(parts: Parts) -> None:
    parts.events[0].document["at"] = "2026-19-39T00:00:00.000Z"


def other_default(parts: Parts) -> None:
    randomness = parts.events[0].data["randomness"]
    randomness["missing"] = {"void": "empty", "empty": "void"}[randomness["missing"]]


def void_without(parts: Parts) -> None:
    of_kind(parts, "match_voided").data["missing"] = []


def void_by_the_operator(parts: Parts) -> None:
    of_kind(parts, "match_voided").document["actor"] = {"role": "operator"}


def void_for_a_whim(parts: Parts) -> None:
    of_kind(parts, "match_voided").data["reason"] = "bored"


def void_for_entropy(parts: Parts) -> None:
    of_kind(parts, "match_voided").data["reason"] = "entropy-missing"
    of_kind(parts, "match_voided").document["actor"] = {"role": "service"}


def void_with_another_position(parts: Parts) -> None:
    of_kind(parts, "match_voided").document["position"] = "ab" * 32


def void_without_position(parts: Parts) -> None:
    of_kind(parts, "match_voided").document["position"] = None
    of_kind(parts, "match_voided").openings.clear()


def void_with_a_position(parts: Parts) -> None:
    of_kind(parts, "match_voided").document["position"] = "ab" * 32


def played_on(parts: Parts) -> None:
    """After the void one more move."""
    parts.events.insert(-1, copy.deepcopy(parts.events[9]))
    renumbered(parts)


def another_share(parts: Parts) -> None:
    of_kind(parts, "entropy_revealed").data["entropy"] = "ab" * 32


def short_share(parts: Parts) -> None:
    of_kind(parts, "entropy_revealed").data["entropy"] = "ab" * 15


def share_of_a_seat(parts: Parts) -> None:
    of_kind(parts, "entropy_revealed").document["actor"] = {"role": "seat", "seat": 0}


def share_of_a_seated_role(parts: Parts) -> None:
    of_kind(parts, "entropy_revealed").document["actor"]["seat"] = 0


def dealt_by_a_seated_service(parts: Parts) -> None:
    of_kind(parts, "dealt").document["actor"]["seat"] = 0


def told_by_a_seated_service(parts: Parts) -> None:
    of_kind(parts, "seed_disclosed").document["actor"]["seat"] = 0


def void_by_a_seated_role(parts: Parts) -> None:
    of_kind(parts, "match_voided").document["actor"]["seat"] = 0


def created_by_a_seated_operator(parts: Parts) -> None:
    parts.events[0].document["actor"]["seat"] = 0


def share_twice(parts: Parts) -> None:
    parts.events.insert(2, copy.deepcopy(parts.events[1]))
    renumbered(parts)


def share_left_out(parts: Parts) -> None:
    del parts.events[1]
    renumbered(parts)


def share_committed_to(parts: Parts) -> None:
    of_kind(parts, "entropy_revealed").document.update(
        type="entropy_committed", actor={"role": "seat", "seat": 0}, data={"commit": "ab" * 32}
    )


def another_promise(parts: Parts) -> None:
    parts.events[0].data["seed_commitment"] = "ab" * 32


def created_by_a_seat(parts: Parts) -> None:
    parts.events[0].document["actor"] = {"role": "seat", "seat": 0}


def names_kept_for_a_seat(parts: Parts) -> None:
    parts.events[0].document["secret"][0]["for"] = [0]


Change = Callable[[Parts], object]
LIES: list[tuple[str, Change, str, str, str]] = [
    ("players", another_entropy, "deal_divergence", "commitment", "entropy-not-the-committed"),
    ("players", another_commitment, "deal_divergence", "commitment", "entropy-not-the-committed"),
    ("players", both_changed, "deal_divergence", "shuffles", "differs"),
    ("players", entropies_exchanged, "deal_divergence", "commitment", "entropy-not-the-committed"),
    ("players", entropies_exchanged_in_full, "deal_divergence", "shuffles", "differs"),
    ("players", revealed_early, "deal_divergence", "commitment", "entropy-waiting-for-commitments"),
    ("players", revealed_uncommitted, "deal_divergence", "commitment", "entropy-commit-first"),
    ("players", committed_twice, "deal_divergence", "commitment", "entropy-already-committed"),
    ("players", committed_again, "deal_divergence", "commitment", "entropy-complete"),
    ("players", revealed_twice, "deal_divergence", "commitment", "entropy-already-revealed"),
    ("players", committed_by_nobody, "rules_divergence", "moves", "wrong-actor"),
    ("players", committed_by_the_operator, "rules_divergence", "moves", "wrong-actor"),
    ("players", revealed_for_a_seat, "rules_divergence", "moves", "differs"),
    ("players", misshapen_commitment, "rules_divergence", "moves", "misshapen"),
    ("players", misshapen_entropy, "rules_divergence", "moves", "misshapen"),
    ("players", reveal_left_out, "deal_divergence", "commitment", "entropy-policy"),
    ("players", of_the_server_alone, "deal_divergence", "commitment", "entropy-wrong-policy"),
    ("players", of_the_director, "deal_divergence", "commitment", "entropy-wrong-policy"),
    ("players", missing_of_none, "deal_divergence", "commitment", "differs"),
    ("players", missing_null, "deal_divergence", "commitment", "differs"),
    ("players", dealt_by_a_seated_service, "rules_divergence", "moves", "differs"),
    ("players", told_by_a_seated_service, "rules_divergence", "moves", "differs"),
    ("players", created_by_a_seated_operator, "rules_divergence", "moves", "wrong-actor"),
    ("players", other_cards, "deal_divergence", "shuffles", "differs"),
    ("players", created_by_a_seat, "rules_divergence", "moves", "wrong-actor"),
    ("players", names_kept_for_a_seat, "rules_divergence", "moves", "differs"),
    ("players", another_promise, "deal_divergence", "commitment", "commitment"),
    ("empty", missing_hushed_up, "deal_divergence", "commitment", "differs"),
    ("empty", missing_another, "deal_divergence", "commitment", "differs"),
    ("empty", missing_nobody, "deal_divergence", "commitment", "differs"),
    ("empty", longer_time, "deal_divergence", "commitment", "entropy-too-early"),
    ("empty", no_such_time, "tampered", "bytes", "not-an-event"),
    ("empty", other_default, "deal_divergence", "commitment", "entropy-policy"),
    ("void", void_without, "deal_divergence", "commitment", "differs"),
    ("void", void_by_the_operator, "rules_divergence", "moves", "differs"),
    ("void", void_by_a_seated_role, "rules_divergence", "moves", "differs"),
    ("void", void_for_a_whim, "rules_divergence", "moves", "misshapen"),
    ("void", void_with_a_position, "tampered", "positions", "differs"),
    ("void", longer_time, "deal_divergence", "commitment", "entropy-too-early"),
    ("void", other_default, "deal_divergence", "commitment", "entropy-policy"),
    ("cancelled among commitments", void_without, "deal_divergence", "commitment", "differs"),
    ("cancelled among reveals", void_for_entropy, "deal_divergence", "commitment", "entropy-too-early"),
    ("cancelled in play", void_for_entropy, "deal_divergence", "commitment", "entropy-policy"),
    ("cancelled at a checkpoint", void_for_entropy, "deal_divergence", "commitment", "entropy-policy"),
    ("cancelled in play", void_with_another_position, "tampered", "positions", "differs"),
    ("cancelled in play", void_without_position, "tampered", "positions", "differs"),
    ("cancelled in play", played_on, "rules_divergence", "moves", "after-the-end"),
    ("director", another_share, "deal_divergence", "shuffles", "differs"),
    ("director", short_share, "rules_divergence", "moves", "misshapen"),
    ("director", share_of_a_seat, "rules_divergence", "moves", "differs"),
    ("director", missing_of_none, "deal_divergence", "commitment", "differs"),
    ("director", share_of_a_seated_role, "rules_divergence", "moves", "differs"),
    ("director", share_twice, "deal_divergence", "commitment", "entropy-complete"),
    ("director", share_left_out, "deal_divergence", "commitment", "entropy-policy"),
    ("director", share_committed_to, "deal_divergence", "commitment", "entropy-wrong-policy"),
    ("external", another_share, "deal_divergence", "commitment", "beacon"),
    ("external", share_of_a_seated_role, "rules_divergence", "moves", "differs"),
    ("external", of_the_director, "rules_divergence", "moves", "differs"),
]


@pytest.mark.parametrize(
    ("name", "lie", "verdict", "check", "code"), LIES, ids=[f"{name}-{lie.__name__}" for name, lie, *_ in LIES]
)
def test_a_lie(name: str, lie: Change, verdict: str, check: Any, code: str) -> None:
    found = judged(forged(file_named(name), lie))
    assert found.verdict == verdict
    assert result(found, check) == "fail"
    said = why(found, check)
    assert said is not None
    assert said.code == code
    assert reason(said, "en") != reason(said, "ja")
    assert found.first_divergence is not None


def test_a_lie_is_found_where_it_stands() -> None:
    for lie, seq in ((another_entropy, 4), (revealed_early, 3), (committed_twice, 2), (reveal_left_out, 6)):
        verdict = judged(forged(file_named("players"), lie))
        assert verdict.first_divergence is not None
        assert verdict.first_divergence.seq == seq


# The beacon, from whoever audits


def test_without_the_value_of_the_beacon_the_commitment_is_not_checkable() -> None:
    for beacons in (None, {}, {("a beacon", "8"): BEACONS["a beacon", "7"]}):
        verdict = judged(file_named("external"), beacons)
        assert (verdict.verdict, failed(verdict)) == ("verified_partial", set())
        assert result(verdict, "commitment") == "not_checkable"
        assert result(verdict, "shuffles") == "pass"
        said = why(verdict, "commitment")
        assert said is not None
        assert (said.code, said.facts) == ("beacon-not-given", {"beacon": "a beacon", "reference": "7"})


def test_another_value_of_the_beacon() -> None:
    verdict = judged(file_named("external"), {("a beacon", "7"): bytes(32)})
    assert (verdict.verdict, failed(verdict)) == ("deal_divergence", {"commitment"})
    assert verdict.first_divergence is not None
    assert verdict.first_divergence.expected == bytes(32).hex()


def test_a_document_of_beacons() -> None:
    assert known_beacons(beacons_document(BEACONS)) == BEACONS
    one = {"beacon": "a", "reference": "b", "value": "ab"}
    assert known_beacons({"beacons": [one, one]}) == {("a", "b"): b"\xab"}
    others: list[Any] = [
        [],
        {},
        {"beacons": 1},
        {"beacons": [{**one, "value": "x"}]},
        {"beacons": [{**one, "beacon": 1}]},
    ]
    for wrong in others:
        with pytest.raises(UnreadableBeacons):
            known_beacons(wrong)
    with pytest.raises(UnreadableBeacons):
        known_beacons({"beacons": [one, {**one, "value": "cd"}]})


# How a match is set up


@pytest.mark.parametrize(
    "randomness",
    [
        None,
        "players",
        {},
        {"policy": "dice"},
        {"policy": ["players"]},
        {"policy": "server", "missing": "void"},
        {"policy": "players"},
        {"policy": "players", "missing": "void"},
        {"policy": "players", "missing": "nothing", "within": 60},
        {"policy": "players", "missing": "void", "within": 0},
        {"policy": "players", "missing": "void", "within": 604_801},
        {"policy": "players", "missing": "void", "within": True},
        {"policy": "external", "beacon": "", "reference": "7"},
        {"policy": "external", "beacon": "b" * 201, "reference": "7"},
        {"policy": "external", "beacon": "b", "reference": 7},
        {"policy": "director", "beacon": "b"},
    ],
)
def test_a_policy_that_is_none(randomness: Any) -> None:
    def change(parts: Parts) -> None:
        parts.events[0].data["randomness"] = randomness

    verdict = judged(forged(file_named("players"), change))
    said = why(verdict, "moves")
    assert said is not None
    assert (verdict.verdict, said.code, said.facts) == ("rules_divergence", "setup", {"at": "/randomness"})
    assert result(verdict, "commitment") == "not_checkable"


def test_a_fork_waits_for_nobody() -> None:
    def change(parts: Parts) -> None:
        parts.events[0].data["from"] = {"match": parts.header["match"], "seq": 3, "hash": "ab" * 32}

    said = why(judged(forged(file_named("players"), change)), "moves")
    assert said is not None
    assert said.facts == {"at": "/randomness"}


@pytest.mark.parametrize("until", ["tomorrow", "", None, 7, ["group"], "2026-01-01T00:00:00Z"])
def test_withheld_until_there_is_no_such_time(until: Any) -> None:
    def change(parts: Parts) -> None:
        parts.events[0].data["withheld_until"] = until

    said = why(judged(forged(file_named("server"), change)), "moves")
    assert said is not None
    assert said.facts == {"at": "/withheld_until"}


EARLY = [("2026-01-01T00:00:00.000Z", "verified"), ("2030-01-01T00:00:00.000Z", "deal_divergence")]


@pytest.mark.parametrize(("until", "verdict"), EARLY)
def test_a_secret_that_is_told_before_its_time(until: str, verdict: str) -> None:
    def change(parts: Parts) -> None:
        parts.events[0].data["withheld_until"] = until

    found = judged(forged(file_named("server"), change))
    assert found.verdict == verdict
    if verdict != "verified":
        said = why(found, "commitment")
        assert said is not None
        assert (said.code, failed(found)) == ("told-too-early", {"commitment"})


def test_with_unknown_rules_the_seats_promises_are_not_checkable() -> None:
    def unknown(parts: Parts) -> None:
        parts.header["rules_digest"] = parts.events[0].data["rules_digest"] = "0" * 64

    verdict = judged(forged(file_named("players"), unknown))
    assert (verdict.verdict, failed(verdict)) == ("rules_unknown", set())
    assert result(verdict, "commitment") == "not_checkable"


def test_every_bit_of_a_seeding_matters() -> None:
    """Whatever is turned in the lines before the deal, nothing passes for verified."""
    lines = file_named("void")
    for at, line in enumerate(lines[1:-1], 1):
        for bit in range(0, 8 * len(line), 37):
            changed = bytearray(line)
            changed[bit // 8] ^= 1 << bit % 8
            verdict = judged([*lines[:at], bytes(changed), *lines[at + 1 :]])
            assert verdict.verdict not in ("verified", "verified_partial", "verified_with_rulings"), (at, bit)
