"""A server that lies, with its own key in hand: what both verifiers say of everything that it hands out."""

from base64 import b64encode
from types import ModuleType
from typing import Any

import orjson
import pytest

from gyoji.audit.audit import audit
from gyoji.audit.verdicts import Verdict, Word
from gyoji.messages.verdicts import rules_for
from liar import lies, promises, rulings, times
from liar.lies import LIES, Lie, entries, honest, receipts
from liar.ruled import RULED
from liar.timed import TIMED_AND_RULED, UNRULED
from replay.tampering import SIGNING, TRUSTED, Lines, failed
from replay.tampering import trust as trusted
from verifier.corpora import BEACONS, KNOWN, trust
from verifier.javascript import called, verdicts
from verifier.javascript import failed as failed_there

OTHERWISE: dict[str, Word] = {
    # it reads on where the rules have parted from the log, and finds positions committed to in the wrong places
    "event_dropped": "tampered",
    "event_inserted": "tampered",
}
"""What the second verifier says, which does not know the rules of play, where that is something else."""


BY_RULES = {
    "wrong_winner_of_a_trick",
    "result_forged",
    "score_forged",
    "options_swapped",
    "position_of_another_state",
    "taken_back_to_other_scores",
    "legal_move_let_stand",
    "irregular_move_played_for_a_seat",
    "irregular_move_without_a_ruling",
    "adjustments_in_the_scores",
    "forfeit_with_another_winner",
    "forfeit_that_wins",
    "winners_that_the_scores_contradict",
}
"""The lies that only the rules of play can show: the second verifier cannot refuse them."""


def by_the_second(one: Lie) -> Word:
    """What it has to say: nothing of what only the rules of play forbid."""
    return "verified_partial" if one.name in BY_RULES else OTHERWISE.get(one.name, one.word)


def judged(one: Lie) -> Verdict:
    """The verdict of ``gyoji audit``."""
    lines = one.make()
    keys = (trusted(SIGNING, one.revoked),) if one.revoked else TRUSTED
    return audit(lambda: lines, rules_for, keys, one.held, beacons=KNOWN)


@pytest.mark.parametrize("one", LIES, ids=[one.name for one in LIES])
def test_a_lie_is_found_out_where_it_is_told(one: Lie) -> None:
    verdict = judged(one)
    first = verdict.first_divergence
    assert first is not None
    said = (verdict.verdict, first.check, first.seq)
    assert said == (one.word, one.check, first.seq if one.seq is None else one.seq)
    assert one.word != "equivocation" or "receipts" in failed(verdict)


@pytest.mark.parametrize("match", [*RULED, *TIMED_AND_RULED])
def test_the_truth_of_what_was_ruled_passes(match: str) -> None:
    verdict = audit(lambda: honest(match), rules_for, TRUSTED, receipts(match))
    assert verdict.verdict == "verified_with_rulings"
    assert {checked.result for checked in verdict.checks} == {"pass"}
    found = [(ruling.seq, ruling.kind) for ruling in verdict.rulings]
    events = [orjson.loads(entry.body) for entry in entries(match)]
    assert found == [(one["seq"], one["data"]["ruling"]["kind"]) for one in events if one["type"] == "ruling_made"]


BOOKS = (lies, rulings, times, promises)
"""Where lies are told: each of these adds its own to ``LIES``."""


def test_there_are_enough_of_them_and_each_is_another() -> None:
    assert all(any(hasattr(book, one.name) for one in LIES) for book in BOOKS)
    assert len({one.name for one in LIES}) == len(LIES) >= 120
    assert len({one.name.partition(",")[0] for one in LIES}) >= 85


@pytest.mark.parametrize("match", ["catte", "towai", "players", "empty", "director", "external", "withheld", *UNRULED])
def test_the_truth_passes(match: str) -> None:
    verdict = audit(lambda: honest(match), rules_for, TRUSTED, receipts(match), beacons=KNOWN)
    assert verdict.verdict == "verified"
    assert len(receipts(match)) >= len(entries(match)) // 2


TWINS = {one.twin(): one.name for one in LIES if one.twin is not None}
"""The files that are as much like a lie as can be and true, each once, with the name of such a lie."""


@pytest.mark.parametrize("lines", TWINS, ids=TWINS.values())
def test_the_twin_of_a_lie_is_true(lines: Lines) -> None:
    verdict = audit(lambda: lines, rules_for, TRUSTED, beacons=KNOWN)
    assert verdict.verdict in ("verified", "verified_with_rulings")
    assert failed(verdict) == set()


def test_the_second_verifier_finds_nothing_wrong_with_the_twins() -> None:
    found = verdicts([b"".join(lines) for lines in TWINS], trust=trust(), beacons=BEACONS)
    said = {name: (told["verdict"], failed_there(told)) for name, told in zip(TWINS.values(), found, strict=True)}
    assert said == dict.fromkeys(TWINS.values(), ("verified_partial", set()))


@pytest.mark.parametrize("book", [times, promises])
def test_a_dozen_lies_of_each_kind_have_a_true_twin(book: ModuleType) -> None:
    """And the second verifier refuses every one of them with the same word."""
    named = [one for one in LIES if hasattr(book, one.name) and one.twin is not None]
    assert len(named) >= 12
    assert not {one.name for one in named} & {*BY_RULES, *OTHERWISE}


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What the second verifier says, by name; one process for all."""
    calls = []
    for one in LIES:
        keys = trust(revoked="2026-01-02T00:00:00.000Z" if one.revoked else None)
        given = {"trust": keys, "beacons": BEACONS, "receipts": one.held}
        calls.append(("verify", [b64encode(b"".join(one.make())).decode(), given]))
    return {one.name: said for one, said in zip(LIES, called(calls), strict=True)}


def test_the_second_verifier_finds_them_out_as_well(told: dict[str, Any]) -> None:
    expected = {one.name: by_the_second(one) for one in LIES}
    assert {name: said["verdict"] for name, said in told.items()} == expected


LATER = {*OTHERWISE, "card_that_does_not_follow", "events_swapped", "worse_card_by_default"}
"""Where the rules of play show a lie before anything else does: the second verifier comes upon what follows from it."""


def test_the_second_verifier_says_where_it_is_told_as_well(told: dict[str, Any]) -> None:
    for one in LIES:
        if one.name.partition(",")[0] in LATER | BY_RULES:
            continue
        first, other = judged(one).first_divergence, told[one.name]["first_divergence"]
        assert first is not None
        assert (other["check"], other["seq"]) == (first.check, first.seq), one.name
