"""Shuffles and deals by the thousand, made by this package and by the verifier that shares no code with it."""

import json
import random
from hashlib import sha512
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1, shuffled
from gyoji.published_files import rules_digest
from verifier.javascript import MODULE, called

LABELS = ("deck", "reform", "cats", "coffee", "attributes", "errands-1", "errands-2", "errands-3", "行司")
DEALS = 100
"""Of every game."""


def seed(number: int) -> str:
    """64 bytes, always the same."""
    return sha512(f"deal {number}".encode()).hexdigest()


def agree(count: int) -> bool:
    """Whether both shuffle so many piles in the same way."""
    rng = random.Random(count)
    asked = [(seed(n), rng.choice(LABELS), rng.randrange(2**32), rng.randrange(100)) for n in range(count)]
    found = called([("shuffle", given) for given in asked])
    made = [shuffled(root, label, k, [str(index) for index in range(n)]) for root, label, k, n in asked]
    return [tuple(str(index) for index in order) for order in found] == made


def test_a_thousand_shuffles() -> None:
    """``make slow`` does ten thousand."""
    assert agree(1_000)


def test_piles_so_large_that_words_are_rejected() -> None:
    """One in 20 words of a pile of 3,500: many a rejection, and longer streams than any game's."""
    root, n = seed(0), 3_500
    (order,) = called([("shuffle", (root, "deck", 0, n))])
    assert [str(index) for index in order] == list(shuffled(root, "deck", 0, [str(index) for index in range(n)]))


def chosen(slug: str, rng: random.Random) -> dict[str, Any]:
    """Options that change what is dealt."""
    if slug == "catte":
        deck = [f"{colour}{number}" for colour in "KWB" for number in range(1, 100)]
        return {"deck": rng.choice([None, rng.sample(deck, rng.randrange(40, 298))])}
    if slug == "familiars-trouble":
        levels = [rng.choice((1, 2, 3)) for _ in range(rng.randrange(1, 100))]
        requires = {"red": 1, "blue": 0, "green": 0}
        errands = [{"id": f"E{n}", "level": at, "requires": requires, "points": 0} for n, at in enumerate(levels)]
        opening = [min(levels.count(level), 3) for level in (1, 2, 3)]
        return rng.choice([{}, {"opening": [2, 2, 1]}, {"errands": errands, "opening": opening}])
    return {}


@pytest.mark.parametrize("slug", BY_SLUG)
def test_a_hundred_deals_of_every_game(slug: str) -> None:
    """Hands, what lies beside them, and decks of one's own."""
    rng, game = random.Random(slug), BY_SLUG[slug]
    asked, expected = [], []
    for number in range(DEALS):
        seats = rng.choice(range(game.min_seats, game.max_seats + 1))
        options = game.read_options(chosen(slug, rng))
        root = seed(number)
        dealt = dict(game.start(seats, options, 0, None, deal_v1(root)).events[0])
        del dealt["type"], dealt["round"]
        asked.append((slug, seats, game.write_options(options), root))
        expected.append(dealt)
    assert called([("deal", given) for given in asked]) == json.loads(json.dumps(expected))


def test_the_rules_that_it_knows_are_the_published_ones() -> None:
    source = MODULE.read_text("utf-8")
    for slug in BY_SLUG:
        assert f'digests: {{ 1: "{rules_digest(slug)}" }}' in source
