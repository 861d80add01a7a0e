"""The comparison of worlds sees leaks of stored matches: each fault put in on purpose is caught where it was put in."""

from collections.abc import Iterator

import pytest

from laws.stored_channels import Houses, differences, two_houses
from laws.stored_houses import Answer
from laws.stored_leaks import LEAKS, Leak, seed
from laws.stored_worlds import Pair, pair

MOST_PAIRS = 150


@pytest.fixture(scope="module")
def houses() -> Iterator[Houses]:
    """Two services, one for each of the worlds."""
    with two_houses() as made:
        yield made


@pytest.mark.parametrize("name", LEAKS)
def test_a_seeded_leak_is_caught(houses: Houses, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the pair of worlds that tells of it cannot be told apart without the fault."""
    leak = LEAKS[name]
    seed(monkeypatch, leak)
    telling = next((pair for pair in _tried(leak) if _is_caught(leak, differences(houses, pair, leak.channels))), None)
    assert telling is not None
    monkeypatch.undo()
    assert differences(houses, telling, leak.channels) == []


def _tried(leak: Leak) -> Iterator[Pair]:
    return (found for found in (pair(leak.slug, number) for number in range(MOST_PAIRS)) if leak.only(found))


def _is_caught(leak: Leak, found: list[tuple[Answer, Answer]]) -> bool:
    """In the part of an answer that the fault is in, and nowhere else if that is the log or the metrics."""
    if leak.part in ("body", "headers"):
        return any(getattr(one, leak.part) != getattr(other, leak.part) for one, other in found)
    if leak.part == "metrics":
        return bool(found) and all(one.question == "metrics" for one, _other in found)
    return bool(found) and all(one._replace(line="") == other._replace(line="") for one, other in found)
