"""Misplays that a referee may let stand, and those that nobody can: the cases by the rules that they break."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.games.catte.components import CATS, in_hand_order
from gyoji.games.catte.components import RANK as CAT_RANK
from gyoji.games.chance import deal_v1
from gyoji.games.familiars_trouble.components import CARDS as ATTRIBUTES
from gyoji.games.familiars_trouble.components import in_order as attributes_in_order
from gyoji.games.game import Accepted, Game, IllegalMove, Infraction, Move, pass_of
from gyoji.games.tomorrow_never_meows.components import DECK as WEATHER
from gyoji.games.tomorrow_never_meows.components import RANK as WEATHER_RANK
from gyoji.games.towai.components import DECK as TWILIGHT
from gyoji.games.towai.components import in_order as twilight_in_order

SEED = "5e" * 64
CHANCE = deal_v1(SEED)
TNM, CATTE, TOWAI, FAM = (BY_SLUG[slug] for slug in ("tomorrow-never-meows", "catte", "towai", "familiars-trouble"))


class Cards(NamedTuple):
    """A game's cards in canonical order, how a hand is kept, and the pile of those that nobody was dealt."""

    deck: Sequence[str]
    kept: Any
    left: str


CARDS = {
    TNM.slug: Cards(WEATHER, lambda hand: tuple(sorted(hand, key=WEATHER_RANK.__getitem__)), "aside"),
    CATTE.slug: Cards(sorted(CATS, key=CAT_RANK.__getitem__), in_hand_order, "aside"),
    TOWAI.slug: Cards(TWILIGHT, twilight_in_order, "deck"),
    FAM.slug: Cards(ATTRIBUTES, attributes_in_order, "draw"),
}


def dealt(game: Game[Any], *hands: str, first: int = 0, **options: Any) -> Any:
    """The first position, with hands that begin with these cards and are filled up from what is left, the first of the
    deck first."""
    cards = CARDS[game.slug]
    state = game.start(len(hands), game.read_options(options), first, SEED, CHANCE).state
    held = [hand.split() for hand in hands]
    left = [*(Counter(cards.deck) - Counter([card for hand in held for card in hand])).elements()]
    for seat, hand in enumerate(held):
        hand += [left.pop(0) for _ in range(len(state.hands[seat]) - len(hand))]
    state = state._replace(hands=tuple(map(cards.kept, held)), **{cards.left: tuple(left)})
    assert game.findings(state) == ()
    return state


def after(game: Game[Any], state: Any, *moves: Move) -> Any:
    """The position after legal moves."""
    for move in moves:
        ruling = game.adjudicate(state, move, CHANCE)
        assert isinstance(ruling, Accepted), (move, ruling)
        state = ruling.state
    return state


def stands(game: Game[Any], state: Any, move: Move) -> tuple[str | None, Accepted[Any]]:
    """The rule that the move breaks, and what comes of it if it stands: a position of the game."""
    refused, stood = game.adjudicate(state, move, CHANCE), game.irregular(state, move, CHANCE)
    assert isinstance(refused, IllegalMove)
    assert refused.infraction.reason == "rule-violation"
    assert isinstance(stood, Accepted)
    assert stood.state.ply == state.ply + 1
    assert game.findings(stood.state) == ()
    return refused.infraction.rule, stood


def cannot_stand(game: Game[Any], state: Any, move: Move) -> Infraction:
    """Why the move is refused, whoever wants it to stand."""
    refused = game.adjudicate(state, move, CHANCE)
    assert isinstance(refused, IllegalMove)
    assert game.irregular(state, move, CHANCE) == refused
    return refused.infraction


def play(seat: int, card: str, **more: str) -> Move:
    return {"type": "play", "seat": seat, "card": card, **more}


def wish(seat: int, wish: str) -> Move:
    return {"type": "wish", "seat": seat, "wish": wish}


def types(ruling: Accepted[Any]) -> list[str]:
    return [event["type"] for event in ruling.events]


# Tomorrow Never Meows


def weather(*hands: str) -> Any:
    """Three seats, all of whom wish for snow, and seat 0 is to lead."""
    return after(TNM, dealt(TNM, *hands), *[wish(seat, "snow") for seat in range(3)])


def test_tnm_3_2_a_revoke_stands_and_may_win_the_trick() -> None:
    """Fine is led; seat 1 holds F1 and throws T1. TNM-4.2: a Thunder without Snow wins, whatever was led."""
    state = after(TNM, weather("F10", "F1 T1", "F2"), play(0, "F10"))
    rule, stood = stands(TNM, state, play(1, "T1"))
    assert rule == "TNM-3.2"
    taken = TNM.adjudicate(stood.state, play(2, "F2"), CHANCE)
    assert isinstance(taken, Accepted)
    assert taken.events[1] == {"type": "trick_won", "seat": 1, "cards": ("F10", "T1", "F2"), "rule": "TNM-4.2"}
    assert taken.state.captured == ((), ("F10", "T1", "F2"), ())
    assert "F1" in taken.state.hands[1]


def test_tnm_3_2_a_revoke_as_the_last_card_of_a_trick() -> None:
    """It takes the trick to its winner like any other card: here the lead card stays the highest of its suit."""
    state = after(TNM, weather("F10", "F1", "F2 C10"), play(0, "F10"), play(1, "F1"))
    rule, stood = stands(TNM, state, play(2, "C10"))
    assert (rule, types(stood)) == ("TNM-3.2", ["card_played", "trick_won"])
    assert (stood.events[1]["seat"], stood.events[1]["rule"]) == (0, "TNM-4.6")


def test_tnm_2_5_and_2_6_a_wish_that_the_seat_had_no_right_to_cannot_stand() -> None:
    """The position tells of it until the game is over: what was wished for before lies open, or comes to light."""
    opened = after(TNM, dealt(TNM, "", "", ""), wish(0, "snow"))
    assert cannot_stand(TNM, opened, wish(1, "very_fine")).rule == "TNM-2.5"
    concealed = after(TNM, dealt(TNM, "", "", "", concealed=True), wish(2, "fine"))
    assert cannot_stand(TNM, concealed, wish(0, "very_rainy")).rule == "TNM-2.5"


def test_tnm_2_7_and_7_2_a_wish_that_the_game_does_not_have() -> None:
    basic = dealt(TNM, "", "", "", wishes="basic", concealed=True)
    assert cannot_stand(TNM, basic, wish(0, "very_fine")).rule == "TNM-2.7"
    announcing = after(TNM, basic, *[wish(seat, "fine") for seat in range(3)])
    announced = {"type": "announce", "seat": 0, "wish": "very_fine"}
    assert cannot_stand(TNM, announcing, announced).rule == "TNM-7.2"


# Catte


def test_cat_3_1_a_revoke_stands_and_may_trump() -> None:
    """Seat 1 holds a card of the colour led, plays the coffee's colour instead, and wins by CAT-4.1."""
    state = dealt(CATTE, "B12 W12 K12", "B1 W1 K1", "B2 W2 K2")
    trump = state.coffee.centre[0]
    led, *_ = [colour for colour in "BWK" if colour != trump]
    state = after(CATTE, state, play(0, f"{led}12"))
    rule, stood = stands(CATTE, state, play(1, f"{trump}1"))
    assert (rule, stood.state.to_act) == ("CAT-3.1", (2,))
    taken = CATTE.adjudicate(stood.state, play(2, f"{led}2"), CHANCE)
    assert isinstance(taken, Accepted)
    cards = (f"{led}12", f"{trump}1", f"{led}2")
    assert taken.events[1] == {"type": "trick_won", "seat": 1, "cards": cards, "rule": "CAT-4.1"}
    assert (taken.state.to_act, taken.state.coffee.acquired[1]) == ((1,), (state.coffee.centre,))


def test_a_coffee_card_of_another_row_cannot_be_served() -> None:
    """No misplay: the card lies before somebody else."""
    state = dealt(CATTE, "B12", "B1", "B2")
    while state.phase == "trick":
        state = after(CATTE, state, CATTE.legal_moves(state)[0])
    seat = state.to_act[0]
    card = next(card for other, row in enumerate(state.coffee.unused) if other != seat for card in row)
    assert cannot_stand(CATTE, state, {"type": "coffee", "seat": seat, "card": card}).reason == "card-not-in-row"


# TOWAI


def led(first: str, daylight: str, *hands: str, **options: Any) -> Any:
    """Seat 0 has led that card and ended its turn."""
    state = after(TOWAI, dealt(TOWAI, *hands, **options), play(0, first, daylight=daylight))
    return after(TOWAI, state, {"type": "end_turn", "seat": 0})


@pytest.mark.parametrize(
    ("first", "daylight", "card", "rule"),
    [
        ("D6", "day", "D4", "TOW-3.1"),
        ("N2", "night", "N5", "TOW-3.2"),
    ],
)
def test_tow_3_1_and_3_2_a_wrong_number_stands(first: str, daylight: str, card: str, rule: str) -> None:
    """The card lies on top and may be combined; it stays as it was, day or night."""
    state = led(first, daylight, f"{first} T2", f"{card} {card} D7", "N1")
    broken, stood = stands(TOWAI, state, play(1, card))
    assert broken == rule
    assert (stood.state.pile, stood.state.daylight) == ((first, card), daylight)
    assert (stood.state.phase, stood.state.combo, stood.state.to_act) == ("combo", int(card[1]), (1,))
    assert stood.events == ({"type": "card_played", "seat": 1, "card": card},)


def test_tow_4_1_a_combo_of_another_number_stands() -> None:
    state = after(TOWAI, dealt(TOWAI, "D6 D5", "N1", "N2"), play(0, "D6", daylight="day"))
    rule, stood = stands(TOWAI, state, play(0, "D5"))
    assert (rule, stood.state.combo, stood.state.pile) == ("TOW-4.1", 5, ("D6", "D5"))


@pytest.mark.parametrize(
    ("state", "move", "rule"),
    [
        (led("D4", "day", "D4 T2", "N5 D7", "N1"), play(1, "N5"), "TOW-3.1"),
        (led("N5", "night", "N5 T2", "D4 D7", "N1"), play(1, "D4"), "TOW-3.2"),
        (after(TOWAI, dealt(TOWAI, "T6 D6", "N1", "N2"), play(0, "T6", daylight="day")), play(0, "D6"), "TOW-4.1"),
        (dealt(TOWAI, "N3", "D5"), play(0, "N3", daylight="day"), "TOW-2.1"),
    ],
)
def test_tow_2_1_3_1_3_2_and_4_1_a_card_of_the_other_kind_cannot_stand(state: Any, move: Move, rule: str) -> None:
    """TOW-5.1: by the pile it would be the other state of play; the referee takes the card back."""
    assert cannot_stand(TOWAI, state, move).rule == rule


def test_tow_5_1_what_a_misplayed_towai_card_does_happens() -> None:
    """T3 by day on a higher card: it flips, and all others draw."""
    state = led("D6", "day", "D6 T2", "T3", "N1")
    rule, stood = stands(TOWAI, state, play(1, "T3"))
    assert (rule, stood.state.daylight) == ("TOW-3.1", "night")
    assert types(stood) == ["card_played", "daylight_flipped", "card_drawn", "card_drawn"]


def test_tow_7_1_a_last_card_that_did_not_fit_ends_the_round() -> None:
    state = led("D6", "day", "D6 T2", "D3", "N1")
    rest = state.hands[1]
    thrown = tuple(sorted(rest[1:]))
    state = state._replace(hands=(state.hands[0], rest[:1], state.hands[2]), deck=state.deck + thrown)
    assert (rest[0], TOWAI.findings(state)) == ("D3", ())
    rule, stood = stands(TOWAI, state, play(1, "D3"))
    assert (rule, types(stood)) == ("TOW-3.1", ["card_played", "round_finished", "hands_dealt"])
    assert (stood.state.scores, stood.state.to_act) == ((0, 1, 0), (2,))


@pytest.mark.parametrize(
    ("state", "move", "rule"),
    [
        (dealt(TOWAI, "D6", "N1"), {"type": "pass", "seat": 0}, "TOW-2.2"),
        (dealt(TOWAI, "D6", "N1"), play(0, "D6"), "TOW-2.1"),
        (led("D6", "day", "D6", "D7"), play(1, "D7", daylight="night"), "TOW-2.1"),
        (led("D6", "day", "D6", "D3"), play(1, "D3", daylight="day"), "TOW-2.1"),
    ],
)
def test_tow_2_1_and_2_2_who_leads_has_to_play_and_declare_and_nobody_else_declares(
    state: Any, move: Move, rule: str
) -> None:
    """It is no choice of a card: there is no position that would come of it."""
    assert cannot_stand(TOWAI, state, move).rule == rule


# Familiar's Trouble


def lone(*hands: str) -> Any:
    """Without exchanges, seat 0 to lead."""
    return dealt(FAM, *hands, hand_exchange=False, errand_exchange=False)


@pytest.mark.parametrize(
    ("held", "rule"), [("R3 R4 G9", "FAM-3.2"), ("R3 G9 G8 G7 G6", "FAM-3.2"), ("RB2 G9 G8 G7 G6", "FAM-3.6")]
)
def test_fam_3_2_and_3_6_a_card_that_does_not_follow_stands(held: str, rule: str) -> None:
    """FAM-3.7: the highest card does not win where it does not match; FAM-4.1: but it adds to the totals."""
    state = after(FAM, lone("R5 B3", held, "R6 R7"), play(0, "R5"))
    broken, stood = stands(FAM, state, play(1, "G9"))
    assert broken == rule
    taken = FAM.adjudicate(stood.state, play(2, "R6"), CHANCE)
    assert isinstance(taken, Accepted)
    assert (taken.events[1]["seat"], taken.events[1]["cards"]) == (2, ("R5", "G9", "R6"))
    assert taken.events[2]["totals"] == {"red": 11, "blue": 0, "green": 9}


def test_fam_2_2_and_2_4_what_is_no_choice_of_a_card() -> None:
    begun = after(FAM, dealt(FAM, "R3", "", ""), {"type": "exchange", "seat": 0, "card": "R3"})
    assert cannot_stand(FAM, begun, {"type": "skip_exchange", "seat": 1}).rule == "FAM-2.2"
    options: dict[str, Any] = {
        "errands": [errand(level) for level in (1, 2, 3)],
        "opening": [1, 1, 1],
        "hand_exchange": False,
    }
    state = dealt(FAM, "", "", "", **options)
    replacing = {"type": "replace_errand", "seat": 0, "errand": "e1", "level": 1}
    assert cannot_stand(FAM, state, replacing).rule == "FAM-2.4"


def errand(level: int) -> dict[str, Any]:
    return {"id": f"e{level}", "level": level, "requires": {"red": 30, "blue": 0, "green": 0}, "points": 1}


# Every game


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_what_is_no_breach_of_a_rule_about_cards_cannot_stand(game: Game[Any]) -> None:
    """Out of turn, in another phase, after the end, or with a card that is not there."""
    state = dealt(game, "", "", "")
    seat = state.to_act[0]
    legal = game.legal_moves(state)[0]
    if not game.simultaneous(state):
        assert cannot_stand(game, state, {**legal, "seat": (seat + 1) % 3}).reason == "not-your-turn"
    foreign = {"type": "coffee" if game is not CATTE else "wish", "seat": seat}
    assert cannot_stand(game, state, foreign).reason == "wrong-phase"
    while state.phase not in ("trick", "lead"):
        state = after(game, state, game.legal_moves(state)[0])
    absent = next(card for card in CARDS[game.slug].deck if card not in state.hands[seat])
    assert cannot_stand(game, state, play(seat, absent, daylight="day")).reason == "card-not-in-hand"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_legal_move_comes_out_the_same(game: Game[Any]) -> None:
    state = dealt(game, "", "", "")
    while state.to_act and state.ply < 40:
        for move in game.legal_moves(state):
            assert game.irregular(state, move, CHANCE) == game.adjudicate(state, move, CHANCE)
        state = after(game, state, game.legal_moves(state)[-1])


@pytest.mark.parametrize(
    ("scores", "best"),
    [((3, 7, 7), (1, 2)), ((0, 0, 0), (0, 1, 2)), ((-5, -7, -6), (0,)), ((1,), (0,)), ((2, 1, 0, 2), (0, 3))],
)
def test_who_wins_with_which_scores(scores: tuple[int, ...], best: tuple[int, ...]) -> None:
    """CAT-7.3, TNM-5.4: the highest total, equal ones share; TOW-7.2: the most finishes; FAM-6.2: all together."""
    assert {game.slug: game.winners(scores) for game in GAMES} == {
        CATTE.slug: best,
        TNM.slug: best,
        TOWAI.slug: best,
        FAM.slug: tuple(range(len(scores))),
    }


def passing(game: Game[Any], state: Any) -> Move | None:
    return pass_of(game, game.legal_moves(state), state.to_act[0])


def test_which_games_know_a_pass() -> None:
    assert {game.slug: bool(game.passes) for game in GAMES} == {
        CATTE.slug: False,
        TNM.slug: False,
        TOWAI.slug: True,
        FAM.slug: True,
    }


def test_by_which_move_a_seat_passes() -> None:
    """TOW-2.2: who leads may not; TOW-4.2: a combo is ended. FAM-2.1, FAM-2.3: exchanges are skipped."""
    fresh = dealt(TOWAI, "D6", "N1")
    combo = after(TOWAI, fresh, play(0, "D6", daylight="day"))
    turn = after(TOWAI, combo, {"type": "end_turn", "seat": 0})
    assert passing(TOWAI, fresh) is None
    assert passing(TOWAI, combo) == {"type": "end_turn", "seat": 0}
    assert passing(TOWAI, turn) == {"type": "pass", "seat": 1}
    assert pass_of(TOWAI, TOWAI.legal_moves(turn), 0) is None
    hands = dealt(FAM, "R3", "", "")
    errands = after(FAM, hands, {"type": "skip_exchange", "seat": 0})
    assert passing(FAM, hands) == {"type": "skip_exchange", "seat": 0}
    assert passing(FAM, after(FAM, hands, {"type": "exchange", "seat": 0, "card": "R3"})) is None
    assert passing(FAM, errands) == {"type": "skip_errand", "seat": 0}
    assert passing(FAM, after(FAM, errands, {"type": "skip_errand", "seat": 0})) is None
