"""Half a hundred lies about seedings, told by who holds the service's key: each has the same verdict from both."""

from collections.abc import Callable
from typing import Any

import pytest

from gyoji.match.events.match_created import ForkOrigin
from replay import test_hidden_checks
from replay.refereed import SEATS, Match
from replay.seedings import BEACONS, COURSES
from replay.tampering import Lines, Parts, file_of, forged
from replay.test_audit_seeding import LIES, file_named, judged
from verifier.corpora import TRUST
from verifier.javascript import Doc, failed, verdicts

GIVEN = {
    "beacons": [
        {"beacon": beacon, "reference": reference, "value": value.hex()}
        for (beacon, reference), value in BEACONS.items()
    ]
}


UNSEEN = ("cancelled in play", "void_with_another_position")
"""What a position is can be told only by who can play the match again."""


@pytest.fixture(scope="module")
def found() -> list[Doc]:
    """The second verifier's verdicts on every lie."""
    files = [b"".join(forged(file_named(course), lie)) for course, lie, *_ in LIES]
    return verdicts(files, trust=TRUST, beacons=GIVEN)


def test_every_lie_is_called_by_its_name(found: list[Doc]) -> None:
    said = [(course, lie.__name__, told["verdict"]) for (course, lie, *_), told in zip(LIES, found, strict=True)]
    expected = [(course, lie.__name__, verdict) for course, lie, verdict, _check, _code in LIES]
    assert [one for one in said if one not in expected] == [(*UNSEEN, "verified_partial")]
    assert len(said) > 40


def test_the_same_check_fails(found: list[Doc]) -> None:
    for (course, lie, _verdict, check, _code), told in zip(LIES, found, strict=True):
        assert check in failed(told) or (course, lie.__name__) == UNSEEN


def test_the_honest_files_that_they_were_made_from() -> None:
    for told in verdicts([b"".join(file_named(course)) for course in COURSES], trust=TRUST, beacons=GIVEN):
        assert (told["verdict"], failed(told)) == ("verified_partial", set())


def test_the_first_verifier_hears_the_same_files() -> None:
    course, lie, verdict, *_ = LIES[0]
    assert judged(forged(file_named(course), lie)).verdict == verdict


def test_lies_in_logs_whose_cards_are_hidden() -> None:
    """Of these neither can play a move again; both judge the course of the match all the same."""
    files = [b"".join(forged(test_hidden_checks.log(name), lie)) for name, lie, *_ in test_hidden_checks.LIES]
    for (_name, lie, verdict, check), told in zip(test_hidden_checks.LIES, verdicts(files, trust=TRUST), strict=True):
        assert (told["verdict"], check in failed(told)) == (verdict, True), lie.__name__


# While the secret is not told, a deal is what was recorded of it


def running(slug: str, source: ForkOrigin | None = None) -> Lines:
    """A match that is still played, with all its cards."""
    match = Match(slug, number=int(source is not None), source=source, withheld_until=None)
    return file_of(match.play(3).entries)


def two_cards_exchanged(cards: Callable[[Parts], list[Any]]) -> Callable[[Parts], None]:
    """They are the same cards, and no hand is recorded so."""

    def change(parts: Parts) -> None:
        row = cards(parts)
        other = next(at for at, card in enumerate(row) if card != row[0])
        row[0], row[other] = row[other], row[0]

    return change


def hand(parts: Parts) -> list[Any]:
    found: list[Any] = parts.events[1].openings[1]["payload"]["/events/0/hands/1"]
    return found


def coffee_row(parts: Parts) -> list[Any]:
    found: list[Any] = parts.events[1].data["events"][0]["coffee"]["unused"][2]
    return found


def fork_that_is_called_none(parts: Parts) -> None:
    del parts.events[0].data["from"]


def test_lies_about_a_deal_whose_secret_is_not_told_yet() -> None:
    before = Match("towai").play(9).current
    fork = running("towai", ForkOrigin(before.match, before.seq, before.hash.hex(), before.state._replace(seed=None)))
    honest = [*map(running, SEATS), fork]
    lies = [forged(running(slug), two_cards_exchanged(hand)) for slug in SEATS]
    lies += [forged(running("catte"), two_cards_exchanged(coffee_row)), forged(fork, fork_that_is_called_none)]
    told = verdicts([b"".join(lines) for lines in (*honest, *lies)], trust=TRUST)
    true, untrue = told[: len(honest)], told[len(honest) :]
    assert [(one["verdict"], failed(one)) for one in true] == [("verified_partial", set())] * len(honest)
    assert [(one["verdict"], failed(one)) for one in untrue] == [("deal_divergence", {"shuffles"})] * len(lies)
    assert {judged(lines).verdict for lines in honest} == {"verified_partial"}
    assert {judged(lines).verdict for lines in lies} == {"deal_divergence"}
