"""A thousand tournaments of chance, every constraint checked after every step; and large ones, with their times."""

from random import Random
from time import process_time

import pytest

from gyoji.tournaments.history import count_meetings, tables_of
from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.rules import PointsRule
from gyoji.tournaments.tournament import Table, Tournament
from tournaments.made_tournaments import RANK, SCORE, WINS, played, proposed, rules, start_tournament, with_round
from tournaments.random_tournaments import play_tournament


@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_every_constraint_holds_and_standings_agree(first: int) -> None:
    for number in range(first, first + 50):
        play_tournament(number, most=14)


@pytest.mark.parametrize("points", [RANK, WINS, SCORE], ids=["rank", "wins", "score"])
def test_sixty_four_meet_nobody_again_in_six_rounds(points: PointsRule) -> None:
    """And a round takes a few seconds at most of a processor."""
    chance = Random(points.by)
    tournament, results = start_tournament(rules(seats=(4,), points=points), 64), dict[str, MatchResult]()
    for number in range(1, 7):
        began = process_time()
        found = proposed(tournament, results)
        taken = process_time() - began
        assert taken < 6, f"round {number}: {taken:.1f} seconds"
        tournament = with_round(tournament, found)
        results |= {
            str(table.match): played(*[chance.randint(0, 40) for _ in range(4)]) for table in found_tables(tournament)
        }
    met = count_meetings(tables_of(tournament))
    assert set(met.values()) == {1}
    assert len(met) == 6 * 16 * 6


def found_tables(tournament: Tournament) -> tuple[Table, ...]:
    """The tables of the round that was paired last."""
    return tournament.rounds[-1].tables
