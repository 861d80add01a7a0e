"""Lanterns: a plain trick game for three seats."""

from gyoji.games.game import Game
from gyoji_lanterns.findings import findings
from gyoji_lanterns.questions import QUESTIONS
from gyoji_lanterns.rules import (
    adjudicate,
    deal_hidden,
    legal_moves,
    lines,
    piles,
    seen,
    shuffles,
    start,
    waived,
    worth,
)
from gyoji_lanterns.state import PHASES, RECORDS, State

GAME: Game[State] = Game(
    package=__name__,
    slug="lanterns",
    version=1,
    place=100,
    min_seats=3,
    max_seats=3,
    phases=PHASES,
    records=RECORDS,
    start=start,
    legal_moves=legal_moves,
    adjudicate=adjudicate,
    waived=waived,
    findings=findings,
    piles=piles,
    seen=seen,
    shuffles=shuffles,
    lines=lines,
    deal_hidden=deal_hidden,
    questions=QUESTIONS,
    worth=worth,
)
