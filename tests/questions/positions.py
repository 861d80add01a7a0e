"""Real positions of every game that can be asked, and what a referee sees of them: by the members of their tables, not
by what the games say of questions."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

from gyoji.games.catalogue import GAMES
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Game, Move
from plugin.installed import PACKAGE

sys.path.append(str(PACKAGE))
LANTERNS: Game[Any] = import_module("gyoji_lanterns").GAME

ASKED: dict[str, Game[Any]] = {game.slug: game for game in (*GAMES, LANTERNS) if game.questions is not None}
"""Every game that can be asked."""

OPTIONS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "catte": ({}, {"deck": [f"{colour}{number}" for colour in "BWK" for number in range(20, 34)]}),
    "towai": ({}, {"first_card": "any"}),
    "familiars-trouble": ({"hand_exchange": False, "errand_exchange": False}, {"lead_rule": "any"}),
}
HIDDEN = {"deck", "aside", "draw"}
"""Where cards lie that nobody has seen, beside the hands."""
CARDS = {"play"}
SEED = "5c" * 64
"""Of what is dealt after a move that is ruled on: that decides no ruling."""


class Seen(NamedTuple):
    """A real position, what is known of it, and the cards that are not."""

    state: Any
    known: dict[str, Any]
    unseen: int
    """How many cards of the hand are not seen."""
    worlds: tuple[Any, ...]
    """Every position that differs in where the unseen cards lie; all of them possible."""


def decisions(game: Game[Any], chance: Random) -> Iterator[Any]:
    """The positions of a random game in which a move may be asked about."""
    options = game.read_options(chance.choice(OPTIONS.get(game.slug, ({},))))
    numbers = [seats for seats in range(game.min_seats, game.max_seats + 1) if not game.contradictions(seats, options)]
    seed = f"{chance.getrandbits(512):0128x}"
    state = game.start(chance.choice(numbers), options, 0, seed, deal_v1(seed)).state
    for _ply in range(150):
        if state.outcome is not None:
            return
        moves = game.legal_moves(state)
        if len(state.to_act) == 1 and any(move["type"] in CARDS for move in moves):
            yield state
        ruling = game.adjudicate(state, chance.choice(moves), deal_v1(seed))
        assert isinstance(ruling, Accepted)
        state = ruling.state


def facts(state: Any) -> dict[str, Any]:
    """What the table shows of the trick or of the pile."""
    if hasattr(state, "trick"):
        return {"led": state.trick[0].card if state.trick else None}
    top = state.pile[-1] if state.pile else None
    shown = {"top": top, "phase": state.phase}
    return shown if state.daylight is None else {**shown, "daylight": state.daylight}


def see(game: Game[Any], state: Any, chance: Random, few: int) -> Seen:
    """Hide a few cards of the hand of whoever is to act, and of what lies face down elsewhere."""
    (seat,) = state.to_act
    hand = [*state.hands[seat]]
    mine = chance.randint(0, min(3, len(hand)))
    away = [(name, at) for name, pile in _piles(state, seat) for at in range(len(pile))]
    places = [("hand", at) for at in chance.sample(range(len(hand)), mine)]
    places += chance.sample(away, min(len(away), few - mine))
    piles = {"hand": hand, **{name: [*pile] for name, pile in _piles(state, seat)}}
    cards = [piles[name][at] for name, at in places]
    worlds = [_world(game, state, seat, piles, places, dealt) for dealt in sorted({*permutations(cards)})]
    assert all(not game.findings(world) for world in worlds)
    seen = Counter(hand) - Counter(cards[:mine])
    shown = facts(state)
    elsewhere = Counter(game.questions.deck(state.options)) - Counter(hand) - Counter(cards[mine:])
    elsewhere -= Counter([value for value in shown.values() if value in elsewhere])
    known = {
        "options": _options(game, state),
        "seats": state.seats,
        **shown,
        "hand": [*seen.elements()],
        "elsewhere": [*elsewhere.elements()],
    }
    return Seen(state, known, mine, tuple(worlds))


def _options(game: Game[Any], state: Any) -> dict[str, Any]:
    return game.write_options(state.options)


def _piles(state: Any, seat: int) -> list[tuple[str, Sequence[str]]]:
    hands = [(f"hands/{other}", hand) for other, hand in enumerate(state.hands) if other != seat]
    return [*hands, *((name, getattr(state, name)) for name in state._fields if name in HIDDEN)]


def _world(
    game: Game[Any],
    state: Any,
    seat: int,
    piles: Mapping[str, Sequence[str]],
    places: Sequence[tuple[str, int]],
    dealt: Sequence[str],
) -> Any:
    """The position with these cards in these places."""
    order = {card: at for at, card in enumerate(game.questions.deck(state.options))}
    lying = {name: [*pile] for name, pile in piles.items()}
    for (name, at), card in zip(places, dealt, strict=True):
        lying[name][at] = card
    hands = [
        tuple(sorted(lying["hand" if other == seat else f"hands/{other}"], key=order.__getitem__))
        for other in range(state.seats)
    ]
    rest = {name: tuple(pile) for name, pile in lying.items() if name in HIDDEN}
    return state._replace(hands=tuple(hands), **rest)


def moves(state: Any, known: Mapping[str, Any]) -> list[Move]:
    """What may be asked in that position: each seen card, one that is not seen, and what needs no card."""
    cards: list[Move] = [{"type": "play", "card": card} for card in dict.fromkeys(known["hand"])]
    if not hasattr(state, "pile"):
        return cards
    if state.phase == "lead":
        cards = [{**move, "daylight": daylight} for move in cards for daylight in ("day", "night")]
    return [*cards, {"type": "pass"}, {"type": "end_turn"}]


def ruled(game: Game[Any], world: Any, move: Move) -> tuple[bool, str | None]:
    """How the rules rule on a move of whoever is to act."""
    ruling = game.adjudicate(world, {**move, "seat": world.to_act[0]}, deal_v1(SEED))
    return (True, None) if isinstance(ruling, Accepted) else (False, ruling.infraction.reason)
