"""What a game can declare, what is said of a declaration that says too little, and how it stands in plain data."""

from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import pytest

from gyoji.games.catalogue import GAMES
from gyoji.games.codec import ENVELOPE, Codec, plain
from gyoji.games.declared import Records
from gyoji.games.game import Game, Scores, Seat, Seats
from gyoji.games.records import (
    BY_SEAT,
    HIDEABLE,
    NOBODY,
    OWN,
    UNCOVERED,
    Among,
    Exactly,
    Keyed,
    Keys,
    KnownTo,
    Like,
    Many,
    Most,
    Number,
    Record,
    SeatNumber,
    Within,
    Word,
    record,
    tag,
)

Code = Annotated[str, Among(["A", "B"])]
Pile = Annotated[tuple[Code, ...], Most(4)]


class Pair(NamedTuple):
    """Two cards."""

    left: Code | None
    right: Code


class Options(NamedTuple):
    """What may be chosen."""

    open: bool = True
    pair: Pair | None = None


class Outcome(TypedDict):
    """The end."""

    winners: Seats


class State(NamedTuple):
    """A small position."""

    seats: int
    options: Options
    seed: str | None
    shuffles: int
    round: int
    ply: int
    phase: str
    to_act: Seats
    scores: Scores
    outcome: Outcome | None
    hands: Annotated[tuple[Pile, ...], BY_SEAT, HIDEABLE]
    pairs: Annotated[tuple[Pair | None, ...], Most(2)]
    piles: Annotated[tuple[Pile, ...], Keys("low", "high")]
    chosen: Annotated[tuple[Code | None, ...], BY_SEAT] | None
    rounds: Annotated[tuple[Pair, ...], Most(9)]


class Play(TypedDict):
    """A move, or its event."""

    type: Literal["play"]
    seat: Seat
    card: Annotated[Code, OWN]
    why: NotRequired[Annotated[str, Like("[a-z]+")]]


class Shown(TypedDict):
    """An event."""

    type: Literal["shown"]
    card: Annotated[Code, UNCOVERED]
    rest: Annotated[Pile, NOBODY]
    wish: Annotated[Code, KnownTo("own", under="open")]


STATE = State(
    seats=2,
    options=Options(pair=Pair(None, "B")),
    seed="5c",
    shuffles=1,
    round=1,
    ply=0,
    phase="play",
    to_act=(0,),
    scores=(0, -1),
    outcome={"winners": (0, 1)},
    hands=(("A",), ()),
    pairs=(None, Pair("A", "B")),
    piles=(("A", "B"), ()),
    chosen=("A", None),
    rounds=(Pair("B", "B"),),
)
WRITTEN: dict[str, Any] = {
    "game": "small",
    "version": 3,
    "seats": 2,
    "options": {"open": True, "pair": {"left": None, "right": "B"}},
    "seed": "5c",
    "shuffles": 1,
    "round": 1,
    "ply": 0,
    "phase": "play",
    "to_act": (0,),
    "scores": (0, -1),
    "outcome": {"winners": (0, 1)},
    "table": {
        "hands": (("A",), ()),
        "pairs": (None, {"left": "A", "right": "B"}),
        "piles": {"low": ("A", "B"), "high": ()},
        "chosen": ("A", None),
        "rounds": ({"left": "B", "right": "B"},),
    },
}


def test_a_state_is_written_and_read_by_its_declaration() -> None:
    codec = Codec(State, Options)
    written = codec.write("small", 3, STATE)
    assert written == WRITTEN
    assert list(written) == ["game", "version", *ENVELOPE, "table"]
    assert codec.read(written) == STATE
    assert codec.read({**written, "outcome": None, "table": {**written["table"], "chosen": None}}) == STATE._replace(
        outcome=None, chosen=None
    )
    assert codec.rounds(STATE) == ({"left": "B", "right": "B"},)


def test_a_view_has_no_seed_and_of_what_is_hideable_only_what_is_seen() -> None:
    codec = Codec(State, Options)
    shown = codec.shown("small", 3, STATE, {"hands": "seen", "piles": "not asked"})
    assert shown == {**WRITTEN, "seed": None, "table": {**WRITTEN["table"], "hands": "seen"}}
    with pytest.raises(KeyError):
        codec.shown("small", 3, STATE, {})


def test_options_that_are_left_out_have_their_defaults_and_no_others_are_known() -> None:
    codec = Codec(State, Options)
    assert codec.read_options({}) == Options()
    assert codec.read_options({"open": False}) == Options(open=False)
    assert codec.write_options(Options()) == {"open": True, "pair": None}
    with pytest.raises(KeyError):
        codec.read_options({"opened": False})


class NoOptions(NamedTuple):
    """A game that leaves nothing open."""


def test_a_game_may_have_no_options() -> None:
    codec = Codec(State, NoOptions)
    assert codec.read_options({}) == NoOptions()
    assert codec.write_options(NoOptions()) == {}
    with pytest.raises(KeyError):
        codec.read_options({"open": True})


def test_what_a_record_is_read_as() -> None:
    hands, pairs, piles, chosen, _ = Codec(State, Options).table
    assert (hands.kind, hands.hideable) == (
        Many(Many(Word(("A", "B"), "Card"), False, 0, 4, False, False), False, 0, None, True, False),
        True,
    )
    assert isinstance(pairs.kind, Many)
    assert (pairs.kind.gaps, type(pairs.kind.item)) == (True, Record)
    assert isinstance(piles.kind, Keyed)
    assert piles.kind.names == ("low", "high")
    assert chosen.nullable
    _, seat, card, why = record(Play).members
    assert (tag(Play), isinstance(seat.kind, SeatNumber)) == ("play", True)
    assert (card.known, card.required, why.known, why.required) == (OWN, True, None, False)
    assert plain(pairs.kind, STATE.pairs) == WRITTEN["table"]["pairs"]


def test_who_knows_what_may_depend_on_an_option() -> None:
    class Line(TypedDict):
        rule: str

    records = Records(state=State, options=Options, moves=(Play,), events=(Play, Shown), line=Line)
    assert records.flags == ("open",)
    known, other = records.known[True,], records.known[False,]
    assert known.events["shown"] == {"card": "all", "rest": "nobody", "wish": "own"}
    assert other.events["shown"] == {"card": "all", "rest": "nobody", "wish": "all"}
    assert known.moves == other.moves == {"play": {"seat": "all", "card": "own", "why": "all"}}
    assert records.uncovering == {"shown"}


class Bare(TypedDict):
    """Which numbers?"""

    number: int


class Open(TypedDict):
    """Which texts?"""

    text: str


class Endless(TypedDict):
    """How many?"""

    cards: tuple[Code, ...]


class Mixed(TypedDict):
    """Of several types."""

    value: int | str


class Uneven(TypedDict):
    """No run of numbers."""

    level: Literal[1, 3]


class Fixed(TypedDict):
    """Items of two types."""

    pair: tuple[int, str]


class Odd(TypedDict):
    """Nothing that plain data has."""

    value: complex


@pytest.mark.parametrize("declared", [Bare, Open, Endless, Mixed, Uneven, Fixed, Odd])
def test_a_declaration_that_says_too_little_is_refused(declared: type[Any]) -> None:
    with pytest.raises(TypeError):
        record(declared)


def test_levels_and_lengths_are_numbers() -> None:
    class Layout(TypedDict):
        level: Literal[1, 2, 3]
        three: Annotated[tuple[Annotated[int, Within(0, 9)], ...], Exactly(3)]
        some: Annotated[tuple[Annotated[int, Within(0, 9)], ...], Most(3)]

    assert [member.kind for member in record(Layout).members] == [
        Number(1, 3),
        Many(Number(0, 9), False, 3, 3, False, False),
        Many(Number(0, 9), False, 0, 3, False, False),
    ]


def test_a_state_has_to_begin_with_the_envelope() -> None:
    class Short(NamedTuple):
        seats: int

    with pytest.raises(TypeError, match="begin with seats, options"):
        Codec(Short, Options)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_games_declare_each_type_once_and_end_alike(game: Game[Any]) -> None:
    for declared in (game.records.moves, game.records.events):
        assert len({tag(one) for one in declared}) == len(declared)
    ended = {member.name for member in record(game.records.events[-1]).members}
    assert tag(game.records.events[-1]) == "game_finished"
    assert ended == {"type", *(member.name for member in game.records.codec.outcome.kind.members)}  # type: ignore[union-attr]
