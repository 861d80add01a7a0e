"""Which version of a game is which."""

from gyoji.games.catalogue import BY_SLUG, BY_VERSION, GAMES, in_force


def test_the_version_in_force_is_the_first_of_its_game() -> None:
    old, other = GAMES[0], GAMES[1]
    new = old._replace(version=2)
    assert in_force((new, old, other)) == {old.slug: new, other.slug: other}
    assert list(in_force((other, new, old))) == [other.slug, old.slug]


def test_every_version_that_is_playable_is_found() -> None:
    assert [BY_VERSION[game.slug, game.version] for game in GAMES] == list(GAMES)
    assert all(BY_VERSION[slug, game.version] is game for slug, game in BY_SLUG.items())
