"""``dealt`` deals the cards, or lets a fork take over the position of another match. The first decision begins."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from gyoji.games.game import Chance, Game, Position
from gyoji.log.entries import SERVICE
from gyoji.log.redaction import PrivateParts, placeholder, redact
from gyoji.match import clocks
from gyoji.match.events.kind import DecidedEvent, DueEvent, EventKind, LoggedEvent
from gyoji.match.records import Happened, PublicPosition, SeatList
from gyoji.match.seeding import recorded_chance
from gyoji.match.state import MatchState


class DealtData(TypedDict):
    """The game's events of the deal, in which each seat knows its own cards only.

    ``position`` is that of a fork, as everybody may see it. ``missing`` are the seats whose entropy the seed had to do
    without.
    """

    events: Happened
    position: NotRequired[PublicPosition]
    missing: NotRequired[SeatList]


def decide(match: MatchState, at: str, chance: Chance) -> DecidedEvent:
    """Decide the first deal, with empty entropy for seats that have revealed none. Raises what ``chance`` raises."""
    seeding, game = match.seeding, match.game
    state, events = game.start(seeding.seats, match.options, match.terms.first, match.seed, chance)
    data, private = redact(game.known(match.options), None, events)
    if seeding.missing:
        data["missing"] = seeding.missing
    return DecidedEvent("dealt", SERVICE, data, private, begin(match, state, at), events=events)


DUE = DueEvent("dealt", decide)


def take_over(match: MatchState, position: Any, at: str) -> DecidedEvent:
    """Decide that a fork begins in a position, the game's frozen state, in place of the first deal."""
    public, private = redact_position(match.game, position)
    data: DealtData = {"events": (), "position": public}
    return DecidedEvent("dealt", SERVICE, data, private, begin(match, position._replace(seed=match.seed), at))


def begin(match: MatchState, state: Any, at: str) -> MatchState:
    """Return the match with its first decision begun in a state."""
    control, seeding = match.terms.control, match.seeding._replace(closed=True)
    clock = None if control is None else clocks.start_clock(control, seeding.seats, state.to_act, at)
    return match._replace(state=state, decision=match.seq + 1, seeding=seeding, clock=clock)


def apply(match: MatchState, event: LoggedEvent) -> MatchState:
    """Return the match after the deal, with the shuffles that the log recorded."""
    data, game = event["data"], match.game
    if "position" in data:
        return begin(match, game.read_state(data["position"])._replace(seed=match.seed), event["at"])
    chance = recorded_chance(game, match.options, data["events"])
    dealt = game.start(match.seeding.seats, match.options, match.terms.first, match.seed, chance)
    return begin(match, dealt.state, event["at"])


def redact_position(game: Game[Any], state: Position) -> tuple[Mapping[str, Any], PrivateParts]:
    """Split a position into what everybody may see and what each seat may see beyond that. The pointers begin with
    ``/position``."""
    bare = state._replace(seed=None)  # type: ignore[attr-defined] # every state is a NamedTuple
    public = game.view(bare, None)
    seen = [game.view(bare, seat) for seat in range(state.seats)]
    private: PrivateParts = {}
    _keep_apart("/position", public, game.write_state(bare), seen, private)
    return public, private


def _keep_apart(pointer: str, public: Any, full: Any, seen: list[Any], private: PrivateParts) -> None:
    """Adds every place where the public view holds something back, under the seats whose view does not."""
    if public == full:
        return
    if public == placeholder(full):
        audience = tuple([seat for seat, view in enumerate(seen) if view == full])
        private.setdefault(audience, {})[pointer] = full
        return
    inner = full.items() if isinstance(full, Mapping) else enumerate(full)
    for key, value in inner:
        _keep_apart(f"{pointer}/{key}", public[key], value, [view[key] for view in seen], private)


KIND: EventKind = EventKind("dealt", DealtData, apply)
