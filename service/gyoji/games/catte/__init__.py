"""Catte: a trick-taking game for 3 or 4 seats whose trump changes with every coffee served."""

from gyoji.games.catte.findings import findings
from gyoji.games.catte.rules import adjudicate, contradictions, legal_moves, start, waived
from gyoji.games.catte.scoring import lines
from gyoji.games.catte.state import (
    PHASES,
    SLUG,
    VERSION,
    State,
    read_options,
    read_state,
    write_options,
    write_rounds,
    write_state,
)
from gyoji.games.catte.view import known, piles, shuffles, simultaneous, view
from gyoji.games.game import Game, highest, irregular

GAME: Game[State] = Game(
    package=__name__,
    slug=SLUG,
    version=VERSION,
    place=2,
    min_seats=3,
    max_seats=4,
    cooperative=False,
    phases=PHASES,
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
    winners=highest,
    passes=(),
    view=view,
    lines=lines,
    rounds=write_rounds,
    known=known,
    simultaneous=simultaneous,
    shuffles=shuffles,
)
