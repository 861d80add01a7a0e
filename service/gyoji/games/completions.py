"""Finds every position that agrees with what a question knows, and has the rules rule on each.

A *completion* gives every fact its value and the hand its cards. It counts cards (none lies in more places than there
are of it, no hand is larger than was dealt) and leaves out how earlier tricks went, which decides no ruling on a card.
Hands are not tried one by one: rulings depend only on which sorts of cards a hand has (``Questions.alike``), so that
one hand stands for all that have the same sorts. The rules themselves rule on it.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, NoReturn

from gyoji.games.game import Accepted, Card, Game, Move, Reason, RuleId
from gyoji.games.known import Among, Known
from gyoji.games.questions import HAND, Facts, Hand, Questions, Value


class Verdict(NamedTuple):
    """The ruling on a move in one completion."""

    legal: bool
    reason: Reason | None
    rule: RuleId | None
    because: str
    facts: Mapping[str, Any]


class Completion(NamedTuple):
    """One position that agrees with what is known, and how each move that is asked about is ruled on there."""

    facts: Facts
    others: Hand
    """The cards of the hand beside those that are seen."""
    sorts: frozenset[Hand]
    """The sorts of these cards, each as all the cards of it that the hand may have."""
    verdicts: tuple[Verdict | None, ...]
    """By move; ``None`` for one that is not legal, where it is only asked which are."""
    outcome: tuple[Hashable, ...]
    """What has to be the same for a ruling."""


def completions(
    game: Game[Any], questions: Questions[Any], known: Known, most: int, template: Any, move: Move | None
) -> tuple[tuple[Move, ...], tuple[Completion, ...]]:
    """Return the moves that are asked about, and every completion with the rulings on them.

    Without a ``move`` it is asked which are legal: all that are in some completion and take no card that is not seen.
    """
    asked = None if move is None else move.get("card")
    order = {card: at for at, card in enumerate(questions.deck(known.options))}
    found = [
        (facts, others, sorts, position)
        for facts, pool in _facts(questions, known)
        for others, sorts in _hands(questions, known, most, facts, pool, asked)
        for hand in [tuple(sorted((*known.hand, *others), key=order.__getitem__))]
        for position in [questions.position(template, facts, hand)]
        if position is not None
    ]
    listed = [[_without_seat(legal) for legal in game.legal_moves(position)] for *_, position in found]
    moves = (move,) if move is not None else _moves_of(questions, known, listed)
    ruled = [
        _verdicts(game, questions, position, legal, moves, is_which=move is None)
        for (*_, position), legal in zip(found, listed, strict=True)
    ]
    return moves, tuple(
        [
            Completion(facts, others, sorts, verdicts, tuple([each and each[:2] for each in verdicts]))
            for (facts, others, sorts, _position), verdicts in zip(found, ruled, strict=True)
        ]
    )


def _facts(questions: Questions[Any], known: Known) -> Iterator[tuple[Facts, Counter[Card]]]:
    """All facts that there can be, each with the cards that are left for the hand."""
    unseen = Counter(questions.deck(known.options))
    unseen.subtract(known.hand)
    unseen.subtract(known.elsewhere)
    values = questions.values(known.options)
    names = [*values]
    for given in product(*(_values(name, values[name], known) for name in names)):
        pool = unseen.copy()
        pool.subtract([value for value in given if value is not None and value in unseen])
        if all(copies >= 0 for copies in pool.values()):
            yield dict(zip(names, given, strict=True)), +pool


def _values(name: str, values: Iterable[Value], known: Known) -> list[Value]:
    """The values that a fact may have by what is known and answered."""
    if name in known.facts:
        values = [known.facts[name]]
    answers = [answer for answer in known.answers if answer.fact == name]
    return [value for value in values if all((value in each.among) == each.holds for each in answers)]


def _hands(
    questions: Questions[Any], known: Known, most: int, facts: Facts, pool: Counter[Card], asked: Card | None
) -> Iterator[tuple[Hand, frozenset[Hand]]]:
    """For each set of sorts that the other cards of the hand can have, the smallest hand that has them."""
    answers = [answer for answer in known.answers if answer.fact == HAND]
    ruled_out = {card for answer in answers if not answer.holds for card in answer.among}
    demanded = [answer.among for answer in answers if answer.holds]
    sorts: dict[Hashable, list[Card]] = {}
    for card in pool:
        if card not in ruled_out:
            sorts.setdefault((questions.alike(facts, card), card == asked), []).append(card)
    least = max(0 if known.hand else 1, known.others or 0)
    room = most - len(known.hand) if known.others is None else known.others
    for chosen in product((False, True), repeat=len(sorts)):
        present = [tuple(sort) for sort, is_present in zip(sorts.values(), chosen, strict=True) if is_present]
        cards = [card for sort in present for card in sort]
        held = (
            _smallest(cards, [*map(frozenset, present), *demanded])
            if demanded
            else tuple([sort[0] for sort in present])
        )
        if held is not None and len(held) <= room:
            filled = _filled(held, cards, pool, least)
            if filled is not None:
                yield filled, frozenset(present)


def _smallest(cards: Sequence[Card], needs: Sequence[Among]) -> Hand | None:
    """The fewest of the cards, each once, of which every need has one."""
    covers: dict[int, Hand] = {0: ()}
    seen: set[int] = set()
    for card in cards:
        met = sum(1 << at for at, need in enumerate(needs) if card in need)
        if met not in seen:
            seen.add(met)
            for mask, held in [*covers.items()]:
                best = covers.get(mask | met)
                if best is None or len(held) + 1 < len(best):
                    covers[mask | met] = (*held, card)
    return covers.get((1 << len(needs)) - 1)


def _filled(held: Hand, cards: Iterable[Card], pool: Counter[Card], least: int) -> Hand | None:
    """The hand with more of the cards, until it has as many as it has to have; ``None`` where there are too few."""
    if len(held) >= least:
        return held
    left = Counter({card: pool[card] for card in cards})
    left.subtract(held)
    filled = [*held, *[*left.elements()][: max(0, least - len(held))]]
    return tuple(filled) if len(filled) >= least else None


# Rulings


def _without_seat(move: Move) -> Move:
    return {name: value for name, value in move.items() if name != "seat"}


def _moves_of(questions: Questions[Any], known: Known, listed: Iterable[Sequence[Move]]) -> tuple[Move, ...]:
    """The moves that are legal somewhere, of those that may be asked about and take no card that is not seen."""
    found: list[Move] = []
    for legal in listed:
        for move in legal:
            is_seen = "card" not in move or move["card"] in known.hand
            if move["type"] in questions.moves and is_seen and move not in found:
                found.append(move)
    return tuple(found)


def _verdicts(
    game: Game[Any],
    questions: Questions[Any],
    position: Any,
    legal: Sequence[Move],
    moves: Iterable[Move],
    *,
    is_which: bool,
) -> tuple[Verdict | None, ...]:
    (seat,) = position.to_act
    return tuple(
        [
            _permitted(questions, position, {**move, "seat": seat})
            if move in legal
            else None
            if is_which
            else _forbidden(game, position, {**move, "seat": seat})
            for move in moves
        ]
    )


def _permitted(questions: Questions[Any], position: Any, move: Move) -> Verdict:
    permission = questions.permits(position, move)
    return Verdict(True, None, *permission)


def _forbidden(game: Game[Any], position: Any, move: Move) -> Verdict:
    """Why a move is refused. Raises ``TypeError`` where the game lists fewer moves than it accepts."""
    ruling = game.adjudicate(position, move, _no_chance)
    if isinstance(ruling, Accepted):
        raise TypeError(f"{game.slug}: a move is accepted that is not listed")
    reason, _seat, rule, because, facts = ruling.infraction
    return Verdict(False, reason, rule, because, facts)


def _no_chance(label: str, _k: int, _pile: Sequence[str]) -> NoReturn:
    raise TypeError(f"a move that is refused shuffles {label}")
