"""Finds the one fact that has to be asked where positions that agree with what is known are ruled on in different
ways."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from gyoji.games.completions import Completion, completions
from gyoji.games.game import Card, Game, Move
from gyoji.games.known import Among, Known
from gyoji.games.questions import HAND, Hand, Questions, Value, suit_of

FEW = 8
"""Of how many facts it is looked what could be asked of the hand: while facts are open they can be asked themselves."""


class Missing(NamedTuple):
    """The one fact that has to be asked, and an example each way."""

    fact: str
    among: tuple[Value, ...]
    yes: Completion
    no: Completion


class Found(NamedTuple):
    """What a question comes to."""

    moves: tuple[Move, ...]
    completions: tuple[Completion, ...]
    missing: Missing | None


def consider(
    game: Game[Any], questions: Questions[Any], known: Known, most: int, template: Any, move: Move | None
) -> Found:
    """Rule on a move in every completion, or on all (``None``), and find what has to be asked where they differ."""
    moves, found = completions(game, questions, known, most, template, move)
    is_decided = len({each.outcome for each in found}) <= 1
    return Found(moves, found, None if is_decided else _missing(questions, known, found))


def _missing(questions: Questions[Any], known: Known, found: Sequence[Completion]) -> Missing:
    """The fact whose answer leaves the least open; of equal ones the first."""
    best: tuple[int, str, tuple[Value, ...]] | None = None
    for fact, among in _candidates(questions, known, found):
        yes, no = _sides(found, fact, among)
        score = sum(len({each.outcome for each in side}) == 1 for side in (yes, no))
        if yes and no and (best is None or score > best[0]):
            best = score, fact, among
    if best is None:
        raise TypeError("completions that are ruled on in different ways differ in nothing that can be asked")
    _score, fact, among = best
    return Missing(fact, among, *_examples(*_sides(found, fact, among)))


def _sides(found: Sequence[Completion], fact: str, among: Iterable[Value]) -> tuple[list[Completion], list[Completion]]:
    """The completions in which it is so, and those in which it is not."""
    values = {*among}
    sides: tuple[list[Completion], list[Completion]] = [], []
    for each in found:
        is_so = not values.isdisjoint(each.others) if fact == HAND else each.facts[fact] in values
        sides[not is_so].append(each)
    return sides


def _examples(yes: Sequence[Completion], no: Sequence[Completion]) -> tuple[Completion, Completion]:
    """A completion of each side, ruled on in different ways where there are such."""
    differing = (pair for pair in product(yes, no) if pair[0].outcome != pair[1].outcome)
    return next(differing, (yes[0], no[0]))


def _candidates(
    questions: Questions[Any], known: Known, found: Sequence[Completion]
) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """What could be asked: facts in their order, then the hand. What decides comes before what narrows."""
    deck = dict.fromkeys(questions.deck(known.options))
    for name, values in questions.values(known.options).items():
        outcomes: dict[Value, set[Hashable]] = {}
        for each in found:
            outcomes.setdefault(each.facts[name], set()).add(each.outcome)
        if len(outcomes) > 1:
            present = {value: outcomes[value] for value in values if value in outcomes}
            yield from ((name, among) for among in dict.fromkeys(_parts(present)) if among)
    by_facts: dict[tuple[Value, ...], list[Completion]] = {}
    for each in found:
        by_facts.setdefault(tuple(each.facts.values()), []).append(each)
    asked = {among: None for here in islice(by_facts.values(), FEW) for among in _sorts(here)}
    yield from ((HAND, tuple([card for card in deck if card in among])) for among in asked)


def _parts(present: Mapping[Value, set[Hashable]]) -> Iterator[tuple[Value, ...]]:
    """Of the values, each with what it can lead to: those that decide by themselves, those of a suit, and a few alone.
    That nothing lies there is asked by itself."""
    deciding: dict[Hashable, list[Value]] = {}
    suits: dict[str, list[Value]] = {}
    for value, outcomes in present.items():
        if len(outcomes) == 1:
            deciding.setdefault(next(iter(outcomes)), []).append(value)
        if value is not None:
            suits.setdefault(suit_of(value), []).append(value)
    for _outcome, values in sorted(deciding.items(), key=lambda item: str(item[0]), reverse=True):
        yield (None,) if None in values else ()
        yield tuple([value for value in values if value is not None])
    yield from map(tuple, suits.values())
    yield from ((value,) for value in [*present][:2])


def _sorts(here: Sequence[Completion]) -> Iterator[Among]:
    """Sorts of cards whose presence decides, all that decide alike together; then each alone."""
    outcomes: dict[Hand, set[Hashable]] = {}
    for each in here:
        for sort in each.sorts:
            outcomes.setdefault(sort, set()).add(each.outcome)
    deciding: dict[Hashable, list[Card]] = {}
    for sort, led_to in outcomes.items():
        if len(led_to) == 1:
            deciding.setdefault(next(iter(led_to)), []).extend(sort)
    yield from map(frozenset, deciding.values())
    yield from map(frozenset, outcomes)
