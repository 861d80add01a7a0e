"""The check for interference sees leaks: each fault put in on purpose is caught, and on its own surface."""

from itertools import islice

import pytest

from laws.leaks import LEAKS
from laws.noninterference import SURFACES, differences
from laws.strategies import SLUGS
from laws.worlds import pool


def test_every_surface_of_every_game_has_its_leak() -> None:
    assert set(LEAKS) == {(slug, surface) for slug in SLUGS for surface in SURFACES}


@pytest.mark.parametrize(("slug", "surface"), LEAKS)
def test_a_seeded_leak_is_caught(slug: str, surface: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By several pairs of worlds, which without the leak cannot be told apart."""
    pairs = pool(slug)
    LEAKS[slug, surface](monkeypatch, slug)
    telling = [*islice((worlds for worlds in pairs if differences(worlds, surface)), 3)]
    assert len(telling) == 3
    assert all(worlds.one != worlds.other for worlds in telling)
    monkeypatch.undo()
    assert [worlds for worlds in telling if differences(worlds, surface)] == []
