"""Familiar's Trouble, rule by rule: printed examples, rulings, whole games, views and impossible states."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gyoji.games import familiars_trouble
from gyoji.games.chance import SeedMissing, deal_v1
from gyoji.games.familiars_trouble import GAME
from gyoji.games.familiars_trouble.components import CARDS
from gyoji.games.familiars_trouble.errands import ERRANDS
from gyoji.games.familiars_trouble.rules import playable
from gyoji.games.familiars_trouble.scores import rating, totals
from gyoji.games.familiars_trouble.state import Options, State
from gyoji.games.game import Accepted, IllegalMove, Infraction, Move
from gyoji.games.tricks import TrickCard

EXAMPLES = json.loads((Path(__file__).parent / "examples/familiars-trouble.json").read_bytes())
SEED = EXAMPLES["initial"]["request"]["seed"]
CHANCE = deal_v1(SEED)
TOML = (Path(familiars_trouble.__file__).parent / "rulebook.toml").read_text("utf-8")


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def started(first: int = 0, **options: Any) -> State:
    return GAME.start(3, GAME.read_options(options), first, SEED, CHANCE).state


def ruled(state: State, **move: Any) -> Accepted[State]:
    ruling = GAME.adjudicate(state, move, CHANCE)
    assert isinstance(ruling, Accepted)
    return ruling


def refused(state: State, **move: Any) -> Infraction:
    ruling = GAME.adjudicate(state, move, CHANCE)
    assert isinstance(ruling, IllegalMove)
    assert move not in GAME.legal_moves(state)
    return ruling.infraction


def middle(**changes: Any) -> State:
    """The example position: round 2, seat 2 has led B4 and seat 0 is to act."""
    return GAME.read_state(EXAMPLES["middle"]["state"])._replace(**changes)


def held(lead: str, *hand: str) -> State:
    return middle(trick=(TrickCard(2, lead),), hands=(hand, (), ()))


def game(rng: Random, first: int = 0, **options: Any) -> Iterator[State]:
    """Every position of one game of random moves."""
    state = started(first, **options) if not rng.randrange(2) else _seeded(rng.randbytes(64).hex(), first, options)
    yield state
    while state.phase != "finished":
        state = ruled(state, **rng.choice(GAME.legal_moves(state))).state
        yield state


def _seeded(seed: str, first: int, options: Mapping[str, Any]) -> State:
    return GAME.start(3, GAME.read_options(options), first, seed, deal_v1(seed)).state


def errand(name: str, level: int, red: int, blue: int = 0, green: int = 0, points: int = 1) -> dict[str, Any]:
    return {
        "id": name,
        "level": level,
        "requires": {"red": red, "blue": blue, "green": green},
        "points": points,
    }


EASY = [errand(f"easy-{number}", number % 3 + 1, 1 + number % 4, points=number) for number in range(1, 31)]
FEW = [errand("a", 1, 1), errand("b", 1, 30), errand("c", 1, 0, 3, points=0), errand("d", 3, 0, 0, 9)]
MANY = [errand(f"E{number}", 1 + number // 40, number % 13, number % 7, 1, number) for number in range(99)]
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"hand_exchange": False},
    {"errand_exchange": False},
    {"hand_exchange": False, "errand_exchange": False, "opening": [4, 2, 0]},
    {"opening": [3, 2, 0], "lead_rule": "any"},
    {"opening": [9, 0, 0]},
    {"opening": [0, 0, 9], "errand_exchange": False},
    {"errands": EASY},
    {"errands": EASY, "opening": [1, 0, 0], "lead_rule": "any"},
    {"errands": FEW, "opening": [1, 0, 0]},
    {"errands": FEW, "opening": [2, 0, 1], "hand_exchange": False},
    {"errands": MANY, "opening": [3, 3, 3]},
)


# Setup


def test_the_example_position_is_dealt() -> None:
    """FAM-1.1, FAM-1.2, FAM-1.3."""
    ruling = GAME.start(3, GAME.read_options({}), 0, SEED, CHANCE)
    assert plain(GAME.write_state(ruling.state)) == EXAMPLES["initial"]["state"]
    assert plain(GAME.legal_moves(ruling.state)) == EXAMPLES["initial"]["legal_moves"]
    table = EXAMPLES["initial"]["state"]["table"]
    public = {name: table[name] for name in ("hands", "draw", "errands", "piles")}
    assert plain(ruling.events) == [{"type": "hands_dealt", "round": 1, **public}]


def test_members_stand_in_the_order_of_the_page() -> None:
    state = EXAMPLES["middle"]["state"]
    assert json.dumps(GAME.write_state(middle())) == json.dumps(state)
    assert json.dumps(GAME.view(middle(), 1)) == json.dumps(EXAMPLES["middle"]["view_seat_1"])


def test_the_first_lead_player_is_given() -> None:
    """FAM-1.3."""
    assert started(2).to_act == (2,)
    assert started(2).lead == 2


def test_no_deal_without_a_seed() -> None:
    with pytest.raises(SeedMissing):
        GAME.start(3, Options(), 0, None, deal_v1(None))


def test_the_lists_order_is_the_order_of_a_shuffle() -> None:
    state = GAME.start(3, GAME.read_options({"errands": EASY}), 0, SEED, lambda _label, _k, pile: tuple(pile)).state
    assert state.errands == ("easy-3", "easy-6", "easy-9", "easy-1", "easy-2")
    assert state.piles[1][:2] == ("easy-4", "easy-7")


def test_the_piles_are_shuffled_under_their_own_labels() -> None:
    shuffles = []

    def chance(label: str, k: int, pile: Any) -> tuple[str, ...]:
        shuffles.append((label, k, len(pile)))
        return tuple(pile)

    GAME.start(3, GAME.read_options({"errands": FEW, "opening": [1, 0, 0]}), 0, SEED, chance)
    assert shuffles == [("attributes", 0, 27), ("errands-1", 1, 3), ("errands-2", 2, 0), ("errands-3", 3, 1)]


@pytest.mark.parametrize(
    ("options", "phase"),
    [
        ({}, "hand_exchange"),
        ({"hand_exchange": False}, "errand_exchange"),
        ({"hand_exchange": False, "errand_exchange": False}, "trick"),
    ],
)
def test_phases_are_left_out_by_options(options: dict[str, Any], phase: str) -> None:
    """FAM-2.1, FAM-2.3."""
    assert started(**options).phase == phase


# Exchanges


def test_a_hand_exchange_goes_round_the_table() -> None:
    """FAM-2.2: the card just received may be passed on."""
    first = ruled(started(1), type="exchange", seat=1, card="RBG1")
    assert first.state.to_act == (2,)
    assert first.state.exchange == 1
    assert first.state.hands[2] == ("R4", "R7", "B8", "G3", "G4", "RBG1")
    assert first.events == ({"type": "card_passed", "from": 1, "to": 2, "card": "RBG1"},)
    second = ruled(first.state, type="exchange", seat=2, card="RBG1").state
    third = ruled(second, type="exchange", seat=0, card="RBG1").state
    assert (third.phase, third.to_act, third.exchange, third.ply) == ("errand_exchange", (1,), None, 3)
    assert third.hands == started().hands


def test_a_hand_exchange_that_has_begun_is_not_skipped() -> None:
    """FAM-2.2."""
    begun = ruled(started(), type="exchange", seat=0, card="R3").state
    assert [move["type"] for move in GAME.legal_moves(begun)] == ["exchange"] * 6
    infraction = refused(begun, type="skip_exchange", seat=1)
    assert infraction == Infraction("rule-violation", 1, "FAM-2.2", "exchange-begun", {"lead": 0})


def test_the_lead_player_may_skip_both_exchanges() -> None:
    """FAM-2.1, FAM-2.3."""
    hands = ruled(started(), type="skip_exchange", seat=0)
    assert hands.events == ({"type": "exchange_skipped", "seat": 0},)
    errands = ruled(hands.state, type="skip_errand", seat=0)
    assert errands.events == ({"type": "errand_exchange_skipped", "seat": 0},)
    assert (errands.state.phase, errands.state.to_act, errands.state.ply) == ("trick", (0,), 2)


def test_only_cards_in_hand_are_passed() -> None:
    infraction = refused(started(), type="exchange", seat=0, card="B4")
    assert infraction == Infraction("card-not-in-hand", 0, None, "card-not-in-hand", {"card": "B4"})


def test_the_last_cards_may_be_exchanged() -> None:
    """FAM-R3."""
    state = started()._replace(hands=(("R3",), ("R4",), ("RBG1",)))
    for seat, card in ((0, "R3"), (1, "R3"), (2, "R3")):
        state = ruled(state, type="exchange", seat=seat, card=card).state
    assert state.hands == (("R3",), ("R4",), ("RBG1",))


def test_identical_cards_are_listed_once() -> None:
    state = started()._replace(hands=(("RBG1", "RBG1"), (), ()))
    assert GAME.legal_moves(state)[1:] == [{"type": "exchange", "seat": 0, "card": "RBG1"}]


def test_an_errand_is_replaced() -> None:
    """FAM-2.3: what is left moves up, the new one comes last, the old one goes under its own level's pile."""
    state = started(hand_exchange=False)
    ruling = ruled(state, type="replace_errand", seat=0, errand="1-R6", level=3)
    assert ruling.state.errands == ("1-B9", "1-G6", "2-B15", "3-G21", "3-B21")
    assert ruling.state.piles[0] == (*state.piles[0], "1-R6")
    assert ruling.state.piles[2] == state.piles[2][1:]
    event = {"type": "errand_replaced", "seat": 0, "discarded": "1-R6", "turned_up": "3-B21", "level": 3}
    assert ruling.events == (event,)


def test_the_last_errand_of_a_pile_makes_room_for_the_one_discarded() -> None:
    """FAM-2.3."""
    state = started(hand_exchange=False)._replace(piles=(("1-R9",), (), ()))
    assert ruled(state, type="replace_errand", seat=0, errand="1-R6", level=1).state.piles == (("1-R6",), (), ())


def test_an_empty_pile_is_not_drawn_from() -> None:
    """FAM-2.4, FAM-R4."""
    state = started(hand_exchange=False)._replace(piles=((), ("2-R18",), ()))
    assert {move["level"] for move in GAME.legal_moves(state)[1:]} == {2}
    infraction = refused(state, type="replace_errand", seat=0, errand="2-B15", level=3)
    assert infraction == Infraction("rule-violation", 0, "FAM-2.4", "empty-pile", {"level": 3})
    infraction = refused(state, type="replace_errand", seat=0, errand="1-R6", level=1)
    assert infraction == Infraction("rule-violation", 0, "FAM-2.4", "empty-pile-own-level", {"level": 1})


def test_with_all_piles_empty_the_errand_exchange_can_only_be_skipped() -> None:
    """FAM-2.4."""
    state = started(hand_exchange=False)._replace(piles=((), (), ()))
    assert GAME.legal_moves(state) == [{"type": "skip_errand", "seat": 0}]


@pytest.mark.parametrize("name", ["1-R9", "no-such-errand"])
def test_only_errands_on_display_are_replaced(name: str) -> None:
    infraction = refused(started(hand_exchange=False), type="replace_errand", seat=0, errand=name, level=1)
    assert infraction == Infraction("errand-not-on-display", 0, None, "errand-not-on-display", {"errand": name})


def test_replacements_are_listed_by_display_then_level() -> None:
    moves = GAME.legal_moves(started(hand_exchange=False))
    assert moves[0] == {"type": "skip_errand", "seat": 0}
    assert [(move["errand"], move["level"]) for move in moves[1:5]] == [
        ("1-B9", 1), ("1-B9", 2), ("1-B9", 3), ("1-R6", 1),
    ]  # fmt: skip


# The trick


@pytest.mark.parametrize(
    ("lead", "hand", "legal"),
    [
        pytest.param("R6", "R3 R5 B3 B7 G6", "R3 R5", id="step 3.2"),
        pytest.param("RB2", "R3 B3 B5 G6 G9", "R3 B3 B5", id="two colours led, 1"),
        pytest.param("RB2", "B3 G3 G4 G6 G9", "B3", id="two colours led, 2"),
        pytest.param("R6", "B3 B6 G3 G4 RB2", "RB2", id="two colours following, 1"),
        pytest.param("B5", "B3 B6 G3 G4 RB2", "B3 B6 RB2", id="two colours following, 2"),
        pytest.param("RBG1", "R3 B5 G8 RB2 RBG1", "R3 B5 G8 RB2 RBG1", id="three colours led"),
        pytest.param("R6", "B3 B6 G3 G4 RBG1", "B3 B6 G3 G4 RBG1", id="three colours following, 1"),
        pytest.param("R6", "R3 B6 G3 G4 RBG1", "R3 RBG1", id="three colours following, 2: FAM-R6"),
        pytest.param("R6", "B6 G3 RB2 RBG1", "RB2 RBG1", id="FAM-3.6 with FAM-3.3"),
        pytest.param("RB2", "G3 RG2 BG2", "RG2 BG2", id="two colours follow two colours"),
        pytest.param("G9", "R3 B6 RB2", "R3 B6 RB2", id="nothing to follow with"),
    ],
)
def test_printed_examples_of_following(lead: str, hand: str, legal: str) -> None:
    """FAM-3.2 to FAM-3.6, FAM-R6."""
    state = held(lead, *hand.split())
    assert playable(state, 0) == tuple(legal.split())
    assert [move["card"] for move in GAME.legal_moves(state)] == legal.split()
    for card in set(hand.split()) - set(legal.split()):
        refused(state, type="play", seat=0, card=card)


def test_what_is_cited_when_a_seat_does_not_follow() -> None:
    """FAM-3.2, FAM-3.6."""
    lone = refused(held("R6", "B3", "RB2", "RBG1"), type="play", seat=0, card="B3")
    facts = {"card": "B3", "lead": "R6", "obliging": "RB2"}
    assert lone == Infraction("rule-violation", 0, "FAM-3.6", "only-two-colour-card", facts)
    one_colour = refused(held("R6", "R3", "B3"), type="play", seat=0, card="B3")
    assert one_colour.rule == "FAM-3.2"
    two = refused(held("R6", "B3", "RB2", "RG2"), type="play", seat=0, card="B3")
    assert (two.rule, two.because, two.facts["obliging"]) == ("FAM-3.2", "follow", ("RB2", "RG2"))


def test_the_lead_player_plays_any_card() -> None:
    """FAM-3.1."""
    state = started(hand_exchange=False, errand_exchange=False)
    assert playable(state, 0) == state.hands[0]
    assert ruled(state, type="play", seat=0, card="BG2").state.trick == (TrickCard(0, "BG2"),)


def test_the_example_move() -> None:
    example = EXAMPLES["adjudication"]
    ruling = ruled(middle(), **example["move"])
    assert plain(GAME.write_state(ruling.state)) == example["state"]
    assert plain(GAME.legal_moves(ruling.state)) == example["legal_moves"]
    assert list(ruling.state.scores) == example["scores"]
    assert ruling.events == ({"type": "card_played", "seat": 0, "card": "R5"},)


@pytest.mark.parametrize(
    ("cards", "lead_rule", "offset"),
    [
        pytest.param("RBG1 B4 G4", "attribute", 1, id="FAQ 1"),
        pytest.param("R3 R5 B9", "attribute", 1, id="another colour does not win"),
        pytest.param("R3 R5 B9", "any", 2, id="FAM-3.8"),
        pytest.param("B4 G9 RBG1", "attribute", 0, id="three colours match but are low"),
        pytest.param("RB2 RG2 BG2", "attribute", 0, id="the first among equals"),
        pytest.param("R3 B8 G8", "any", 1, id="the first among equals, FAM-3.8"),
        pytest.param("RBG1 RBG1 RBG1", "attribute", 0, id="three alike"),
        pytest.param("RB2 G9 B3", "attribute", 2, id="either colour of two"),
    ],
)
def test_who_becomes_lead_player(cards: str, lead_rule: str, offset: int) -> None:
    """FAM-3.7, FAM-3.8, FAM-R1."""
    first, second, third = cards.split()
    options: Options = GAME.read_options({"lead_rule": lead_rule})
    state = middle(
        options=options, trick=(TrickCard(2, first), TrickCard(0, second)), to_act=(1,), hands=((), (third,), ())
    )
    ruling = ruled(state, type="play", seat=1, card=third)
    rule = "FAM-3.8" if lead_rule == "any" else "FAM-3.7"
    won = {"type": "trick_won", "seat": (2 + offset) % 3, "cards": (first, second, third), "rule": rule}
    assert ruling.events[1] == won
    assert ruling.state.lead == (2 + offset) % 3


# Verdict


@pytest.mark.parametrize(
    ("cards", "reached"),
    [
        ("R7 R4 R6", (17, 0, 0)),
        ("R7 RB2 R3", (12, 2, 0)),
        ("RBG1 B3 G4", (1, 4, 5)),
        ("BG2 B3 RBG1", (1, 6, 3)),
    ],
)
def test_printed_examples_of_totals(cards: str, reached: tuple[int, int, int]) -> None:
    """FAM-4.1."""
    assert totals(cards.split()) == reached


def judged(*errands: str, tricks: int = 1, piles: tuple[tuple[str, ...], ...] = (("1-R6",), (), ())) -> Accepted[State]:
    """B9 completes a trick of red 5, blue 13."""
    trick = (TrickCard(2, "B4"), TrickCard(0, "R5"))
    return ruled(
        middle(trick=trick, to_act=(1,), errands=errands, tricks=tricks, piles=piles), type="play", seat=1, card="B9"
    )


def test_every_errand_that_is_met_is_completed() -> None:
    """FAM-4.2, FAM-4.3, FAM-R8: against the same totals, in display order."""
    ruling = judged("1-B12", "3-G21", "1-B9", "2-B15", "1-B6")
    state = ruling.state
    assert state.completed == ("1-B9", "1-B12", "1-B9", "1-B6")
    assert state.errands == ("3-G21", "2-B15")
    assert state.discard == ("BG2", "B3", "B8", "B4", "R5", "B9")
    assert (state.scores, state.trick, state.tricks, state.round) == ((5, 5, 5), (), 2, 2)
    verdict = {
        "type": "errands_completed",
        "errands": ("1-B12", "1-B9", "1-B6"),
        "totals": {"red": 5, "blue": 13, "green": 0},
        "points": 4,
    }
    assert ruling.events[2:] == (verdict,)


# Replenishing


def test_the_new_lead_player_fills_the_display() -> None:
    """FAM-5.1, FAM-5.2, FAM-R1, FAM-R5, FAM-R7, FAM-R9."""
    state = judged("3-G21", "1-B9", "2-R18", "1-B6", "3-B21", piles=(("1-R6", "1-R9"), (), ("3-R21",))).state
    assert (state.phase, state.to_act, state.lead) == ("replenish", (1,), 1)
    draws = [{"type": "draw_errand", "seat": 1, "level": 1}, {"type": "draw_errand", "seat": 1, "level": 3}]
    assert GAME.legal_moves(state) == draws
    assert refused(state, type="draw_errand", seat=1, level=2).rule == "FAM-2.4"
    first = ruled(state, **draws[1])
    assert first.events == ({"type": "errand_turned_up", "seat": 1, "errand": "3-R21", "level": 3},)
    last = ruled(first.state, **draws[0])
    assert last.state.errands == ("3-G21", "2-R18", "3-B21", "3-R21", "1-R6")
    drawn = [("card_drawn", 1, "B5"), ("card_drawn", 2, "RG2"), ("card_drawn", 0, "R8")]
    assert [(event["type"], event["seat"], event["card"]) for event in last.events[1:]] == drawn
    assert (last.state.phase, last.state.to_act, last.state.round) == ("hand_exchange", (1,), 3)
    assert last.state.hands[2] == ("R4", "R7", "B6", "B7", "RG2")


def test_replenishing_ends_when_all_piles_are_empty() -> None:
    """FAM-5.1."""
    state = judged("3-G21", "1-B9", "2-R18", "1-B6", "3-B21").state
    assert ruled(state, type="draw_errand", seat=1, level=1).state.phase == "hand_exchange"


@pytest.mark.parametrize("errands", [("3-G21", "2-R18", "3-B21", "2-G15", "2-R15"), ("1-B9", "3-G21")])
def test_replenishing_is_left_out(errands: tuple[str, ...]) -> None:
    """FAM-5.1, FAM-5.2: the display is full, or all piles are empty."""
    piles = (("1-R6",), (), ()) if len(errands) == 5 else ((), (), ())
    ruling = judged(*errands, piles=piles)
    assert (ruling.state.phase, ruling.state.round) == ("hand_exchange", 3)
    assert [event["type"] for event in ruling.events[3:]] == ["card_drawn"] * 3


def test_nothing_is_drawn_from_an_empty_draw_pile() -> None:
    """FAM-5.2."""
    state = middle(trick=(TrickCard(2, "B4"), TrickCard(0, "R5")), to_act=(1,), draw=(), piles=((), (), ()))
    assert len(ruled(state, type="play", seat=1, card="B9").events) == 3


# The end


def test_the_game_ends_with_the_ninth_trick() -> None:
    """FAM-6.1, FAM-6.2, FAM-R2."""
    ruling = judged("1-B6", "3-G21", tricks=8)
    state = ruling.state
    result: dict[str, Any] = {"winners": (0, 1, 2), "scores": (2, 2, 2), "reason": "hands_played", "rating": "poor"}
    assert (state.phase, state.to_act, state.round, state.lead) == ("finished", (), 2, 1)
    assert ruling.events[-1] == {"type": "game_finished", **result}
    assert state.outcome == result
    assert GAME.legal_moves(state) == []
    assert refused(state, type="draw_errand", seat=1, level=1).reason == "game-finished"


def test_ratings() -> None:
    """FAM-6.3."""
    bands = [rating(score) for score in (0, 19, 20, 29, 30, 39, 40, 49, 50, 400)]
    assert bands == [band for band in ("poor", "fair", "good", "excellent", "legendary") for _ in range(2)]


def test_the_checks_that_come_before_the_rules() -> None:
    assert refused(middle(), type="play", seat=1, card="B9") == Infraction(
        "not-your-turn", 1, None, "not-your-turn", {"seats": (0,)}
    )
    assert refused(middle(), type="draw_errand", seat=0, level=1).because == "wrong-phase"
    assert refused(middle(), type="play", seat=0, card="B9").reason == "card-not-in-hand"


# Whole games


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("first", [0, 1, 2])
def test_whole_games(options: dict[str, Any], first: int) -> None:
    rng = Random(f"{first}{options}")
    for state in (state for _ in range(4) for state in game(rng, first, **options)):
        assert GAME.findings(state) == ()
        assert GAME.findings(state._replace(seed=None)) == ()
        assert GAME.read_state(plain(GAME.write_state(state))) == state
        assert {seat for move in GAME.legal_moves(state) for seat in (move["seat"],)} == set(state.to_act)
        assert sum(line["points"] for line in GAME.lines(state)) == state.scores[0]
    assert (state.round, state.tricks, state.hands) == (9, 9, ((), (), ()))
    assert GAME.rounds(state) == ()


@pytest.mark.parametrize("options", OPTIONS)
def test_what_is_listed_is_what_is_accepted(options: dict[str, Any]) -> None:
    for state in game(Random(f"{options}"), **options):
        accepted = [move for move in _every_move(state) if isinstance(GAME.adjudicate(state, move, CHANCE), Accepted)]
        assert sorted(map(str, accepted)) == sorted(map(str, GAME.legal_moves(state)))


def _every_move(state: State) -> Iterator[Move]:
    for seat in range(3):
        yield {"type": "skip_exchange", "seat": seat}
        yield {"type": "skip_errand", "seat": seat}
        for card in dict.fromkeys(CARDS):
            yield {"type": "exchange", "seat": seat, "card": card}
            yield {"type": "play", "seat": seat, "card": card}
        for level in (1, 2, 3):
            yield {"type": "draw_errand", "seat": seat, "level": level}
            for name in {*state.errands, *state.completed, "1-R6", "nothing"}:
                yield {"type": "replace_errand", "seat": seat, "errand": name, "level": level}


def test_lines_say_what_an_errand_asked_for() -> None:
    """FAM-4.2."""
    line = {"seat": None, "rule": "FAM-4.2", "points": 5, "errand": "3-R12B5", "red": 12, "blue": 5, "green": 0}
    assert GAME.lines(middle(completed=("3-R12B5",))) == (line,)


# Views


@pytest.mark.parametrize(("seat", "view"), [(1, "view_seat_1"), (None, "view_spectator")])
def test_example_views(seat: int | None, view: str) -> None:
    assert plain(GAME.view(middle(), seat)) == EXAMPLES["middle"][view]


def test_a_view_depends_on_nothing_hidden() -> None:
    for state in game(Random(5), errands=EASY):
        for seat in (0, 1, 2, None):
            hands = tuple(hand if owner == seat else ("R3",) * len(hand) for owner, hand in enumerate(state.hands))
            piles = tuple(("x",) * len(pile) for pile in state.piles)
            other = state._replace(hands=hands, piles=piles, draw=("R3",) * len(state.draw), seed="00")
            assert GAME.view(state, seat) == GAME.view(other, seat)


# Impossible states


def codes(state: State) -> set[tuple[str, str]]:
    return {(finding.pointer, finding.code) for finding in GAME.findings(state)}


def lists(table: Mapping[str, Any]) -> Iterator[list[Any]]:
    yield from table["hands"]
    yield from table["piles"].values()
    yield from (table[name] for name in ("draw", "errands", "completed", "discard", "trick"))


def disturbed(state: State) -> Iterator[State]:
    """The state with every single card or errand lost, or laid once more in any place."""
    whole = plain(GAME.write_state(state))
    for pile in lists(whole["table"]):
        for at in range(len(pile)):
            taken = pile.pop(at)
            yield GAME.read_state(whole)
            pile.insert(at, taken)
            for other in lists(whole["table"]):
                other.append(_lying_in(other is whole["table"]["trick"], taken))
                yield GAME.read_state(whole)
                other.pop()


def _lying_in(trick: bool, taken: Any) -> Any:
    card = taken if isinstance(taken, str) else taken["card"]
    return {"seat": 0, "card": card} if trick else card


@pytest.mark.parametrize("options", [{}, {"errands": FEW, "opening": [2, 0, 1]}])
def test_every_lost_or_doubled_card_is_found(options: dict[str, Any]) -> None:
    for ply, state in enumerate(game(Random(8), **options)):
        if ply % 7 == 0 or state.phase == "finished":
            assert all(map(GAME.findings, disturbed(state)))


def test_finished_games_are_checked_too() -> None:
    *_, state = game(Random(2))
    assert codes(state._replace(outcome=None)) == {("/outcome", "wrong-outcome")}
    assert codes(state._replace(phase="trick")) >= {("/phase", "wrong-phase"), ("/to_act", "wrong-to-act")}
    assert codes(state._replace(scores=(99, 99, 99))) == {("/scores", "wrong-scores")}
    assert codes(state._replace(round=8)) == {("/round", "wrong-round")}


def test_an_errand_that_the_last_trick_met_does_not_stay_on_display() -> None:
    *_, state = game(Random(2), errands=[errand("red", 1, 24)], opening=[1, 0, 0])
    red, blue = ("R7", "R8", "R9"), ("B3", "B4", "B5")
    rest = tuple(card for card in CARDS if card not in (*red, *blue))
    lying = state._replace(discard=(*red, *rest, *blue))
    met = state._replace(discard=(*blue, *rest, *red))
    assert codes(met) == {("/table/errands", "wrong-value")}
    assert codes(lying) == set()


def swapped(state: State, one: str, other: str) -> State:
    """Two errands in each other's place, wherever they lie."""
    text = json.dumps(GAME.write_state(state)["table"])
    text = text.replace(f'"{one}"', '"?"').replace(f'"{other}"', f'"{one}"').replace('"?"', f'"{other}"')
    return GAME.read_state({**GAME.write_state(state), "table": json.loads(text)})


MIDDLE = middle()
TRICK = (TrickCard(2, "B4"), TrickCard(0, "R5"), TrickCard(1, "B9"))
PASSED = ruled(started(), type="exchange", seat=0, card="R3").state


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (middle(seats=4), ("/seats", "wrong-count")),
        (middle(scores=(1, 1)), ("/scores", "wrong-count")),
        (middle(hands=()), ("/table/hands", "wrong-count")),
        (middle(lead=3), ("/table/lead", "wrong-seat")),
        (middle(tricks=10), ("/table/tricks", "wrong-value")),
        (middle(shuffles=3), ("/shuffles", "wrong-shuffles")),
        (middle(round=3), ("/round", "wrong-round")),
        (middle(tricks=2), ("/round", "wrong-round")),
        (middle(phase="finished"), ("/phase", "wrong-phase")),
        (middle(tricks=9), ("/phase", "wrong-phase")),
        (middle(phase="replenish"), ("/phase", "wrong-phase")),
        (middle(phase="replenish", tricks=0), ("/phase", "wrong-phase")),
        (started()._replace(options=Options(hand_exchange=False)), ("/phase", "wrong-phase")),
        (middle(phase="errand_exchange", options=Options(errand_exchange=False)), ("/phase", "wrong-phase")),
        (middle(to_act=(1,)), ("/to_act", "wrong-to-act")),
        (middle(to_act=()), ("/to_act", "wrong-to-act")),
        (PASSED._replace(to_act=(2,)), ("/to_act", "wrong-to-act")),
        (PASSED._replace(exchange=1), ("/table/exchange", "wrong-seat")),
        (middle(exchange=2), ("/table/exchange", "wrong-phase")),
        (middle(phase="errand_exchange"), ("/table/trick", "wrong-count")),
        (middle(trick=TRICK), ("/table/trick", "wrong-count")),
        (middle(trick=(TrickCard(1, "B4"),)), ("/table/trick/0/seat", "wrong-lead")),
        (middle(trick=(TrickCard(2, "B4"), TrickCard(1, "B9"))), ("/table/trick/1/seat", "wrong-seat")),
        (middle(hands=(*MIDDLE.hands[:2], ("R4", "R7", "B6"))), ("/table/hands/2", "wrong-count")),
        (middle(hands=(*MIDDLE.hands[:2], ("R7", "R4", "B6", "B7"))), ("/table/hands/2", "wrong-order")),
        (middle(hands=(*MIDDLE.hands[:2], ("R4", "R7", "B6", "X1"))), ("/table/hands/2", "unknown-card")),
        (middle(discard=("BG2", "B3", "X1")), ("/table/discard", "unknown-card")),
        (middle(draw=MIDDLE.draw[1:]), ("/table/draw", "wrong-count")),
        (middle(discard=()), ("/table/discard", "wrong-count")),
        (middle(errands=("1-G6", "3-G21", "2-R18", "1-R9", "?")), ("/table/errands", "unknown-card")),
        (middle(completed=()), ("/table", "missing-card")),
        (middle(errands=(*MIDDLE.errands, "1-B9")), ("/table/completed", "duplicate-card")),
        (middle(errands=(*MIDDLE.errands, "1-B9"), completed=()), ("/table/errands", "wrong-count")),
        (middle(errands=MIDDLE.errands[:4], completed=("1-B9", "3-B21")), ("/table/errands", "wrong-count")),
        (swapped(MIDDLE, "1-R12", "2-R15"), ("/table/piles/1", "wrong-value")),
        (swapped(MIDDLE, "1-B9", "3-B21"), ("/table/completed/0", "wrong-value")),
        (swapped(started(), "2-B15", "1-R9"), ("/table/errands", "wrong-value")),
        (started()._replace(errands=("1-R6", "1-G6", "2-B15", "1-B9", "3-G21")), ("/table/errands", "wrong-order")),
        (middle(scores=(1, 1, 2)), ("/scores", "wrong-scores")),
        (middle(outcome={}), ("/outcome", "wrong-outcome")),
        (middle(ply=14), ("/ply", "wrong-ply")),
        (middle(ply=15), ("/ply", "wrong-ply")),
        (middle(ply=7), ("/ply", "wrong-ply")),
    ],
)
def test_impossible_states(state: State, expected: tuple[str, str]) -> None:
    assert expected in codes(state)


def test_plies_are_known_up_to_how_often_hands_were_exchanged() -> None:
    assert [ply for ply in range(30) if not GAME.findings(middle(ply=ply))] == [9, 11, 13]


def test_both_seats_that_receive_may_hold_one_card_too_many() -> None:
    """FAM-2.2."""
    second = ruled(PASSED, type="exchange", seat=1, card="R3").state
    assert GAME.findings(second) == ()
    assert codes(second._replace(to_act=(1,))) == {("/to_act", "wrong-to-act")}


@pytest.mark.parametrize(
    ("options", "pointers"),
    [
        ({"opening": [0, 0, 0]}, ["/options/opening"]),
        ({"opening": [4, 3, 3]}, ["/options/opening"]),
        ({"errands": EASY, "opening": [4, 3, 2]}, []),
        ({"errands": FEW}, ["/options/opening"]),
        ({"errands": []}, ["/options/opening"] * 3),
        ({"errands": [*EASY, EASY[0]]}, ["/options/errands"]),
        ({"errands": [*MANY, errand("one-more", 1, 1)]}, ["/options/errands"]),
        ({"errands": [*EASY, errand("nothing", 1, 0)]}, ["/options/errands/30/requires"]),
    ],
)
def test_contradictory_options(options: dict[str, Any], pointers: list[str]) -> None:
    """FAM-1.2."""
    found = GAME.contradictions(3, GAME.read_options(options))
    assert [finding.pointer for finding in found] == pointers
    assert {finding.code for finding in found} <= {"contradictory-options"}
    state = started()._replace(options=GAME.read_options(options))
    assert not found or GAME.findings(state) == found


# The rulebook


def test_the_rulebook_names_every_card() -> None:
    rows = tomllib.loads(TOML)["component"]
    codes_of = [code for row in rows for code in row["codes"] for _ in range(row["count"])]
    assert codes_of == [*CARDS, *(errand.id for errand in ERRANDS)]


def test_every_sentence_can_be_filled() -> None:
    book = tomllib.loads(TOML)
    facts: dict[str, dict[str, Any]] = {
        "exchange-begun": {"lead": 0},
        "empty-pile": {"level": 1},
        "empty-pile-own-level": {"level": 1},
        "follow": {"card": "B3", "lead": "R3", "obliging": "R4"},
        "only-two-colour-card": {"card": "B3", "lead": "R3", "obliging": "RB2"},
    }
    assert book["because"].keys() == facts.keys()
    for because, sentence in book["because"].items():
        assert all(sentence[language].format(**facts[because]) for language in ("en", "ja"))
    line = GAME.lines(middle())[0]
    assert all(book["why"]["FAM-4.2"][language].format(**line) for language in ("en", "ja"))


def test_rules_that_are_cited_stand_in_the_rulebook() -> None:
    rules = [rule["id"] for rule in tomllib.loads(TOML)["rule"]]
    assert len(set(rules)) == len(rules) == 32
    source = "".join(path.read_text("utf-8") for path in Path(familiars_trouble.__file__).parent.glob("*.py"))
    assert [rule for rule in rules if rule not in source] == []
