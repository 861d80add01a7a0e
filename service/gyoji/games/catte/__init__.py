"""Catte: a trick-taking game for 3 or 4 seats whose trump changes with every coffee served."""

from gyoji.games.catte.components import DECK
from gyoji.games.catte.findings import findings
from gyoji.games.catte.outlook import deal_hidden, worth
from gyoji.games.catte.questions import QUESTIONS
from gyoji.games.catte.rules import adjudicate, contradictions, legal_moves, start, waived
from gyoji.games.catte.scores import lines
from gyoji.games.catte.state import PHASES, RECORDS, State
from gyoji.games.catte.view import piles, seen, shuffles
from gyoji.games.game import Game

GAME: Game[State] = Game(
    package=__name__,
    slug="catte",
    version=1,
    place=2,
    min_seats=3,
    max_seats=4,
    phases=PHASES,
    records=RECORDS,
    contradictions=contradictions,
    tables={"deck": DECK},
    start=start,
    legal_moves=legal_moves,
    adjudicate=adjudicate,
    waived=waived,
    findings=findings,
    piles=piles,
    seen=seen,
    lines=lines,
    room=1408,
    is_example=True,
    shuffles=shuffles,
    deal_hidden=deal_hidden,
    questions=QUESTIONS,
    worth=worth,
)
