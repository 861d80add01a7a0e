"""The types that the client for Python has of the service's documents."""

from typing import TYPE_CHECKING, Any, NotRequired, assert_type, get_origin, get_type_hints, is_typeddict

import pytest

import make_documents
from gyoji_client import Gyoji, Seat, documents
from gyoji_client.documents import CatteMove, CatteView

TYPES = {name: kind for name, kind in vars(documents).items() if is_typeddict(kind)}


def test_they_are_made_of_the_contract() -> None:
    made = make_documents.documents(make_documents.CONTRACT.read_text("utf-8"))
    assert make_documents.DOCUMENTS.read_text("utf-8") == made


@pytest.mark.parametrize("name", TYPES)
def test_whatever_a_type_names_is_there(name: str) -> None:
    assert get_type_hints(TYPES[name])


def test_what_the_service_answers_has_the_members_that_the_types_say(gyoji: Gyoji) -> None:
    match = gyoji.matches.create("catte", seats=3)
    seat = Seat[CatteMove, CatteView](match.seats[0].address)
    held(seat.read(), documents.CatteMatch)
    held(seat.read()["view"], documents.CatteView)
    held(gyoji.keys(), documents.SigningKeys)
    held(match.audit(), documents.Verdict)
    for turn in seat.turns():
        played = turn.play(turn.legal_moves[0])
        held(played, documents.CatteMoveAnswer)
        held(played["receipt"], documents.Receipt)
        break


def held(document: dict[str, Any], kind: Any) -> None:
    """The document has all that is required, and nothing that the type does not know."""
    members = get_type_hints(kind, include_extras=True)
    required = {name for name, of in members.items() if get_origin(of) is not NotRequired}
    assert required <= document.keys() <= members.keys()


if TYPE_CHECKING:

    def known(seat: Seat[CatteMove, CatteView], other: Seat) -> None:
        """What type checkers know of seats."""
        for turn in seat.turns():
            assert_type(turn.legal_moves[0], CatteMove)
            assert_type(turn.view, CatteView)
        for turn_of_any in other.turns():
            assert_type(turn_of_any.legal_moves[0], dict[str, Any])
