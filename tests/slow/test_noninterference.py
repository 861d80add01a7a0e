"""Two thousand pairs of worlds a game: whatever is heard of a stored match is the same bytes in both."""

import pytest

from laws.stored_channels import described, differences, two_houses
from laws.stored_worlds import pair
from laws.strategies import SLUGS

PAIRS = 2000
PIECE = 100


@pytest.mark.parametrize("start", range(0, PAIRS, PIECE))
@pytest.mark.parametrize("slug", SLUGS)
def test_what_is_heard_of_a_stored_match_depends_on_nothing_hidden(slug: str, start: int) -> None:
    telling = []
    with two_houses() as houses:
        for number in range(start, start + PIECE):
            found = differences(houses, pair(slug, number))
            if found:
                telling.append(f"pair {number}: {described(found)}")
    assert telling == []
