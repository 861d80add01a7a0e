"""What the golden replays of Catte show."""

from tools.golden_shows.logs import Document, Log, happened, lines, tricks, turns


def _busts(log: Log) -> list[Document]:
    return [line for line in lines(log) if line["rule"] == "CAT-6.1" and line["total"] > line["limit"]]


def bust_above_the_limit(log: Log) -> bool:
    """CAT-5.1, CAT-6.1, CAT-R2: above the limit the coffee counts nothing, the unused cards still do."""
    return any(
        line["rule"] == "CAT-6.2" and line["points"] > 0
        for line in lines(log)
        if (line["seat"], line["round"]) in {(bust["seat"], bust["round"]) for bust in _busts(log)}
    )


def exactly_the_limit(log: Log) -> bool:
    """CAT-6.1: exactly at the limit the total is doubled."""
    return any(line["rule"] == "CAT-6.1" and line["times"] == 2 for line in lines(log))


def bust_at_the_limit(log: Log) -> bool:
    """CAT-5.1: a seat that stood exactly at the limit wins one coffee card more."""
    for turn in turns(log):
        for scored in turn.events:
            if scored["type"] == "round_scored" and scored["reason"] == "limit_exceeded":
                acquired = next(event for event in turn.events if event["type"] == "coffee_acquired")
                limit = scored["lines"][0]["limit"]
                if acquired["total"] - int(acquired["card"][1:]) == limit:
                    return True
    return False


def _ended_by(log: Log, reason: str) -> bool:
    return any(event["reason"] == reason for event in happened(log, "round_scored"))


def hands_played_out(log: Log) -> bool:
    """CAT-5.2: ``hands_empty``."""
    return _ended_by(log, "hands_empty")


def no_coffee_to_lead_with(log: Log) -> bool:
    """CAT-5.3: ``no_coffee``."""
    return _ended_by(log, "no_coffee")


def forfeited_bonus(log: Log) -> bool:
    """CAT-R2: with ``forfeit`` a seat above the limit loses what unused cards would have brought."""
    return any(line["rule"] == "CAT-R2" and line["unused"] > 0 for line in lines(log))


def lead_colour_wins(log: Log) -> bool:
    """CAT-4.1, CAT-4.2: tricks won by the coffee's colour and, without any of it, by the lead's."""
    return {trick["rule"] for trick in tricks(log)} == {"CAT-4.1", "CAT-4.2"}
