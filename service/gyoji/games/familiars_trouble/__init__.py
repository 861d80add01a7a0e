"""Familiar's Trouble: three familiars run errands together, a trick at a time."""

from gyoji.games.familiars_trouble.components import SEATS
from gyoji.games.familiars_trouble.errands import ERRANDS
from gyoji.games.familiars_trouble.findings import contradictions, findings
from gyoji.games.familiars_trouble.outlook import deal_hidden
from gyoji.games.familiars_trouble.questions import QUESTIONS
from gyoji.games.familiars_trouble.rules import adjudicate, legal_moves, waived
from gyoji.games.familiars_trouble.scores import lines, winners
from gyoji.games.familiars_trouble.setup import start
from gyoji.games.familiars_trouble.state import RECORDS, State
from gyoji.games.familiars_trouble.view import piles, seen, shuffles
from gyoji.games.game import Game

GAME: Game[State] = Game(
    package=__name__,
    slug="familiars-trouble",
    version=1,
    place=4,
    min_seats=SEATS,
    max_seats=SEATS,
    cooperative=True,
    phases=("hand_exchange", "errand_exchange", "trick", "replenish", "finished"),
    records=RECORDS,
    contradictions=contradictions,
    tables={"errands": [{**errand._asdict(), "requires": errand.requires._asdict()} for errand in ERRANDS]},
    start=start,
    legal_moves=legal_moves,
    adjudicate=adjudicate,
    waived=waived,
    findings=findings,
    piles=piles,
    winners=winners,
    passes=("skip_exchange", "skip_errand"),
    seen=seen,
    lines=lines,
    room=1152,
    demo={"options": {"hand_exchange": False, "errand_exchange": False}},
    shuffles=shuffles,
    deal_hidden=deal_hidden,
    questions=QUESTIONS,
)
