"""Where a stored match stands, and how it comes to stand elsewhere: the same steps for what is recorded and for what
is read back.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from gyoji.games.game import Game, Seat
from gyoji.match import clocks
from gyoji.match.clocks import Clock, Control
from gyoji.match.event_data import Disclosure
from gyoji.match.seeding import Seeding

Status = Literal["seeding", "playing", "paused", "finished", "voided"]
ResultBy = Literal["play", "forfeit", "ruling", "clock"]


class Result(NamedTuple):
    """How a match came out, with all that referees have given and taken."""

    by: ResultBy
    """Whether it was played to its end, or what ended it or changed its result."""
    scores: tuple[int, ...]
    """By seat, adjustments included."""
    winners: tuple[Seat, ...]
    forfeited: tuple[Seat, ...] = ()


def read_result(document: Mapping[str, Any]) -> Result:
    """The result that a ``match_finished`` states."""
    lists = [tuple(document[name]) for name in ("scores", "winners", "forfeited")]
    return Result(document["by"], *lists)


class MatchState(NamedTuple):
    """Where a stored match stands after its event ``seq``: all that the next entry needs."""

    match: str
    game: Game[Any]
    seq: int
    hash: bytes
    state: Any
    """The game's frozen state; its ``seed`` is that of the match, or of its latest branch. ``None`` before the deal."""
    decision: int
    """The ``seq`` of the event that opened the decision which is now to be made."""
    secret: bytes
    disclosure: Disclosure
    options: Any
    """The game's frozen options."""
    first: int
    seeding: Seeding
    withheld: str | None = None
    """What the disclosure at the end waits for: ``group``, or a time; ``None``: for nothing."""
    over: bool = False
    """Whether there are no more moves: the match is finished or void."""
    voided: bool = False
    closed: bool = False
    """Whether the log is: the server's secret has been told."""
    control: Control | None = None
    """How the time of the seats is kept; ``None``: it is not."""
    clock: Clock | None = None
    """The time of the seats; ``None`` before the deal, and where none is kept."""
    adjustments: tuple[int, ...] = ()
    """Points that referees have given and taken, by seat; empty where there never were any."""
    paused: bool = False
    forfeited: tuple[Seat, ...] = ()
    """The seats whose forfeit ended the match."""
    ruled: Result | None = None
    """The result where it does not follow from play alone: by a ruling, a forfeit or the clock."""
    names: Mapping[Seat, str | None] = {}
    """Who has taken over a seat since the match was set up; ``None``: somebody without a name."""
    rulings: int = 0
    """How many rulings the log has."""
    branches: tuple[tuple[int, int], ...] = ()
    """Of every take-back the ``seq`` of the ruling and that of the event whose position it went back to."""
    at: str = ""
    """When the event was written down, by the clock of whoever wrote it."""

    @property
    def status(self) -> Status:
        """Where the match is in its course."""
        if self.voided:
            return "voided"
        if self.over:
            return "finished"
        if self.state is None:
            return "seeding"
        return "paused" if self.paused else "playing"

    @property
    def adjusted(self) -> tuple[int, ...]:
        """The scores with all that referees have given and taken, by seat, once the cards are dealt."""
        scores: tuple[int, ...] = self.state.scores
        return tuple(map(sum, zip(scores, self.adjustments, strict=True))) if self.adjustments else scores


def opened(standing: MatchState, state: Any, at: str) -> MatchState:
    """The same match with its cards dealt; the first decision begins."""
    control, seeding = standing.control, standing.seeding._replace(closed=True)
    clock = None if control is None else clocks.started(control, seeding.seats, state.to_act, at)
    return standing._replace(state=state, decision=standing.seq + 1, seeding=seeding, clock=clock)


def seeded(standing: MatchState, after: Seeding) -> MatchState:
    """The same match with one more contribution to its seed."""
    return standing._replace(seeding=after, decision=standing.seq + 1)


def after_move(standing: MatchState, state: Any, seat: Seat, at: str) -> MatchState:
    """The same match in the state that a move of the seat led to: a decision that all make together stays the same
    until the last has made it."""
    game, clock = standing.game, standing.clock
    together = game.simultaneous(standing.state) and game.simultaneous(state)
    if clock is not None:
        clock = clocks.moved(clock, seat, state.to_act, at, same_decision=together)
    return standing._replace(state=state, clock=clock, decision=standing.decision if together else standing.seq + 1)


def finished(standing: MatchState, at: str, result: Result | None) -> MatchState:
    """The same match at its end; ``result`` where it was not played to it."""
    if result is not None:
        standing = standing._replace(ruled=result, forfeited=result.forfeited)
    return _stopped(standing, at)


def voided(standing: MatchState, at: str) -> MatchState:
    """The same match made void."""
    seeding = standing.seeding._replace(closed=True)
    return _stopped(standing, at)._replace(seeding=seeding, voided=True, decision=standing.seq + 1)


def _stopped(standing: MatchState, at: str) -> MatchState:
    clock = standing.clock
    return standing._replace(over=True, paused=False, clock=None if clock is None else clocks.stopped(clock, at))


def paused(standing: MatchState, at: str) -> MatchState:
    """The same match, in which time stands still and nobody moves."""
    clock = standing.clock
    return standing._replace(paused=True, clock=None if clock is None else clocks.paused(clock, at))


def resumed(standing: MatchState, at: str) -> MatchState:
    """The same match going on after a pause."""
    clock = standing.clock
    return standing._replace(paused=False, clock=None if clock is None else clocks.resumed(clock, at))


def among(game: Game[Any], scores: tuple[int, ...], forfeited: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Who wins with these scores where some have forfeited: the best of the others, by the game's own rule. Who plays
    together loses together."""
    if not forfeited:
        return game.winners(scores)
    others = [seat for seat in range(len(scores)) if seat not in forfeited]
    if game.cooperative or not others:
        return ()
    return tuple([others[at] for at in game.winners([scores[seat] for seat in others])])


def forfeited(standing: MatchState, by: ResultBy, seats: tuple[Seat, ...]) -> Result:
    """The result if these seats forfeit now."""
    scores = standing.adjusted
    return Result(by, scores, among(standing.game, scores, seats), seats)


def result_of(standing: MatchState) -> Result | None:
    """The result of a match that is finished; ``None`` before, and of one that is void."""
    if standing.status != "finished":
        return None
    if standing.ruled is not None:
        return standing.ruled
    scores = standing.adjusted
    return Result("play", scores, standing.game.winners(scores))
