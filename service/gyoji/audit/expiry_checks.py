"""Expiries that a log tells of, judged: whose time was up, since when, and what that had to lead to."""

from gyoji.audit.event_checks import Flaw
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.ruling_checks import Judged, Scene, Turn, ended, paused
from gyoji.audit.verdicts import Why
from gyoji.games.game import Accepted, Seat
from gyoji.log.redaction import redact
from gyoji.match import clocks
from gyoji.match import state as stands
from gyoji.match.claims import default_move
from gyoji.match.derived_events import Made
from gyoji.match.recorder import SERVICE


def expiry(scene: Scene, told: RecordedEvent) -> Judged:
    """Somebody's time was up."""
    standing, at = scene.standing, told.document["at"]
    clock = standing.clock
    if clock is None:
        return Flaw("moves", Why("no-clock"), None, told.kind)
    seats, deadlines = clocks.expired(clock, at), clocks.deadlines(clock)
    if not seats:
        return Flaw("moves", Why("not-expired"), min([time for time in deadlines if time], default=None), at)
    then = clock.control.on_expiry
    if then in ("default", "pass"):
        return _moved_for(scene, told, seats[0], deadlines[seats[0]])
    data = {"seats": seats, "deadlines": [deadlines[seat] for seat in seats], "then": then}
    made = Made("clock_expired", SERVICE, data, {}, standing.state)
    if then == "referee":
        return Turn(made, standing, paused(standing, told))
    return Turn(made, standing, ended(standing, told, stands.forfeited(standing, "clock", seats)))


def _moved_for(scene: Scene, told: RecordedEvent, seat: Seat, deadline: str | None) -> Judged:
    """The move that is made for a seat. Where the time of several is up, each has an event of its own."""
    standing, at, setup = scene.standing, told.document["at"], scene.ground.setup
    move, then = default_move(standing, seat)
    ruling = setup.game.adjudicate(standing.state, move, scene.chance)
    if not isinstance(ruling, Accepted):
        return Why("hidden-cards")  # a card that is not known cannot be played
    moved, secrets = redact(scene.ground.known, move, ruling.events)
    data = {"seats": (seat,), "deadlines": (deadline,), "then": then, **moved}
    made = Made("clock_expired", SERVICE, data, secrets, ruling.state, ruling.events)
    after = stands.after_move(standing, ruling.state, seat, at)
    is_over = ruling.state.outcome is not None
    others = () if after.clock is None or is_over else clocks.expired(after.clock, at)
    return Turn(made, after, None, "claimed" if others else None)
