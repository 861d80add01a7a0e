"""Thirty tournaments of chance; a thousand, with larger fields, are in the slow suite."""

import pytest

from tournaments.random_tournaments import play_tournament


@pytest.mark.parametrize("number", range(30))
def test_every_constraint_holds_and_standings_agree(number: int) -> None:
    play_tournament(number, most=10)
