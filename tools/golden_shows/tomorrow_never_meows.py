"""What the golden replays of Tomorrow Never Meows show."""

from collections.abc import Sequence

from tools.golden_shows.logs import Log, happened, lines, tricks


def snow_beats_thunder(log: Log) -> bool:
    """TNM-4.1, TNM-R8: a Snow led, a Thunder and a common card on it."""
    return any(
        trick["rule"] == "TNM-4.1" and trick["cards"][0][0] == "S" and {*"FCR"} & {card[0] for card in trick["cards"]}
        for trick in tricks(log)
    )


def every_way_to_win_a_trick(log: Log) -> bool:
    """TNM-4.1 to TNM-4.6."""
    return {trick["rule"] for trick in tricks(log)} == {f"TNM-4.{number}" for number in range(1, 7)}


def later_of_equal_cards(log: Log) -> bool:
    """TNM-4.4: a Snow led; of two common cards of the same highest number the later wins."""
    return any(trick["rule"] == "TNM-4.4" and _equal_tops(trick["cards"]) for trick in tricks(log))


def _equal_tops(cards: Sequence[str]) -> bool:
    numbers = [int(card[1:]) for card in cards if card[0] in "FCR"]
    return numbers.count(max(numbers)) > 1


def every_wish(log: Log) -> bool:
    """TNM-6.2 to TNM-6.6: all eight wishes are scored."""
    return len({event["wish"] for event in happened(log, "wish_chosen")}) == 8


def snow_without_a_trick(log: Log) -> bool:
    """TNM-6.3: both sides of it, six for no trick and minus three for each."""
    points = [line["points"] for line in lines(log) if line["rule"] == "TNM-6.3"]
    return 6 in points and min(points) < 0


def thunder_and_snow_cancel_out(log: Log) -> bool:
    """TNM-6.1: two pairs at once, under the wish for Thunder, with some left over."""
    return any(
        line.get("pairs", 0) > 1 and line["thunder"] > line["pairs"] and line["points"] > 0
        for line in lines(log)
        if line["rule"] == "TNM-6.2"
    )


def nothing_to_multiply(log: Log) -> bool:
    """TNM-R5: ``very_rainy`` with neither Thunder nor Snow, and with some as well."""
    products = {line["product"] for line in lines(log) if line["rule"] == "TNM-6.6"}
    return 0 in products and max(products) > 1


def _bluffs(log: Log) -> list[int]:
    return [line["points"] for line in lines(log) if line["rule"] == "TNM-7.4"]


def bluff_that_fails(log: Log) -> bool:
    """TNM-7.4: a false announcement costs three a trick, and more than its wish brought."""
    for scored in happened(log, "round_scored"):
        for seat, points in enumerate(scored["points"]):
            own = [line for line in scored["lines"] if line["seat"] == seat]
            if scored["announced"][seat] != scored["wishes"][seat] and points < 0 < own[0]["points"]:
                return True
    return False


def honesty_and_bluff(log: Log) -> bool:
    """TNM-7.2, TNM-7.4: true announcements that gain, false ones that lose, and an advanced wish announced falsely."""
    gained = _bluffs(log)
    advanced = {event["wish"] for event in happened(log, "wish_announced")} - {
        event["wish"] for event in happened(log, "wish_chosen")
    }
    return bool(gained) and max(gained) > 0 > min(gained) and any(wish.startswith("very_") for wish in advanced)


def four_rounds_clockwise(log: Log) -> bool:
    """TNM-R1, TNM-R2: four rounds, led clockwise in turn."""
    return len(happened(log, "round_scored")) == 4


def equal_scores_and_the_next_lead(log: Log) -> bool:
    """TNM-R3: two seats share the lowest score after the first round."""
    points = happened(log, "round_scored")[0]["points"]
    return bool(points.count(min(points)) > 1)
