"""What the golden replays of Familiar's Trouble show."""

from itertools import pairwise

from tools.golden_shows.logs import Document, Log, happened, outcome, tricks, turns


def exchange_that_comes_back(log: Log) -> bool:
    """FAM-2.2: the lead player gets back the card that it passed."""
    passed = happened(log, "card_passed")
    return any(
        len({first["card"], second["card"], third["card"]}) == 1
        and first["card"] != "RBG1"
        and [event["from"] for event in (second, third)] == [first["to"], second["to"]]
        and third["to"] == first["from"]
        for first, second, third in zip(passed, passed[1:], passed[2:], strict=False)
    )


def exchange_of_the_last_cards(log: Log) -> bool:
    """FAM-R3: in the ninth round the one card left each goes round."""
    after_eight = [turn for turn in turns(log) if turn.move["type"] in ("exchange", "skip_exchange")][-1]
    return bool(after_eight.move["type"] == "exchange")


def errand_exchange(log: Log) -> bool:
    """FAM-2.3: an errand is replaced and comes up again later, from the bottom of its pile."""
    gone = {event["discarded"] for event in happened(log, "errand_replaced")}
    back = {event["errand"] for event in happened(log, "errand_turned_up")}
    again = {event["turned_up"] for event in happened(log, "errand_replaced")}
    return bool(gone & (back | again))


def replenishing_several(log: Log) -> bool:
    """FAM-4.2, FAM-5.1: one verdict completes three errands, and the display is filled one by one."""
    return any(len(event["errands"]) > 2 for event in happened(log, "errands_completed"))


def highest_of_any_colour(log: Log) -> bool:
    """FAM-3.8: the winner's card does not match the lead card."""
    return any(not _matches(trick) for trick in tricks(log))


def _matches(trick: Document) -> bool:
    """Whether a card of the highest value shares a colour with the lead."""
    top = max(int(card[-1]) for card in trick["cards"])
    first = next(card for card in trick["cards"] if int(card[-1]) == top)
    return bool({*first[:-1]} & {*trick["cards"][0][:-1]})


def all_piles_empty(log: Log) -> bool:
    """FAM-2.4, FAM-5.1: errands are completed and none is turned up for them; then the errand exchange is skipped."""
    played = turns(log)
    for at, (turn, after) in enumerate(pairwise(played)):
        completed = [event for event in turn.events if event["type"] == "errands_completed" and event["errands"]]
        if completed and after.move["type"] != "draw_errand":
            return any(later.move["type"] == "skip_errand" for later in played[at:])
    return False


def three_colours_led(log: Log) -> bool:
    """FAM-3.5: a three-colour card is led and followed with any card."""
    return any(trick["cards"][0] == "RBG1" for trick in tricks(log))


def rated_good(log: Log) -> bool:
    """FAM-6.3: a score of 30 to 39."""
    return bool(outcome(log)["rating"] == "good")
