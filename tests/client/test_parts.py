"""The parts of the client that need no service."""

import pytest

import gyoji_client
import make_synchronous
from gyoji import __version__ as service_version
from gyoji_client import BadReceipt, Gyoji, Retries, Seat, check_receipt
from gyoji_client.answers import Document
from gyoji_client.errors import Problem
from gyoji_client.event_parser import EventParser, StreamEvent
from gyoji_client.retries import is_repeatable


def test_the_synchronous_client_is_made_of_the_other() -> None:
    text = (make_synchronous.PACKAGE / "asynchronous.py").read_text("utf-8")
    made = (make_synchronous.PACKAGE / "synchronous.py").read_text("utf-8")
    assert made == make_synchronous.synchronous(text)
    assert not [word for word in ("async ", "await ", "Async") if word in made]


STREAM = b'id: 3\nevent: dealt\ndata: {"a":\ndata: 1}\n\n: beat\n\nid: 4\r\ndata: x\r\n\r\nevent: reset\nid\ndata: \n\n'
EVENTS = [StreamEvent("3", "dealt", '{"a":\n1}'), StreamEvent("4", "message", "x"), StreamEvent("", "reset", "")]


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_events_are_parsed_in_whatever_pieces_they_come(size: int) -> None:
    parser = EventParser()
    found = [event for at in range(0, len(STREAM), size) for event in parser.feed(STREAM[at : at + size])]
    assert found == EVENTS


def test_a_stream_is_resumed_behind_what_came_whole() -> None:
    """Also behind an id without an event; not behind an event that broke off."""
    parser = EventParser()
    lasts = []
    for piece in (b": beat\n\n", b"id: 7\n\n", b"id: 8\ndata: {}\n", b"\n", b"event: dealt\ndata: {}\n\n", b"id: 9\n"):
        list(parser.feed(piece))
        lasts.append(parser.last)
    assert lasts == ["", "7", "7", "8", "8", "8"]


def test_pauses_grow_up_to_a_bound_and_heed_the_service() -> None:
    retries = Retries(first=1.0, longest=8.0)
    for attempt, most in ((0, 1.0), (2, 4.0), (10, 8.0)):
        assert all(0 <= retries.pause(attempt, None) <= most for _time in range(100))
    assert all(5.0 <= retries.pause(9, 5.0) <= 6.0 for _time in range(100))


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        (503, "unavailable", True),
        (429, "rate-limited", True),
        (502, "", True),
        (409, "idempotency-in-progress", True),
        (409, "illegal-move", False),
        (412, "stale-position", False),
        (500, "internal-error", False),
    ],
)
def test_only_what_may_succeed_is_sent_again(status: int, code: str, expected: bool) -> None:
    assert is_repeatable(Problem({"status": status, "code": code})) is expected


@pytest.fixture
def receipt(gyoji: Gyoji) -> tuple[Document, list[Document], str, int]:
    """A receipt of a move, the keys, the match and the number of the event."""
    match = gyoji.matches.create("catte", seats=3)
    seat = next(each for each in [Seat(seat.address) for seat in match.seats] if each.read()["legal_moves"])
    played = seat.play(seat.read()["legal_moves"][0])
    seat.close()
    return played["receipt"], gyoji.keys()["keys"], match.id, played["seq"]


def test_a_receipt_proves_its_event_and_no_other(receipt: tuple[Document, list[Document], str, int]) -> None:
    document, keys, match, seq = receipt
    check_receipt(document, keys, match, seq)
    forged = document["event"].replace('"seq":', '"sEq":')
    for wrong, why in (
        (({**document, "event": forged}, keys, match, seq), "hash"),
        ((document, keys, match, seq + 1), "event"),
        ((document, keys, match[::-1], seq), "match"),
        ((document, [], match, seq), "not known"),
        ((document, [{**keys[0], "revoked": "2026-01-01T00:00:00.000Z"}], match, seq), "revoked"),
        (({**document, "sig": document["sig"][2:] + "00"}, keys, match, seq), "signature"),
        ((document, [{**keys[0], "origin": "elsewhere"}], match, seq), "signature"),
    ):
        with pytest.raises(BadReceipt, match=why):
            check_receipt(*wrong)


def test_its_version_is_that_of_the_contract() -> None:
    assert gyoji_client.__version__ == service_version
