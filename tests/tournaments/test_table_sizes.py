"""Which tables are made: the fewest sit out, then what the rules prefer."""

import pytest

from gyoji.tournaments.pairings import choose_sizes


@pytest.mark.parametrize(
    ("entrants", "allowed", "sizes"),
    [
        (64, (4,), (4,) * 16),
        (11, (4,), (4, 4)),
        (11, (4, 3), (4, 4, 3)),
        (10, (4, 3), (4, 3, 3)),
        (9, (4, 3), (3, 3, 3)),
        (9, (3, 4), (3, 3, 3)),
        (12, (4, 3), (4, 4, 4)),
        (12, (3, 4), (3, 3, 3, 3)),
        (5, (4, 3), (4,)),
        (5, (3, 4), (4,)),
        (6, (5, 2), (2, 2, 2)),
        (7, (5, 2), (5, 2)),
        (3, (4,), None),
        (0, (2,), None),
    ],
)
def test_the_fewest_sit_out_then_the_preferred_sizes(
    entrants: int, allowed: tuple[int, ...], sizes: tuple[int, ...] | None
) -> None:
    assert choose_sizes(entrants, allowed) == sizes
