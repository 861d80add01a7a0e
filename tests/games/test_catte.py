"""Catte: the rules by their ids, the published example, and laws that hold at every ply of random games."""

import json
import random
import tomllib
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, product
from pathlib import Path
from typing import Any

import pytest

from gyoji.games import catte
from gyoji.games.catte import GAME, rules
from gyoji.games.catte.components import CATS_EACH, COFFEE, COFFEE_EACH, DECK, LIMIT, RANK, in_hand_order, total
from gyoji.games.catte.scores import outcome, round_lines, round_points
from gyoji.games.catte.state import BustBonus, Coffee, Options, Round, State
from gyoji.games.chance import SeedMissing, deal_v1
from gyoji.games.game import Accepted, Card, Event, IllegalMove, Infraction, Move, Seat, replace_at
from gyoji.games.tricks import TrickCard

EXAMPLE: dict[str, Any] = json.loads((Path(__file__).parent / "examples" / "catte.json").read_text("utf-8"))
RULEBOOK: dict[str, Any] = tomllib.loads((Path(catte.__file__).parent / "rulebook.toml").read_text("utf-8"))
SOURCES = "".join(path.read_text("utf-8") for path in Path(catte.__file__).parent.glob("*.py"))
PLAIN = Options("keep", None)
OWN_DECK = tuple(f"{colour}{number}" for number in range(99, 79, -1) for colour in "KBW")
"""60 cards that no page has, and not in hand order."""
SMALLEST = {3: DECK[:39], 4: DECK[1:]}
ALL_OPTIONS = [
    (seats, GAME.read_options({"bust_bonus": bust_bonus, "deck": deck}))
    for seats, bust_bonus in product((3, 4), ("keep", "forfeit"))
    for deck in (None, OWN_DECK, SMALLEST[seats])
]
NO_SEED = deal_v1(None)


def unshuffled(_label: str, _k: int, pile: Sequence[str]) -> tuple[str, ...]:
    return tuple(pile)


def plain(value: Any) -> Any:
    """As JSON has it."""
    return json.loads(json.dumps(value))


def accepted(state: State, move: Move) -> Accepted[State]:
    """The move, which has to stand; later deals are not shuffled."""
    ruling = GAME.adjudicate(state, move, unshuffled)
    assert isinstance(ruling, Accepted), ruling
    return ruling


def refused(state: State, move: Move) -> Infraction:
    """Why the move, which must not stand, is refused."""
    ruling = GAME.adjudicate(state, move, unshuffled)
    assert isinstance(ruling, IllegalMove), ruling
    return ruling.infraction


def play(seat: Seat, card: Card) -> Move:
    return {"type": "play", "seat": seat, "card": card}


def coffee(seat: Seat, card: Card) -> Move:
    return {"type": "coffee", "seat": seat, "card": card}


def position(
    acquired: Sequence[str],
    unused: Sequence[str],
    *,
    lead: Seat,
    hands: Sequence[str] | None = None,
    trick: str = "",
    **changes: Any,
) -> State:
    """A possible position with these coffee cards; the one that is left over lies in the centre.

    Hands hold the cards named and are filled up with others. Every trick out of play is of one colour, so that its
    highest card has won it; the seat that leads won last.
    """
    seats = len(acquired)
    won = tuple(tuple(cards.split()) for cards in acquired)
    rows = tuple(tuple(cards.split()) for cards in unused)
    centre = next((card for card in COFFEE if card not in {*chain(*won, *rows)}), None)
    tricks = sum(map(len, won))
    plays = tuple(TrickCard((lead + at) % seats, card) for at, card in enumerate(trick.split()))
    held = [named.split() for named in hands or [""] * seats]
    taken = {*chain(*held), *[one.card for one in plays]}
    rest = [card for card in DECK if card not in taken]
    winners = [*chain(*[[(lead + 1 + at) % seats] * len(won[(lead + 1 + at) % seats]) for at in range(seats)])]
    starting = winners[0] if winners else lead
    discard: list[Card] = []
    for leader, winner in pairwise([starting, *winners]):
        colour = max("BWK", key=[card[0] for card in rest].count)
        cards = [card for card in rest if card[0] == colour][:seats]
        rest = [card for card in rest if card not in cards]
        cards.insert((winner - leader) % seats, cards.pop())
        discard += cards
    for seat, hand in enumerate(held):
        size = CATS_EACH[seats] - tricks - (seat in [one.seat for one in plays])
        while len(hand) < size:
            hand.append(rest.pop())
    state = State(
        seats=seats,
        options=PLAIN,
        seed=None,
        shuffles=2,
        round=1,
        ply=tricks * (seats + 1) - (centre is None) + len(plays),
        phase="coffee" if centre is None else "trick",
        to_act=((lead + len(plays)) % seats,),
        scores=(0,) * seats,
        outcome=None,
        starting=starting,
        lead=lead,
        hands=tuple(map(in_hand_order, held)),
        aside=tuple(rest),
        coffee=Coffee(rows, won, centre),
        trick=plays,
        discard=tuple(discard),
        rounds=(),
    )._replace(**changes)
    assert GAME.findings(state) == ()
    return state


def changed(state: State, **changes: Any) -> State:
    """The position with other values: of its own fields, and of those of its coffee."""
    coffee = {name: changes.pop(name) for name in Coffee._fields if name in changes}
    return state._replace(coffee=state.coffee._replace(**coffee), **changes)


LOST = Round("limit_exceeded", (4, 9, 9, 9), (("K15", "W2"), (), (), ()), (2, 3, 3, 3))
"""A round that seat 0 lost by winning the first two tricks."""


def after(*finished: Round) -> dict[str, Any]:
    """What four-seat positions have to say besides after these rounds."""
    seats = len(finished[0].points)
    plies = sum(sum(map(len, one.acquired)) * (seats + 1) - 1 for one in finished)
    scores = tuple(map(sum, zip(*[one.points for one in finished], strict=True)))
    number = len(finished) + 1
    return {"rounds": finished, "round": number, "shuffles": 2 * number, "scores": scores, "ply": plies}


def ends_with(last: str, **changes: Any) -> State:
    """Four seats, the fourth trick: seat 2 has led W8 for its last coffee; seat 1 wins by W12, not by W2."""
    rest = [card for card in COFFEE if card not in ("B1", "W2", "B3", last)]
    rows = [" ".join(rest[:3]), " ".join(rest[3:6]), "", " ".join(rest[6:])]
    plies = 18 + changes.pop("ply", 0)
    hands = ["W9 W10", "W2 W12", "W1", "W6"]
    return position(["", "", "B1 W2 B3", ""], rows, lead=2, hands=hands, trick="W8 W3 W4", ply=plies, **changes)


def last_trick() -> State:
    """Four seats, the last cards: seat 1 has led for B1, seat 0 takes the trick by its B1."""
    won = ["B9 W4", "K5 K10", "W8 B5", "B3 W2 B7"]
    rows = ["W10", "K15", "W6", ""]
    return position(won, rows, lead=1, hands=["B1", "", "", ""], trick="K1 K2 K3")


# The published example


def test_example_initial() -> None:
    request = EXAMPLE["initial"]["request"]
    start = GAME.start(
        request["seats"],
        GAME.read_options(request["options"]),
        request["first"],
        request["seed"],
        deal_v1(request["seed"]),
    )
    assert plain(GAME.write_state(start.state)) == EXAMPLE["initial"]["state"]
    assert json.dumps(GAME.write_state(start.state)) == json.dumps(EXAMPLE["initial"]["state"])
    assert GAME.legal_moves(start.state) == EXAMPLE["initial"]["legal_moves"]
    table = EXAMPLE["initial"]["state"]["table"]
    dealt = {name: table[name] for name in ("hands", "aside", "coffee")}
    assert plain(start.events) == [{"type": "hands_dealt", "round": 1, **dealt}]


def test_example_middle_and_adjudication() -> None:
    middle = EXAMPLE["middle"]
    state = GAME.read_state(middle["state"])
    assert GAME.findings(state) == ()
    assert GAME.legal_moves(state) == middle["legal_moves"]
    assert json.dumps(GAME.view(state, 1)) == json.dumps(middle["view_seat_1"])
    assert json.dumps(GAME.view(state, None)) == json.dumps(middle["view_spectator"])
    expected = EXAMPLE["adjudication"]
    ruling = accepted(state, expected["move"])
    assert plain(GAME.write_state(ruling.state)) == expected["state"]
    assert GAME.legal_moves(ruling.state) == expected["legal_moves"]
    assert plain(ruling.state.scores) == expected["scores"]
    assert ruling.events == ({"type": "card_played", "seat": 0, "card": "K1"},)


# 1 Setup


@pytest.mark.parametrize(("seats", "aside"), [(3, ("K14", "K15")), (4, ("K15",))])
def test_cat_1_1_to_1_4_the_deal(seats: int, aside: tuple[str, ...]) -> None:
    asked: list[tuple[str, int, tuple[str, ...]]] = []

    def chance(label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
        asked.append((label, k, tuple(pile)))
        return tuple(pile)

    state, events = GAME.start(seats, PLAIN, 2, None, chance)
    assert asked == [("cats", 0, DECK), ("coffee", 1, COFFEE)]
    assert state.aside == aside
    assert [*map(len, state.hands)] == [CATS_EACH[seats]] * seats
    assert [*map(len, state.coffee.unused)] == [COFFEE_EACH[seats]] * seats
    assert (state.coffee.centre, state.coffee.acquired) == ("K15", ((),) * seats)
    assert (state.starting, state.lead, state.to_act, state.phase) == (2, 2, (2,), "trick")
    assert (state.round, state.shuffles, state.ply) == (1, 2, 0)
    assert [event["type"] for event in events] == ["hands_dealt"]


def test_cat_r1_a_deck_of_the_tables_own() -> None:
    state = GAME.start(4, Options("keep", OWN_DECK), 0, None, unshuffled).state
    assert state.options.deck == OWN_DECK
    assert state.options.cats() == in_hand_order(OWN_DECK)
    assert state.hands[0] == tuple(f"B{number}" for number in range(80, 90))
    assert len(state.aside) == 20
    assert GAME.findings(state) == ()


@pytest.mark.parametrize(
    ("seats", "deck", "facts"),
    [
        (3, None, []),
        (3, DECK[:39], []),
        (4, DECK[:40], []),
        (3, DECK[:38], [{"at_least": 39}]),
        (4, DECK[:39], [{"at_least": 40}]),
    ],
)
def test_cat_r1_contradictory_decks(seats: int, deck: tuple[str, ...] | None, facts: list[dict[str, int]]) -> None:
    found = GAME.contradictions(seats, Options("keep", deck))
    assert found == tuple(("/options/deck", "contradictory-options", each) for each in facts)
    if found:
        state = GAME.start(seats, PLAIN, 0, None, unshuffled).state
        assert GAME.findings(state._replace(options=Options("keep", deck))) == found


def test_options_have_defaults() -> None:
    assert GAME.read_options({}) == PLAIN
    assert GAME.read_options({"bust_bonus": "forfeit", "deck": ["B2", "B1"]}) == Options("forfeit", ("B2", "B1"))


# 2 Leading, 3 Following


def test_cat_2_1_the_first_trick_needs_no_coffee() -> None:
    state = GAME.start(3, PLAIN, 1, None, unshuffled).state
    assert GAME.legal_moves(state) == [play(1, card) for card in state.hands[1]]
    assert refused(state, coffee(1, state.coffee.unused[1][0])) == (
        "wrong-phase",
        1,
        None,
        "wrong-phase",
        {"phase": "trick"},
    )


def test_cat_2_2_the_lead_player_serves() -> None:
    state = position(["", "K10", "", ""], ["B1 B3 K5", "B5 W4 W6", "B7 B9 W2", "W8 W10 K15"], lead=1)
    assert GAME.legal_moves(state) == [coffee(1, card) for card in ("B5", "W4", "W6")]
    assert refused(state, play(1, state.hands[1][0])).reason == "wrong-phase"
    assert refused(state, coffee(1, "B1")) == ("card-not-in-row", 1, None, "card-not-in-row", {"card": "B1"})
    assert refused(state, coffee(1, "K10")).reason == "card-not-in-row"
    after_serving, events = accepted(state, coffee(1, "W4"))
    assert events == ({"type": "coffee_served", "seat": 1, "card": "W4"},)
    assert (after_serving.coffee.centre, after_serving.coffee.unused[1], after_serving.phase) == (
        "W4",
        ("B5", "W6"),
        "trick",
    )
    assert after_serving.ply == state.ply + 1
    assert GAME.legal_moves(after_serving) == [play(1, card) for card in state.hands[1]]


def test_cat_3_1_the_lead_cards_colour_has_to_be_followed_and_the_coffees_not() -> None:
    rows = ["B1 B3 B5", "B7 B9 W2", "W4 W6 W8", "W10 K5 K10"]
    hands = ["K1 K2 K3 B1", "K4 W2 K15 K14 K13 K12 K11 K10 K9 K8", "", ""]
    state = position(["", "", "", ""], rows, lead=0, hands=hands)
    state = accepted(state, play(0, "B1")).state
    assert len(GAME.legal_moves(state)) == 10
    state = position(["", "", "", ""], rows, lead=0, hands=["", "B1 B2 W1", "", ""], trick="W9")
    assert GAME.legal_moves(state) == [play(1, card) for card in state.hands[1] if card[0] == "W"]
    infraction = refused(state, play(1, "B1"))
    assert infraction == ("rule-violation", 1, "CAT-3.1", "follow-colour", {"colour": "W", "card": "B1"})
    for absent in ("B9", "W9", "B99"):
        assert refused(state, play(1, absent)) == (
            "card-not-in-hand",
            1,
            None,
            "card-not-in-hand",
            {"card": absent},
        )


def test_whose_turn_it_is_comes_first() -> None:
    state = GAME.start(3, PLAIN, 0, None, unshuffled).state
    for seat in (1, 2, 3):
        assert refused(state, play(seat, "B1")) == ("not-your-turn", seat, None, "not-your-turn", {"seats": (0,)})


# 4 Winning the trick


@pytest.mark.parametrize(
    ("cards", "trump", "place", "rule"),
    [
        ("B1 B2 W1 B13", "W", 2, "CAT-4.1"),
        ("B1 B2 W1 W3", "W", 3, "CAT-4.1"),
        ("B5 B2 B13 K15", "B", 2, "CAT-4.1"),
        ("B9 B10 K15 W13", "B", 1, "CAT-4.1"),
        ("B9 B2 W13 B1", "K", 0, "CAT-4.2"),
        ("W2 W10 W9 B99", "K", 1, "CAT-4.2"),
    ],
)
def test_cat_4_1_and_4_2_who_wins(cards: str, trump: str, place: int, rule: str) -> None:
    assert rules.decided(tuple(cards.split()), trump) == (place, rule)


def test_cat_4_3_and_4_4_the_winner_takes_the_coffee_and_leads() -> None:
    rows = ["B1 B3 B5", "B7 B9 W2", "W4 W6 W8", "W10 K5 K10"]
    hands = ["W13", "", "", ""]
    state = position(["", "", "", ""], rows, lead=1, hands=hands, trick="W9 W1 W2")
    state, events = accepted(state, play(0, "W13"))
    assert events == (
        {"type": "card_played", "seat": 0, "card": "W13"},
        {"type": "trick_won", "seat": 0, "cards": ("W9", "W1", "W2", "W13"), "rule": "CAT-4.2"},
        {"type": "coffee_acquired", "seat": 0, "card": "K15", "total": 15},
    )
    assert (state.coffee.acquired, state.coffee.centre, state.trick) == ((("K15",), (), (), ()), None, ())
    assert state.discard == ("W9", "W1", "W2", "W13")
    assert (state.lead, state.to_act, state.phase) == (0, (0,), "coffee")
    assert GAME.findings(state) == ()


# 5 End of the round, 6 Scoring


def scored(events: Sequence[Event]) -> Event:
    return next(event for event in events if event["type"] == "round_scored")


def test_cat_5_1_above_the_limit_the_round_ends() -> None:
    state, events = accepted(ends_with("W10"), play(1, "W2"))
    assert [event["type"] for event in events] == [
        "card_played",
        "trick_won",
        "coffee_acquired",
        "round_scored",
        "hands_dealt",
    ]
    assert scored(events)["reason"] == "limit_exceeded"
    assert scored(events)["points"] == (9, 9, 0, 9)
    assert (state.round, state.shuffles, state.starting, state.to_act) == (2, 4, 3, (3,))
    assert GAME.findings(state) == ()


def test_cat_5_1_exactly_the_limit_does_not_end_the_round() -> None:
    rows = ["B1 B7 W10", "B3 W4 W6", "B9 W2 W8", "B5 K15"]
    state = position(["", "", "", "K10"], rows, lead=3, hands=["", "", "K3", ""], trick="K15 K1 K2")
    state, events = accepted(state, play(2, "K3"))
    assert events[-1] == {"type": "coffee_acquired", "seat": 3, "card": "K5", "total": 15}
    assert (state.phase, state.to_act, state.round) == ("coffee", (3,), 1)
    assert rules.round_end(4, 15, 3, 1) is None
    assert rules.round_end(3, 20, 3, 1) is None
    assert rules.round_end(4, 16, 3, 1) == rules.round_end(3, 21, 3, 1) == "limit_exceeded"


def test_cat_5_2_the_cards_are_played_out() -> None:
    state, events = accepted(last_trick(), play(0, "B1"))
    assert scored(events)["reason"] == "hands_empty"
    assert scored(events)["acquired"][0] == ("B9", "W4", "B1")
    assert GAME.findings(state) == ()


def test_cat_5_3_nobody_serves_for_the_next_trick() -> None:
    state, events = accepted(ends_with("W4"), play(1, "W2"))
    assert scored(events)["reason"] == "no_coffee"
    assert scored(events)["points"] == (9, 9, 10, 9)
    state, events = accepted(ends_with("W4"), play(1, "W12"))
    assert (state.phase, state.to_act, len(events)) == ("coffee", (1,), 3)
    state, events = accepted(ends_with("B9"), play(1, "W2"))
    assert scored(events)["points"] == (9, 9, 30, 9)


def test_cat_r3_limit_before_hands_before_coffee() -> None:
    assert rules.round_end(4, 16, 0, 0) == "limit_exceeded"
    assert rules.round_end(4, 15, 0, 0) == "hands_empty"
    assert rules.round_end(4, 15, 1, 0) == "no_coffee"


@pytest.mark.parametrize(
    ("limit", "value", "unused", "bust_bonus", "points"),
    [
        (20, 20, 3, "keep", 49),
        (20, 20, 2, "keep", 44),
        (20, 0, 3, "keep", 9),
        (20, 0, 1, "keep", 1),
        (20, 19, 0, "keep", 19),
        (20, 21, 2, "keep", 4),
        (20, 21, 2, "forfeit", 0),
        (20, 20, 2, "forfeit", 44),
        (15, 15, 1, "keep", 31),
        (15, 14, 1, "forfeit", 15),
        (15, 16, 3, "keep", 9),
        (15, 16, 3, "forfeit", 0),
    ],
)
def test_cat_6_1_to_6_3_points(limit: int, value: int, unused: int, bust_bonus: BustBonus, points: int) -> None:
    seats = 3 if limit == 20 else 4
    assert limit == LIMIT[seats]
    assert round_points(bust_bonus, (value,) * seats, (unused,) * seats) == (points,) * seats


def test_cat_6_1_and_6_2_lines_explain_the_points() -> None:
    finished = Round("no_coffee", (), (("K15", "K5"), ("B1",), ("K10", "B9", "W2")), (2, 3, 1))
    exact = {"seat": 0, "rule": "CAT-6.1", "points": 40, "round": 2, "times": 2, "total": 20, "limit": 20}
    below = {"seat": 1, "rule": "CAT-6.1", "points": 1, "round": 2, "times": 1, "total": 1, "limit": 20}
    above = {"seat": 2, "rule": "CAT-6.1", "points": 0, "round": 2, "times": 0, "total": 21, "limit": 20}
    kept = [
        {"seat": seat, "rule": "CAT-6.2", "points": unused**2, "round": 2, "unused": unused}
        for seat, unused in enumerate((2, 3, 1))
    ]
    lost = {"seat": 2, "rule": "CAT-R2", "points": 0, "round": 2, "unused": 1, "total": 21, "limit": 20}
    assert round_lines(2, "keep", finished) == (exact, kept[0], below, kept[1], above, kept[2])
    assert round_lines(2, "forfeit", finished) == (exact, kept[0], below, kept[1], above, lost)


# 7 The game


def test_cat_7_1_to_7_3_the_last_round() -> None:
    rounds = [
        Round("limit_exceeded", (4, 9, 9, 9), (("K15", "W2"), (), (), ()), (2, 3, 3, 3)),
        Round("limit_exceeded", (9, 4, 9, 9), ((), ("K15", "W2"), (), ()), (3, 2, 3, 3)),
        Round("limit_exceeded", (9, 9, 4, 9), ((), (), ("K15", "W2"), ()), (3, 3, 2, 3)),
    ]
    state = ends_with("W10", **after(*rounds))
    before = state
    state, events = accepted(state, play(1, "W2"))
    assert state.scores == (31, 31, 22, 36)
    assert state.outcome == {"winners": (3,), "scores": (31, 31, 22, 36), "reason": "rounds_played"}
    assert events[-1] == {"type": "game_finished", **state.outcome}
    assert (state.phase, state.to_act, state.round, state.shuffles) == ("finished", (), 4, 8)
    assert (state.lead, state.coffee.centre, state.trick) == (2, None, ())
    assert (state.hands[0], state.aside, state.coffee.unused) == (before.hands[0], before.aside, before.coffee.unused)
    assert GAME.findings(state) == ()
    assert GAME.legal_moves(state) == []
    assert refused(state, play(0, "W9")) == ("game-finished", 0, None, "game-finished", {})
    assert GAME.rounds(state)[0] == rounds[0]._asdict()


def test_cat_7_3_equal_totals_share_the_win() -> None:
    assert outcome((7, 9, 9)) == {"winners": (1, 2), "scores": (7, 9, 9), "reason": "rounds_played"}


def test_without_a_seed_play_goes_on_until_a_shuffle_is_due() -> None:
    state = ends_with("W10")
    assert isinstance(GAME.adjudicate(state, play(1, "W12"), NO_SEED), Accepted)
    with pytest.raises(SeedMissing):
        GAME.adjudicate(state, play(1, "W2"), NO_SEED)
    assert isinstance(GAME.adjudicate(state, play(1, "B1"), NO_SEED), IllegalMove)


# Laws of random games


def games(every: int = 1) -> Iterator[tuple[State, Move, Accepted[State]]]:
    """(position, move, ruling) of whole random games, of every option and number of seats."""
    for number, (seats, options) in enumerate(ALL_OPTIONS[::every]):
        rng = random.Random(number)
        seed = f"{number:0128x}"
        state = GAME.start(seats, options, number % seats, seed, deal_v1(seed)).state
        while state.phase != "finished":
            move = rng.choice(GAME.legal_moves(state))
            ruling = GAME.adjudicate(state, move, deal_v1(seed))
            assert isinstance(ruling, Accepted)
            yield state, move, ruling
            state = ruling.state


def test_every_position_of_play_is_possible_and_survives_writing() -> None:
    for before, _, (state, _) in games():
        for position_ in (before, state):
            assert GAME.findings(position_) == ()
            assert GAME.read_state(plain(GAME.write_state(position_))) == position_
            assert GAME.findings(position_._replace(seed=None)) == ()
        assert state.ply == before.ply + 1


def test_games_end_after_as_many_rounds_as_seats() -> None:
    ended = [ruling.state for _, _, ruling in games() if ruling.state.phase == "finished"]
    assert len(ended) == len(ALL_OPTIONS)
    for state in ended:
        assert len(state.rounds) == state.round == state.seats
        assert state.outcome == outcome(state.scores)


def test_accepted_is_exactly_what_is_listed() -> None:
    for state, _, _ in games(3):
        seat = state.to_act[0]
        moves = GAME.legal_moves(state)
        every = [
            *[coffee(seat, card) for card in COFFEE],
            *[play(seat, card) for card in (*state.options.cats(), "B79")],
        ]
        stand = [move for move in every if isinstance(GAME.adjudicate(state, move, unshuffled), Accepted)]
        assert stand == moves
        others = [play(other, "B1") for other in range(4) if other != seat]
        assert all(refused(state, move).reason == "not-your-turn" for move in others)


def test_a_seats_lines_add_up_to_its_score() -> None:
    for _, _, (state, events) in games():
        lines = GAME.lines(state)
        sums = [sum(line["points"] for line in lines if line["seat"] == seat) for seat in range(state.seats)]
        assert sums == [*state.scores]
        for event in events:
            if event["type"] == "round_scored":
                assert event["lines"] == tuple(line for line in lines if line["round"] == event["round"])
                kept = state.rounds[-1]._asdict()
                assert {name: event[name] for name in kept} == kept


def hidden_from(state: State, seat: Seat | None) -> set[str]:
    hands = [card for owner, hand in enumerate(state.hands) if owner != seat for card in hand]
    return {*hands, *state.aside, *state.discard}


def test_views_open_what_a_seat_may_know_and_nothing_else() -> None:
    for state, _, _ in games(3):
        for seat in (None, *range(state.seats)):
            view = plain(GAME.view(state, seat))
            full = plain(GAME.write_state(state))
            table = view["table"]
            counts = [{"count": len(hand)} for hand in state.hands]
            assert table["hands"] == [
                full["table"]["hands"][owner] if owner == seat else counts[owner] for owner in range(state.seats)
            ]
            assert table["aside"] == {"count": len(state.aside)}
            assert table["discard"] == {"count": len(state.discard)}
            assert view["seed"] is None
            assert list(view) == list(full)
            assert list(table) == list(full["table"])
            for name in ("starting", "lead", "coffee", "trick", "rounds"):
                assert table[name] == full["table"][name]
            for name in full.keys() - {"seed", "table"}:
                assert view[name] == full[name]
            shown = {play_["card"] for play_ in table["trick"]}.union(*[h for h in table["hands"] if type(h) is list])
            assert not shown & hidden_from(state, seat)


# Impossible positions


def piles(state: State) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every place where cards lie, as (field or field/seat, cards)."""
    by_seat = {"hands": state.hands, "unused": state.coffee.unused, "acquired": state.coffee.acquired}
    for name, held in by_seat.items():
        for seat, cards in enumerate(held):
            yield f"{name}/{seat}", cards
    yield "aside", state.aside
    yield "discard", state.discard
    yield "trick", state.trick
    yield "centre", () if state.coffee.centre is None else (state.coffee.centre,)


def with_pile(state: State, place: str, cards: tuple[Any, ...]) -> State:
    name, _, seat = place.partition("/")
    if name == "centre":
        return changed(state, centre=cards[0] if cards else None)
    held = getattr(state.coffee if name in Coffee._fields else state, name)
    return changed(state, **{name: replace_at(held, int(seat), cards) if seat else cards})


def sampled() -> list[State]:
    """Positions of all kinds: every phase, every round, short and long tricks."""
    return [
        ruling.state for at, (_, _, ruling) in enumerate(games(2)) if at % 11 == 0 or ruling.state.phase == "finished"
    ]


SAMPLED = sampled()


def test_a_lost_card_is_found() -> None:
    for state in SAMPLED:
        for place, cards in piles(state):
            for at in range(len(cards)):
                found = GAME.findings(with_pile(state, place, cards[:at] + cards[at + 1 :]))
                assert "missing-card" in [finding.code for finding in found], (place, at)


def test_a_doubled_card_is_found() -> None:
    """Where it lies, added anywhere, or in the place of another card."""
    for state in SAMPLED:
        lying = dict(piles(state))
        cats = [card for place in ("hands/0", "hands/1", "aside", "discard") for card in lying[place][:1]]
        coffees = [card for place in ("unused/0", "acquired/0", "acquired/1", "centre") for card in lying[place][:1]]
        for place, cards in lying.items():
            extra = coffees if place.startswith(("unused", "acquired", "centre")) else cats
            for card in extra:
                put = TrickCard(0, card) if place == "trick" else card
                bigger = with_pile(state, place, (put,) if place == "centre" else (*cards, put))
                if bigger != state:
                    assert GAME.findings(bigger), (place, card)
                if cards and put not in cards:
                    assert GAME.findings(with_pile(state, place, (put, *cards[1:]))), (place, card)


def test_findings_name_no_card() -> None:
    for state in SAMPLED:
        for place, cards in piles(state):
            for broken in (cards[1:], cards[::-1], (*cards, *cards)):
                for finding in GAME.findings(with_pile(state, place, broken)):
                    assert not [fact for fact in finding.facts.values() if fact in RANK], finding
                    assert not RANK.keys() & set(finding.pointer.split("/"))


def test_a_card_that_the_deck_does_not_have() -> None:
    state = GAME.start(4, PLAIN, 0, None, unshuffled).state
    found = GAME.findings(state._replace(aside=("B99",)))
    assert [(finding.pointer, finding.code) for finding in found] == [
        ("/table/aside", "unknown-card"),
        ("/table", "missing-card"),
    ]


FIRST = GAME.start(4, PLAIN, 0, None, unshuffled).state
SERVING = position(["", "K10", "", ""], ["B1 B3 K5", "B5 W4 W6", "B7 B9 W2", "W8 W10 K15"], lead=1)
SERVED = accepted(SERVING, coffee(1, "W4")).state
IN_TRICK = ends_with("W4", **after(LOST))
OVER = accepted(
    ends_with("W10", **after(LOST, LOST, LOST)),
    play(1, "W2"),
).state


def swapped(cards: tuple[Any, ...], at: int) -> tuple[Any, ...]:
    return (*cards[:at], cards[at + 1], cards[at], *cards[at + 2 :])


@pytest.mark.parametrize(
    ("state", "changes", "pointer", "code"),
    [
        (FIRST, {"hands": FIRST.hands[:3]}, "/table/hands", "wrong-count"),
        (FIRST, {"scores": (0,) * 5}, "/scores", "wrong-count"),
        (FIRST, {"unused": ()}, "/table/coffee/unused", "wrong-count"),
        (FIRST, {"acquired": ((),)}, "/table/coffee/acquired", "wrong-count"),
        (FIRST._replace(seats=3), {}, "/table/hands", "wrong-count"),
        (FIRST, {"seats": 3, "lead": 3}, "/table/lead", "wrong-seat"),
        (FIRST, {"seats": 3, "starting": 3}, "/table/starting", "wrong-seat"),
        (OVER, {"rounds": OVER.rounds * 2}, "/table/rounds", "wrong-count"),
        (IN_TRICK, {"rounds": (LOST._replace(points=(4, 9, 9)),)}, "/table/rounds/0/points", "wrong-count"),
        (IN_TRICK, {"rounds": (LOST._replace(acquired=()),)}, "/table/rounds/0/acquired", "wrong-count"),
        (IN_TRICK, {"rounds": (LOST._replace(unused=(3,)),)}, "/table/rounds/0/unused", "wrong-count"),
        (FIRST, {"hands": (FIRST.hands[0][::-1], *FIRST.hands[1:])}, "/table/hands/0", "wrong-order"),
        (
            FIRST,
            {"unused": (*FIRST.coffee.unused[:3], FIRST.coffee.unused[3][::-1])},
            "/table/coffee/unused/3",
            "wrong-order",
        ),
        (FIRST, {"lead": 1}, "/table/lead", "wrong-lead"),
        (FIRST, {"starting": 1}, "/table/lead", "wrong-lead"),
        (FIRST, {"lead": 1, "to_act": (1,)}, "/table/lead", "wrong-lead"),
        (SERVING, {"lead": 2, "to_act": (2,)}, "/table/lead", "wrong-lead"),
        (IN_TRICK, {"lead": 3}, "/table/lead", "wrong-lead"),
        (IN_TRICK, {"lead": 3}, "/table/trick/0/seat", "wrong-lead"),
        (IN_TRICK, {"trick": (TrickCard(3, "W8"), *IN_TRICK.trick[1:])}, "/table/trick/0/seat", "wrong-lead"),
        (IN_TRICK, {"trick": (*IN_TRICK.trick[:2], TrickCard(1, "W4"))}, "/table/trick/2/seat", "wrong-seat"),
        (IN_TRICK, {"trick": IN_TRICK.trick + IN_TRICK.trick}, "/table/trick", "wrong-count"),
        (SERVING, {"trick": IN_TRICK.trick}, "/table/trick", "wrong-count"),
        (FIRST, {"hands": (FIRST.hands[0] + FIRST.aside, *FIRST.hands[1:])}, "/table/hands/0", "wrong-count"),
        (FIRST, {"aside": (), "discard": FIRST.aside}, "/table/aside", "wrong-count"),
        (FIRST, {"aside": (), "discard": FIRST.aside}, "/table/discard", "wrong-count"),
        (IN_TRICK, {"acquired": (("B1", "W2", "B3"), (), (), ())}, "/table/coffee/unused/2", "wrong-count"),
        (SERVING, {"acquired": ((), (), ("K10",), ())}, "/table/lead", "wrong-lead"),
        (IN_TRICK, {"lead": IN_TRICK.coffee.acquired.index(())}, "/table/lead", "wrong-lead"),
        (SERVED, {"lead": 2, "to_act": (2,)}, "/table/lead", "wrong-lead"),
        (SERVED, {"lead": 0, "to_act": (0,)}, "/table/lead", "wrong-lead"),
        (
            FIRST,
            {
                "centre": None,
                "unused": ((*FIRST.coffee.unused[0], "K15"), *FIRST.coffee.unused[1:]),
                "phase": "coffee",
                "ply": -1,
            },
            "/table/coffee/unused/0",
            "wrong-count",
        ),
        (FIRST, {"phase": "coffee"}, "/phase", "wrong-phase"),
        (SERVING, {"phase": "trick"}, "/phase", "wrong-phase"),
        (OVER, {"phase": "coffee"}, "/phase", "wrong-phase"),
        (FIRST, {"phase": "finished"}, "/phase", "wrong-phase"),
        (FIRST, {"to_act": (1,)}, "/to_act", "wrong-to-act"),
        (FIRST, {"to_act": ()}, "/to_act", "wrong-to-act"),
        (OVER, {"to_act": (2,)}, "/to_act", "wrong-to-act"),
        (OVER, {"lead": 1}, "/table/lead", "wrong-lead"),
        (FIRST, {"round": 2}, "/round", "wrong-round"),
        (OVER, {"round": 5}, "/round", "wrong-round"),
        (FIRST, {"shuffles": 3}, "/shuffles", "wrong-shuffles"),
        (FIRST, {"ply": 1}, "/ply", "wrong-ply"),
        (OVER, {"ply": OVER.ply + 1}, "/ply", "wrong-ply"),
        (FIRST, {"scores": (1, 0, 0, 0)}, "/scores", "wrong-scores"),
        (IN_TRICK, {"scores": (9, 4, 9, 9)}, "/scores", "wrong-scores"),
        (FIRST, {"outcome": OVER.outcome}, "/outcome", "wrong-outcome"),
        (OVER, {"outcome": None}, "/outcome", "wrong-outcome"),
        (OVER, {"outcome": {**(OVER.outcome or {}), "winners": (0,)}}, "/outcome", "wrong-outcome"),
        (OVER, {"centre": "B1"}, "/table/coffee/centre", "wrong-value"),
        (OVER, {"acquired": swapped(OVER.coffee.acquired, 1)}, "/table/rounds/3/acquired", "wrong-value"),
        (OVER, {"unused": swapped(OVER.coffee.unused, 1)}, "/table/rounds/3/unused", "wrong-value"),
        (FIRST, {"options": PLAIN._replace(deck=DECK[:39])}, "/options/deck", "contradictory-options"),
    ],
)
def test_what_contradicts_the_rest(state: State, changes: dict[str, Any], pointer: str, code: str) -> None:
    assert changes == {} or GAME.findings(state) == ()
    found = [(finding.pointer, finding.code) for finding in GAME.findings(changed(state, **changes))]
    assert (pointer, code) in found


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ({"points": (9, 9, 9, 4)}, "/points", "wrong-scores"),
        ({"unused": (3, 3, 3, 3)}, "/unused", "wrong-value"),
        ({"unused": (2, 3, 3, 2)}, "/unused", "wrong-value"),
        ({"acquired": ((), (), (), ()), "unused": (4, 3, 3, 3)}, "/unused", "wrong-value"),
        ({"acquired": (("K15", "K15"), (), (), ())}, "/acquired", "duplicate-card"),
        ({"acquired": (("B1", "W2"), (), (), ())}, "", "wrong-value"),
        ({"reason": "no_coffee"}, "/reason", "wrong-value"),
        ({"acquired": (("K15", "W2", "B1"), (), (), ()), "unused": (1, 3, 3, 3)}, "/acquired", "wrong-value"),
        ({"acquired": (("K10",), ("K15", "B1"), (), ()), "unused": (3, 1, 3, 3)}, "/acquired", "wrong-value"),
    ],
)
def test_a_finished_round_that_cannot_be(changes: dict[str, Any], pointer: str, code: str) -> None:
    assert GAME.findings(IN_TRICK) == ()
    broken = IN_TRICK._replace(rounds=(LOST._replace(**changes),))
    found = [(finding.pointer, finding.code) for finding in GAME.findings(broken)]
    assert (f"/table/rounds/0{pointer}", code) in found


@pytest.mark.parametrize(
    "state",
    [
        changed(SERVING, acquired=((), ("K15", "K10"), (), ())),
        changed(ends_with("W4"), centre=None, trick=()),
        changed(last_trick(), trick=(), acquired=(("B9", "W4", "B1"), *last_trick().coffee.acquired[1:])),
    ],
    ids=["above the limit", "no coffee to serve", "no cats to play"],
)
def test_a_round_that_should_have_been_scored(state: State) -> None:
    found = [(finding.pointer, finding.code) for finding in GAME.findings(state)]
    assert ("/table/rounds", "wrong-count") in found


def scrambled(rng: random.Random, state: State) -> State:
    """A well-formed state whose parts have nothing to do with each other."""

    def cards(codes: Sequence[str]) -> tuple[str, ...]:
        return tuple(rng.choices(codes, k=rng.choice((0, 1, 3, 10, 13))))

    def by_seat(codes: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        return tuple(cards(codes) for _ in range(rng.choice((3, 4))))

    numbers = tuple(rng.choices(range(14), k=rng.choice((3, 4))))
    finished = Round(rng.choice(("limit_exceeded", "hands_empty", "no_coffee")), numbers, by_seat(COFFEE), numbers)
    other: dict[str, Any] = {
        "seats": rng.choice((3, 4)),
        "phase": rng.choice(GAME.phases),
        "to_act": tuple(rng.choices(range(4), k=rng.choice((0, 1, 2)))),
        "scores": numbers,
        "starting": rng.randrange(4),
        "lead": rng.randrange(4),
        "hands": by_seat([*RANK]),
        "aside": cards([*RANK]),
        "unused": by_seat(COFFEE),
        "acquired": by_seat(COFFEE),
        "centre": rng.choice((None, *COFFEE)),
        "trick": tuple(TrickCard(rng.randrange(4), card) for card in cards([*RANK])),
        "discard": cards([*RANK]),
        "rounds": (finished,) * rng.choice((0, 1, 3, 4, 5)),
        "outcome": rng.choice((None, outcome((1, 2, 3)))),
        "round": rng.randrange(1, 9),
    }
    return changed(state, **{name: other[name] for name in rng.sample([*other], k=rng.choice((1, 2, 5, 16)))})


def test_no_well_formed_state_breaks_the_search_for_findings() -> None:
    rng = random.Random(41)
    for state in SAMPLED * 20:
        broken = scrambled(rng, state)
        found = GAME.findings(broken)
        assert found == GAME.findings(GAME.read_state(plain(GAME.write_state(broken))))


# The rulebook


def test_the_rulebook_has_every_id_and_the_code_cites_each() -> None:
    numbers = {1: 4, 2: 3, 3: 1, 4: 4, 5: 3, 6: 3, 7: 3}
    ids = [f"CAT-{section}.{at}" for section, count in numbers.items() for at in range(1, count + 1)]
    rulings = [f"CAT-R{at}" for at in range(1, 5)]
    assert [rule["id"] for rule in RULEBOOK["rule"]] == [*ids, *rulings]
    assert [rule["kind"] for rule in RULEBOOK["rule"]] == ["rule"] * len(ids) + ["ruling"] * len(rulings)
    assert [rule for rule in (*ids, *rulings) if rule not in SOURCES] == []


def test_the_rulebook_lists_the_components() -> None:
    cats, coffees = RULEBOOK["component"]
    assert tuple(cats["codes"]) == DECK
    assert tuple(coffees["codes"]) == COFFEE
    assert total(COFFEE) == 85


def test_every_sentence_takes_the_facts_it_is_given() -> None:
    rows = ["B1 B3 B5", "B7 B9 W2", "W4 W6 W8", "W10 K5 K10"]
    state = position(["", "", "", ""], rows, lead=0, hands=["", "B1 W1", "", ""], trick="W9")
    infraction = refused(state, play(1, "B1"))
    lines = [line for _, _, ruling in games() for line in GAME.lines(ruling.state)]
    keys = {line["rule"] + (f".{line['times']}" if "times" in line else "") for line in lines}
    for language in ("en", "ja"):
        assert "B1" in RULEBOOK["because"][infraction.because][language].format_map(infraction.facts)
        for line in lines:
            key = line["rule"] + (f".{line['times']}" if "times" in line else "")
            assert RULEBOOK["why"][key][language].format_map(line)
    assert keys <= RULEBOOK["why"].keys()
    assert {*GAME.phases, *"BWK"} <= RULEBOOK["words"].keys()
