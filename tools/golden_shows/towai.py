"""What the golden replays of TOWAI show."""

from itertools import pairwise

from tools.golden_shows.logs import Log, Turn, happened, turns, types


def reset_inside_a_combo(log: Log) -> bool:
    """TOW-5.3: a 4, then a T4 in the same turn; and the new lead is another number."""
    played = turns(log)
    return any(
        _continues(before, turn)
        and turn.move["card"] == "T4"
        and "pile_discarded" in types(turn)
        and after.move["card"][1] != "4"
        for before, turn, after in zip(played, played[1:], played[2:], strict=False)
    )


def _continues(before: Turn, turn: Turn) -> bool:
    """The same seat goes on with a combo."""
    both_play = before.move["type"] == turn.move["type"] == "play"
    return (
        both_play
        and before.move["seat"] == turn.move["seat"]
        and "daylight" not in turn.move
        and before.move["card"][1] == turn.move["card"][1]
    )


def swap_that_feeds_the_combo(log: Log) -> bool:
    """TOW-5.4, TOW-R6: the 5 just received in the swap is played on, and there was none of it before."""
    played = turns(log)
    for turn, after in pairwise(played):
        if after.move["type"] != "play" or turn.move["type"] != "swap":
            continue
        seat, card = after.move["seat"], after.move["card"]
        received = [event["card"] for event in turn.events if event.get("to") == seat]
        given = [event["card"] for event in turn.events if event.get("from") == seat]
        if received == [card] != given and card[1] == "5":
            return True
    return False


def swap_between_two_seats(log: Log) -> bool:
    """TOW-R8: right and left are the same seat."""
    return bool(happened(log, "card_passed"))


def re_formed_deck(log: Log) -> bool:
    """TOW-6.3: the deck runs out when a card has to be drawn, and more than a few cards make the new one."""
    return any(event["count"] > 5 for event in happened(log, "deck_reformed"))


def deck_re_formed_among_draws(log: Log) -> bool:
    """TOW-5.2, TOW-R4: a T3 makes all others draw, and the deck runs out between two of them."""
    return any(
        turn.move.get("card") == "T3"
        and "card_drawn" in types(turn)[: types(turn).index("deck_reformed")]
        and types(turn)[-1] == "card_drawn"
        for turn in turns(log)
        if "deck_reformed" in types(turn)
    )


def nothing_left_to_draw(log: Log) -> bool:
    """TOW-6.4: a pass that draws nothing counts all the same."""
    return any(turn.move["type"] == "pass" and "card_drawn" not in types(turn) for turn in turns(log))


def first_card_of_any_kind(log: Log) -> bool:
    """TOW-R3: a lead that does not fit the state declared."""
    wrong = {("day", "N"), ("night", "D")}
    return any((turn.move.get("daylight"), turn.move.get("card", " ")[0]) in wrong for turn in turns(log))


def last_card_without_effect(log: Log) -> bool:
    """TOW-5.5: the T5 that empties a hand makes no swap and no flip."""
    return any(turn.move.get("card") == "T5" and "round_finished" in types(turn) for turn in turns(log))


def all_others_pass(log: Log) -> bool:
    """TOW-6.2: who played last leads again."""
    return any(event["rule"] == "TOW-6.2" for event in happened(log, "pile_discarded"))


def three_finishes(log: Log) -> bool:
    """TOW-7.2, TOW-7.3: with three finishes to win, at least two seats have finished."""
    return len({event["seat"] for event in happened(log, "round_finished")}) > 1
