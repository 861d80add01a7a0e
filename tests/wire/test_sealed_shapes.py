"""Bodies that ask for a capsule or bring one: the compiled schema and the declaration agree on every one."""

from itertools import product
from random import Random
from typing import Any

import pytest

from bodies import Plain, body
from gyoji.api.bodies import Malformed, body_errors
from gyoji.api.media import CALLS, SEALED
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.records import MAX_INTEGER
from wire.faults import OTHERS, agree, mutated

POSTS = tuple(product(BY_SLUG, CALLS))
CAPSULE = "AQ-_" * 700


def sound(slug: str, call: str) -> list[Plain]:
    """Bodies of the right shape."""
    seats = BY_SLUG[slug].max_seats
    held: Plain = {"capsule": CAPSULE}
    bodies: dict[str, list[Plain]] = {
        "states": [
            {"sealed": True, "seats": seats},
            {"sealed": "head", "seats": seats, "options": {}, "first": 0, "version": 1, "audience": [], "seat": None},
        ],
        "legal-moves": [{**held, "seat": 0}],
        "scores": [held],
        "views": [{**held, "seat": None}, {**held, "seat": 1, "audience": [1]}],
    }
    if call == "adjudications":
        move = body(slug, call)["move"]
        return [{**held, "move": move}, {**held, "move": move, "seat": None, "sealed": True}]
    return bodies[call]


@pytest.mark.parametrize(("slug", "call"), POSTS)
def test_both_agree_on_bodies_with_faults(slug: str, call: str) -> None:
    random = Random(f"{slug}/{call}")
    good = sound(slug, call)
    assert all(agree(slug, SEALED[call], document) for document in good)
    verdicts = []
    for _again in range(100):
        document: Any = random.choice(good)
        for _fault in range(random.choice((1, 1, 2))):
            document = mutated(document, random)
        verdicts.append(agree(slug, SEALED[call], document))
    assert verdicts.count(False) > 40
    for value in OTHERS:
        agree(slug, SEALED[call], value)


@pytest.mark.parametrize(("slug", "call"), POSTS)
def test_a_body_is_either_plain_or_sealed(slug: str, call: str) -> None:
    """No body has both shapes, so that it is always clear which answer is meant."""
    assert not any(agree(slug, call, document) for document in sound(slug, call))
    assert not agree(slug, SEALED[call], body(slug, call))


def test_depth_and_surrogates_are_malformed_before_they_are_a_wrong_shape() -> None:
    deep: Any = []
    for _level in range(40):
        deep = [deep]
    for fault, why in ((deep, "too-deep"), ("\ud800", "surrogate"), (MAX_INTEGER + 1, "number")):
        with pytest.raises(Malformed) as found:
            body_errors("catte", "sealed-scores", {"capsule": CAPSULE, "extra": fault})
        assert found.value.why == why
