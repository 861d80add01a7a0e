"""64 players and six rounds by one command, with everything that goes wrong at a tournament."""

import pytest

from commands import run


def test_64_players_and_six_rounds() -> None:
    ran = run("tournament", "simulate", "--seed", "c0ffee")
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "standings counted a second time from the files: the same, all 65 rows" in ran.stdout


@pytest.mark.parametrize(
    "more",
    [
        ("--seats", "4,3", "--points", "wins", "--on-expiry", "default"),
        ("--seats", "3", "--duplicate", "--points", "score", "--on-expiry", "forfeit"),
    ],
)
def test_other_tables_points_and_clocks(more: tuple[str, ...]) -> None:
    """With 23 players there are tables of two sizes, or somebody sits out."""
    ran = run("tournament", "simulate", "--players", "23", "--rounds", "3", "--seed", "c0ffee", *more)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "standings counted a second time from the files: the same, all 24 rows" in ran.stdout


@pytest.mark.parametrize(
    ("game", "more"),
    [
        ("tomorrow-never-meows", ("--players", "16")),
        ("towai", ("--players", "12", "--seats", "3", "--option", "finishes_to_win=1")),
        ("familiars-trouble", ("--players", "12", "--points", "score")),
    ],
)
def test_the_other_games(game: str, more: tuple[str, ...]) -> None:
    ran = run("tournament", "simulate", "--game", game, "--rounds", "3", "--seed", "c0ffee", *more)
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert "standings counted a second time from the files: the same" in ran.stdout
