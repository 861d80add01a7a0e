"""Rulings in two worlds that are one to a viewer: the viewer is told the same of them, apart from commitments."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import orjson
import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game, IllegalMove
from gyoji.log.entries import Entry
from gyoji.log.redaction import Reader, project_event
from gyoji.match.clocks import Control
from gyoji.match.events.kind import Refusal
from gyoji.match.fold import replay_log
from gyoji.match.recorder import Salt, begin, play, rule
from gyoji.match.rulings.kind import Kind, Ruling
from gyoji.match.state import MatchState
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import plan_match
from laws.stored_worlds import Pair, World, pair
from replay.refereed import REFEREE

CLOCK = Control(5_000, 60_000, 1_000, "referee")
PAIRS = 5
"""Of each game."""


def rulings(one: Pair, last: int, world: str) -> Iterator[tuple[Kind, dict[str, Any]]]:
    """What is ruled after event ``last``: of every kind that makes no move. A reason that is not for the viewer differs
    from world to world."""
    audience = tuple([seat for seat in range(one.setting.seats) if seat != one.viewer])
    yield "note", {"reason": f"what lay there was {world}", "audience": audience}
    yield "points", {"seat": 0, "points": -3}
    yield "time", {"seat": 1, "add_ms": 9_000}
    yield "pause", {}
    yield "take_back", {"to": max(1, last // 2)}
    yield "substitute", {"seat": 1, "name": "Aoi"}
    yield "resume", {}
    yield "forfeit", {"seats": (0,)}
    yield "take_back", {"to": 1}
    yield "result", {"winners": (1,)}
    yield "void", {}


def played(one: Pair, world: World, salt: Salt) -> tuple[list[Entry], list[MatchState]]:
    """The log of a world's match, and where it stood after each event from the deal on."""
    setting = one.setting
    at_table = plan_match(setting.game, setting.seats, setting.options, "public_on_close", "worlds", one.number)
    beginning = at_table.beginning._replace(first=setting.first, withheld_until="group", clock=CLOCK)
    first, current = begin(beginning, timestamp(0), salt)
    entries, course = [*first], [current]
    for move in world.moves:
        actor = {"role": "seat", "seat": move["seat"]}
        step = play(current, move, actor, timestamp(current.seq + 1), salt)
        assert not isinstance(step, IllegalMove)
        more, current = step
        entries += more
        course.append(current)
    return entries, course


def history(one: Pair, world: World, name: str) -> tuple[list[Entry], list[str]]:
    """The world's match with all rulings, and why some were refused."""
    numbers = count()
    entries, course = played(one, world, lambda: next(numbers).to_bytes(32, "big"))
    current, refusals = course[-1], list[str]()
    for kind, members in rulings(one, current.seq, name):
        ruling = Ruling(kind, REFEREE, **{"reason": "because", **members})
        target = None if ruling.to is None else course[ruling.to - 1]
        step = rule(current, ruling, timestamp(current.seq + 1), lambda: next(numbers).to_bytes(32, "big"), target)
        if isinstance(step, Refusal):
            refusals.append(f"{kind} {step}")
        else:
            more, current = step
            entries += more
    assert replay_log(one.setting.game, current.secret, entries) == current
    return entries, refusals


def told(entry: Entry, reader: Reader) -> tuple[Any, Any]:
    """The event as the reader gets it, and its public bytes: but for the commitments, and the hashes over them."""
    document = orjson.loads(entry.body)
    for secret in document["secret"]:
        secret["commit"] = None
    return {**project_event(reader, entry), "hash": None}, {
        **document,
        "prev": None,
        "position": bool(document["position"]),
    }


@pytest.mark.parametrize("game", BY_SLUG.values(), ids=BY_SLUG)
def test_a_viewer_is_told_the_same_in_both_worlds(game: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = set()
    for number in range(PAIRS):
        one = pair(game.slug, number)
        reader: Reader = "public" if one.viewer is None else one.viewer
        found = []
        for name, world in (("one", one.one), ("other", one.other)):
            monkeypatch.setattr("gyoji.match.state.deal_v1", lambda _seed, world=world: world.chance)
            found.append(history(one, world, name))
        (entries, refusals), (others, same_refusals) = found
        assert [told(entry, reader) for entry in entries] == [told(entry, reader) for entry in others]
        assert refusals == same_refusals
        assert [entry.body for entry in entries] != [entry.body for entry in others]
        kinds |= {orjson.loads(entry.body)["type"] for entry in entries}
    assert {"ruling_made", "match_paused", "match_resumed", "match_finished", "match_voided"} <= kinds
