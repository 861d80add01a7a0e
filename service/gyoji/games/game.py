"""The interface of a game: what every game answers, and the types it answers with.

A game is a handful of plain functions over a frozen state, gathered in one ``Game`` value (see ``catalogue``).
Moves, events and score lines are plain mappings of strings, integers, booleans, ``None``, tuples and mappings, made
once by the rules and handed on as they are; whoever receives one only reads it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from gyoji.games.declared import Records
from gyoji.games.records import BY_SEAT, MAX_INTEGER, MOST_SEATS, SEAT, Known, Like, Most, Within

Seat = Annotated[int, SEAT]
"""The number of a seat, from 0, clockwise."""
Seats = Annotated[tuple[Seat, ...], BY_SEAT]
"""Seats, each at most once."""
Card = str
"""The code of a card, as the rules page has it."""
RuleId = Annotated[str, Like("[A-Z]{3}-[0-9R.]+")]
"""The id of a rule or a ruling: ``CAT-4.2``, ``CAT-R1``."""
RoundNumber = Annotated[int, Within(1)]
"""The number of a round, from 1."""
Points = Annotated[int, Within(-MAX_INTEGER)]
"""Points, which may be negative."""
Scores = Annotated[tuple[Points, ...], Most(MOST_SEATS)]
"""Points by seat."""
Move = Mapping[str, Any]
"""A move as plain data: ``type``, ``seat``, and what else a move of that type has."""
Event = Mapping[str, Any]
"""What has happened at the table, as plain data: ``type``, and what else an event of that type has."""
Line = Mapping[str, Any]
"""A line of a scoring sheet: ``seat``, ``rule``, ``points``, ``round`` and whole-number facts."""

Reason = Literal[
    "not-your-turn",
    "wrong-phase",
    "card-not-in-hand",
    "card-not-in-row",
    "errand-not-on-display",
    "game-finished",
    "rule-violation",
]
"""Why a move is refused; ``rule-violation`` where none of the others says it."""

FindingCode = Literal[
    "contradictory-options",
    "duplicate-card",
    "missing-card",
    "unknown-card",
    "wrong-order",
    "wrong-count",
    "wrong-lead",
    "wrong-outcome",
    "wrong-phase",
    "wrong-ply",
    "wrong-round",
    "wrong-scores",
    "wrong-seat",
    "wrong-shuffles",
    "wrong-to-act",
    "wrong-value",
    "seed-missing",
]
"""What is wrong with a state; ``wrong-value`` where none of the others says it."""


DEALT = "hands_dealt"
"""The type of the event with which the deal of a round is told, in every game; it has ``round`` and ``hands``."""

FINISHED = "game_finished"
"""The type of the event with which every game ends; it has the members of the outcome."""


class Infraction(NamedTuple):
    """The reason why a move is refused: only what the mover may know.

    ``rule`` is the id of the rule that forbids the move where ``reason`` is ``rule-violation`` (or where a rule says
    so), else ``None``. ``because`` names a sentence of the game's rulebook (or one common to all games), ``facts`` are
    the values that the sentence is filled with.
    """

    reason: Reason
    seat: Seat
    rule: RuleId | None
    because: str
    facts: Mapping[str, Any] = {}


class Finding(NamedTuple):
    """One reason why a state cannot be a position of the game.

    ``pointer`` is a JSON Pointer (RFC 6901) into the state envelope, without the leading ``/state``; it names a place,
    never a card of a hidden one. ``facts`` hold public values only.
    """

    pointer: str
    code: FindingCode
    facts: Mapping[str, Any] = {}


class Position(Protocol):
    """The fields that the states of all games have in common: the state envelope of the rulebooks."""

    @property
    def seats(self) -> int: ...
    @property
    def seed(self) -> str | None: ...
    @property
    def shuffles(self) -> int: ...
    @property
    def round(self) -> int: ...
    @property
    def ply(self) -> int: ...
    @property
    def phase(self) -> str: ...
    @property
    def to_act(self) -> tuple[Seat, ...]: ...
    @property
    def scores(self) -> tuple[int, ...]: ...
    @property
    def outcome(self) -> Mapping[str, Any] | None: ...


S = TypeVar("S", bound=Position)


class NotRecorded(Exception):
    """A shuffle is due that the record does not describe, or not with these cards."""


class Accepted(NamedTuple, Generic[S]):
    """The ruling that a move is legal: the next state, and what happened at the table, in order."""

    state: S
    events: tuple[Event, ...]


def accepted(state: S, events: tuple[Event, ...]) -> Accepted[S]:
    """Make an ``Accepted`` in half the time that its constructor takes."""
    return tuple.__new__(Accepted, (state, events))


class IllegalMove(NamedTuple):
    """The ruling that a move is illegal; nothing has changed."""

    infraction: Infraction


Chance = Callable[[str, int, Sequence[str]], tuple[str, ...]]
"""``chance(label, k, pile)``: the pile (in canonical order) as shuffle number ``k`` leaves it, top first.

Live play passes ``deal/v1`` (see ``chance``), a replay what was recorded.
"""


Pile = tuple[str, tuple[Card, ...]]
"""A shuffle as it came out: its label, and its cards from the top (the order within a hand is not kept)."""


def highest(scores: Sequence[int]) -> tuple[Seat, ...]:
    """Return the seats with the highest score, which equal ones share."""
    best = max(scores)
    return tuple([seat for seat, score in enumerate(scores) if score == best])


def no_contradictions(_seats: int, _options: Any) -> tuple[Finding, ...]:
    """Return no findings, for games whose options all go with each other and with every number of seats."""
    return ()


def scores_of(state: Position) -> Sequence[float]:
    """Return the scores of a position, for games in which nothing shows before it scores."""
    return state.scores


def one_after_another(_state: Position) -> bool:
    """Return false, for games in which one seat acts at a time."""
    return False


class Game(NamedTuple, Generic[S]):
    """One version of one game: its facts and its functions."""

    package: str
    """The package whose files say the rest: ``rulebook.toml`` and whatever else is read of a game."""
    slug: str
    version: int
    place: int
    """Its place in the catalogue: games are listed by it, and those of the same place by slug."""
    min_seats: int
    max_seats: int
    phases: tuple[str, ...]
    records: Records[Any, Any]
    """What its options, states, moves, events and score lines hold."""
    start: Callable[[int, Any, Seat, str | None, Chance], Accepted[S]]
    """(seats, options, first, seed, chance) -> the first position of a game and the events of its first deal."""
    legal_moves: Callable[[S], list[Move]]
    """Every move that would be accepted, in the order of the rules page."""
    adjudicate: Callable[[S, Move, Chance], Accepted[S] | IllegalMove]
    """One move of a well-formed shape, ruled on."""
    waived: Callable[[S, Move, Chance], Accepted[S] | IllegalMove]
    """The same without the rules that a referee can waive: that another card or wish had to be chosen."""
    findings: Callable[[S], tuple[Finding, ...]]
    """Everything that makes the state impossible; empty for a position of the game."""
    piles: Callable[[Any, Mapping[str, Any]], tuple[tuple[int, Sequence[Any]], ...]]
    """(options, ``table`` of a view) -> for each kind of cards how many there are, and all the piles in which they lie,
    seen or hidden. What a view hides cannot be judged by ``findings``."""
    seen: Callable[[S, Seat | None], dict[str, Any]]
    """(state, seat or ``None``: a spectator) -> of each member of the table that is declared hideable what that viewer
    may know of it."""
    shuffles: Callable[[Any, Event], tuple[Pile, ...]]
    """(options, event) -> the shuffles that the event tells of, in the order in which they were made; mostly none."""
    lines: Callable[[S], tuple[Line, ...]]
    """How every scored figure came about: ``seat``, ``rule``, ``points``, ``round`` and whole-number facts."""
    winners: Callable[[Sequence[int]], tuple[Seat, ...]] = highest
    """Who wins a game that ends with these scores, by the game's own rule; any whole numbers, by seat."""
    cooperative: bool = False
    contradictions: Callable[[int, Any], tuple[Finding, ...]] = no_contradictions
    """(seats, options) -> what contradicts what; pointers begin with ``/options``."""
    passes: tuple[str, ...] = ()
    """The types of the moves by which a seat passes, or declines to do what it may do; none: there is no passing."""
    simultaneous: Callable[[S], bool] = one_after_another
    """Whether the seats to act choose at the same time, none knowing what another has chosen."""
    tables: Mapping[str, Any] = {}
    """The tables of the rules page that an option may replace, by the option and as it would give them."""
    room: int = 4096
    """Bytes that hold every position as JSON, its options aside; those are counted twice for themselves and cards."""
    demo: Mapping[str, Any] = {}
    """What a short match is created with, beside the game and the seats, for the demonstration: options, randomness."""
    is_example: bool = False
    """Whether it is the game of examples that could be of any game."""
    deal_hidden: Callable[[Mapping[str, Any], Chance], S] | None = None
    """(the view of a seat, chance) -> a position that has this view: what is hidden in it is dealt by chance. It sees
    the view alone. Without it nobody looks ahead (``players``)."""
    worth: Callable[[S], Sequence[float]] = scores_of
    """What a player that looks ahead takes a position for, by seat: points, and what is to be expected of the round."""
    questions: Any = None
    """What can be asked of it without a whole position: ``questions.Questions``. Without it nothing can."""

    def read_options(self, given: Mapping[str, Any]) -> Any:
        """Read a game's frozen options from well-formed options, defaults filled in."""
        return self.records.codec.read_options(given)

    def write_options(self, options: Any) -> dict[str, Any]:
        """Write a game's frozen options as plain data, all of them."""
        return self.records.codec.write_options(options)

    def read_state(self, data: Mapping[str, Any]) -> S:
        """Read a frozen state from a well-formed state envelope of plain data, whether the state is possible or not."""
        state: S = self.records.codec.read(data)
        return state

    def write_state(self, state: S) -> dict[str, Any]:
        """Write a frozen state as a state envelope of plain data, members in the order of the rulebook."""
        return self.records.codec.write(self.slug, self.version, state)

    def view(self, state: S, seat: Seat | None) -> dict[str, Any]:
        """Return the state envelope as a seat (``None``: a spectator) may know it."""
        return self.records.codec.shown(self.slug, self.version, state, self.seen(state, seat))

    def rounds(self, state: S) -> tuple[Any, ...]:
        """Return what the state keeps of each finished round, as plain data."""
        return self.records.codec.rounds(state)

    def known(self, options: Any) -> Known:
        """Return who may know what of events and moves under these options. Options that do not differ in it give the
        same object."""
        records = self.records
        return records.known[tuple([getattr(options, flag) for flag in records.flags])]

    def irregular(self, state: S, move: Move, chance: Chance) -> Accepted[S] | IllegalMove:
        """Rule on a move that a referee lets stand, although a rule demands another one.

        What is refused for another reason than a rule's stays refused, and so does a move after which the position
        would be none of the game; then the infraction is that of ``adjudicate``.
        """
        ruling = self.adjudicate(state, move, chance)
        if isinstance(ruling, Accepted) or ruling.infraction.reason != "rule-violation":
            return ruling
        stood = self.waived(state, move, chance)
        return ruling if isinstance(stood, IllegalMove) or self.findings(stood.state) else stood


def chance_of_piles(piles: Sequence[Pile]) -> Chance:
    """Return the chance of a replay: every shuffle comes out as it was recorded, in the same order.

    Raises ``NotRecorded`` for a shuffle that is not recorded, or recorded with other cards than were shuffled.
    """
    waiting = iter(piles)

    def chance(label: str, _k: int, pile: Sequence[str]) -> tuple[str, ...]:
        recorded_label, cards = next(waiting, ("", ()))
        if recorded_label != label or Counter(cards) != Counter(pile):
            raise NotRecorded(label)
        return cards

    return chance


def join_piles(piles: Sequence[Sequence[Card]]) -> tuple[Card, ...]:
    """Join several piles into one, the first on top."""
    return tuple([card for pile in piles for card in pile])


def pass_of(game: Game[S], moves: Sequence[Move], seat: Seat) -> Move | None:
    """Return the legal move by which a seat passes; ``None`` if there is none."""
    return next((move for move in moves if move["seat"] == seat and move["type"] in game.passes), None)


def out_of_order_infraction(phase: str, to_act: tuple[Seat, ...], seat: Seat) -> Infraction:
    """Return why a move is refused before any rule is asked. The game is over, the seat is not to act, or the phase has
    no such move."""
    if phase == "finished":
        return Infraction("game-finished", seat, None, "game-finished")
    if seat not in to_act:
        return Infraction("not-your-turn", seat, None, "not-your-turn", {"seats": to_act})
    return Infraction("wrong-phase", seat, None, "wrong-phase", {"phase": phase})


def remove_card(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return the pile without one copy of a card, its order kept."""
    left = [*cards]
    left.remove(card)
    return tuple(left)


def replace_at(values: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    """Return the tuple with another value at one place."""
    renewed = [*values]
    renewed[at] = value
    return tuple(renewed)


def hands_without(hands: tuple[tuple[Card, ...], ...], seat: Seat, card: Card) -> tuple[tuple[Card, ...], ...]:
    """Return all hands, one seat's without one copy of a card."""
    left, hand = [*hands], [*hands[seat]]
    hand.remove(card)
    left[seat] = tuple(hand)
    return tuple(left)


def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all seats clockwise, from the first one on."""
    return (*range(first, seats), *range(first))


def deal_hands(pile: tuple[Card, ...], seats: int, each: int) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    """Deal from the top of a pile: all of seat 0's cards, then seat 1's, and so on; return the hands, and what is
    left."""
    taken = seats * each
    return tuple([pile[at : at + each] for at in range(0, taken, each)]), pile[taken:]


def hidden_pile(cards: Sequence[Card]) -> dict[str, int]:
    """Return what stands in a view for a pile whose cards the viewer may not know."""
    return {"count": len(cards)}
