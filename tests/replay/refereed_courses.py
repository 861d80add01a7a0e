"""Whole courses of matches at random: moves in time and late, claims, and rulings of every kind wherever they come."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any

from gyoji.games.game import Move
from gyoji.match.clocks import Control
from gyoji.match.events.kind import Refusal
from gyoji.match.rulings.kind import Kind
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.simulation.derivation import EPOCH
from replay.refereed import BANKED, SEATS, UNBANKED, Match

OPTIONS: Mapping[str, Sequence[dict[str, Any]]] = {
    "tomorrow-never-meows": [{}, {"concealed": True, "bluff_scoring": "per_trick"}],
    "catte": [{}],
    "towai": [{}, {"finishes_to_win": 1}],
    "familiars-trouble": [{}, {"hand_exchange": True}],
}
CLOCKS: Sequence[Control | None] = [
    None,
    BANKED,
    UNBANKED,
    Control(5_000, 3_000, 1_000, "forfeit"),
    Control(3_000, None, 0, "default"),
    Control(0, 9_000, 2_500, "referee"),
]
PASSING = Control(4_000, 5_000, 100, "pass")
KINDS: Sequence[Kind] = [*RULING_KINDS, *["take_back"] * 4, *["resume"] * 3]  # type: ignore[list-item]
ENDINGS = ("void", "result", "forfeit")


def course(number: int) -> Match:
    """The match of that number, its log closed in the end: always the same."""
    choices = Random(f"course {number}")
    slug = choices.choice([*SEATS])
    clocks = [*CLOCKS, PASSING] if slug == "towai" else CLOCKS
    begins = {"clock": choices.choice(clocks), "withheld_until": choices.choice([None, "group", "group"])}
    match = Match(slug, choices.choice(OPTIONS[slug]), number, first=choices.randrange(SEATS[slug]), **begins)
    for at in times(choices, choices.choice([20, 60, 200])):
        if match.current.closed:
            break
        what = choices.random()
        if match.current.status == "playing" and what < 0.72:
            match.move(choices.choice(match.legal()), at=at)
        elif what < 0.8:
            match.claim(at)
        else:
            rule(match, choices, at)
    if not match.current.over:
        match.rule("forfeit", at, seats=(1,))
    if not match.current.closed:
        match.close()
    return match


def times(choices: Random, most: int) -> Iterator[str]:
    """Times that come one after the other, some at the same moment."""
    now = timedelta()
    for _time in range(most):
        now += timedelta(milliseconds=choices.choice([0, 1, 500, 3_000, 20_000]))
        yield (EPOCH + now).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def rule(match: Match, choices: Random, at: str) -> None:
    """Some ruling, if it is taken."""
    kind = choices.choice(KINDS)
    if kind in ENDINGS and choices.random() < 0.6:
        return
    audience = choices.choice(["all", (), (0,), tuple(range(SEATS[match.game.slug]))])
    step = match.asked(kind, at, audience=audience, **members(match, kind, choices))
    if not isinstance(step, Refusal):
        match.add(step)


def members(match: Match, kind: Kind, choices: Random) -> dict[str, Any]:
    seats = range(SEATS[match.game.slug])
    seat, some = choices.choice(seats), tuple(choices.sample(seats, choices.randint(0, len(seats))))
    if kind == "result":
        scores = tuple([choices.randint(-9, 30) for _seat in seats])
        won = {"scores": scores, "winners": match.game.winners(scores)}
        return choices.choice([won, {"winners": some}])
    every: dict[str, dict[str, Any]] = {
        "take_back": {"to": choices.randint(0, match.seq)},
        "play": {"move": choices.choice([*match.legal(), None])},
        "accept": {"move": choices.choice([*misplays(match), None])},
        "points": {"seat": seat, "points": choices.randint(-9, 9)},
        "time": {"seat": seat, "add_ms": choices.randint(-5_000, 9_000)},
        "forfeit": {"seats": some},
        "substitute": {"seat": seat, "name": choices.choice([None, "Aoi"])},
    }
    return every.get(kind, {})


def misplays(match: Match) -> Iterator[Move]:
    """Every card in the hand of a seat that is to act, played or given away as its legal moves are."""
    for move in match.legal():
        if "card" in move:
            yield from [{**move, "card": card} for card in match.current.state.hands[move["seat"]]]


def must_hold(match: Match) -> None:
    """The whole log folds to where it stands, at a position of the game."""
    match.check()
    assert match.game.findings(match.current.state) == ()
