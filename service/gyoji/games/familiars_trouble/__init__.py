"""Familiar's Trouble: three familiars run errands together, a trick at a time."""

from gyoji.games.familiars_trouble.components import SEATS
from gyoji.games.familiars_trouble.findings import contradictions, findings
from gyoji.games.familiars_trouble.rules import adjudicate, legal_moves, waived
from gyoji.games.familiars_trouble.scoring import lines, rounds, winners
from gyoji.games.familiars_trouble.setup import start
from gyoji.games.familiars_trouble.state import (
    SLUG,
    VERSION,
    State,
    read_options,
    read_state,
    write_options,
    write_state,
)
from gyoji.games.familiars_trouble.view import known, piles, shuffles, simultaneous, view
from gyoji.games.game import Game, irregular

GAME: Game[State] = Game(
    package=__name__,
    slug=SLUG,
    version=VERSION,
    place=4,
    min_seats=SEATS,
    max_seats=SEATS,
    cooperative=True,
    phases=("hand_exchange", "errand_exchange", "trick", "replenish", "finished"),
    read_options=read_options,
    write_options=write_options,
    contradictions=contradictions,
    start=start,
    read_state=read_state,
    write_state=write_state,
    legal_moves=legal_moves,
    adjudicate=adjudicate,
    irregular=irregular(adjudicate, waived, findings),
    findings=findings,
    piles=piles,
    winners=winners,
    passes=("skip_exchange", "skip_errand"),
    view=view,
    lines=lines,
    rounds=rounds,
    known=known,
    simultaneous=simultaneous,
    shuffles=shuffles,
)
