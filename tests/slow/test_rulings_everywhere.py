"""Every kind of ruling for itself, at many plies of several matches of every game, options and numbers of seats."""

from itertools import product

import pytest

from gyoji.match.rulings.kind import Kind
from gyoji.match.rulings.ruling_made import RULING_KINDS
from replay.rulings_everywhere import (
    POINTS,
    RULINGS,
    Setting,
    at_ply,
    audit,
    look_at,
    place_of,
    rule_every_way,
    step_through,
    whole,
)

OPTIONS: list[tuple[str, tuple[tuple[str, object], ...]]] = [
    ("tomorrow-never-meows", ()),
    ("tomorrow-never-meows", (("concealed", True), ("bluff_scoring", "per_trick"))),
    ("tomorrow-never-meows", (("wishes", "basic"), ("round_leader", "clockwise"))),
    ("catte", (("bust_bonus", "forfeit"),)),
    ("towai", (("finishes_to_win", 1),)),
    ("towai", (("first_card", "any"), ("reform", "discard"))),
    ("familiars-trouble", ()),
    ("familiars-trouble", (("hand_exchange", False), ("lead_rule", "any"))),
]
SETTINGS = [Setting(slug, options, number) for (slug, options), number in product(OPTIONS, range(2))]
EVERY_SETTING = pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.slug}-{setting.number}")
PLACES = 5
"""Of each match, spread evenly from the deal to the last move."""


def plies(setting: Setting) -> list[int]:
    last = whole(setting).plies - 1
    return sorted({last * place // (PLACES - 1) for place in range(PLACES)})


@EVERY_SETTING
@pytest.mark.parametrize("kind", RULING_KINDS)
def test_a_ruling_and_the_match_played_on(setting: Setting, kind: Kind) -> None:
    for place in plies(setting):
        match = at_ply(setting, place_of(setting, kind, place))
        RULINGS[kind](match)
        match.play()
        look_at(match, POINTS if kind == "points" else 0)
        audit(match)
        step_through(match)


@EVERY_SETTING
def test_every_ruling_again_and_again(setting: Setting) -> None:
    """At every place in turn in one and the same log; the branches have branches of their own."""
    match = at_ply(setting, 1)
    rounds = 6
    for _ in range(rounds):
        match.play(match.choices.randrange(1, 9))
        if match.current.over:
            match.rule("take_back", to=1)
        rule_every_way(match)
    match.play()
    look_at(match, rounds * POINTS)
    audit(match)
    step_through(match)
