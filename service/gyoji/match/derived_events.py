"""Log events as the rules make them, but for their place in the chain, their time and their salts."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Chance, Event, Move, Seat
from gyoji.games.records import Known
from gyoji.log.redaction import PrivateParts, redact
from gyoji.match.event_data import Disclosure, VoidReason, dealt, disclosed, redact_position, result, ruled_result, void
from gyoji.match.recorder import SERVICE
from gyoji.match.seeding import Seeding, seed_of
from gyoji.match.setup import Setup
from gyoji.match.state import Result


class Made(NamedTuple):
    """One event, and the position after it."""

    kind: str
    actor: Mapping[str, Any]
    data: Mapping[str, Any]
    secrets: PrivateParts
    state: Any
    events: Sequence[Event] = ()


class Ground(NamedTuple):
    """What all events of a match are made from."""

    setup: Setup
    known: Known
    secret: str | None
    """The server's secret in hex, where it is disclosed."""
    seed: str | None
    live: Chance | None
    """Chance from the seed."""
    missing: Sequence[Seat] = ()
    """The seats whose entropy the seed had to do without."""


def ground(setup: Setup, secret: bytes | None, seeding: Seeding) -> Ground:
    """The ground that a match stands on, with all that has been contributed to its seed; ``secret`` is the server's, if
    it is known."""
    known = setup.game.known(setup.options)
    if secret is None:
        return Ground(setup, known, None, None, None, seeding.missing)
    seed = seed_of(seeding, secret, setup.game)
    return Ground(setup, known, secret.hex(), seed, deal_v1(seed), seeding.missing)


def deal(on: Ground, chance: Chance) -> Made:
    """The first deal. Raises what ``chance`` raises."""
    setup = on.setup
    state, events = setup.game.start(setup.seats, setup.options, setup.first, on.seed, chance)
    return Made("dealt", SERVICE, *dealt(on.known, events, on.missing), state, events)


def takeover(on: Ground, state: Any) -> Made:
    """What stands in a fork in place of the first deal."""
    return Made("dealt", SERVICE, *redact_position(on.setup.game, state), state)


def moved(on: Ground, before: Any, move: Move, ruling: Accepted[Any], actor: Mapping[str, Any]) -> Made:
    """A move that stands."""
    kind = "choice_made" if on.setup.game.simultaneous(before) else "move_played"
    return Made(kind, actor, *redact(on.known, move, ruling.events), ruling.state, ruling.events)


def finish(state: Any, ended: Result | None = None) -> Made:
    """The result, after the last move; or ``ended``, where the match was not played to its end."""
    data = result(state) if ended is None else ruled_result(ended._asdict())
    return Made("match_finished", SERVICE, data, {}, state)


def voided(actor: Mapping[str, Any], reason: VoidReason, missing: Sequence[Seat], state: Any) -> Made:
    """The end without a result; ``state`` is ``None`` before the deal."""
    return Made("match_voided", actor, void(reason, missing), {}, state)


def disclosure(policy: Disclosure, secret: Any, state: Any) -> Made:
    """The server's secret (hex; ``None`` where it is hidden), told to all or kept for auditors."""
    return Made("seed_disclosed", SERVICE, *disclosed(policy, secret), state)
