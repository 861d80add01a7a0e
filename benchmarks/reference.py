"""A driver of the least trick game in plain Python: the limit of what our rules could reach on this machine.

Four seats, 52 cards, thirteen tricks; follow suit; the highest card of the suit that was led takes the trick; a heart
costs a point, the queen of spades thirteen. It is the game of boardgame.io's driver, and of OpenSpiel's in short. A
state is a dict that is never changed; a move is validated against the legal ones and gives a new one. There are no
phases, no rounds, no events, no options and no reasons for a refusal: ours have all of these.

usage: python -m benchmarks.reference SECONDS NUMBER [turns]
"""

import json
import sys
from collections.abc import Sequence
from random import Random
from time import thread_time
from typing import Any

from benchmarks.turns import WORD, answer_turns

SEATS, TRICKS = 4, 13
RANKS = "23456789TJQKA"
PACK = [suit + rank for suit in "CDHS" for rank in RANKS]
HEIGHT = {card: RANKS.index(card[1]) for card in PACK}
POINTS = {card: 13 if card == "SQ" else int(card[0] == "H") for card in PACK}
WARM_UP = 0.25

State = dict[str, Any]


def deal_cards(rng: Random) -> State:
    """Return the first position."""
    pack = rng.sample(PACK, len(PACK))
    hands = tuple([tuple(pack[seat * TRICKS : (seat + 1) * TRICKS]) for seat in range(SEATS)])
    return {"hands": hands, "to_act": 0, "trick": (), "points": (0,) * SEATS, "taken": 0}


def legal_cards(state: State) -> Sequence[str]:
    """Return the cards that the seat may play."""
    hand: tuple[str, ...] = state["hands"][state["to_act"]]
    trick = state["trick"]
    if not trick:
        return hand
    suit = trick[0][0]
    return [card for card in hand if card[0] == suit] or hand


def play_card(state: State, card: str) -> State:
    """Return the next state. Raises ``ValueError`` for a card that may not be played."""
    if card not in legal_cards(state):
        raise ValueError(card)
    seat, hands, trick = state["to_act"], state["hands"], (*state["trick"], card)
    left = tuple([other for other in hands[seat] if other != card])
    hands = (*hands[:seat], left, *hands[seat + 1 :])
    if len(trick) < SEATS:
        return {**state, "hands": hands, "to_act": (seat + 1) % SEATS, "trick": trick}
    winner = (seat + 1 + _best(trick)) % SEATS
    points = state["points"]
    points = (*points[:winner], points[winner] + sum(map(POINTS.__getitem__, trick)), *points[winner + 1 :])
    return {"hands": hands, "to_act": winner, "trick": (), "points": points, "taken": state["taken"] + 1}


def _best(trick: Sequence[str]) -> int:
    suit, best = trick[0][0], 0
    for at, card in enumerate(trick):
        if card[0] == suit and HEIGHT[card] > HEIGHT[trick[best]]:
            best = at
    return best


def time_game(state: State, draws: Sequence[float]) -> float:
    """Time one game, in seconds."""
    begun = thread_time()
    for draw in draws:
        cards = legal_cards(state)
        state = play_card(state, cards[int(draw * len(cards))])
    took = thread_time() - begun
    if state["taken"] != TRICKS or sum(state["points"]) != 26:
        raise RuntimeError("a game that did not come to its end")
    return took


def measure_rate(seconds: float, rng: Random) -> dict[str, float]:
    """Measure moves a second over as many games as fill that time."""
    games, spent = 0, 0.0
    while spent < seconds:
        spent += time_game(deal_cards(rng), [rng.random() for _ in PACK])
        games += 1
    return {"moves_per_second": games * len(PACK) / spent}


if __name__ == "__main__":
    duration, repeat, *how = sys.argv[1:]
    source = Random(int(repeat))
    measure_rate(WARM_UP, source)
    if how == [WORD]:
        answer_turns(lambda: measure_rate(float(duration), source))
    else:
        print(json.dumps(measure_rate(float(duration), source)))
