"""Makes two histories of a stored match that are one to a viewer.

A world is what chance and the seats have made of a match: how each shuffle came out, and every move. The second world
deals hidden cards otherwise, or has another seat choose otherwise in secret; it is kept if every move stands and the
viewer is told the same of everything (``stored_told``).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, Literal, NamedTuple

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1, shuffled
from gyoji.games.game import Accepted, Chance, Event, Game, Move
from laws.stored_told import PRIVATE, Viewer, told
from laws.strategies import Plain, copied, plain, seed_of
from laws.universe import OF_SEAT, WISHES

Shuffle = tuple[str, int]
"""Label and number of a shuffle."""

Told = tuple[Plain, ...]
"""A move and its events, as a viewer is told them."""

LONGEST = 70
"""Moves after which a history is cut, unless it is one of a whole game."""

LONGEST_GAME = 160

TRIES = 14


class World(NamedTuple):
    """What has happened, and what would happen next."""

    dealt: Mapping[Shuffle, tuple[str, ...]]
    seed: str
    """Where all shuffles come from that are not among ``dealt``."""
    moves: tuple[Move, ...]

    def chance(self, label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
        """Shuffle ``k``: as it is set, if it is one of these cards."""
        kept = self.dealt.get((label, k))
        if kept is not None and Counter(kept) == Counter(pile):
            return kept
        return shuffled(self.seed, label, k, pile)


class Setting(NamedTuple):
    """A match as it is set up."""

    game: Game[Any]
    seats: int
    options: Mapping[str, Any]
    first: int
    disclosure: Literal["public_on_close", "auditors_only"]
    visibility: Literal["private", "public"]
    withheld: bool = False
    """Whether it shares its deals with a match that is still played when it is over."""


class Pair(NamedTuple):
    """Two worlds that are one to the viewer."""

    number: int
    setting: Setting
    viewer: Viewer
    one: World
    other: World
    over: bool
    legal: tuple[Move, ...]
    """Some legal moves of the viewer's seat."""
    illegal: tuple[Move, ...]
    """Some moves that are refused in both worlds: of the viewer's seat, or else of any."""


def history(setting: Setting, world: World) -> Iterator[tuple[Any, Sequence[Event]]]:
    """Return every position with the move and the events that led to it; it ends early at a move that does not
    stand."""
    ruling = begun(setting, world.chance)
    yield ruling.state, ruling.events
    for move in world.moves:
        played = setting.game.adjudicate(ruling.state, move, world.chance)
        if not isinstance(played, Accepted):
            return
        ruling = played
        yield ruling.state, (move, *ruling.events)


def begun(setting: Setting, chance: Chance) -> Accepted[Any]:
    """Return the first deal."""
    options = setting.game.read_options(setting.options)
    return setting.game.start(setting.seats, options, setting.first, None, chance)


def seen(setting: Setting, world: World, viewer: Viewer) -> Iterator[Told]:
    """Return what the viewer may know, move by move."""
    concealed = bool(setting.options.get("concealed"))
    for _state, happened in history(setting, world):
        yield tuple([told(item, viewer, concealed) for item in happened])


def _alike(setting: Setting, before: Sequence[Told], world: World, viewer: Viewer) -> bool:
    now = seen(setting, world, viewer)
    return all(next(now, None) == expected for expected in before)


def last(setting: Setting, world: World) -> Any:
    """Return the position at the end."""
    *_, (state, _happened) = history(setting, world)
    return state


# Another world


def _another(setting: Setting, one: World, viewer: Viewer, choices: Random) -> World | None:
    """Find a second world for the viewer, if there is one."""
    before = [*seen(setting, one, viewer)]
    everything = [happened for _state, happened in history(setting, one)]
    unseen = _unseen(plain(setting.game, last(setting, one)), viewer)
    found, changes = one, 0
    for at in range(TRIES):
        kind = _all_at_once if at < 2 else choices.choice((_two_cards, _two_cards, _choice, _undealt))
        changed = kind(setting, found, viewer, unseen, choices)
        if changed != found and _alike(setting, before, changed, viewer):
            found, changes = changed, changes + 1
        if changes == 4:
            break
    other = found._replace(seed=seed_of(choices.getrandbits(32)))
    return other if [happened for _state, happened in history(setting, other)] != everything else None


def _unseen(state: Plain, viewer: Viewer) -> dict[str, list[str]]:
    """Return the cards that the viewer cannot see at the end: those of each pile of errands, and under ``""`` all
    others."""
    table = state["table"]
    hands = [card for seat, hand in enumerate(table["hands"]) if seat != viewer for card in hand]
    stacks = [card for name in ("aside", "deck", "draw") for card in table.get(name, ())]
    return {"": hands + stacks, **{f"errands-{level}": pile for level, pile in table.get("piles", {}).items()}}


Unseen = Mapping[str, Sequence[str]]

ENDINGS = 6
"""So many random games are played to see how a game ends."""


@cache
def endings(slug: str) -> tuple[Plain, ...]:
    """Return the last positions of those random games, with few and with many seats, that end soon."""
    found = []
    for number in range(ENDINGS):
        choices, chance = Random(f"{slug} {number}"), deal_v1(seed_of(number))
        game = BY_SLUG[slug]
        seats = game.max_seats if number % 2 else game.min_seats
        state = game.start(seats, game.read_options({}), 0, None, chance).state
        for _ply in range(LONGEST_GAME):
            ruling = game.adjudicate(state, choices.choice(game.legal_moves(state)), chance)
            assert isinstance(ruling, Accepted)
            state = ruling.state
            if state.outcome is not None:
                found.append(plain(game, state))
                break
    return tuple(found)


def ends_soon(slug: str) -> bool:
    """Tell whether a random game of any number of seats comes to its end in a short while."""
    return len(endings(slug)) == ENDINGS


def hides_at_the_end(slug: str) -> bool:
    """Tell whether cards may lie unseen when a game is over, so that two worlds can differ then."""
    return any(len(cards) > 1 for end in endings(slug) for cards in _unseen(end, None).values())


def _places(world: World, unseen: Unseen, choices: Random) -> tuple[Shuffle, list[int]]:
    """Return a shuffle, a late one rather than an early one, and where in it cards lie that may still be unseen."""
    shuffles = list(world.dealt)
    shuffle = max(choices.choice(shuffles), choices.choice(shuffles), key=shuffles.index)
    cards = unseen.get(shuffle[0], unseen[""])
    return shuffle, [at for at, card in enumerate(world.dealt[shuffle]) if card in cards]


def _all_at_once(setting: Setting, world: World, viewer: Viewer, unseen: Unseen, choices: Random) -> World:
    """Deal all unseen cards anew."""
    shuffle, places = _places(world, unseen, choices)
    pile = list(world.dealt[shuffle])
    for at, card in zip(places, choices.sample([pile[at] for at in places], len(places)), strict=True):
        pile[at] = card
    return world._replace(dealt={**world.dealt, shuffle: tuple(pile)})


def _two_cards(setting: Setting, world: World, viewer: Viewer, unseen: Unseen, choices: Random) -> World:
    """Exchange two unseen cards."""
    shuffle, places = _places(world, unseen, choices)
    return _exchanged(world, shuffle, choices.sample(places, 2)) if len(places) > 1 else world


def _undealt(setting: Setting, world: World, viewer: Viewer, unseen: Unseen, choices: Random) -> World:
    """Exchange two cards near the bottom of any shuffle: what was never dealt of an earlier round is never seen."""
    shuffle = choices.choice(list(world.dealt))
    bottom = range(len(world.dealt[shuffle]))[-8:]
    return _exchanged(world, shuffle, choices.sample(bottom, min(2, len(bottom))))


def _exchanged(world: World, shuffle: Shuffle, places: Sequence[int]) -> World:
    pile = list(world.dealt[shuffle])
    first, second = places[0], places[-1]
    pile[first], pile[second] = pile[second], pile[first]
    return world._replace(dealt={**world.dealt, shuffle: tuple(pile)})


def _choice(setting: Setting, world: World, viewer: Viewer, unseen: Unseen, choices: Random) -> World:
    """Another hidden choice of another seat: of a card to swap or to pass on, or of a concealed wish."""
    secret = [at for at, move in enumerate(world.moves) if move["type"] in PRIVATE and move["seat"] != viewer]
    if not secret:
        return world
    at = max(choices.choice(secret), choices.choice(secret))
    move = world.moves[at]
    if move["type"] == "wish":
        other = {**move, "wish": choices.choice(WISHES)}
    else:
        states = [state for state, _happened in history(setting, world._replace(moves=world.moves[:at]))]
        other = {**move, "card": choices.choice(states[-1].hands[move["seat"]])}
    return world._replace(moves=(*world.moves[:at], other, *world.moves[at + 1 :]))


# Worlds to try


def _options(slug: str, choices: Random) -> dict[str, Any]:
    drawn: Mapping[str, Mapping[str, Sequence[Any]]] = {
        "tomorrow-never-meows": {"concealed": (True, False), "wishes": ("all", "basic")},
        "catte": {"bust_bonus": ("keep", "forfeit")},
        "towai": {"finishes_to_win": (1, 2), "reform": ("either", "discard")},
        "familiars-trouble": {"hand_exchange": (True, True, False), "errand_exchange": (True, False)},
    }
    options: dict[str, Any] = {name: choices.choice(values) for name, values in drawn.get(slug, {}).items()}
    return {**options, "bluff_scoring": "per_trick"} if options.get("concealed") else options


def _one_world(setting: Setting, choices: Random, whole: bool) -> tuple[World, bool]:
    """Play a random game, or its beginning, and tell whether it is over; often just after a hidden choice."""
    dealt: dict[Shuffle, tuple[str, ...]] = {}
    seed = seed_of(choices.getrandbits(32))

    def chance(label: str, k: int, pile: Sequence[str]) -> tuple[str, ...]:
        dealt[label, k] = shuffled(seed, label, k, pile)
        return dealt[label, k]

    state, moves, secret = begun(setting, chance).state, list[Move](), list[int]()
    shuffles = [len(dealt)]
    most = LONGEST_GAME if whole else LONGEST
    while state.outcome is None and len(moves) < most:
        move = choices.choice(setting.game.legal_moves(state))
        ruling = setting.game.adjudicate(state, move, chance)
        assert isinstance(ruling, Accepted)
        state = ruling.state
        moves.append(move)
        shuffles.append(len(dealt))
        if move["type"] in PRIVATE:
            secret.append(len(moves))
    if whole and state.outcome is not None:
        return World(dealt, seed, tuple(moves)), True
    cut = choices.choice(secret) if secret and choices.random() < 0.4 else choices.randrange(len(moves))
    return World(dict(list(dealt.items())[: shuffles[cut]]), seed, tuple(moves[:cut])), False


def _attempt(slug: str, number: int, choices: Random) -> Pair | None:
    game = BY_SLUG[slug]
    seats = choices.randint(game.min_seats, game.max_seats)
    whole = choices.random() < 0.15
    disclosures: tuple[Literal["public_on_close", "auditors_only"], ...] = ("public_on_close", "auditors_only")
    visibilities: tuple[Literal["private", "public"], ...] = ("private", "public")
    withheld = whole and number % 3 != 1
    disclosure = disclosures[1] if whole else choices.choice(disclosures)
    first = choices.randrange(seats)
    setting = Setting(game, seats, _options(slug, choices), first, disclosure, choices.choice(visibilities))
    if withheld:  # whatever is told at the end is told to all, but not yet
        setting = setting._replace(disclosure=disclosures[number % 2], withheld=True)
    one, over = _one_world(setting, choices, whole)
    viewer = choices.choice([None, None, *range(seats), *last(setting, one).to_act * 2])
    other = _another(setting, one, viewer, choices)
    if other is None:
        return None
    legal, illegal = _probes(setting, one, other, viewer, choices)
    return Pair(number, setting, viewer, one, other, over, legal, illegal)


def _probes(
    setting: Setting, one: World, other: World, viewer: Viewer, choices: Random
) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """Moves to try at the end. The viewer's own legal moves are those of either world; they should be the same."""
    ends = [last(setting, world) for world in (one, other)]
    legal = setting.game.legal_moves(ends[0])
    accepted = [*legal, *setting.game.legal_moves(ends[1])]
    seats: Sequence[int] = (choices.choice(ends[0].to_act or (0,)),) if viewer is None else (viewer,)
    every = [move for seat in seats for move in OF_SEAT[setting.game.slug](plain(setting.game, ends[0]), seat)]
    refused = [move for move in every if move not in accepted]
    own = [move for move in legal if move["seat"] == viewer]
    return (
        tuple(choices.sample(own, min(4, len(own)))),
        tuple(copied(choices.sample(refused, min(9, len(refused))))),
    )


@cache
def pair(slug: str, number: int) -> Pair:
    """Return the pair of that number: always the same."""
    for attempt in range(200):
        found = _attempt(slug, number, Random(f"{slug} {number} {attempt}"))
        if found is not None:
            return found
    raise AssertionError("no second world was found for any history")
