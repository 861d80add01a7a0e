"""Every kind of ruling on every game, at the first, a middle and the last ply, then played on to the end."""

from functools import cache
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Move
from gyoji.match.clocks import Control
from gyoji.match.events.kind import Refusal
from gyoji.match.rulings.kind import Kind
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.match.state import result_of
from replay.refereed import Match
from replay.refereed_courses import misplays

CLOCK = Control(5_000, 60_000, 1_000, "default")


OPTIONS: dict[str, dict[str, Any]] = {"towai": {"finishes_to_win": 1}}
"""Short games."""


@cache
def length(slug: str) -> int:
    """The moves of the match that is ruled on here, without any ruling."""
    moves: int = Match(slug, OPTIONS.get(slug), number=3).play().current.state.ply
    return moves


def rule(match: Match, kind: Kind) -> bool:
    """Whether there was something to rule of that kind."""
    every: dict[str, dict[str, Any]] = {
        "take_back": {"to": max(1, match.seq // 2)},
        "play": {"move": match.legal()[-1]},
        "points": {"seat": 1, "points": 11},
        "time": {"seat": 0, "add_ms": 70_000},
        "forfeit": {"seats": (1,)},
        "substitute": {"seat": 2, "name": "Aoi"},
        "result": {"winners": (2,)},
    }
    members = every.get(kind, {})
    if kind == "accept":
        return any(accepted(match, move) for move in misplays(match))
    if kind == "resume":
        match.rule("pause")
    if kind == "take_back" and match.seq == 1:
        match.play(1)
        members = {"to": 1}
    match.rule(kind, **members)
    return True


def accepted(match: Match, move: Move) -> bool:
    step = match.asked("accept", move=move)
    if isinstance(step, Refusal):
        return False
    match.add(step)
    return True


@pytest.mark.parametrize("where", ["first", "middle", "last"])
@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_kind_at_every_stage(slug: str, where: str) -> None:
    for kind in RULING_KINDS:
        match = Match(slug, OPTIONS.get(slug), number=3, clock=CLOCK)
        match.play({"first": 0, "middle": length(slug) // 2, "last": length(slug) - 1}[where])
        assert not match.current.over
        before = match.seq
        if not rule(match, kind):
            assert kind == "accept"
            continue
        if match.current.over:
            assert kind in ("forfeit", "void", "result") or where == "last"
            match.rule("take_back", to=before)
        if match.current.course.paused:
            match.rule("resume")
        match.play()
        assert match.current.status == "finished"
        assert match.game.findings(match.current.state) == ()
        result = result_of(match.current)
        given = 11 if kind == "points" else 0
        scores = match.current.state.scores
        assert result is not None
        assert result.by == "play"
        assert result.scores == tuple([score + given * (seat == 1) for seat, score in enumerate(scores)])
        match.close()
