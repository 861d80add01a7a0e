"""Compares the answers in two worlds: they may not depend on what the viewer may not know.

Each *surface* asks the service the same question in both of two worlds; what comes back must be the same bytes.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import cycle
from random import Random
from typing import Any, NamedTuple

from gyoji.app.adjudication import answer_call
from gyoji.games.game import Move
from gyoji.messages.language import LANGUAGES
from gyoji.messages.problems import Answer
from laws.piles import Path, lost, put_at, value_at, with_card
from laws.strategies import Plain, copied, dumped
from laws.universe import universe
from laws.worlds import Worlds, hidden_piles, own_hand

MOST_MOVES = 24
"""How many of a viewer's moves are tried in one position."""


class Asked(NamedTuple):
    """One question, and what was answered in either world: the status and the bytes that came back."""

    question: str
    one: tuple[int, bytes]
    other: tuple[int, bytes]


Part = Callable[[Answer], Any]
"""The part of an answer that is compared."""


def differences(worlds: Worlds, surface: str) -> list[Asked]:
    """List the questions of a surface whose answers differ between the two worlds."""
    return [asked for asked in SURFACES[surface](worlds) if asked.one != asked.other]


def _whole(answer: Answer) -> Any:
    return answer.body


def _ask(worlds: Worlds, call: str, label: str, body: Callable[[Plain], bytes], part: Part = _whole) -> Asked:
    """Ask the same question in both worlds, in either language."""
    language = LANGUAGES[len(label) % 2]
    answers = [answer_call(worlds.game.slug, call, body(world), "/", language) for world in (worlds.one, worlds.other)]
    one, other = [(answer.status, dumped(part(answer))) for answer in answers]
    return Asked(f"{call}: {label}", one, other)


def _viewing(worlds: Worlds) -> Callable[[Plain], bytes]:
    return lambda world: dumped({"state": world, "seat": worlds.viewer})


# Views, legal moves, scores


def view(worlds: Worlds) -> Iterator[Asked]:
    """Ask for what the viewer is shown, and the scores that anybody may know."""
    yield _ask(worlds, "views", "view", _viewing(worlds), lambda answer: answer.body["view"])
    yield _ask(worlds, "scores", "scores", lambda world: dumped({"state": world}))


def legal_moves(worlds: Worlds) -> Iterator[Asked]:
    """Ask for what the viewer may play, with its view and by itself."""
    yield _ask(worlds, "views", "own moves", _viewing(worlds), lambda answer: answer.body["legal_moves"])
    if worlds.viewer is not None:
        yield _ask(worlds, "legal-moves", "of the seat", _viewing(worlds))


# Refusals


def refusal(worlds: Worlds) -> Iterator[Asked]:
    """Ask for the answer to any move of the viewer: the same refusal, or accepted in both worlds."""
    moves = [move for move in universe(worlds.game, worlds.one) if move["seat"] == worlds.viewer]
    for move in Random(len(moves)).sample(moves, min(MOST_MOVES, len(moves))):
        yield _ask(worlds, "adjudications", str(move), _moving(move), _refused)


def _moving(move: Move) -> Callable[[Plain], bytes]:
    return lambda world: dumped({"state": world, "move": move})


def _refused(answer: Answer) -> Any:
    return None if answer.status == 200 else answer.body


# Findings: both worlds made impossible in the same way


def _other_value(world: Plain, name: str) -> Plain:
    values: Mapping[str, Any] = {
        "scores": [world["scores"][0] + 1, *world["scores"][1:]],
        "round": world["round"] + 1,
        "shuffles": 0,
        "ply": world["ply"] + 1000,
        "to_act": [*world["to_act"], world["seats"] - 1],
        "outcome": _outcome(world),
    }
    return {**world, name: values[name]}


def _outcome(world: Plain) -> Plain | None:
    if world["outcome"] is not None:
        return None
    reasons = {"towai": "finished", "familiars-trouble": "hands_played"}
    rating = {"rating": "poor"} if world["game"] == "familiars-trouble" else {}
    reason = reasons.get(world["game"], "rounds_played")
    return {"winners": [0], "scores": world["scores"], "reason": reason, **rating}


def findings(worlds: Worlds) -> Iterator[Asked]:
    """Ask for the findings of an impossible state: a wrong figure, a card too few, a card twice, hidden or the viewer's
    own."""
    for name in ("scores", "round", "shuffles", "ply", "to_act", "outcome"):
        yield _ask(worlds, "views", f"wrong {name}", _broken(worlds, partial(_other_value, name=name)))
    for path in [*hidden_piles(worlds.one, worlds.viewer), *own_hand(worlds.one, worlds.viewer)]:
        if not has_chosen(worlds.one, path):
            yield _ask(worlds, "views", f"a card less at {path}", _broken(worlds, partial(lost, path=path, at=0)))
        if all_distinct(worlds.game.slug, path):
            yield _ask(worlds, "views", f"a card twice at {path}", _broken(worlds, partial(_doubled, path=path)))


def all_distinct(slug: str, path: Path) -> bool:
    """Where no two cards of a deck are alike, the second one always lies where it was put."""
    return slug in ("tomorrow-never-meows", "catte") or "piles" in path


def has_chosen(state: Plain, path: Path) -> bool:
    """Tell whether the pile is the hand of a seat that has chosen a card to swap; it may be the very one that is
    lost."""
    return "hands" in path and bool(state["table"].get("swap")) and state["table"]["swap"][path[-1]] is not None


def _doubled(world: Plain, path: Path) -> Plain:
    return with_card(world, path, value_at(world, path)[0])


def _broken(worlds: Worlds, breaking: Callable[[Plain], Any]) -> Callable[[Plain], bytes]:
    return lambda world: dumped({"state": breaking(world), "seat": worlds.viewer})


# Errors: both worlds given a wrong shape in the same way


def shape(worlds: Worlds) -> Iterator[Asked]:
    """422 and 400: what is hidden is itself malformed, or stands beside what is."""
    ways = cycle((_in_small_letters, _as_text, _with_a_number))
    for breaking, path in zip(ways, hidden_piles(worlds.one, worlds.viewer), strict=False):
        yield _ask(worlds, "views", f"{breaking.__name__} {path}", _broken(worlds, partial(breaking, path=path)))
    for breaking_all in (_longer_seed, _no_hands, _one_more_member, _no_such_phase):
        yield _ask(worlds, "views", breaking_all.__name__, _broken(worlds, breaking_all))
    yield _ask(worlds, "views", "no such seat", lambda world: dumped({"state": world, "seat": 9}))
    # at one place: where the bytes break off is known to whoever sends them, and is what the refusal says
    yield _ask(worlds, "views", "cut short", lambda world: dumped({"state": world, "seat": worlds.viewer})[:12])
    yield _ask(worlds, "adjudications", "no such move", _moving({"type": "peek", "seat": 0}))


def _in_small_letters(world: Plain, path: Path) -> Plain:
    return _put(world, path, [f" {card.lower()}" for card in value_at(world, path)])


def _as_text(world: Plain, path: Path) -> Plain:
    return _put(world, path, " ".join(value_at(world, path)))


def _with_a_number(world: Plain, path: Path) -> Plain:
    return _put(world, path, [*value_at(world, path), 7])


def _put(world: Plain, path: Path, value: Any) -> Plain:
    changed: Plain = copied(world)
    put_at(changed, path, value)
    return changed


def _longer_seed(world: Plain) -> Plain:
    return {**world, "seed": world["seed"] + "0"}


def _no_hands(world: Plain) -> Plain:
    return {**world, "table": {name: value for name, value in world["table"].items() if name != "hands"}}


def _one_more_member(world: Plain) -> Plain:
    return {**world, "deal": world["table"]["hands"]}


def _no_such_phase(world: Plain) -> Plain:
    return {**world, "phase": world["table"]["hands"]}


SURFACES: Mapping[str, Callable[[Worlds], Iterator[Asked]]] = {
    "view": view,
    "legal moves": legal_moves,
    "refusal": refusal,
    "findings": findings,
    "422": shape,
}
