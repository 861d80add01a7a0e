"""TOWAI: the rules by their ids, the published examples, and laws that hold at every ply of random games."""

import json
import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest

from gyoji.games import towai
from gyoji.games.chance import SeedMissing, deal_v1
from gyoji.games.game import Accepted, Event, Finding, IllegalMove, Infraction, replace_at
from gyoji.games.towai import GAME, rules
from gyoji.games.towai.components import CODES, COUNTS, DECK, NUMBER, in_order
from gyoji.games.towai.state import Options, State

EXAMPLES: dict[str, Any] = json.loads((Path(__file__).parent / "examples" / "towai.json").read_text("utf-8"))
RULEBOOK: dict[str, Any] = tomllib.loads((Path(towai.__file__).parent / "rulebook.toml").read_text("utf-8"))
SOURCES = "".join(path.read_text("utf-8") for path in Path(towai.__file__).parent.glob("*.py"))
ALL_OPTIONS = [
    GAME.read_options({"finishes_to_win": finishes, "first_card": first_card, "reform": reform})
    for finishes, first_card, reform in product((2, 1, 3), ("matching", "any"), ("either", "discard"))
]


def unshuffled(_label: str, _k: int, pile: Any) -> tuple[str, ...]:
    return tuple(pile)


NO_SEED = deal_v1(None)


def plain(value: Any) -> Any:
    """As JSON has it."""
    return json.loads(json.dumps(value))


def position(*hands: str, pile: str = "", discard: str = "", rest: str | int = "deck", **changes: Any) -> State:
    """A position of round 1 with these cards; all others lie in ``rest`` (the deck, the discard or a seat's hand)."""
    held = [hand.split() for hand in hands]
    piles: dict[str, Any] = {"deck": [], "pile": pile.split(), "discard": discard.split()}
    left = COUNTS - Counter(chain(*held, *piles.values()))
    (held[rest] if isinstance(rest, int) else piles[rest]).extend(left.elements())
    seats, phase, turn = len(hands), changes.get("phase", "turn"), changes.get("turn", 0)
    last = turn if phase != "turn" else (turn - 1 - changes.get("passes", 0)) % seats
    lying: dict[str, Any] = {name: tuple(cards) for name, cards in piles.items()}
    bare = rules.start(seats, changes.pop("options", Options()), 0, None, unshuffled).state
    state = bare._replace(
        phase="turn",
        daylight="day",
        hands=tuple(in_order(hand) for hand in held),
        **lying,
        combo=NUMBER[pile[-2:]] if phase in ("combo", "swap") else None,
        to_act=(turn,),
        last_played=last if pile else None,
    )._replace(**changes)
    assert GAME.findings(state) == ()
    return state


def ruled(state: State, kind: str, card: str | None = None, daylight: str | None = None, **more: Any) -> Any:
    chance = more.pop("chance", unshuffled)
    move = {"type": kind, "seat": state.turn, "card": card, "daylight": daylight, **more}
    return GAME.adjudicate(state, {name: value for name, value in move.items() if value is not None}, chance)


def accepted(state: State, *move: str, **more: Any) -> tuple[State, list[Event]]:
    ruling = ruled(state, *move, **more)
    assert isinstance(ruling, Accepted)
    assert GAME.findings(ruling.state) == ()
    assert ruling.state.ply == state.ply + 1
    return ruling.state, list(ruling.events)


def refused(state: State, *move: str, **more: Any) -> Infraction:
    ruling = ruled(state, *move, **more)
    assert isinstance(ruling, IllegalMove)
    return ruling.infraction


def types(events: list[Event]) -> list[str]:
    return [event["type"] for event in events]


def moves(state: State) -> list[str]:
    """Legal moves in short: seat, type, card, daylight."""
    return [
        " ".join(str(move[name]) for name in ("type", "card", "daylight") if name in move)
        for move in GAME.legal_moves(state)
    ]


# The published examples


def test_example_of_a_first_position() -> None:
    initial = EXAMPLES["initial"]
    asked = initial["request"]
    options = GAME.read_options(asked["options"])
    ruling = GAME.start(asked["seats"], options, asked["first"], asked["seed"], deal_v1(asked["seed"]))
    state = initial["state"]
    assert plain(GAME.write_state(ruling.state)) == state
    assert list(GAME.write_state(ruling.state)["table"]) == list(state["table"])
    assert GAME.legal_moves(ruling.state) == initial["legal_moves"]
    dealt = {"type": "hands_dealt", "round": 1, "hands": state["table"]["hands"], "deck": state["table"]["deck"]}
    assert plain(ruling.events) == [dealt]


def test_example_of_a_swap() -> None:
    middle, after = EXAMPLES["middle"], EXAMPLES["adjudication"]
    state = GAME.read_state(middle["state"])
    assert GAME.findings(state) == ()
    assert GAME.legal_moves(state) == middle["legal_moves"]
    assert plain(GAME.view(state, 1)) == middle["view_seat_1"]
    assert plain(GAME.view(state, None)) == middle["view_spectator"]
    ruling = GAME.adjudicate(state, after["move"], NO_SEED)
    assert isinstance(ruling, Accepted)
    assert plain(GAME.write_state(ruling.state)) == after["state"]
    assert GAME.legal_moves(ruling.state) == after["legal_moves"]
    assert list(ruling.state.scores) == after["scores"]
    assert [GAME.view(ruling.state, seat)["table"]["swap"][0] for seat in (0, 1, None)] == ["D3", None, None]
    assert GAME.lines(state) == ({"seat": 1, "rule": "TOW-7.1", "points": 1, "round": 1},)
    assert GAME.rounds(state) == (1,)


# Laws at every ply of random games


def played(seats: int, options: Options, number: int, plies: int) -> Iterator[State]:
    rng = random.Random(f"{seats} {options} {number}")
    seed = rng.randbytes(64).hex()
    chance = deal_v1(seed)
    state = GAME.start(seats, options, rng.randrange(seats), seed, chance).state
    yield state
    while state.phase != "finished" and state.ply < plies:
        ruling = GAME.adjudicate(state, rng.choice(GAME.legal_moves(state)), chance)
        assert isinstance(ruling, Accepted)
        state = ruling.state
        yield state


def misdealt(state: State) -> Iterator[State]:
    """The state with one card lost, doubled, or turned into another."""
    hands = [(seat, hand) for seat, hand in enumerate(state.hands)]
    for name in ("deck", "pile", "discard"):
        for cards in spoiled(getattr(state, name)):
            changes: dict[str, Any] = {name: cards}
            yield state._replace(**changes)
    for seat, hand in hands:
        for cards in spoiled(hand):
            yield state._replace(hands=replace_at(state.hands, seat, cards))


def spoiled(pile: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for at, card in enumerate(pile):
        other = CODES[(CODES.index(card) + 1) % len(CODES)]
        for now in ((), (card, card), (other,)):
            yield (*pile[:at], *now, *pile[at + 1 :])


def every_move(state: State) -> Iterator[dict[str, Any]]:
    """All moves of a well-formed shape."""
    for seat in range(6):
        yield from ({"type": kind, "seat": seat} for kind in ("pass", "end_turn"))
        for card in CODES:
            yield {"type": "swap", "seat": seat, "card": card}
            yield {"type": "play", "seat": seat, "card": card}
            yield from ({"type": "play", "seat": seat, "card": card, "daylight": light} for light in ("day", "night"))


@pytest.mark.parametrize("options", ALL_OPTIONS, ids=str)
@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games(seats: int, options: Options) -> None:
    for state in played(seats, options, 0, 400):
        assert GAME.findings(state) == ()
        assert GAME.findings(state._replace(seed=None)) == ()
        written = GAME.write_state(state)
        assert GAME.read_state(written) == state
        assert sum(line["points"] for line in GAME.lines(state)) == sum(state.scores)
        assert (GAME.legal_moves(state) == []) == (state.phase == "finished")
        if state.ply % 97 == 0:
            assert GAME.read_state(plain(written)) == state
            assert all(GAME.findings(wrong) for wrong in misdealt(state))


@pytest.mark.parametrize("seats", range(2, 7))
def test_what_is_listed_is_what_is_accepted(seats: int) -> None:
    for state in played(seats, Options(), 1, 250):
        rulings = (
            [(move, GAME.adjudicate(state, move, unshuffled)) for move in every_move(state)]
            if state.ply % 7 == 0
            else []
        )
        listed = GAME.legal_moves(state)
        for move, ruling in rulings:
            assert isinstance(ruling, Accepted) == (move in listed)
            if isinstance(ruling, IllegalMove):
                assert (ruling.infraction.rule is None) == (ruling.infraction.reason != "rule-violation")
                assert ruling.infraction.because in RULEBOOK["because"] or ruling.infraction.rule is None


def test_a_view_holds_nothing_but_what_the_seat_may_know() -> None:
    for state in played(3, Options(), 2, 200):
        unlike = state._replace(
            seed="ff" * 64, deck=state.deck[::-1], hands=(*state.hands[:2], ("T1",) * len(state.hands[2]))
        )
        if state.swap is not None:
            unlike = unlike._replace(swap=(*state.swap[:2], "D3"))
        assert GAME.view(state, 0) == GAME.view(unlike, 0)
        assert GAME.view(state, 1)["table"]["hands"][1] == state.hands[1]
        assert GAME.view(state, None)["table"]["hands"] == [{"count": len(hand)} for hand in state.hands]


def test_games_with_few_seats_end() -> None:
    for seats, number in product((2, 3), range(3)):
        *_, last = played(seats, Options(), number, 5000)
        assert last.outcome is not None
        assert last.scores[last.rounds[-1]] == 2


# Rule by rule

TURN = position("D3 D6 N2 N5 T5 T7", "D4 N1", "D5 N4", pile="D4")
NIGHT = position("D3 N1 N3 N5 T2 T6", "D4 N1", "D5 N4", pile="N3", daylight="night")
COMBO = position("D4 N3 T3 D3", "D5", "N5", pile="D3", phase="combo")
LEAD = position("D3 N4 T4", "D5", "N5", discard="D3", phase="lead")
FREE = Options(first_card="any")


def test_tow_1_2_who_starts() -> None:
    state = position("D6", "D5 D5", "N5", pile="D5")
    after, events = accepted(state, "play", "D6")
    assert (after.round, after.starting, after.turn, after.to_act, after.ply) == (2, 1, 1, (1,), 1)
    assert [len(hand) for hand in after.hands] == [7, 7, 7]
    assert (after.phase, after.daylight, after.pile, after.discard, after.last_played) == ("lead", None, (), (), None)
    assert types(events) == ["card_played", "round_finished", "hands_dealt"]
    assert events[1] == {"type": "round_finished", "round": 1, "seat": 0}
    assert (after.scores, after.finishes, after.rounds, after.shuffles) == ((1, 0, 0), (1, 0, 0), (0,), 2)


def test_tow_2_1_leading() -> None:
    assert moves(LEAD) == ["play D3 day", "play N4 night", "play T4 day", "play T4 night"]
    after, events = accepted(LEAD, "play", "N4", "night")
    assert (after.daylight, after.pile, after.combo, after.phase) == ("night", ("N4",), 4, "combo")
    assert events[0] == {"type": "daylight_declared", "seat": 0, "daylight": "night"}
    assert events[1] == {"type": "card_played", "seat": 0, "card": "N4"}


def test_tow_r3_first_card_of_any_kind() -> None:
    state = LEAD._replace(options=FREE)
    assert moves(state)[:2] == ["play D3 day", "play D3 night"]
    after, _ = accepted(state, "play", "D3", "night")
    assert (after.daylight, after.pile) == ("night", ("D3",))
    assert moves(position("D3 N1", "D5", "N5", pile="D3", daylight="night", options=FREE)) == ["play N1", "pass"]


@pytest.mark.parametrize(
    ("state", "move", "rule", "because"),
    [
        (LEAD, ("play", "D3"), "TOW-2.1", "leader-declares"),
        (LEAD, ("play", "D3", "night"), "TOW-2.1", "lead-kind"),
        (LEAD, ("play", "N4", "day"), "TOW-2.1", "lead-kind"),
        (LEAD, ("pass",), "TOW-2.2", "leader-plays"),
        (TURN, ("play", "N2", "day"), "TOW-2.1", "only-leader-declares"),
        (COMBO, ("play", "D4", "night"), "TOW-2.1", "only-leader-declares"),
        (TURN, ("play", "N2"), "TOW-3.1", "turn-kind"),
        (TURN, ("play", "D3"), "TOW-3.1", "too-low"),
        (NIGHT, ("play", "D3"), "TOW-3.2", "turn-kind"),
        (NIGHT, ("play", "N5"), "TOW-3.2", "too-high"),
        (COMBO, ("play", "D4"), "TOW-4.1", "combo-number"),
        (COMBO, ("play", "N3"), "TOW-4.1", "combo-kind"),
    ],
)
def test_what_a_rule_forbids(state: State, move: tuple[str, ...], rule: str, because: str) -> None:
    infraction = refused(state, *move)
    assert (infraction.reason, infraction.rule, infraction.because) == ("rule-violation", rule, because)
    words = {name: word["en"] for name, word in RULEBOOK["words"].items()}
    for language in ("en", "ja"):
        sentence = RULEBOOK["because"][because][language].format_map(infraction.facts)
        assert "{" not in sentence
        assert set(infraction.facts) <= {"card", "kind", "daylight", "top", "combo"}
    assert all(infraction.facts[name] in words for name in ("kind", "daylight") if name in infraction.facts)


@pytest.mark.parametrize(
    ("state", "move", "reason"),
    [
        (TURN, {"type": "play", "seat": 1, "card": "D4"}, "not-your-turn"),
        (TURN, {"type": "play", "seat": 5, "card": "D4"}, "not-your-turn"),
        (TURN, {"type": "end_turn", "seat": 0}, "wrong-phase"),
        (LEAD, {"type": "end_turn", "seat": 0}, "wrong-phase"),
        (LEAD, {"type": "pass", "seat": 1}, "not-your-turn"),
        (COMBO, {"type": "pass", "seat": 0}, "wrong-phase"),
        (COMBO, {"type": "swap", "seat": 0, "card": "D4"}, "wrong-phase"),
        (TURN, {"type": "play", "seat": 0, "card": "D7", "daylight": "day"}, "card-not-in-hand"),
    ],
)
def test_what_comes_before_the_rules(state: State, move: dict[str, Any], reason: str) -> None:
    ruling = GAME.adjudicate(state, move, unshuffled)
    assert isinstance(ruling, IllegalMove)
    assert (ruling.infraction.reason, ruling.infraction.because, ruling.infraction.rule) == (reason, reason, None)


def test_tow_3_1_and_3_2_onto_the_pile() -> None:
    assert moves(TURN) == ["play D6", "play T5", "play T7", "pass"]
    assert moves(NIGHT) == ["play N1", "play N3", "play T2", "pass"]


def test_tow_4_1_combo_across_a_flip() -> None:
    assert moves(COMBO) == ["play D3", "play T3", "end_turn"]
    after, _ = accepted(COMBO, "play", "D3")
    after, _ = accepted(after, "play", "T3")
    assert moves(after) == ["play N3", "end_turn"]
    after, _ = accepted(after, "play", "N3")
    assert after.pile == ("D3", "D3", "T3", "N3")


def test_tow_4_2_a_turn_ends_when_the_seat_says_so() -> None:
    after, events = accepted(COMBO, "end_turn")
    assert (after.phase, after.turn, after.to_act, after.combo, after.last_played) == ("turn", 1, (1,), None, 0)
    assert events == [{"type": "turn_ended", "seat": 0}]


def test_tow_5_2_all_others_draw() -> None:
    state = position("D5", "T3 D7", "N5", "N4", pile="D3", turn=1)
    after, events = accepted(state, "play", "T3")
    assert types(events) == ["card_played", "daylight_flipped", "card_drawn", "card_drawn", "card_drawn"]
    assert [(event["seat"], event["rule"]) for event in events[2:]] == [(s, "TOW-5.2") for s in (2, 3, 0)]
    assert tuple(event["card"] for event in events[2:]) == state.deck[:3]
    assert (after.daylight, after.passes, after.phase, after.combo) == ("night", 0, "combo", 3)


def test_tow_5_3_reset() -> None:
    state = position("T4 D4 D7", "D5", "N5", pile="D3 D4", discard="N1", phase="combo")
    after, events = accepted(state, "play", "T4")
    assert types(events) == ["card_played", "daylight_flipped", "pile_discarded"]
    assert events[2] == {"type": "pile_discarded", "rule": "TOW-5.3", "cards": ("D3", "D4", "T4")}
    assert (after.phase, after.turn, after.combo, after.last_played) == ("lead", 0, None, None)
    assert (after.discard, after.daylight) == (("N1", "D3", "D4", "T4"), "night")
    assert moves(after) == ["play D4 day", "play D7 day"]


def test_tow_5_4_swap() -> None:
    state = position("T5 D5 D5", "N5 D7", "N4 N4", pile="D3")
    state, events = accepted(state, "play", "T5")
    assert types(events) == ["card_played", "daylight_flipped", "swap_begun"]
    assert (state.phase, state.to_act, state.swap, state.combo) == ("swap", (0, 1, 2), (None, None, None), 5)
    assert moves(state) == ["swap D5", "swap D7", "swap N5", "swap N4"]
    state, events = accepted(state, "swap", "N5", seat=1)
    assert events == [{"type": "swap_chosen", "seat": 1, "card": "N5"}]
    assert (state.to_act, state.swap, state.hands[1]) == ((0, 2), (None, "N5", None), ("D7", "N5"))
    assert refused(state, "swap", "D7", seat=1).reason == "not-your-turn"
    assert refused(state, "swap", "D7", seat=2).reason == "card-not-in-hand"
    assert GAME.view(state, 1)["table"]["swap"] == (None, "N5", None)
    assert GAME.view(state, 2)["table"]["swap"] == (None, None, None)
    state, _ = accepted(state, "swap", "N4", seat=2)
    state, events = accepted(state, "swap", "D5", seat=0)
    assert events == [
        {"type": "swap_chosen", "seat": 0, "card": "D5"},
        {"type": "card_passed", "from": 0, "to": 2, "card": "D5"},
        {"type": "card_passed", "from": 1, "to": 0, "card": "N5"},
        {"type": "card_passed", "from": 2, "to": 1, "card": "N4"},
    ]
    assert state.hands == (("D5", "N5"), ("D7", "N4"), ("D5", "N4"))
    assert (state.phase, state.to_act, state.swap, state.ply) == ("combo", (0,), None, 4)
    assert moves(state) == ["play N5", "end_turn"]  # TOW-R6: with the card just received


def test_tow_r8_swap_between_two() -> None:
    state, _ = accepted(position("T5 D5", "N5", pile="D3"), "play", "T5")
    state, _ = accepted(state, "swap", "D5", seat=0)
    state, _ = accepted(state, "swap", "N5", seat=1)
    assert state.hands == (("N5",), ("D5",))


@pytest.mark.parametrize("card", ["T3", "T4", "T5", "T6", "D6"])
def test_tow_5_5_a_last_card_has_no_effect(card: str) -> None:
    state = position(card, "D5", "N5", pile="D3 D3", options=Options(finishes_to_win=1))
    after, events = accepted(state, "play", card, chance=NO_SEED)
    assert types(events) == ["card_played", "round_finished", "game_finished"]
    assert (after.phase, after.daylight, after.pile, after.to_act) == ("finished", "day", ("D3", "D3", card), ())
    assert (after.turn, after.last_played, after.combo, after.passes, after.round) == (0, 0, None, 0, 1)
    assert after.outcome == {"winners": (0,), "scores": (1, 0, 0), "reason": "finished"}
    assert {**after.outcome, "type": "game_finished"} == events[2]
    assert refused(after, "pass").reason == "game-finished"
    assert GAME.read_state(plain(GAME.write_state(after))) == after


def test_tow_5_5_a_last_card_may_be_a_lead() -> None:
    state = position("T7", "D5", "N5", discard="D3", phase="lead", options=Options(finishes_to_win=1))
    after, events = accepted(state, "play", "T7", "night")
    assert types(events) == ["daylight_declared", "card_played", "round_finished", "game_finished"]
    assert after.daylight == "night"


def test_tow_6_1_passing() -> None:
    after, events = accepted(TURN, "pass")
    assert events == [
        {"type": "passed", "seat": 0},
        {"type": "card_drawn", "seat": 0, "card": TURN.deck[0], "rule": "TOW-6.1"},
    ]
    assert (after.phase, after.turn, after.to_act, after.passes, after.last_played) == ("turn", 1, (1,), 1, 2)
    assert (after.deck, len(after.hands[0])) == (TURN.deck[1:], 7)


def test_tow_6_2_all_others_pass() -> None:
    state = position("D3", "D5", "N5", pile="D4 D6", discard="N1", turn=1, passes=1)
    after, events = accepted(state, "pass")
    assert types(events) == ["passed", "card_drawn", "pile_discarded"]
    assert events[2] == {"type": "pile_discarded", "rule": "TOW-6.2", "cards": ("D4", "D6")}
    assert (after.phase, after.turn, after.to_act, after.passes, after.last_played) == ("lead", 2, (2,), 0, None)
    assert after.discard == ("N1", "D4", "D6")


def test_tow_6_3_the_deck_is_re_formed() -> None:
    state = position("D3", "D5", "N5", pile="D4 D6", discard="N1", rest=2, turn=1, passes=1)
    after, events = accepted(state, "pass")
    assert types(events) == ["passed", "deck_reformed", "card_drawn", "pile_discarded"]
    assert events[1] == {"type": "deck_reformed", "count": 2, "deck": ("D4", "N1")}
    assert (after.deck, after.discard, after.shuffles) == (("N1",), ("D6",), 2)
    with pytest.raises(SeedMissing):
        ruled(state, "pass", chance=NO_SEED)


@pytest.mark.parametrize(("reform", "drawn"), [("either", ["deck_reformed", "card_drawn"]), ("discard", [])])
def test_tow_r5_an_empty_discard(reform: Any, drawn: list[str]) -> None:
    state = position("D3", "D5", "N5", pile="D4 D6", rest=2, options=Options(reform=reform))
    after, events = accepted(state, "pass")
    assert types(events) == ["passed", *drawn]
    assert after.shuffles == 1 + bool(drawn)


def test_tow_6_4_who_comes_too_late_goes_without() -> None:
    state = position("T3 D3", "D5", "N5", "N4", pile="D3", rest=2)
    after, events = accepted(state, "play", "T3")
    assert types(events) == ["card_played", "daylight_flipped", "deck_reformed", "card_drawn"]
    assert (events[3]["seat"], after.deck, after.pile) == (1, (), ("T3",))
    after, _ = accepted(after, "end_turn")
    after, events = accepted(after, "pass", chance=NO_SEED)
    assert types(events) == ["passed"]
    assert (after.passes, after.shuffles) == (1, 2)


# Impossible states

BEGUN = rules.start(3, Options(), 1, None, unshuffled).state
SWAPPING = position(
    "D5 D5", "N5", "N4", pile="D3 T5", phase="swap", daylight="night", to_act=(0, 2), swap=(None, "N5", None)
)
WON = accepted(position("D6", "D5", "N5", pile="D3", options=Options(finishes_to_win=1)), "play", "D6")[0]
SECOND = accepted(position("D6", "D5", "N5", pile="D3"), "play", "D6")[0]
WINNERS = {"winners": (0,), "scores": (1, 0, 0), "reason": "finished"}


@pytest.mark.parametrize(
    ("state", "changes", "findings"),
    [
        (TURN, {"scores": (0, 0)}, "/scores wrong-count"),
        (TURN, {"hands": ()}, "/table/hands wrong-count"),
        (TURN, {"finishes": ()}, "/table/finishes wrong-count"),
        (SWAPPING, {"swap": ()}, "/table/swap wrong-count"),
        (TURN, {"starting": 3}, "/table/starting wrong-seat"),
        (TURN, {"turn": 4}, "/table/turn wrong-seat"),
        (TURN, {"last_played": 5}, "/table/last_played wrong-seat"),
        (TURN, {"rounds": (3,)}, "/table/rounds wrong-seat"),
        (TURN, {"hands": (TURN.hands[0][::-1], *TURN.hands[1:])}, "/table/hands/0 wrong-order"),
        (TURN, {"pile": ("D4", "X1")}, "/table/pile unknown-card"),
        (TURN, {"round": 2, "shuffles": 2, "ply": 1}, "/round wrong-round"),
        (SECOND, {"starting": 0, "turn": 0, "to_act": (0,)}, "/table/starting wrong-lead"),
        (SECOND, {"shuffles": 1}, "/shuffles wrong-shuffles"),
        (BEGUN, {"shuffles": 2}, "/shuffles wrong-shuffles"),
        (BEGUN, {"shuffles": 0}, "/shuffles wrong-shuffles"),
        (TURN, {"shuffles": 9, "ply": 7}, "/shuffles wrong-shuffles"),
        (TURN, {"ply": 2**31 + 1}, "/ply wrong-ply"),
        (BEGUN, {"ply": 1}, "/ply wrong-ply"),
        (BEGUN, {"daylight": "day"}, "/table/daylight wrong-value"),
        (BEGUN, {"turn": 0, "to_act": (0,)}, "/table/turn wrong-seat"),
        (TURN, {"daylight": None}, "/table/daylight wrong-value"),
        (TURN, {"daylight": "night"}, "/table/daylight wrong-value"),
        (NIGHT, {"daylight": "day"}, "/table/daylight wrong-value"),
        (SWAPPING, {"daylight": "day"}, "/table/daylight wrong-value"),
        (LEAD, {"daylight": "night"}, "/table/daylight wrong-value"),
        (TURN, {"finishes": (1, 0, 0)}, "/table/finishes wrong-value"),
        (TURN, {"scores": (1, 0, 0)}, "/scores wrong-scores"),
        (TURN, {"outcome": WINNERS}, "/outcome wrong-outcome"),
        (WON, {"outcome": None}, "/outcome wrong-outcome"),
        (WON, {"outcome": {**WINNERS, "winners": (1,)}}, "/outcome wrong-outcome"),
        (WON, {"options": Options()}, "/phase wrong-phase"),
        (WON, {"turn": 1}, "/table/hands/0 wrong-count, /table/hands/1 wrong-count, /table/turn wrong-seat"),
        (WON, {"to_act": (0,)}, "/to_act wrong-to-act"),
        (SECOND, {"options": Options(1)}, "/table/rounds wrong-value, /phase wrong-phase"),
        (TURN, {"phase": "lead"}, "/phase wrong-phase"),
        (LEAD, {"phase": "turn"}, "/phase wrong-phase"),
        (LEAD, {"phase": "swap", "to_act": (), "swap": (None, None, "N5")}, "/phase wrong-phase, /to_act wrong-to-act"),
        (COMBO, {"phase": "swap", "swap": (None,) * 3, "to_act": (0, 1, 2)}, "/phase wrong-phase"),
        (TURN, {"combo": 4}, "/table/combo wrong-value"),
        (COMBO, {"combo": 4}, "/table/combo wrong-value"),
        (COMBO, {"combo": None}, "/table/combo wrong-value"),
        (TURN, {"last_played": None}, "/table/last_played wrong-seat"),
        (LEAD, {"last_played": 1}, "/table/last_played wrong-seat"),
        (TURN, {"last_played": 1}, "/table/turn wrong-seat"),
        (TURN, {"passes": 2, "last_played": 0}, "/table/passes wrong-count"),
        (COMBO, {"passes": 1}, "/table/passes wrong-count"),
        (TURN, {"to_act": (1,)}, "/to_act wrong-to-act"),
        (SWAPPING, {"to_act": (2, 0)}, "/to_act wrong-to-act"),
        (SWAPPING, {"swap": None}, "/table/swap wrong-value"),
        (SWAPPING, {"swap": ("D5", "N5", "N4"), "to_act": ()}, "/table/swap wrong-value"),
        (SWAPPING, {"swap": (None, "N4", None)}, "/table/swap/1 wrong-value"),
        (TURN, {"swap": (None, None, None)}, "/table/swap wrong-value"),
    ],
)
def test_an_impossible_state(state: State, changes: dict[str, Any], findings: str) -> None:
    found = GAME.findings(state._replace(**changes))
    expected = findings.split(", ")
    got = [f"{finding.pointer} {finding.code}" for finding in found]
    assert [each for each in got if not each.startswith("/table missing")] == expected


def test_impossible_cards_on_the_table() -> None:
    reset = ("D4", "T4")
    assert Finding("/table/pile", "wrong-value") in GAME.findings(TURN._replace(pile=reset, combo=None))
    bare = TURN._replace(hands=((), *TURN.hands[1:]), deck=TURN.hands[0] + TURN.deck)
    assert GAME.findings(bare) == (Finding("/table/hands/0", "wrong-count"),)
    more = BEGUN._replace(hands=(in_order((*BEGUN.hands[0], BEGUN.deck[0])), *BEGUN.hands[1:]), deck=BEGUN.deck[1:])
    assert GAME.findings(more) == (Finding("/table/hands/0", "wrong-count", {"expected": 7}),)
    other = WON._replace(last_played=1, turn=1, hands=(WON.hands[1], (), WON.hands[2]))
    assert GAME.findings(other) == (Finding("/table/last_played", "wrong-seat"),)


def test_what_the_cards_cannot_tell_is_let_be() -> None:
    for state in (
        position("D3", "D5", "N5", pile="D6", daylight="night", options=FREE),
        position("D3", "D5", "N5", pile="T6 T6", daylight="night"),
        position("D3", "D5", "N5", discard="D6 T4", phase="lead", daylight="night"),
    ):
        assert GAME.findings(state._replace(daylight="day")) == ()


# The rulebook


def test_the_rulebook_is_whole() -> None:
    ids = [rule["id"] for rule in RULEBOOK["rule"]]
    sections = {1: 2, 2: 2, 3: 3, 4: 2, 5: 5, 6: 4, 7: 3}
    numbered = [f"TOW-{section}.{rule}" for section, last in sections.items() for rule in range(1, last + 1)]
    assert ids == [*numbered, *(f"TOW-R{number}" for number in range(1, 13))]
    assert all(rule in SOURCES for rule in ids)
    assert all(f'"{key}"' in SOURCES for key in RULEBOOK["because"])
    assert set(RULEBOOK["words"]) == {"day", "night", "D", "N", "T", *GAME.phases}
    line = {"seat": 0, "rule": "TOW-7.1", "points": 1, "round": 2}
    assert "2" in RULEBOOK["why"]["TOW-7.1"]["en"].format_map(line)


def test_the_components_of_the_rulebook_are_the_deck() -> None:
    copies = {
        code: row["counts"][code] if "counts" in row else row["count"]
        for row in RULEBOOK["component"]
        for code in row["codes"]
    }
    assert Counter(copies) == COUNTS
    assert (len(DECK), sorted(DECK)) == (60, list(DECK))


def test_options_are_filled_in() -> None:
    assert GAME.read_options({}) == Options(2, "matching", "either")
    assert GAME.read_options({"reform": "discard"}) == Options(reform="discard")
    assert all(GAME.contradictions(seats, options) == () for seats in range(2, 7) for options in ALL_OPTIONS)
