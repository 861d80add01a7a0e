"""Tomorrow Never Meows: a trick-taking game of weather and wishes for 3 or 4 seats."""

from gyoji.games.game import Game, highest, irregular
from gyoji.games.tomorrow_never_meows.findings import contradictions, findings
from gyoji.games.tomorrow_never_meows.rounds import start
from gyoji.games.tomorrow_never_meows.rules import adjudicate, legal_moves, waived
from gyoji.games.tomorrow_never_meows.scoring import lines
from gyoji.games.tomorrow_never_meows.state import (
    SLUG,
    VERSION,
    State,
    read_options,
    read_state,
    write_options,
    write_rounds,
    write_state,
)
from gyoji.games.tomorrow_never_meows.view import known, piles, shuffles, simultaneous, view

GAME: Game[State] = Game(
    package=__name__,
    slug=SLUG,
    version=VERSION,
    place=1,
    min_seats=3,
    max_seats=4,
    cooperative=False,
    phases=("wish", "announce", "trick", "finished"),
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
