"""Claims that somebody's time is up, judged and written down: nothing happens by itself when a deadline has passed."""

from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Move, Seat, pass_of
from gyoji.log.entries import Entry
from gyoji.log.redaction import redact
from gyoji.match import clocks
from gyoji.match.clocks import Expiry
from gyoji.match.recorder import SERVICE, Salt, made_to_pause, over_by, over_by_play, written
from gyoji.match.rulings import Refusal
from gyoji.match.state import MatchState, after_move, forfeited


def claimed(standing: MatchState, at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState] | Refusal:
    """What follows from a claim that somebody's time is up: the entries of all seats whose time is, and where the match
    stands after them.

    Refused with ``no-clock``, ``not-running``, or ``not-expired`` with ``now`` and the ``deadlines`` by seat.
    """
    clock = standing.clock
    if clock is None or standing.status != "playing":
        return Refusal("no-clock") if standing.control is None else Refusal("not-running", {"status": standing.status})
    seats, deadlines = clocks.expired(clock, at), clocks.deadlines(clock)
    if not seats:
        return Refusal("not-expired", {"now": at, "deadlines": deadlines})
    then = clock.control.on_expiry
    if then in ("default", "pass"):
        return _moved_for(standing, seats, deadlines, at, salt)
    data = {"seats": seats, "deadlines": [deadlines[seat] for seat in seats], "then": then}
    told, after = written(standing, standing, at, "clock_expired", SERVICE, data, {}, salt)
    more, after = _halted(after, at, salt) if then == "referee" else _lost(after, seats, at, salt)
    return (told, *more), after


def _halted(standing: MatchState, at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState]:
    """A referee has to rule before the match goes on."""
    paused, after = made_to_pause(standing, at, salt)
    return (paused,), after


def _lost(standing: MatchState, seats: tuple[Seat, ...], at: str, salt: Salt) -> tuple[tuple[Entry, ...], MatchState]:
    """The seats whose time is up have forfeited."""
    return over_by(standing, forfeited(standing, "clock", seats), at, salt)


def _moved_for(
    standing: MatchState, seats: tuple[Seat, ...], deadlines: tuple[str | None, ...], at: str, salt: Salt
) -> tuple[tuple[Entry, ...], MatchState]:
    """For each of the seats the move that is made when its time is up."""
    made: list[Entry] = []
    for seat in seats:
        move, then = default_move(standing, seat)
        ruling = standing.game.adjudicate(standing.state, move, deal_v1(standing.state.seed))
        if not isinstance(ruling, Accepted):
            raise RuntimeError(f"{standing.game.slug}: a listed move was refused: {ruling.breach.reason}")
        data, secrets = redact(standing.game.known(standing.options), move, ruling.events)
        data = {"seats": (seat,), "deadlines": (deadlines[seat],), "then": then, **data}
        after = after_move(standing, ruling.state, seat, at)
        told, standing = written(standing, after, at, "clock_expired", SERVICE, data, secrets, salt)
        made.append(told)
    more, standing = over_by_play(standing, at, salt)
    return (*made, *more), standing


def default_move(standing: MatchState, seat: Seat) -> tuple[Move, Expiry]:
    """What is played for a seat whose time is up, and what that is called: it passes where that is agreed and legal;
    otherwise the first of its legal moves is made."""
    legal = standing.game.legal_moves(standing.state)
    if standing.control is not None and standing.control.on_expiry == "pass":
        passing = pass_of(standing.game, legal, seat)
        if passing is not None:
            return passing, "pass"
    return next(move for move in legal if move["seat"] == seat), "default"
