"""Questions are answered as all completions are ruled on, by the rules, one by one: every ruling is true in all of
them, and where they differ none is given."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

import pytest

from gyoji.games.game import Accepted, Game
from gyoji.games.known import Known, impossible, most_cards, read_known, tables, template
from gyoji.games.missing_fact import Found, consider
from gyoji.games.questions import HAND
from questions.positions import ASKED, decisions, moves, ruled, see

GAMES = 12
"""Random games of each, of which some positions are asked about."""
SMALL = 60
"""Small decks of each."""
FEW = 6
"""Cards of a real position that are not seen: at most 720 positions each."""


def asked(game: Game[Any], request: Mapping[str, Any]) -> Found:
    known = read_known(game, request)
    seats = tables(game, known)
    most = most_cards(game.questions, seats)
    assert not impossible(game.questions, known, most, request.get("move"))
    return consider(game, game.questions, known, most, template(game, seats[0], known.options), request.get("move"))


def outcomes(found: Found) -> set[Any]:
    return {(verdict.legal, verdict.reason) for each in found.completions for verdict in each.verdicts if verdict}


@pytest.mark.parametrize("slug", ASKED)
@pytest.mark.parametrize("path", range(GAMES))
def test_real_positions(slug: str, path: int) -> None:
    game, chance = ASKED[slug], Random(f"{slug} {path}")
    played = [*decisions(game, chance)]
    for state in chance.sample(played, min(3, len(played))):
        seen = see(game, state, chance, FEW)
        for move in moves(state, seen.known):
            of_the_rules = {ruled(game, world, move) for world in seen.worlds}
            counted = asked(game, {"known": {**seen.known, "others": seen.unseen}, "move": move})
            assert outcomes(counted) == of_the_rules
            assert (counted.missing is None) == (len(of_the_rules) == 1)
            # without knowing how many cards are not seen there are more positions
            uncounted = asked(game, {"known": seen.known, "move": move})
            assert outcomes(uncounted) >= of_the_rules
            if uncounted.missing is None:
                assert outcomes(uncounted) == {ruled(game, state, move)}


# Every completion of what is known, with no sort of cards and no hand left out


def every(game: Game[Any], known: Known, most: int) -> Iterator[Any]:
    """Every position that agrees, hand by hand."""
    questions = game.questions
    values, position = questions.values(known.options), template(game, tables(game, known)[0], known.options)
    deck = [*questions.deck(known.options)]
    for given in product(*values.values()):
        facts = dict(zip(values, given, strict=True))
        if any(facts[name] != value for name, value in known.facts.items()):
            continue
        if any((facts[a.fact] in a.among) != a.holds for a in known.answers if a.fact != HAND):
            continue
        left = Counter(deck)
        left.subtract([*known.hand, *known.elsewhere, *(value for value in given if value in left)])
        if any(copies < 0 for copies in left.values()):
            continue
        for others in _submultisets(+left):
            held = sum(others.values())
            hand = Counter(known.hand) + others
            if (held != known.others if known.others is not None else False) or not 1 <= sum(hand.values()) <= most:
                continue
            if any((not a.among.isdisjoint(others)) != a.holds for a in known.answers if a.fact == HAND):
                continue
            found = questions.position(
                position, facts, tuple([card for card in dict.fromkeys(deck) for _ in range(hand[card])])
            )
            if found is not None:
                yield found


def _submultisets(cards: Counter[str]) -> Iterator[Counter[str]]:
    for taken in product(*(range(copies + 1) for copies in cards.values())):
        yield +Counter(dict(zip(cards, taken, strict=True)))


def _partly(game: Game[Any], chance: Random) -> dict[str, Any]:
    """A question about a deck of which few cards are left: of facts, hand and answers any may be missing."""
    options = game.read_options({})
    deck = [*game.questions.deck(options)]
    chance.shuffle(deck)
    values = game.questions.values(options)
    known: dict[str, Any] = {}
    for name in values:
        if chance.random() < 0.7:
            value = chance.choice(
                [
                    value
                    for value in values[name]
                    if value is None or value not in game.questions.deck(options) or value in deck
                ]
            )
            known[name] = value
            if value in deck:
                deck.remove(value)
    seen, left = chance.randint(0, 3), chance.randint(2, 7)
    known["hand"], known["elsewhere"] = deck[:seen], deck[seen + left :]
    if chance.random() < 0.5:
        known["others"] = chance.randint(0 if seen else 1, 2)
    answers = [_answer(values, deck[seen : seen + left], chance) for _ in range(chance.choice([0, 0, 1, 2]))]
    card = chance.choice(deck[: seen + left])
    extra = {"daylight": chance.choice(["day", "night"])} if "daylight" in values and chance.random() < 0.3 else {}
    return {"known": known, "answers": answers, "move": {"type": "play", "card": card, **extra}}


def _answer(values: Mapping[str, Any], left: list[str], chance: Random) -> dict[str, Any]:
    fact = chance.choice([*values, HAND])
    among = left if fact == HAND else ["none" if value is None else value for value in values[fact]]
    return {"fact": fact, "among": chance.sample(among, chance.randint(1, len(among))), "is": chance.random() < 0.5}


@pytest.mark.parametrize("slug", ASKED)
@pytest.mark.parametrize("path", range(SMALL))
def test_small_decks(slug: str, path: int) -> None:
    game, chance = ASKED[slug], Random(f"small {slug} {path}")
    request = _partly(game, chance)
    known = read_known(game, request)
    most = most_cards(game.questions, tables(game, known))
    found = asked(game, request)
    of_the_rules = {ruled(game, position, request["move"]) for position in every(game, known, most)}
    assert outcomes(found) == of_the_rules
    assert (found.missing is None) == (len(of_the_rules) <= 1)
    if found.missing is not None:
        _holds_each_way(game, request, known, most, found)


def _holds_each_way(game: Game[Any], request: dict[str, Any], known: Known, most: int, found: Found) -> None:
    """Either answer leaves some positions, and fewer than before."""
    missing = found.missing
    assert missing is not None
    among = ["none" if value is None else value for value in missing.among]
    before = sum(1 for _ in every(game, known, most))
    sides = []
    for way in (True, False):
        answers = [*request["answers"], {"fact": missing.fact, "among": among, "is": way}]
        sides.append(sum(1 for _ in every(game, read_known(game, {**request, "answers": answers}), most)))
    assert sum(sides) == before
    assert all(sides)


@pytest.mark.parametrize("slug", ASKED)
def test_which_moves(slug: str) -> None:
    """Of the cards that are seen exactly those are listed that are legal somewhere, open where they are not
    everywhere."""
    game, chance = ASKED[slug], Random(f"which {slug}")
    for _ in range(100):
        request = _partly(game, chance)
        del request["move"]
        known = read_known(game, request)
        most = most_cards(game.questions, tables(game, known))
        found = asked(game, request)
        positions = [*every(game, known, most)]
        if not positions:
            continue
        listed = [
            [{name: value for name, value in move.items() if name != "seat"} for move in game.legal_moves(position)]
            for position in positions
        ]
        somewhere = [move for legal in listed for move in legal if move.get("card") in (*known.hand, None)]
        assert all(move in found.moves for move in somewhere)
        assert all(move in somewhere for move in found.moves)
        decided = all((move in legal) for move in found.moves for legal in listed)
        assert (found.missing is None) == decided


def test_a_law_of_every_game_that_a_legal_move_has_a_reason() -> None:
    for game in ASKED.values():
        for state in decisions(game, Random(game.slug)):
            for move in game.legal_moves(state):
                if move["type"] in game.questions.moves:
                    permission = game.questions.permits(state, move)
                    assert permission.because in game.questions.permitted
                    assert isinstance(game.adjudicate(state, move, lambda _l, _k, pile: tuple(pile)), Accepted)
