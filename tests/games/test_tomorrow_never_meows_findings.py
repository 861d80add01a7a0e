"""Impossible states of Tomorrow Never Meows: whatever the engine reads, it checks."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted
from gyoji.games.tomorrow_never_meows import GAME
from gyoji.games.tomorrow_never_meows.components import DECK, WISHES
from gyoji.games.tomorrow_never_meows.scores import round_points, totals
from gyoji.games.tomorrow_never_meows.state import State
from gyoji.games.tricks import TrickCard

SEED = "a7" * 64


def game(seats: int, **options: Any) -> list[State]:
    """All positions of a random game."""
    dice, chance = random.Random(11), deal_v1(SEED)
    state = GAME.start(seats, GAME.read_options(options), 1, SEED, chance).state
    reached = [state]
    while state.to_act:
        ruling = GAME.adjudicate(state, dice.choice(GAME.legal_moves(state)), chance)
        assert isinstance(ruling, Accepted)
        state = ruling.state
        reached.append(state)
    return reached


OPEN, CLOSED = game(3), game(4, concealed=True, bluff_scoring="per_trick", rounds=4)
FRESH, LAST = OPEN[0], OPEN[-1]
TRICK = next(state for state in OPEN if state.round == 2 and len(state.trick) == 2 and sum(state.tricks_won) == 4)
LED = next(state for state in OPEN if state.round == 2 and not state.trick and sum(state.tricks_won) == 4)
ANNOUNCING = next(state for state in CLOSED if state.phase == "announce" and state.round == 2)


def at(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


def kept(state: State, place: int, **changes: Any) -> dict[str, Any]:
    return {"rounds": at(state.rounds, place, state.rounds[place]._replace(**changes))}


def test_every_position_of_play_is_possible() -> None:
    assert all(GAME.findings(state) == () for state in (*OPEN, *CLOSED))


def piles(state: State) -> Iterator[tuple[str, int | None, tuple[Any, ...]]]:
    for name in ("hands", "captured"):
        for seat, pile in enumerate(getattr(state, name)):
            yield name, seat, pile
    yield "aside", None, state.aside
    yield "trick", None, state.trick


def with_pile(state: State, name: str, seat: int | None, pile: tuple[Any, ...]) -> State:
    change: dict[str, Any] = {name: pile if seat is None else at(getattr(state, name), seat, pile)}
    return state._replace(**change)


@pytest.mark.parametrize("state", [*OPEN[::9], *CLOSED[::17], LAST, CLOSED[-1]])
def test_every_card_lost_doubled_or_exchanged_is_found(state: State) -> None:
    for name, seat, pile in piles(state):
        for place, card in enumerate(pile):
            assert GAME.findings(with_pile(state, name, seat, pile[:place] + pile[place + 1 :]))
            assert GAME.findings(with_pile(state, name, seat, (*pile[: place + 1], *pile[place:])))
            code = card.card if name == "trick" else card
            other = DECK[DECK.index(code) - 1]
            swapped = TrickCard(card.seat, other) if name == "trick" else other
            assert GAME.findings(with_pile(state, name, seat, at(pile, place, swapped)))


def test_findings_name_places_and_no_cards() -> None:
    doubled = TRICK._replace(hands=at(TRICK.hands, 0, (*TRICK.hands[1][:1], *TRICK.hands[0][1:])))
    found = GAME.findings(doubled)
    assert {finding.code for finding in found} >= {"duplicate-card", "missing-card"}
    assert not any(card in str(finding) for finding in found for card in DECK if f"'{card}'" in str(finding))


CASES: list[tuple[State, dict[str, Any], str, str]] = [
    (FRESH, {"options": FRESH.options._replace(rounds=4)}, "/options/rounds", "contradictory-options"),
    (
        FRESH,
        {"options": FRESH.options._replace(bluff_scoring="per_trick")},
        "/options/bluff_scoring",
        "contradictory-options",
    ),
    (TRICK, {"scores": (0, 0)}, "/scores", "wrong-count"),
    (TRICK, {"hands": (*TRICK.hands, ())}, "/table/hands", "wrong-count"),
    (TRICK, kept(TRICK, 0, won=()), "/table/rounds/0/won", "wrong-count"),
    (TRICK, {"wish_order": (0, 0, 1)}, "/table/wish_order", "wrong-seat"),
    (TRICK, {"first_lead": 3}, "/table/first_lead", "wrong-seat"),
    (TRICK, {"lead": 3}, "/table/lead", "wrong-seat"),
    (TRICK, {"round": 3}, "/round", "wrong-round"),
    (TRICK, {"round": 3}, "/table/rounds", "wrong-count"),
    (TRICK, {"rounds": ()}, "/table/rounds", "wrong-count"),
    (FRESH, {"round": 0}, "/round", "wrong-round"),
    (FRESH, {"round": 4}, "/round", "wrong-round"),
    (LAST, {"round": 2}, "/round", "wrong-round"),
    (LAST, {"rounds": ()}, "/table/rounds", "wrong-count"),
    (TRICK, {"phase": "wish"}, "/phase", "wrong-phase"),
    (TRICK, {"to_act": (0, 1, 2)}, "/to_act", "wrong-to-act"),
    (TRICK, {"ply": TRICK.ply + 1}, "/ply", "wrong-ply"),
    (TRICK, {"shuffles": 1}, "/shuffles", "wrong-shuffles"),
    (TRICK, {"scores": at(TRICK.scores, 0, 99)}, "/scores", "wrong-scores"),
    (LAST, {"outcome": None}, "/outcome", "wrong-outcome"),
    (FRESH, {"outcome": LAST.outcome}, "/outcome", "wrong-outcome"),
    (
        TRICK,
        kept(TRICK, 0, wishes=at(TRICK.rounds[0].wishes, 1, "very_fine")),
        "/table/rounds/0/wishes/1",
        "wrong-value",
    ),
    (TRICK, kept(TRICK, 0, wishes=at(TRICK.rounds[0].wishes, 1, None)), "/table/rounds/0/wishes/1", "wrong-value"),
    (TRICK, kept(TRICK, 0, announced=(None, "fine", None)), "/table/rounds/0/announced/1", "wrong-value"),
    (
        ANNOUNCING,
        kept(ANNOUNCING, 0, announced=at(ANNOUNCING.rounds[0].announced, 2, None)),
        "/table/rounds/0/announced/2",
        "wrong-value",
    ),
    (TRICK, kept(TRICK, 0, tricks=at(TRICK.rounds[0].tricks, 1, 11)), "/table/rounds/0/tricks", "wrong-count"),
    (TRICK, kept(TRICK, 0, tricks=at(TRICK.rounds[0].tricks, 1, 11)), "/table/rounds/0/won/1", "wrong-count"),
    (
        TRICK,
        kept(TRICK, 0, won=(TRICK.rounds[0].won[0]._replace(S=4), *TRICK.rounds[0].won[1:])),
        "/table/rounds/0/won",
        "wrong-count",
    ),
    (TRICK, kept(TRICK, 0, points=at(TRICK.rounds[0].points, 1, 50)), "/table/rounds/0/points", "wrong-scores"),
    (TRICK, {"last_wishes": (None, None, None)}, "/table/last_wishes", "wrong-value"),
    (LAST, {"last_wishes": LAST.wishes}, "/table/last_wishes", "wrong-value"),
    (TRICK, {"advanced": (True, True, True)}, "/table/advanced", "wrong-value"),
    (
        LAST,
        {"wishes": at(LAST.wishes, 0, "fine" if LAST.wishes[0] != "fine" else "snow")},
        "/table/rounds/2",
        "wrong-value",
    ),
    (FRESH, {"wishes": ("fine", None, None), "to_act": (1,), "ply": 1}, "/table/wishes", "wrong-order"),
    (
        FRESH,
        {"wishes": (None, "very_fine", None), "to_act": (2,), "ply": 1},
        "/table/wishes/1",
        "wrong-value",
    ),
    (FRESH, {"announced": ("fine", None, None)}, "/table/announced/0", "wrong-value"),
    (FRESH, {"wish_order": (1, 0, 2)}, "/table/wish_order", "wrong-order"),
    (TRICK, {"first_lead": (TRICK.first_lead + 1) % 3}, "/table/first_lead", "wrong-lead"),
    (FRESH, {"lead": 0}, "/table/lead", "wrong-lead"),
    (FRESH, {"trick": (TrickCard(1, "F1"),)}, "/table/trick", "wrong-count"),
    (FRESH, {"tricks_won": (1, 0, 0)}, "/table/tricks_won", "wrong-count"),
    (
        TRICK,
        {"trick": (*TRICK.trick, TrickCard(TRICK.to_act[0], TRICK.hands[TRICK.to_act[0]][0]))},
        "/table/trick",
        "wrong-count",
    ),
    (TRICK, {"trick": TRICK.trick[::-1]}, "/table/trick/0/seat", "wrong-lead"),
    (
        TRICK,
        {"trick": (TRICK.trick[0], TrickCard(TRICK.to_act[0], TRICK.trick[1].card))},
        "/table/trick",
        "wrong-order",
    ),
    (TRICK, {"hands": at(TRICK.hands, 0, TRICK.hands[0][::-1])}, "/table/hands/0", "wrong-order"),
    (TRICK, {"hands": at(TRICK.hands, 0, ())}, "/table/hands/0", "wrong-count"),
    (TRICK, {"captured": ((), (), ())}, "/table", "missing-card"),
    (TRICK, {"captured": at(TRICK.captured, TRICK.lead, ())}, f"/table/captured/{TRICK.lead}", "wrong-count"),
    (TRICK, {"aside": TRICK.aside[1:]}, "/table/aside", "wrong-count"),
    (TRICK, {"aside": (*TRICK.aside[1:], "X9")}, "/table/aside", "unknown-card"),
]


@pytest.mark.parametrize(("state", "change", "pointer", "code"), CASES)
def test_what_contradicts_is_found(state: State, change: dict[str, Any], pointer: str, code: str) -> None:
    found = GAME.findings(state._replace(**change))
    assert (pointer, code) in {(finding.pointer, finding.code) for finding in found}


def test_announcements_come_in_order_and_from_the_game_in_play() -> None:
    order = ANNOUNCING.wish_order
    skipped = ANNOUNCING._replace(announced=at((None,) * 4, order[1], "fine"), ply=ANNOUNCING.ply + 1)
    assert [finding.pointer for finding in GAME.findings(skipped)] == ["/table/announced"]
    basic = ANNOUNCING.options._replace(wishes="basic")
    state = ANNOUNCING._replace(options=basic, announced=at((None,) * 4, order[0], "very_fine"))
    assert f"/table/announced/{order[0]}" in [finding.pointer for finding in GAME.findings(state)]


def test_a_seat_without_a_trick_cannot_lead_the_next() -> None:
    tricks = LED.tricks_won
    for seat in {0, 1, 2} - {LED.lead}:
        found = GAME.findings(LED._replace(lead=seat, to_act=(seat,)))
        expected = [] if tricks[seat] else [("/table/lead", "wrong-lead")]
        assert [(finding.pointer, finding.code) for finding in found] == expected
    assert 0 in tricks


def test_equal_scores_leave_open_who_led_before() -> None:
    """TNM-R3 with a first lead player of round 1 that the state does not tell."""
    second = next(state for state in OPEN if state.round == 2)
    done = second.rounds[0]
    level = done._replace(wishes=("thunder",) * 3, won=tuple([won._replace(T=0, S=0) for won in done.won]))
    level = level._replace(points=round_points(second.options, level))
    assert level.points == (0, 0, 0)
    for last in range(3):
        leader = (last + 1) % 3
        order = (leader, (leader + 1) % 3, (leader + 2) % 3)
        state = second._replace(
            rounds=(level,), scores=level.points, first_lead=leader, lead=leader, wish_order=order, to_act=(leader,)
        )._replace(last_wishes=level.wishes)
        assert {finding.pointer.split("/")[2] for finding in GAME.findings(state) if "/table" in finding.pointer} <= {
            "rounds"
        }
        assert totals(3, (level, level)) == (0, 0, 0)
        third = state._replace(round=3, rounds=(level, level))
        assert not {"/table/first_lead", "/table/wish_order"} & {finding.pointer for finding in GAME.findings(third)}


def noise(value: Any, dice: random.Random) -> Any:
    """Something of the same shape as the plain value, mostly the same."""
    if isinstance(value, dict):
        return {name: noise(part, dice) for name, part in value.items()}
    if isinstance(value, tuple):
        parts = [noise(part, dice) for part in value]
        return parts[: dice.randrange(len(parts) + 1)] if dice.random() < 0.05 else parts
    if dice.random() < 0.8:
        return value
    if isinstance(value, str):
        return dice.choice(DECK if value in DECK else WISHES)
    return dice.choice((True, False)) if isinstance(value, bool) else dice.randrange(4)


@pytest.mark.parametrize("state", [*OPEN[::8], *CLOSED[::8], LAST])
def test_findings_answer_for_any_well_shaped_state(state: State) -> None:
    dice, data = random.Random(8), GAME.write_state(state)
    for name in [*data["table"]] * 4:
        table = {**data["table"], name: noise(data["table"][name], dice)}
        changed = GAME.read_state({**data, "table": table, "round": noise(data["round"], dice)})
        assert isinstance(GAME.findings(changed), tuple)
