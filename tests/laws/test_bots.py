"""A bot at a seat of a stored match is asked the same, and answers the same, in worlds that are one to its seat."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from gyoji.app import bots
from gyoji.games.game import Move, Seat
from gyoji.players.players import PLAYERS
from laws import stored_faults as faults
from laws.stored_faults import Wrapped
from laws.stored_worlds import World, last, pair
from laws.strategies import SLUGS, copied

PAIRS = 40


def turns(slug: str) -> Iterator[tuple[Any, Seat, World, World]]:
    """Pairs of worlds that are one to a seat which may move: setting, seat, one, other."""
    for number in range(PAIRS):
        found = pair(slug, number)
        if found.viewer is not None and found.legal:
            yield found.setting, found.viewer, found.one, found.other


def asked(setting: Any, world: World, seat: Seat, patch: pytest.MonkeyPatch) -> Any:
    """What the bot of that seat is shown."""
    shown: list[Any] = []

    def spy(_game: Any, view: Mapping[str, Any], at: Seat, legal: Sequence[Move], _dice: Random) -> Move:
        shown.append(copied({"view": view, "seat": at, "legal_moves": legal}))
        return legal[0]

    with patch.context() as spying:
        spying.setitem(PLAYERS, "random", spy)
        bots.choose(setting.game, last(setting, world), seat, "random", Random(1))
    (found,) = shown
    return found


@pytest.mark.parametrize("slug", SLUGS)
def test_what_a_bot_is_asked_depends_on_nothing_hidden(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    for setting, seat, one, other in turns(slug):
        assert asked(setting, one, seat, monkeypatch) == asked(setting, other, seat, monkeypatch)
        seen += last(setting, one) != last(setting, other)
    assert seen > 1


def test_what_a_bot_chooses_depends_on_nothing_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_event: str, failure: BaseException) -> None:
        raise AssertionError from failure

    monkeypatch.setattr(bots, "log_aside", fails)  # it chooses by itself
    for setting, seat, one, other in turns("catte"):
        chosen = [bots.choose(setting.game, last(setting, each), seat, "greedy", Random(1)) for each in (one, other)]
        assert chosen[0] == chosen[1]


@pytest.mark.parametrize(
    ("slug", "name", "wrapped"),
    [
        ("catte", "view_of", faults.neighbours_view),
        ("familiars-trouble", "view_of", faults.view_with(lambda _game, state: {"draw": state.draw})),
        ("tomorrow-never-meows", "view_of", faults.view_with(lambda _game, state: {"wishes": state.wishes})),
    ],
)
def test_a_seeded_leak_is_caught(slug: str, name: str, wrapped: Wrapped, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, name, wrapped(getattr(bots, name)))
    assert any(
        asked(setting, one, seat, monkeypatch) != asked(setting, other, seat, monkeypatch)
        for setting, seat, one, other in turns(slug)
    )
