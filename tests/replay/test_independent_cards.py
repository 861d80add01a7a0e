"""What the second implementation notices in the cards and what is hidden: one fault at a time, all else whole."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from replay.independent import faults
from replay.independent_cases import DIGESTS, redactions, states, tried, written
from replay.independent_file import Entry, Replay, taken_apart
from replay.independent_writer import forged, of_type, place, put, put_open, recommit, trust_in, value_of

TOMORROW, CATTE, TOWAI, FAMILIARS = "tomorrow, bluffs", "catte, 3 seats", "towai, 4 seats", "familiars"
Change = Callable[[Replay], None]


def swapped(replay: Replay, kind: str, number: int, one: str, other: str) -> None:
    """Let two cards that were recorded change places."""
    entry, event = place(replay, kind, number)
    (first, at), (second, to) = (pointer.rsplit("/", 1) for pointer in (one, other))
    known = entry.known
    cards, others = value_of(known, event + first), value_of(known, event + second)
    cards[int(at)], others[int(to)] = others[int(to)], cards[int(at)]
    for pointer, value in ((event + first, cards), (event + second, others)):
        put(entry, pointer, value)


@pytest.mark.parametrize("name", [TOMORROW, CATTE, TOWAI, FAMILIARS])
def test_the_writer_alone_makes_no_fault(app: Flask, name: str) -> None:
    file = written(name)[0]
    assert tried(file, lambda _replay: None) == set()
    known, _events = states(app, file)
    origin = taken_apart(file).header["origin"]
    assert faults(forged(file, lambda _replay: None), trust_in(origin), DIGESTS, known.__getitem__) == []


# Cards


CARDS: dict[str, tuple[str, Change]] = {
    "first deal": (TOMORROW, lambda replay: swapped(replay, "hands_dealt", 0, "/hands/0/0", "/hands/1/0")),
    "later deal": (TOMORROW, lambda replay: swapped(replay, "hands_dealt", 2, "/hands/3/7", "/aside/0")),
    "order of the cards aside": (TOMORROW, lambda replay: swapped(replay, "hands_dealt", 1, "/aside/0", "/aside/1")),
    "order of a hand": (TOMORROW, lambda replay: swapped(replay, "hands_dealt", 0, "/hands/2/0", "/hands/2/1")),
    "cat cards": (CATTE, lambda replay: swapped(replay, "hands_dealt", 1, "/hands/0/0", "/hands/2/0")),
    "coffee rows": (
        CATTE,
        lambda replay: swapped(replay, "hands_dealt", 0, "/coffee/unused/0/0", "/coffee/unused/1/0"),
    ),
    "coffee of a later round": (
        CATTE,
        lambda replay: swapped(replay, "hands_dealt", 2, "/coffee/unused/2/3", "/coffee/unused/1/3"),
    ),
    "deck": (TOWAI, lambda replay: swapped(replay, "hands_dealt", 0, "/deck/0", "/deck/31")),
    "re-formed deck": (TOWAI, lambda replay: swapped(replay, "deck_reformed", 0, "/deck/0", "/deck/1")),
    "attribute cards": (FAMILIARS, lambda replay: swapped(replay, "hands_dealt", 0, "/hands/0/0", "/draw/0")),
    "errands on display": (FAMILIARS, lambda replay: swapped(replay, "hands_dealt", 0, "/errands/0", "/errands/1")),
    "errand pile of level 2": (FAMILIARS, lambda replay: swapped(replay, "hands_dealt", 0, "/piles/2/0", "/piles/2/1")),
    "errand pile of level 3": (FAMILIARS, lambda replay: swapped(replay, "hands_dealt", 0, "/piles/3/6", "/piles/3/7")),
    "a card drawn from elsewhere": (TOWAI, lambda replay: other_card(replay, "card_drawn", "card", "D3 N1")),
    "a card played that is not held": (CATTE, lambda replay: other_card(replay, "card_played", "card", "B1 K1")),
    "another errand turned up": (FAMILIARS, lambda replay: other_card(replay, "errand_turned_up", "errand", "1-R6 9")),
    "an errand replaced that does not lie there": (
        FAMILIARS,
        lambda replay: other_card(replay, "errand_replaced", "discarded", "3-X 3-Y"),
    ),
    "an errand completed that does not lie there": (
        FAMILIARS,
        lambda replay: other_card(replay, "errands_completed", "errands", "x y", list),
    ),
    "a pile discarded that is another": (
        TOWAI,
        lambda replay: other_card(replay, "pile_discarded", "cards", "D3 N1", list),
    ),
    "more cards counted than there are": (TOWAI, lambda replay: put_open(*count_of(replay))),
}


def other_card(replay: Replay, kind: str, member: str, cards: str, form: Callable[[str], Any] = str) -> None:
    """Record a card that cannot have been there: the one of the two that is not what was recorded."""
    entry, event = place(replay, kind)
    now = value_of(entry.known, f"{event}/{member}")
    other = next(card for card in cards.split() if card != now)
    put(entry, f"{event}/{member}", [other] if form is list else other)


def count_of(replay: Replay) -> tuple[Entry, str, int]:
    entry, event = place(replay, "deck_reformed")
    return entry, f"{event}/count", 99


@pytest.mark.parametrize("kind", CARDS)
def test_cards(kind: str) -> None:
    name, change = CARDS[kind]
    assert tried(written(name)[0], change) == {"shuffles"}


def test_a_public_file_is_held_against_the_disclosed_seed() -> None:
    def change(replay: Replay) -> None:
        entry, event = place(replay, "card_played")
        cards = {"B1", "K1"} - {value_of(entry.doc["data"], f"{event}/card")}
        put_open(entry, f"{event}/card", min(cards))

    public = redactions(written(CATTE)[0])[0]
    assert tried(public, change) == {"shuffles"}


def test_another_secret_than_was_committed_to() -> None:
    def change(replay: Replay) -> None:
        put_open(of_type(replay, "seed_disclosed"), "/server_secret", "11" * 64)

    assert tried(written(CATTE)[0], change) == {"commitment", "shuffles"}


# What is hidden


def widened(replay: Replay) -> None:
    replay.entries[1].doc["secret"][0]["for"] = [0, 1]


def told(replay: Replay) -> None:
    """A drawn card stands in the open as well."""
    entry, event = place(replay, "card_drawn")
    put_open(entry, f"{event}/card", value_of(entry.known, f"{event}/card"))


def miscounted(replay: Replay) -> None:
    put_open(replay.entries[1], "/events/0/deck", {"count": 33})


def needlessly(replay: Replay) -> None:
    """A card played for all to see is hidden, and opened to all."""
    entry, event = place(replay, "card_played")
    payload = {f"{event}/card": value_of(entry.doc["data"], f"{event}/card")}
    entry.doc["secret"].append({"for": "all", "commit": ""})
    entry.openings.append({"seq": entry.seq, "index": 0, "salt": "00" * 32, "payload": payload})
    put_open(entry, f"{event}/card", None)
    recommit(entry)


def elsewhere(replay: Replay) -> None:
    """Seat 0's opening holds seat 1's hand, and the other way round."""
    first, second = replay.entries[1].openings[:2]
    first["payload"], second["payload"] = second["payload"], first["payload"]
    recommit(replay.entries[1])


def short_salt(replay: Replay) -> None:
    replay.entries[1].openings[0]["salt"] = "00" * 16
    recommit(replay.entries[1])


def untrue(replay: Replay) -> None:
    replay.entries[1].openings[-1]["salt"] = "00" * 32


def kept_back(replay: Replay) -> None:
    del replay.entries[1].openings[1]


HIDDEN: dict[str, tuple[Change, set[str]]] = {
    "for one seat too many": (widened, {"secrets"}),
    "a private card in the open": (told, {"hidden"}),
    "another number of cards": (miscounted, {"hidden"}),
    "hidden without need": (needlessly, {"hidden", "secrets"}),
    "the hand of another seat": (elsewhere, {"secrets"}),
    "a short salt": (short_salt, {"openings"}),
    "an opening that was not committed to": (untrue, {"openings"}),
    "a full file without an opening": (kept_back, {"audience"}),
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_what_is_hidden(kind: str) -> None:
    change, expected = HIDDEN[kind]
    assert tried(written(TOWAI)[0], change) - {"shuffles"} == expected


@pytest.mark.parametrize("audience", ["public", 0, 2])
def test_an_opening_too_many(audience: str | int) -> None:
    file = written(TOWAI)[0]
    given = taken_apart(file).entries[1].openings[1]
    reader = redactions(file)[0 if audience == "public" else int(audience) + 1]

    def change(replay: Replay) -> None:
        replay.entries[1].openings.append(given)
        replay.entries[1].openings.sort(key=lambda opening: opening["index"])

    assert tried(reader, change) == {"audience"}


def test_the_salt_of_a_position_in_a_seats_file() -> None:
    file = written(TOWAI)[0]
    salt = taken_apart(file).entries[1].salt

    def change(replay: Replay) -> None:
        replay.entries[1].salt = salt

    assert tried(redactions(file)[1], change) == {"audience"}
