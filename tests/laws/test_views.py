"""Views leak nothing: what a viewer gets to see is the same in all worlds that it cannot tell apart."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.games.catalogue import GAMES
from gyoji.games.game import Game
from laws.noninterference import SURFACES, differences
from laws.strategies import SLUGS, law, tables
from laws.worlds import pool, some_worlds

EXPECTED = {"view": 200, "legal moves": 200, "refusal": 409, "findings": 409, "422": 422}
"""By surface: what most of its questions are answered with."""


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
@law(12)
@given(data=st.data())
def test_what_a_viewer_is_answered_depends_on_nothing_hidden(
    game: Game[Any], surface: str, data: st.DataObject
) -> None:
    for worlds in some_worlds(data.draw(tables(game)), 1 if surface == "422" else 3):
        assert differences(worlds, surface) == []


@pytest.mark.parametrize("slug", SLUGS)
def test_the_worlds_do_differ(slug: str) -> None:
    """Nearly all pairs hide other cards from the viewer; in the others nothing but the seed is hidden."""
    pairs = pool(slug)
    assert sum(worlds.differ_in_cards for worlds in pairs) > 0.9 * len(pairs)
    assert {worlds.viewer for worlds in pairs} == {None, *range(max(worlds.one["seats"] for worlds in pairs))}
    for worlds in pairs:
        assert worlds.one["seed"] != worlds.other["seed"]
        for world in (worlds.one, worlds.other):
            assert worlds.game.findings(worlds.game.read_state(world)) == ()


@pytest.mark.parametrize("slug", SLUGS)
def test_hidden_choices_differ_too(slug: str) -> None:
    """Concealed wishes and the cards chosen for a swap are chosen anew, and captured cards dealt anew."""
    hidden = {"tomorrow-never-meows": ("wishes", "captured"), "towai": ("swap",), "catte": ("discard", "aside")}
    hidden["familiars-trouble"] = ("piles", "draw")
    for name in hidden.get(slug, ("hands",)):
        differing = [worlds for worlds in pool(slug) if worlds.one["table"][name] != worlds.other["table"][name]]
        assert len(differing) > 3, name


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("slug", SLUGS)
def test_every_surface_is_asked(slug: str, surface: str) -> None:
    asked = Counter(asked.one[0] for worlds in pool(slug)[:25] for asked in SURFACES[surface](worlds))
    assert asked.most_common(1)[0][0] == EXPECTED[surface]
    assert asked[EXPECTED[surface]] > 25
