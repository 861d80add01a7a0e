"""Tomorrow Never Meows against its rules page. Tests are named by the rule they hold the engine to."""

import json
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from gyoji.games.chance import SeedMissing, deal_v1
from gyoji.games.game import Accepted, IllegalMove, Infraction
from gyoji.games.tomorrow_never_meows import GAME
from gyoji.games.tomorrow_never_meows.components import DECK, RANK
from gyoji.games.tomorrow_never_meows.rounds import next_leader, outcome_of, wishing_order
from gyoji.games.tomorrow_never_meows.rules import decided
from gyoji.games.tomorrow_never_meows.state import Options, State

SEED = "5e" * 64
EXAMPLE = json.loads((Path(__file__).parent / "examples" / "tomorrow-never-meows.json").read_text())
TABLES = [
    (
        seats,
        {"rounds": rounds, "round_leader": leader, "wishes": wishes, "concealed": concealed, "bluff_scoring": bluff},
    )
    for seats, rounds, leader, wishes, (concealed, bluff) in product(
        (3, 4),
        (3, 4),
        ("lowest_score", "clockwise"),
        ("all", "basic"),
        ((False, "none"), (True, "none"), (True, "per_trick")),
    )
    if rounds <= seats
]
CONCEALED = {"concealed": True, "bluff_scoring": "per_trick"}


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def begin(seats: int = 4, first: int = 0, **options: Any) -> State:
    state: State = GAME.start(seats, GAME.read_options(options), first, SEED, deal_v1(SEED)).state
    return state


def play(state: State, **move: Any) -> State:
    ruling = GAME.adjudicate(state, move, deal_v1(SEED))
    assert isinstance(ruling, Accepted), ruling
    after: State = ruling.state
    return after


def refusal(state: State, **move: Any) -> Infraction:
    ruling = GAME.adjudicate(state, move, deal_v1(SEED))
    assert isinstance(ruling, IllegalMove)
    assert move not in GAME.legal_moves(state)
    return ruling.infraction


def wish(state: State, *wishes: str) -> State:
    for chosen in wishes:
        state = play(state, type="wish", seat=state.to_act[0], wish=chosen)
    return state


def walk(state: State, dice: random.Random) -> Iterator[tuple[State, tuple[Any, ...]]]:
    """Every position of a random game after its first, with the events that led to it."""
    while state.to_act:
        ruling = GAME.adjudicate(state, dice.choice(GAME.legal_moves(state)), deal_v1(state.seed))
        assert isinstance(ruling, Accepted)
        state = ruling.state
        yield state, ruling.events


def play_out_round(state: State, dice: random.Random) -> State:
    while state.phase == "trick":
        state = play(state, **dice.choice(GAME.legal_moves(state)))
    return state


def positions(seats: int, options: dict[str, Any], seed: int = 1) -> list[State]:
    state = begin(seats, seed % seats, **options)
    return [state, *[after for after, _ in walk(state, random.Random(seed))]]


def codes(state: State) -> set[tuple[str, str]]:
    return {(finding.pointer, finding.code) for finding in GAME.findings(state)}


# The example of an independent implementation


def test_example_initial_state() -> None:
    asked = EXAMPLE["initial"]["request"]
    options = GAME.read_options(asked["options"])
    state, events = GAME.start(asked["seats"], options, asked["first"], asked["seed"], deal_v1(asked["seed"]))
    assert json.dumps(GAME.write_state(state)) == json.dumps(EXAMPLE["initial"]["state"])
    assert plain(GAME.legal_moves(state)) == EXAMPLE["initial"]["legal_moves"]
    assert events == ({"type": "hands_dealt", "round": 1, "hands": state.hands, "aside": state.aside},)


def test_example_middle_and_adjudication() -> None:
    middle, ruled = EXAMPLE["middle"], EXAMPLE["adjudication"]
    state = GAME.read_state(middle["state"])
    assert GAME.findings(state) == ()
    assert plain(GAME.legal_moves(state)) == middle["legal_moves"]
    assert json.dumps(GAME.view(state, 1)) == json.dumps(middle["view_seat_1"])
    assert json.dumps(GAME.view(state, None)) == json.dumps(middle["view_spectator"])
    after = play(state, **ruled["move"])
    assert json.dumps(GAME.write_state(after)) == json.dumps(ruled["state"])
    assert plain(GAME.legal_moves(after)) == ruled["legal_moves"]
    assert list(after.scores) == ruled["scores"]


# Random games


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_random_games_end_and_every_position_is_possible(seats: int, options: dict[str, Any]) -> None:
    for state in positions(seats, options, seed=TABLES.index((seats, options))):
        assert GAME.findings(state) == ()
        assert GAME.read_state(plain(GAME.write_state(state))) == state
    assert GAME.findings(state._replace(seed=None)) == ()
    assert state.phase == "finished"
    assert GAME.legal_moves(state) == []
    assert len(GAME.rounds(state)) == options["rounds"]
    assert state.outcome == outcome_of(state.scores)


@pytest.mark.parametrize(("seats", "options"), TABLES[::5])
def test_events_tell_the_whole_round(seats: int, options: dict[str, Any]) -> None:
    state = begin(seats, **options)
    happened: list[Any] = []
    for after, events in walk(state, random.Random(5)):
        happened += events
        if events[-1]["type"] in ("hands_dealt", "game_finished"):
            done, scored = after.rounds[-1], events[-2]
            assert [event["type"] for event in events[:3]] == ["card_played", "trick_won", "round_scored"]
            assert (scored["points"], scored["wishes"]) == (done.points, done.wishes)
            assert (scored["announced"], scored["tricks"]) == (done.announced, done.tricks)
            assert [len(cards) for cards in scored["won"]] == [sum(won) for won in done.won]
            assert scored["lines"] == tuple(line for line in GAME.lines(after) if line["round"] == scored["round"])
        state = after
    assert happened[-1] == {"type": "game_finished", **(state.outcome or {})}
    for seat in range(seats):
        assert sum(line["points"] for line in GAME.lines(state) if line["seat"] == seat) == state.scores[seat]


# 1, 2 Setup and wishing


@pytest.mark.parametrize(("seats", "each", "aside"), [(3, 10, 6), (4, 8, 4)])
def test_tnm_1_1_deal(seats: int, each: int, aside: int) -> None:
    state = begin(seats, first=2)
    assert [len(hand) for hand in state.hands] == [each] * seats
    assert len(state.aside) == aside
    assert sorted([*sum(state.hands, ()), *state.aside], key=RANK.__getitem__) == list(DECK)
    assert (state.first_lead, state.lead, state.shuffles) == (2, 2, 1)


def test_tnm_2_2_order_and_tnm_2_5_in_round_1() -> None:
    state = begin(4, first=2)
    assert (state.wish_order, state.to_act) == ((2, 3, 0, 1), (2,))
    facts = {"wish": "very_fine", "basic": "fine"}
    infraction = refusal(state, type="wish", seat=2, wish="very_fine")
    assert infraction == Infraction("rule-violation", 2, "TNM-2.5", "basic-wish-not-chosen", facts)
    assert wish(state, "fine", "snow").to_act == (0,)


def test_tnm_2_3_and_5_3_with_ties_as_tnm_r3() -> None:
    lowest, clockwise, concealed = Options(), Options(round_leader="clockwise"), Options(concealed=True)
    assert wishing_order(lowest, (5, 1, 5, 1), 1, 3) == (2, 0, 3, 1)
    assert next_leader(lowest, (5, 1, 5, 1), 1) == 3
    assert next_leader(lowest, (0, 0, 0), 2) == 0
    assert next_leader(clockwise, (9, 0, 0), 2) == 0
    assert wishing_order(concealed, (5, 1, 5, 1), 1, 3) == (3, 0, 1, 2)


def test_tnm_2_4_to_2_6_over_four_rounds() -> None:
    dice, state = random.Random(2), begin(4, rounds=4)
    for number, chosen in enumerate(["rainy", "very_rainy", "fine"], 1):
        state = play_out_round(wish(state, *[chosen] * 4), dice)
        assert state.advanced == (number > 1,) * 4
        assert state.last_wishes == (chosen,) * 4
        if number == 2:
            assert refusal(state, type="wish", seat=state.to_act[0], wish="very_rainy").rule == "TNM-2.5"
    infraction = refusal(state, type="wish", seat=state.to_act[0], wish="very_fine")
    assert (infraction.rule, infraction.because) == ("TNM-2.6", "advanced-wish-once")
    assert wish(state, "fine").wishes.count("fine") == 1


def test_tnm_2_7_and_7_2_basic_wishes_only() -> None:
    state = begin(3, wishes="basic", concealed=True)
    assert refusal(state, type="wish", seat=1, wish="very_rainy").rule == "TNM-2.7"
    state = wish(state, "fine", "fine", "fine")
    infraction = refusal(state, type="announce", seat=0, wish="very_fine")
    assert infraction == Infraction("rule-violation", 0, "TNM-7.2", "announce-wish-in-play", {"wish": "very_fine"})
    assert len(GAME.legal_moves(state)) == 5


# 3, 4 Tricks


def test_order_of_checks_before_the_rules() -> None:
    state = wish(begin(3), "fine", "fine", "fine")
    absent = state.hands[1][0]
    assert refusal(state, type="play", seat=1, card=absent).reason == "not-your-turn"
    assert refusal(state, type="play", seat=3, card=absent).reason == "not-your-turn"
    assert refusal(state, type="wish", seat=0, wish="fine").reason == "wrong-phase"
    expected = Infraction("card-not-in-hand", 0, None, "card-not-in-hand", {"card": absent})
    assert refusal(state, type="play", seat=0, card=absent) == expected
    over = positions(3, {})[-1]
    assert refusal(over, type="play", seat=0, card=absent).reason == "game-finished"


def test_tnm_3_2_follow_suit_and_3_3_any_card() -> None:
    state = GAME.read_state(EXAMPLE["middle"]["state"])
    facts = {"card": "C7", "suit": "F", "cards": ("F2", "F9", "F10")}
    assert refusal(state, type="play", seat=2, card="C7") == Infraction(
        "rule-violation", 2, "TNM-3.2", "follow-suit", facts
    )
    for position in positions(4, {}):
        if position.phase == "trick":
            hand = position.hands[position.to_act[0]]
            led = position.trick[0].card[0] if position.trick else ""
            expected = [card for card in hand if card[0] == led] or list(hand)
            assert [move["card"] for move in GAME.legal_moves(position)] == expected


@pytest.mark.parametrize(
    ("cards", "winner", "rule"),
    [
        ("T3 S1 S2", 2, "TNM-4.1"),
        ("F10 T3 S1 F9", 2, "TNM-4.1"),
        ("S1 T3 F10", 0, "TNM-4.1"),
        ("F10 T1 T2", 2, "TNM-4.2"),
        ("T1 F10 C10", 0, "TNM-4.2"),
        ("C2 S3 C5 F9", 2, "TNM-4.3"),
        ("S3 F9 C9 R1", 2, "TNM-4.4"),
        ("S1 S2 S3", 2, "TNM-4.5"),
        ("S1 S3 F1", 2, "TNM-4.4"),
        ("R4 F10 R6 C9", 2, "TNM-4.6"),
    ],
)
def test_who_wins_the_trick(cards: str, winner: int, rule: str) -> None:
    assert decided(tuple(cards.split())) == (winner, rule)


# 5 The end


def test_tnm_r4_shared_win() -> None:
    assert outcome_of((4, 7, 7)) == {"winners": (1, 2), "scores": (4, 7, 7), "reason": "rounds_played"}


def test_a_shuffle_that_is_due_needs_the_seed() -> None:
    state = begin(3)._replace(seed=None)
    with pytest.raises(SeedMissing):
        list(walk(state, random.Random(1)))


# Views


def test_tnm_7_1_concealed_wishes_come_in_any_order_and_stay_hidden() -> None:
    state = begin(4, first=1, **CONCEALED)
    assert state.to_act == (0, 1, 2, 3)
    state = play(state, type="wish", seat=3, wish="snow")
    assert state.to_act == (0, 1, 2)
    assert refusal(state, type="wish", seat=3, wish="fine").reason == "not-your-turn"
    assert GAME.view(state, 3)["table"]["wishes"] == (None, None, None, "snow")
    assert GAME.view(state, 0)["table"]["wishes"] == (None,) * 4
    state = wish(state, "fine", "rainy", "fine")
    assert (state.phase, state.to_act) == ("announce", (1,))
    state = play(state, type="announce", seat=1, wish="very_cloudy")
    assert (state.to_act, GAME.view(state, None)["table"]["announced"][1]) == ((2,), "very_cloudy")
    assert GAME.view(state, None)["table"]["wishes"] == (None,) * 4


def test_views_show_own_hand_only_and_open_captured_cards_at_the_end() -> None:
    for state in positions(3, CONCEALED):
        for viewer in (None, 0, 1, 2):
            view = GAME.view(state, viewer)
            table, over = view["table"], state.phase == "finished"
            assert (view["seed"], table["aside"]) == (None, {"count": 6})
            assert list(table) == list(GAME.write_state(state)["table"])
            for seat, hand in enumerate(state.hands):
                assert table["hands"][seat] == (hand if seat == viewer else {"count": len(hand)})
                cards, chosen = state.captured[seat], state.wishes[seat]
                assert table["captured"][seat] == (cards if over else {"count": len(cards)})
                assert table["wishes"][seat] == (chosen if over or seat == viewer else None)
