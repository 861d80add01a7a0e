"""``forfeit`` ends the match because seats forfeit it."""

from typing import Literal, TypedDict

from gyoji.match.events import match_finished
from gyoji.match.events.kind import Refusal
from gyoji.match.records import SomeSeats
from gyoji.match.rulings.kind import DecidedRuling, RulingCase, RulingKind, apply_plainly
from gyoji.match.state import RUNNING, add_ruling, forfeit_result


class ForfeitRuling(TypedDict):
    """The ``data`` of a ``forfeit`` ruling: the seats that forfeit, ascending."""

    kind: Literal["forfeit"]
    seats: SomeSeats


def decide(case: RulingCase) -> DecidedRuling | Refusal:
    """Decide the end of the match by forfeit, unless no seat forfeits."""
    seats = case.ruling.seats
    if not seats:
        return Refusal("no-change")
    return DecidedRuling(add_ruling(case.match), due=match_finished.due(forfeit_result(case.match, "forfeit", seats)))


KIND: RulingKind = RulingKind("forfeit", ForfeitRuling, RUNNING, decide, apply_plainly, overrides=True)
