"""Which games there are, in which order, and which version of a game is which."""

import tomllib
from importlib.metadata import EntryPoint, EntryPoints

import pytest

from gyoji.games import catalogue
from gyoji.games.catalogue import BY_SLUG, BY_VERSION, GAMES, GROUP, declared, in_force, in_order
from gyoji.published_files import CHECKOUT


def test_the_version_in_force_is_the_first_of_its_game() -> None:
    old, other = GAMES[0], GAMES[1]
    new = old._replace(version=2)
    assert in_force((new, old, other)) == {old.slug: new, other.slug: other}
    assert list(in_force((other, new, old))) == [other.slug, old.slug]


def test_every_version_that_is_playable_is_found() -> None:
    assert [BY_VERSION[game.slug, game.version] for game in GAMES] == list(GAMES)
    assert all(BY_VERSION[slug, game.version] is game for slug, game in BY_SLUG.items())


def test_games_stand_by_place_then_by_slug_the_newest_version_first() -> None:
    first, second = GAMES[0], GAMES[1]
    new = first._replace(version=2)
    beside = second._replace(slug="a", place=first.place)
    assert in_order((second, first, beside, new)) == (beside, new, first, second)


def test_two_packages_cannot_install_the_same_version() -> None:
    with pytest.raises(ValueError, match=f"{GAMES[0].package} and other install it"):
        in_order((GAMES[0], GAMES[0]._replace(package="other")))


def written() -> dict[str, str]:
    """The games that the project declares: slug -> what the entry point names."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    points: dict[str, str] = project["entry-points"][GROUP]
    return points


def test_the_project_declares_each_of_its_games_by_its_slug() -> None:
    own = {game.slug: f"{game.package}:GAME" for game in GAMES if game.package.startswith("gyoji.games.")}
    assert written() == dict(sorted(own.items()))


@pytest.mark.parametrize("installed", [{}, {"hearts": "gyoji_hearts:GAME"}])
def test_where_the_installed_metadata_lack_them_the_folders_are_its_games(
    monkeypatch: pytest.MonkeyPatch, installed: dict[str, str]
) -> None:
    points = EntryPoints(EntryPoint(name, value, GROUP) for name, value in installed.items())
    monkeypatch.setattr(catalogue, "entry_points", lambda **_group: points)
    assert {point.value for point in declared()} == {*written().values(), *installed.values()}


def test_where_they_have_them_nothing_else_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints([EntryPoint("catte", written()["catte"], GROUP)])
    monkeypatch.setattr(catalogue, "entry_points", lambda **_group: points)
    assert list(declared()) == list(points)
