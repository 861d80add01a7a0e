"""Tomorrow Never Meows: a trick-taking game of weather and wishes for 3 or 4 seats."""

from gyoji.games.game import Game
from gyoji.games.tomorrow_never_meows.findings import contradictions, findings
from gyoji.games.tomorrow_never_meows.outlook import deal_hidden, worth
from gyoji.games.tomorrow_never_meows.questions import QUESTIONS
from gyoji.games.tomorrow_never_meows.rounds import start
from gyoji.games.tomorrow_never_meows.rules import adjudicate, legal_moves, waived
from gyoji.games.tomorrow_never_meows.scores import lines
from gyoji.games.tomorrow_never_meows.state import RECORDS, WISH_POINTS, State
from gyoji.games.tomorrow_never_meows.view import piles, seen, shuffles, simultaneous

GAME: Game[State] = Game(
    package=__name__,
    slug="tomorrow-never-meows",
    version=1,
    place=1,
    min_seats=3,
    max_seats=4,
    phases=("wish", "announce", "trick", "finished"),
    records=RECORDS,
    contradictions=contradictions,
    tables={"wish_points": {wish: row._asdict() for wish, row in WISH_POINTS._asdict().items()}},
    start=start,
    legal_moves=legal_moves,
    adjudicate=adjudicate,
    waived=waived,
    findings=findings,
    piles=piles,
    seen=seen,
    lines=lines,
    room=2560,
    demo={"options": {"concealed": True}},
    simultaneous=simultaneous,
    shuffles=shuffles,
    deal_hidden=deal_hidden,
    questions=QUESTIONS,
    worth=worth,
)
