"""TOWAI (トワイ): day, night and the twilight between; whoever is first without cards twice wins.

It is a shedding game without tricks: there is no suit to follow.
"""

from gyoji.games.game import Game
from gyoji.games.towai.findings import findings
from gyoji.games.towai.outlook import deal_hidden, worth
from gyoji.games.towai.questions import QUESTIONS
from gyoji.games.towai.rules import adjudicate, legal_moves, lines, start, waived
from gyoji.games.towai.state import PHASES, RECORDS, State
from gyoji.games.towai.view import piles, seen, shuffles, simultaneous

GAME: Game[State] = Game(
    package=__name__,
    slug="towai",
    version=1,
    place=3,
    min_seats=2,
    max_seats=6,
    phases=PHASES,
    records=RECORDS,
    start=start,
    legal_moves=legal_moves,
    adjudicate=adjudicate,
    waived=waived,
    findings=findings,
    piles=piles,
    passes=("pass", "end_turn"),
    seen=seen,
    lines=lines,
    room=1024,
    demo={"options": {"finishes_to_win": 1}, "randomness": {"policy": "players"}},
    simultaneous=simultaneous,
    shuffles=shuffles,
    deal_hidden=deal_hidden,
    questions=QUESTIONS,
    worth=worth,
)
"""Version 1, the one in force."""
