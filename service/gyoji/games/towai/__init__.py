"""TOWAI (トワイ): day, night and the twilight between; whoever is first without cards twice wins."""

from gyoji.games.game import Game, highest, irregular
from gyoji.games.towai.findings import findings
from gyoji.games.towai.rules import adjudicate, legal_moves, start, waived
from gyoji.games.towai.scoring import lines, rounds
from gyoji.games.towai.state import PHASES, State, contradictions, read_options, read_state, write_options, write_state
from gyoji.games.towai.view import known, piles, shuffles, simultaneous, view

GAME: Game[State] = Game(
    package=__name__,
    slug="towai",
    version=1,
    place=3,
    min_seats=2,
    max_seats=6,
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
    passes=("pass", "end_turn"),
    view=view,
    lines=lines,
    rounds=rounds,
    known=known,
    simultaneous=simultaneous,
    shuffles=shuffles,
)
"""Version 1, the one in force."""
