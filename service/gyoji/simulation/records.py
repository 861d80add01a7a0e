"""Returns what a store keeps of a simulated match beside its log."""

from gyoji.app.match_states import head_of
from gyoji.match.state import MatchState
from gyoji.simulation.derivation import timestamp
from gyoji.store.interface import Match, Seating

ACCOUNT = "operator"
"""The account of the matches that are made with the configured operator's key."""


def match_record(standing: MatchState) -> Match:
    """Return the record of a match at its end, as the operator's."""
    return Match(
        standing.match,
        standing.game.slug,
        standing.game.version,
        ACCOUNT,
        timestamp(0),
        "private",
        standing.disclosure,
        False,
        False,
        (),
        standing.secret,
        (Seating(0, 0),) * (standing.state.seats + 1),
        head_of(standing),
    )
