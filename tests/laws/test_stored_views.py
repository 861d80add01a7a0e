"""Nobody hears of a stored match what it may not know: every channel, the same bytes in worlds it cannot tell apart.

A sample in each run; two thousand pairs a game are compared by ``tests/slow/test_noninterference.py``.
"""

from collections import Counter
from collections.abc import Iterator

import pytest

from gyoji.games.catalogue import BY_SLUG, is_own
from laws.stored_channels import CHANNELS, Houses, both, described, two_houses
from laws.stored_visits import askers, forked_after
from laws.stored_worlds import ends_soon, hides_at_the_end, last, pair
from laws.strategies import SLUGS

SAMPLE = 10


@pytest.fixture(scope="module")
def houses() -> Iterator[Houses]:
    """Two services, one for each of the worlds."""
    with two_houses() as made:
        yield made


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_heard_of_a_stored_match_depends_on_nothing_hidden(houses: Houses, slug: str, part: int) -> None:
    statuses: Counter[int] = Counter()
    for number in range(part, SAMPLE, 2):
        answers = both(houses, pair(slug, number))
        found = [(one, other) for one, other in answers if one != other]
        assert found == [], f"pair {number}: {described(found)}"
        statuses.update(one.code for one, _other in answers if one.status)
    assert {200, 201, 400, 403, 404, 409, 412, 422} <= set(statuses)
    assert statuses[200] > 100


@pytest.mark.parametrize("slug", SLUGS)
def test_the_worlds_do_differ(slug: str) -> None:
    """In what is hidden at the end, mostly; for all kinds of viewers, in running matches and, where cards may be hidden
    then, in some that are over; where games end soon, in forks too."""
    pairs = [pair(slug, number) for number in range(48)]
    ends = [(last(found.setting, found.one), last(found.setting, found.other)) for found in pairs]
    assert sum(one != other for one, other in ends) > 0.9 * len(pairs)
    assert all(found.one.seed != found.other.seed for found in pairs)
    assert {name for found in pairs for name in askers(found)} == {
        *("seat", "spectator", "anonymous", "operator", "referee", "auditor")
    }
    assert {found.setting.visibility for found in pairs} == {"private", "public"}
    assert len({found.viewer for found in pairs}) > pairs[0].setting.game.min_seats
    assert any(found.over for found in pairs) or not hides_at_the_end(slug)
    assert any(found.setting.withheld for found in pairs) or not hides_at_the_end(slug)
    assert any(forked_after(found) for found in pairs) or not ends_soon(slug)
    assert sum(bool(found.legal) for found in pairs) > 3
    assert sum(len(found.illegal) > 5 for found in pairs) > 0.8 * len(pairs)


def test_what_the_games_of_gyoji_are_asked_for_at_their_end() -> None:
    """All of them leave cards unseen; random games of TOWAI go on for long, with more than a few seats."""
    own = [slug for slug in SLUGS if is_own(BY_SLUG[slug])]
    assert [slug for slug in own if not hides_at_the_end(slug)] == []
    assert [slug for slug in own if not ends_soon(slug)] == ["towai"]


@pytest.mark.parametrize("slug", ["tomorrow-never-meows", "towai", "familiars-trouble"])
def test_hidden_choices_differ_too(slug: str) -> None:
    """Concealed wishes, cards to swap, cards that others pass on."""
    pairs = [pair(slug, number) for number in range(48)]
    assert sum(found.one.moves != found.other.moves for found in pairs) > 2


def test_all_channels_are_asked(houses: Houses) -> None:
    """A viewer whose turn it is asks on each of them."""
    found = next(pair("catte", number) for number in range(50) if pair("catte", number).legal)
    asked = Counter(
        name
        for name in CHANNELS
        for one, _other in both(houses, found, [name])
        if one.question != "metrics" and one.code
    )
    assert set(asked) == set(CHANNELS)
