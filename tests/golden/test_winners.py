"""Who won the golden replays is who wins with their scores, by each game's own rule."""

from collections.abc import Iterator
from typing import Any

from golden.logs import EVERY, game_of, shown_in
from gyoji.games.game import Game


def outcomes() -> Iterator[tuple[Game[Any], Any]]:
    """How each of the matches that were played to their end came out."""
    for file in EVERY:
        for document in shown_in(file):
            if document["type"] == "match_finished" and document["data"]["outcome"] is not None:
                yield game_of(file), document["data"]["outcome"]


def test_who_won() -> None:
    seen = set()
    for game, outcome in outcomes():
        assert game.winners(outcome["scores"]) == tuple(outcome["winners"])
        seen.add((game.slug, len(outcome["winners"]) > 1))
    assert {slug for slug, _ in seen} == {"tomorrow-never-meows", "catte", "towai", "familiars-trouble"}
    assert ("catte", True) in seen or ("tomorrow-never-meows", True) in seen, "some of them shared the win"
