"""The interface of a kind of ruling: its request, its shape, what it decides, and how it is applied to the match."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from gyoji.games.game import Chance, Event, Move, Seat
from gyoji.log.entries import Actor
from gyoji.log.redaction import Audience
from gyoji.match.events.kind import DueEvent, LoggedEvent, Refusal
from gyoji.match.state import MatchState, Status, add_ruling

Kind = Literal[
    "take_back",
    "play",
    "accept",
    "points",
    "time",
    "forfeit",
    "substitute",
    "void",
    "result",
    "pause",
    "resume",
    "note",
]


class Ruling(NamedTuple):
    """A ruling of a referee. Fields that its kind does not need keep their defaults."""

    kind: Kind
    by: Actor
    reason: str
    """For the eyes of ``audience``."""
    audience: Audience = "all"
    """``()``: the reason is kept until disclosure."""
    rule: str | None = None
    """The id of the rule that it rests on."""
    seat: Seat | None = None
    """``points``, ``time``, ``substitute``."""
    to: int | None = None
    """``take_back``: the ``seq`` of the event whose position is the position again."""
    move: Move | None = None
    """``play``: a legal move; ``accept``: one that breaks a rule and stands."""
    points: int = 0
    add_ms: int = 0
    """``time``: milliseconds given, or taken where it is below 0."""
    seats: tuple[Seat, ...] = ()
    """``forfeit``."""
    name: str | None = None
    """``substitute``: who plays the seat from now on."""
    winners: tuple[Seat, ...] = ()
    """``result``."""
    scores: tuple[int, ...] | None = None
    """``result``: by seat, all adjustments so far included; ``None``: as they are."""


class TakeBackTarget(NamedTuple):
    """The state of the match after the event that a take-back goes back to, as far as the take-back needs it."""

    seq: int
    state: Any
    """The game's frozen state after it; ``None`` before the deal."""
    credited_ms: tuple[int, ...] | None
    """The increments that each seat had earned by then, where time is kept."""


class RulingCase(NamedTuple):
    """A ruling to be decided: the ruling, the match before it, and the time."""

    match: MatchState
    """Before it."""
    ruling: Ruling
    at: str
    chance: Chance
    target: TakeBackTarget | None
    """Of a take-back; ``None`` if the match had no such event."""


class DecidedRuling(NamedTuple):
    """A ruling that has been decided and can be made: what is recorded of it, and what comes of it."""

    after: MatchState
    data: Mapping[str, Any] = {}
    private: Mapping[Audience, dict[str, Any]] = {}
    due: DueEvent | None = None
    """The event of the service that has to follow at once."""
    events: Sequence[Event] = ()
    """The game's own events that it records, nothing hidden."""


class RulingKind(NamedTuple):
    """One kind of ruling."""

    name: Kind
    record: type
    """The shape of ``data.ruling``, a ``TypedDict``."""
    statuses: tuple[Status, ...]
    """In which statuses of a match it can be made."""
    decide: Callable[[RulingCase], DecidedRuling | Refusal]
    """A ruling of a sound shape, in a match of such a status -> what comes of it. Raises what the chance raises."""
    apply: Callable[[MatchState, LoggedEvent], MatchState]
    """(match before it, event) -> the match after it, but for ``seq``, ``hash`` and ``at``."""
    overrides: bool
    """Whether it puts something else in the place of what the rules of the game make of the match."""
    lasts: bool = False
    """Whether a take-back that goes back to before it leaves it in force."""
    request: type | None = None
    """The shape of what a referee sends, a ``TypedDict``, where it is not that of ``data.ruling``."""

    @property
    def members(self) -> tuple[str, ...]:
        """The members that stand beside ``kind`` in ``data.ruling``."""
        return tuple([name for name in self.record.__annotations__ if name != "kind"])


def decide_plainly(case: RulingCase) -> DecidedRuling:
    """Decide a ruling that by itself changes nothing but the number of rulings; the next event may change more."""
    return DecidedRuling(add_ruling(case.match))


def apply_plainly(match: MatchState, _event: LoggedEvent) -> MatchState:
    """Return the match after a ruling that by itself changes nothing but the number of rulings."""
    return add_ruling(match)


def banks_of(match: MatchState, *names: str) -> dict[str, Any]:
    """Return the banks, by seat, that a ruling may have changed; nothing where none are kept."""
    clock = match.clock
    if clock is None or clock.control.bank_ms is None:
        return {}
    return {name: getattr(clock, name) for name in names}
