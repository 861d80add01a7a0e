"""Seeds faults on purpose, five a game, one on each surface, that show a viewer what it may not know.

None of them shows in an ordinary test of the rules; the check for interference must see every one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from gyoji.api import bodies
from gyoji.app import adjudication
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Accepted, Chance, Finding, IllegalMove, Infraction, Move
from gyoji.messages.language import Language
from gyoji.messages.problems import Answer
from laws.piles import value_at

Seeded = Callable[[pytest.MonkeyPatch, str], None]
"""Puts the fault into the game of that slug, until the patch is undone."""


def _with(patch: pytest.MonkeyPatch, slug: str, **functions: Any) -> None:
    patch.setitem(BY_SLUG, slug, BY_SLUG[slug]._replace(**functions))


# Views


def _view_leak(shown: Callable[[Any, int | None, dict[str, Any]], dict[str, Any]]) -> Seeded:
    """``shown``: state, viewer and what should be seen of the table -> the members that are seen instead."""

    def seeded(patch: pytest.MonkeyPatch, slug: str) -> None:
        honest = BY_SLUG[slug].seen

        def seen(state: Any, seat: int | None) -> dict[str, Any]:
            honestly = honest(state, seat)
            return {**honestly, **shown(state, seat, honestly)}

        _with(patch, slug, seen=seen)

    return seeded


def own_captured_cards(state: Any, seat: int | None, table: dict[str, Any]) -> dict[str, Any]:
    """Won cards may be looked at by who has won them."""
    if seat is None:
        return {}
    return {"captured": [state.captured[at] if at == seat else pile for at, pile in enumerate(table["captured"])]}


def open_discard(state: Any, _seat: int | None, _table: dict[str, Any]) -> dict[str, Any]:
    """The cat cards that are out of play lie face up."""
    return {"discard": state.discard}


def open_choices(state: Any, _seat: int | None, _table: dict[str, Any]) -> dict[str, Any]:
    """What the others have chosen for the swap is shown."""
    return {"swap": state.swap}


def next_errands(state: Any, _seat: int | None, table: dict[str, Any]) -> dict[str, Any]:
    """The top errand of each pile can be read."""
    piles = zip(table["piles"].items(), state.piles, strict=True)
    return {"piles": {level: {**seen, "top": pile[:1]} for (level, seen), pile in piles}}


# Legal moves


def all_seats_moves(patch: pytest.MonkeyPatch, slug: str) -> None:
    """A viewer gets the legal moves of every seat that is to act."""
    honest = adjudication.CALLS["views"]

    def view(game: Any, request: Mapping[str, Any], instance: str, language: Language) -> Answer:
        answer = honest(game, request, instance, language)
        moves = game.legal_moves(game.read_state(request["state"]))
        return Answer(answer.status, {**answer.body, "legal_moves": moves}) if answer.status == 200 else answer

    assert slug in BY_SLUG
    patch.setattr(adjudication, "CALLS", {**adjudication.CALLS, "views": view})


def _moves_leak(listed: Callable[[Any, list[Move]], list[Move]]) -> Seeded:
    def seeded(patch: pytest.MonkeyPatch, slug: str) -> None:
        honest = BY_SLUG[slug].legal_moves
        _with(patch, slug, legal_moves=lambda state: listed(state, honest(state)))

    return seeded


def best_moves_first(state: Any, moves: list[Move]) -> list[Move]:
    """Cards that the seat on the left holds nothing above come first."""
    if state.phase != "trick":
        return moves
    left = state.hands[(state.to_act[0] + 1) % state.seats]
    return sorted(moves, key=lambda move: any(_beats(card, move["card"]) for card in left))


def _beats(card: str, other: str) -> bool:
    return card[0] == other[0] and int(card[1:]) > int(other[1:])


def no_pass_into_a_twilight_card(state: Any, moves: list[Move]) -> list[Move]:
    """Passing is not offered while the card that would be drawn is one of a kind."""
    return [move for move in moves if move["type"] != "pass" or state.deck[:1] < ("T",)]


def easy_errands_first(state: Any, moves: list[Move]) -> list[Move]:
    """Where a pile can be chosen, the levels come in the order of what lies on top."""
    tops = [pile[0] if pile else "" for pile in state.piles]
    return sorted(moves, key=lambda move: tops[move["level"] - 1][::-1] if "level" in move else "")


# Refusals


def _refusal_leak(worded: Callable[[Any, Move, Infraction], Infraction]) -> Seeded:
    def seeded(patch: pytest.MonkeyPatch, slug: str) -> None:
        honest = BY_SLUG[slug].adjudicate

        def adjudicate(state: Any, move: Move, chance: Chance) -> Accepted[Any] | IllegalMove:
            ruling = honest(state, move, chance)
            return IllegalMove(worded(state, move, ruling.infraction)) if isinstance(ruling, IllegalMove) else ruling

        _with(patch, slug, adjudicate=adjudicate)

    return seeded


def another_seats_card(state: Any, move: Move, infraction: Infraction) -> Infraction:
    """The sentence names a card of the next seat in place of the mover's."""
    theirs = state.hands[(move["seat"] + 1) % state.seats][:1] or ("",)
    return infraction._replace(facts={**infraction.facts, "card": theirs[0]})


def played_out_cards_sound_otherwise(state: Any, move: Move, infraction: Infraction) -> Infraction:
    """A card that is not in the hand is missed in other words when it is out of play."""
    missed = infraction.because == "card-not-in-hand" and move["card"] in state.discard
    return infraction._replace(because="card-not-in-row") if missed else infraction


def seat_of_the_holder(state: Any, move: Move, infraction: Infraction) -> Infraction:
    """The refusal names the seat that does hold the card."""
    holders = [seat for seat, hand in enumerate(state.hands) if move.get("card") in hand]
    return infraction._replace(seat=holders[0]) if holders else infraction


def rule_for_the_top_errand(state: Any, move: Move, infraction: Infraction) -> Infraction:
    """A rule is cited only when the errand lies on top of its pile."""
    tops = {errand for pile in state.piles for errand in pile[:1]}
    return infraction._replace(rule="FAM-2.3") if move.get("errand") in tops else infraction


# Findings


def _findings_leak(found: Callable[[Any, tuple[Finding, ...]], tuple[Finding, ...]]) -> Seeded:
    """Only where a state is impossible already: no position of the game is refused."""

    def seeded(patch: pytest.MonkeyPatch, slug: str) -> None:
        honest = BY_SLUG[slug].findings

        def findings(state: Any) -> tuple[Finding, ...]:
            honestly = honest(state)
            return found(state, honestly) if honestly else ()

        _with(patch, slug, findings=findings)

    return seeded


def pointer_to_a_wish(state: Any, honestly: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The pointer spells out what the seat has wished for."""
    return (*honestly, *[Finding(f"/table/wishes/{wish}", "wrong-value") for wish in state.wishes if wish])


def pointer_with_a_card(state: Any, honestly: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The pointer ends in the card that lies there, not in its place."""
    return (*honestly, *[Finding(f"/table/aside/{card}", "wrong-order") for card in state.aside[:1]])


def order_by_the_deck(state: Any, honestly: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The top card of the deck turns the findings round, and doubles a single one."""
    return honestly if state.deck[:1] < ("N",) else (*honestly[::-1], *honestly[:1])


def code_by_the_pile(state: Any, honestly: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The code depends on the errand that would come next."""
    hard = any(errand.endswith(("15", "18", "21")) for pile in state.piles for errand in pile[:1])
    return tuple([found._replace(code="wrong-value") for found in honestly]) if hard else honestly


# Errors of shape


def _errors_leak(told: Callable[[Any, list[tuple[str, str]]], list[tuple[str, str]]]) -> Seeded:
    def seeded(patch: pytest.MonkeyPatch, slug: str) -> None:
        honest = bodies.body_errors

        def errors(game: str, call: str, body: Any) -> list[tuple[str, str]]:
            honestly = honest(game, call, body)
            return told(body, honestly) if honestly and game == slug else honestly

        patch.setattr(adjudication, "body_errors", errors)

    return seeded


def echo_of_the_value(body: Any, honestly: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The pointer of a wrong value is followed by the value."""
    return [(f"{pointer}={_found(body, pointer)}", code) for pointer, code in honestly]


def _found(body: Any, pointer: str) -> Any:
    steps: Sequence[str] = pointer.split("/")[1:]
    try:
        return value_at(body, tuple(int(step) if step.isdigit() else step for step in steps))
    except (KeyError, IndexError, TypeError):
        return None


def first_card_of_the_hand(body: Any, honestly: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """A wrong hand is pointed to by the card that lies first in it."""
    hands = body["state"]["table"].get("hands", [])
    return [*honestly, *[(f"/state/table/hands/{hand[0]}", "not-allowed") for hand in hands if hand]]


def start_of_the_seed(body: Any, honestly: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """A wrong seed is quoted in part."""
    return [(f"{pointer}:{body['state']['seed'][:4]}", code) for pointer, code in honestly]


def at_the_colours_of_the_top_card(body: Any, honestly: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """What the next card to be drawn is decides where an error is said to be."""
    top = str(body["state"]["table"]["draw"][:1])
    return [(pointer + "/" * top.count("R"), code) for pointer, code in honestly]


LEAKS: Mapping[tuple[str, str], Seeded] = {
    ("tomorrow-never-meows", "view"): _view_leak(own_captured_cards),
    ("catte", "view"): _view_leak(open_discard),
    ("towai", "view"): _view_leak(open_choices),
    ("familiars-trouble", "view"): _view_leak(next_errands),
    ("tomorrow-never-meows", "legal moves"): all_seats_moves,
    ("catte", "legal moves"): _moves_leak(best_moves_first),
    ("towai", "legal moves"): _moves_leak(no_pass_into_a_twilight_card),
    ("familiars-trouble", "legal moves"): _moves_leak(easy_errands_first),
    ("tomorrow-never-meows", "refusal"): _refusal_leak(another_seats_card),
    ("catte", "refusal"): _refusal_leak(played_out_cards_sound_otherwise),
    ("towai", "refusal"): _refusal_leak(seat_of_the_holder),
    ("familiars-trouble", "refusal"): _refusal_leak(rule_for_the_top_errand),
    ("tomorrow-never-meows", "findings"): _findings_leak(pointer_to_a_wish),
    ("catte", "findings"): _findings_leak(pointer_with_a_card),
    ("towai", "findings"): _findings_leak(order_by_the_deck),
    ("familiars-trouble", "findings"): _findings_leak(code_by_the_pile),
    ("tomorrow-never-meows", "422"): _errors_leak(echo_of_the_value),
    ("catte", "422"): _errors_leak(first_card_of_the_hand),
    ("towai", "422"): _errors_leak(start_of_the_seed),
    ("familiars-trouble", "422"): _errors_leak(at_the_colours_of_the_top_card),
}
"""By game and surface."""
