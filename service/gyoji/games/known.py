"""What a question knows of a position, as it was sent, and what of that cannot be."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gyoji.games.game import Card, FindingCode, Game, Move
from gyoji.games.questions import Facts, Hand, Questions, Value

Among = frozenset[Value]

NOTHING = "none"
"""What stands for ``None`` among the values of an answer."""


class Answered(NamedTuple):
    """The answer to an earlier question: whether a fact is one of these values, or (of ``HAND``) whether the hand has
    one of these cards beside those that are seen."""

    fact: str
    among: Among
    holds: bool


class Known(NamedTuple):
    """What is known of a position. Whoever is to play is asked about."""

    seats: int | None
    options: Any
    facts: Facts
    """Those that are known."""
    hand: Hand
    """The cards of the hand that are seen."""
    others: int | None
    """How many more it has; ``None``: that is not known."""
    elsewhere: Hand
    """Cards that lie neither in the hand nor where a fact has one."""
    answers: tuple[Answered, ...]


class Impossible(NamedTuple):
    """A reason why what is known cannot be; ``because`` names a sentence that is filled with the facts."""

    pointer: str
    code: FindingCode
    because: str
    facts: Mapping[str, Any] = {}


def read_known(game: Game[Any], request: Mapping[str, Any]) -> Known:
    """Read what is known from a well-formed request of plain data."""
    known, names = request["known"], [*game.questions.values(game.read_options({}))]
    return Known(
        known.get("seats"),
        game.read_options(known.get("options", {})),
        {name: known[name] for name in names if name in known},
        tuple(known.get("hand", ())),
        known.get("others"),
        tuple(known.get("elsewhere", ())),
        tuple([_answered(answer) for answer in request.get("answers", ())]),
    )


def _answered(answer: Mapping[str, Any]) -> Answered:
    among = frozenset([None if value == NOTHING else value for value in answer["among"]])
    return Answered(answer["fact"], among, answer["is"])


def tables(game: Game[Any], known: Known) -> list[int]:
    """List the numbers of seats that there may be by what is known."""
    seats = range(game.min_seats, game.max_seats + 1) if known.seats is None else (known.seats,)
    return [number for number in seats if not game.contradictions(number, known.options)]


def most_cards(questions: Questions[Any], seats: Iterable[int]) -> int:
    """Return how many cards a hand has at most at a table of one of these numbers of seats."""
    return max(map(questions.most, seats))


def template(game: Game[Any], seats: int, options: Any) -> Any:
    """Return a position under these options, of which only what no question asks about is kept."""
    return game.start(seats, options, 0, None, lambda _label, _k, pile: tuple(pile)).state


# What cannot be


def impossible(questions: Questions[Any], known: Known, most: int, move: Move | None) -> list[Impossible]:
    """List what cannot be as it is known, card by card; ``most`` is how many cards a hand has at most."""
    deck = Counter(questions.deck(known.options))
    return [
        *_unknown_cards(deck, known, move),
        *_wrong_facts(questions, deck, known),
        *_places(deck, known),
        *_sizes(known, most),
    ]


def _unknown_cards(deck: Counter[Card], known: Known, move: Move | None) -> Iterator[Impossible]:
    named = [("/known/hand", known.hand), ("/known/elsewhere", known.elsewhere)]
    if move is not None and "card" in move:
        named.append(("/move/card", (move["card"],)))
    for pointer, cards in named:
        for card in dict.fromkeys(cards):
            if card not in deck:
                yield Impossible(pointer, "unknown-card", "no-such-card", {"card": card})


def _wrong_facts(questions: Questions[Any], deck: Counter[Card], known: Known) -> Iterator[Impossible]:
    values = questions.values(known.options)
    for name, value in known.facts.items():
        if value not in values[name]:
            is_known = value in deck or value is None
            said = "not-there" if is_known else "no-such-card"
            yield Impossible(f"/known/{name}", "wrong-value" if is_known else "unknown-card", said, {"card": value})


def _places(deck: Counter[Card], known: Known) -> Iterator[Impossible]:
    placed = [card for card in known.facts.values() if card is not None and card in deck]
    for card, places in Counter([*known.hand, *placed, *known.elsewhere]).items():
        copies = deck[card]
        if copies and places > copies:
            pointer = "/known/hand" if card in known.hand else "/known/elsewhere"
            said = "many-places" if copies > 1 else "two-places" if places == 2 else "places"
            facts = {"card": card, "places": places, "copies": copies}
            yield Impossible(pointer, "duplicate-card", said, facts)


def _sizes(known: Known, most: int) -> Iterator[Impossible]:
    if not known.hand and known.others == 0:
        yield Impossible("/known/others", "wrong-count", "empty-hand")
    if len(known.hand) + (known.others or 0) > most:
        yield Impossible(
            "/known/others" if known.others else "/known/hand", "wrong-count", "large-hand", {"most": most}
        )
