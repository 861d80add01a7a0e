"""``seed_disclosed`` discloses the server's secret, from which every shuffle follows. It closes the log."""

from typing import TypedDict

from gyoji.games.game import Chance
from gyoji.log.entries import SERVICE
from gyoji.log.redaction import NOBODY
from gyoji.match.events.kind import DecidedEvent, DueEvent, EventKind, LoggedEvent
from gyoji.match.records import Secret
from gyoji.match.seeding import is_withheld
from gyoji.match.state import MatchState


class SeedDisclosedData(TypedDict):
    """The server's secret, 128 hex digits: for everybody, or for auditors only."""

    server_secret: Secret | None


def decide(match: MatchState, _at: str, _chance: Chance) -> DecidedEvent:
    """Decide the disclosure of the server's secret, which has to be known."""
    if not match.secret:
        raise ValueError("a secret that is not known cannot be disclosed")
    return disclose(match, match.secret.hex())


def disclose(match: MatchState, secret: str | None) -> DecidedEvent:
    """Make the event that discloses a secret (hex) and closes the log."""
    after = close(match)
    public: SeedDisclosedData = {"server_secret": secret}
    if match.terms.disclosure == "public_on_close":
        return DecidedEvent("seed_disclosed", SERVICE, public, {}, after)
    sealed: SeedDisclosedData = {"server_secret": None}
    return DecidedEvent("seed_disclosed", SERVICE, sealed, {NOBODY: {"/server_secret": secret}}, after)


def close(match: MatchState) -> MatchState:
    """The match with its log closed."""
    return match._replace(course=match.course._replace(closed=True))


def due(match: MatchState, at: str) -> DueEvent | None:
    """Return the disclosure, which follows the end of the match at once; ``None`` where it is withheld."""
    return None if is_withheld(match.terms.withheld, at) else DUE


DUE = DueEvent("seed_disclosed", decide)


def apply(match: MatchState, _event: LoggedEvent) -> MatchState:
    """Return the match with its log closed."""
    return close(match)


KIND: EventKind = EventKind("seed_disclosed", SeedDisclosedData, apply)
