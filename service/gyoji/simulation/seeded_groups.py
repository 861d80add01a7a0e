"""Puts groups of matches into a store whose deals follow from a seed: matches of a group are dealt the same cards."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any
from uuid import UUID

from gyoji.games.chance import u32
from gyoji.games.game import Game
from gyoji.log.canonical import canonical
from gyoji.published_files import rules_digest
from gyoji.simulation.derivation import derive, root_key, timestamp
from gyoji.simulation.matches import ACCOUNT
from gyoji.store import open_store, store_key
from gyoji.store.records import Group


def seeded_group(game: Game[Any], seats: int, options: Mapping[str, Any], seed: str, index: int) -> Group:
    """Return group number ``index`` of a seed, the configured operator's. Its id and its secret, and so all its deals,
    follow from the seed and from what is played."""
    written = game.write_options(game.read_options(options))
    rules = (game.slug, u32(game.version), rules_digest(game.slug), u32(seats), canonical(written))
    key = derive(root_key(seed), "seeded group", *rules, u32(index))
    return Group(
        group=str(UUID(bytes=derive(key, "id")[:16], version=4)),
        owner=ACCOUNT,
        created=timestamp(0),
        game=game.slug,
        version=game.version,
        seats=seats,
        options=written,
        first=0,
        disclosure="public_on_close",
        until=None,
        secret=derive(key, "secret"),
    )


def keep_groups(url: str, groups: Iterable[Group]) -> None:
    """Keep groups in the store at ``url``, which a service may have open: it takes matches into them by their ids."""
    with closing(open_store(url, store_key(url, None))) as store:
        for group in groups:
            store.create_group(group)
