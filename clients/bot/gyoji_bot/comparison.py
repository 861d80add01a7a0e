"""What came of the games of one player against others, and what that says."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gyoji_bot.intervals import Interval, chance_of, mean, wilson


@dataclass(frozen=True)
class Game:
    """A game that was played: the scores, and who has won alone."""

    seat: int
    """Where the player sat that is looked at."""
    scores: Sequence[int]
    winners: Sequence[int]
    baseline: int | None = None
    """Of a cooperative game: what the team scored with one of the others in the player's seat, dealt the same cards."""

    @property
    def margin(self) -> float:
        """Return by how many points the player was better: than the others on average, or its team with it."""
        own = self.scores[self.seat]
        if self.baseline is not None:
            return own - self.baseline
        return own - (sum(self.scores) - own) / (len(self.scores) - 1)

    @property
    def is_won(self) -> bool:
        """Tell whether the player has won alone, or its team done better than without it."""
        return self.margin > 0 if self.baseline is not None else list(self.winners) == [self.seat]

    @property
    def is_drawn(self) -> bool:
        """Tell whether it made no difference to its team whether it played."""
        return self.baseline is not None and self.margin == 0


@dataclass(frozen=True)
class Comparison:
    """What the games say of the player.

    Of equal players each of *n* wins alone with a chance of at most 1/*n*; a shared win counts as none. Of a
    cooperative game pairs are compared in which only the one player differs: which of the two scores more is an even
    chance, and pairs that score the same say nothing (the sign test).
    """

    games: int
    wins: int
    decided: int
    """The games that count: all but pairs that score the same."""
    margin: Interval
    even: float
    """The share of wins of a player who is no better than the others."""

    @property
    def share(self) -> Interval:
        """Return the share of wins, with Wilson's interval."""
        return wilson(self.wins, self.decided)

    @property
    def chance(self) -> float:
        """Return how likely as many wins are for a player who is no better."""
        return chance_of(self.wins, self.decided, self.even)


def compare(games: Sequence[Game]) -> Comparison:
    """Count the games, one or more."""
    first = games[0]
    even = 1 / 2 if first.baseline is not None else 1 / len(first.scores)
    return Comparison(
        games=len(games),
        wins=sum([game.is_won for game in games]),
        decided=sum([not game.is_drawn for game in games]),
        margin=mean([game.margin for game in games]),
        even=even,
    )


class Step(NamedTuple):
    """One player against others, in one game."""

    game: str
    seats: int
    player: str
    others: str
    found: Comparison

    def cells(self) -> tuple[str, ...]:
        """Write the figures, in the order of the headings."""
        found, share, margin = self.found, self.found.share, self.found.margin
        return (
            self.game,
            str(self.seats),
            self.player,
            self.others,
            str(found.decided),
            f"{share.value:.0%} ({share.low:.0%} to {share.high:.0%})",
            f"{found.even:.0%}",
            f"{margin.value:+.2f} ({margin.low:+.2f} to {margin.high:+.2f})",
            f"{found.chance:.1g}",
        )


HEADINGS = ("game", "seats", "player", "against", "games", "wins (95 %)", "by chance", "margin (95 %)", "p")


def rows(steps: Iterable[Step]) -> Iterator[str]:
    """Write steps as the lines of a table in Markdown."""
    yield f"| {' | '.join(HEADINGS)} |"
    yield f"|{'---|' * len(HEADINGS)}"
    for step in steps:
        yield f"| {' | '.join(step.cells())} |"
