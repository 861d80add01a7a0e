"""Moves and events that are made once and handed out in every position: whoever gets one leaves it as it is."""

from collections.abc import Mapping
from typing import Any

import pytest

from gyoji.app.adjudication import answer_call
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.catte import components as catte
from gyoji.games.familiars_trouble import components as familiar
from gyoji.games.tomorrow_never_meows import components as weather
from gyoji.games.towai import components as towai
from gyoji.messages.language import LANGUAGES
from laws.fixed_requests import requests
from laws.strategies import dumped

BY_SEAT: dict[str, list[tuple[Mapping[str, Any], ...]]] = {
    "play": [catte.PLAYS, familiar.PLAYS, weather.PLAYS, towai.PLAYS],
    "coffee": [catte.SERVES],
    "exchange": [familiar.EXCHANGES],
    "swap": [towai.SWAPS],
}
"""By type, moves by seat and card."""


@pytest.fixture(autouse=True, scope="module")
def _asked() -> None:
    """Every call of every game has been answered."""
    for slug in BY_SLUG:
        for call, body in requests(BY_SLUG[slug]):
            answer_call(slug, call, dumped(body), "/", LANGUAGES[0])


@pytest.mark.parametrize("kind", BY_SEAT)
def test_moves_of_a_card(kind: str) -> None:
    for table in BY_SEAT[kind]:
        for seat, moves in enumerate(table):
            assert moves == {card: {"type": kind, "seat": seat, "card": card} for card in moves}


@pytest.mark.parametrize("game", [catte, familiar, weather, towai])
def test_cards_played(game: Any) -> None:
    for seat, events in enumerate(game.PLAYED):
        assert events == {card: ({"type": "card_played", "seat": seat, "card": card},) for card in events}


@pytest.mark.parametrize("daylight", ["day", "night"])
def test_leads_of_towai(daylight: Any) -> None:
    for seat, moves in enumerate(towai.LEADS[daylight]):
        assert moves == {
            card: {"type": "play", "seat": seat, "card": card, "daylight": daylight} for card in towai.CODES
        }


def test_turns_of_towai_without_a_card() -> None:
    for seat in range(6):
        assert towai.PASSES[seat] == {"type": "pass", "seat": seat}
        assert towai.END_TURNS[seat] == {"type": "end_turn", "seat": seat}
        assert towai.PASSED[seat] == {"type": "passed", "seat": seat}
        assert towai.TURN_ENDED[seat] == ({"type": "turn_ended", "seat": seat},)


def test_wishes() -> None:
    for seat, moves in enumerate(weather.CHOICES):
        assert moves == {wish: {"type": "wish", "seat": seat, "wish": wish} for wish in weather.WISHES}
