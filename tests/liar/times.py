"""Registers lies about time, each with a file as much like it as can be that is true."""

from collections.abc import Callable

import orjson

from gyoji.log.times import instant, written_instant
from liar.lies import CATTE, entries, handed_out, honest, lie, receipts
from liar.rulings import EXPIRED, FLAG, PAUSE, TIMED_BACK
from liar.timed import moved_by
from replay.tampering import Lines, Parts, forged

HOUR = 3_600_000


def at(parts: Parts, seq: int) -> str:
    """Return when that event happened."""
    found: str = parts.events[seq].document["at"]
    return found


def put(parts: Parts, seq: int, time: str) -> None:
    """Move that event to a time."""
    parts.events[seq].document["at"] = time


def pushed(seq: int, ms: int = 1) -> Callable[[Parts], None]:
    """Delay that event and all after it."""

    def change(parts: Parts) -> None:
        for each in parts.events[seq:]:
            each.document["at"] = moved_by(each.document["at"], ms)

    return change


def all_at(time: str, seq: int = 0) -> Callable[[Parts], None]:
    """Move that event and all after it to a time."""

    def change(parts: Parts) -> None:
        for each in parts.events[seq:]:
            each.document["at"] = time

    return change


def kinds(match: str) -> list[str]:
    """Return the types of the honest events."""
    return [orjson.loads(entry.body)["type"] for entry in entries(match)]


# Times that there are not


@lie("catte", "tampered", "bytes", 0, twin=all_at("2026-12-30T23:59:59.999Z"))
def times_that_there_are_not(parts: Parts) -> None:
    all_at("2026-19-39T29:59:69.999Z")(parts)


@lie("catte", "tampered", "bytes", 0, twin=all_at("2028-02-29T12:00:00.000Z"))
def day_that_the_year_has_not(parts: Parts) -> None:
    all_at("2026-02-29T12:00:00.000Z")(parts)


@lie("catte", "tampered", "bytes", 0, twin=all_at("2000-02-29T12:00:00.000Z"))
def day_that_the_century_has_not(parts: Parts) -> None:
    all_at("2100-02-29T12:00:00.000Z")(parts)


@lie("catte", "tampered", "bytes", 10, twin=all_at("2026-12-31T23:59:59.999Z", 10))
def leap_second_that_nobody_writes(parts: Parts) -> None:
    all_at("2026-12-31T23:59:60.000Z", 10)(parts)


@lie("catte", "tampered", "bytes", 10, twin=all_at("2026-07-01T00:00:00.000Z", 10))
def midnight_written_as_an_hour_more(parts: Parts) -> None:
    all_at("2026-06-30T24:00:00.000Z", 10)(parts)


def held_until(time: str) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts.events[0].data["withheld_until"] = time

    return change


@lie("withheld", "rules_divergence", "moves", 0, twin=held_until("2026-01-01T23:59:59.999Z"))
def withheld_until_a_day_that_there_is_not(parts: Parts) -> None:
    held_until("2026-01-00T00:00:00.000Z")(parts)


@lie("timed", "rules_divergence", "moves", EXPIRED, at=EXPIRED + 1)
def deadline_at_a_time_that_there_is_not(parts: Parts) -> None:
    deadline = parts.events[EXPIRED].data["deadlines"][0]
    parts.events[EXPIRED].data["deadlines"] = [f"{deadline[:17]}60.000Z"]


# Times that run backwards


@lie("catte", "rules_divergence", "moves", 1)
def every_event_a_year_before_the_last_one(parts: Parts) -> None:
    for number, each in enumerate(parts.events):
        each.document["at"] = f"{9999 - number}{each.document['at'][4:]}"


def together(parts: Parts) -> None:
    put(parts, 9, at(parts, 8))


@lie("catte", "rules_divergence", "moves", 9, at=9, twin=together)
def event_a_millisecond_before_the_last_one(parts: Parts) -> None:
    put(parts, 9, moved_by(at(parts, 8), -1))


@lie("auditors", "rules_divergence", "moves", 40)
def hour_taken_back_in_the_middle(parts: Parts) -> None:
    pushed(40, -HOUR)(parts)


@lie("want", "rules_divergence", "moves", 3)
def entropy_told_before_it_was_committed_to(parts: Parts) -> None:
    put(parts, 3, moved_by(at(parts, 2), -1))


UP = kinds("unready").index("clock_expired")


@lie("unready", "rules_divergence", "moves", UP - 2)
def two_events_backdated_so_that_two_seats_forfeit(parts: Parts) -> None:
    """The claim comes a millisecond after the choice before it. The decision is said to have begun an hour ago."""
    last = at(parts, UP - 1)
    for seq in (UP - 2, UP - 1):
        put(parts, seq, moved_by(at(parts, seq), -HOUR))
    deadline = moved_by(at(parts, UP - 2), 10_000)
    parts.events[UP].data["deadlines"] = [deadline, deadline]
    all_at(moved_by(last, 1), UP)(parts)


def out_at_its_last_millisecond(parts: Parts) -> None:
    put(parts, 4, moved_by(at(parts, 0), 60_000))


@lie("empty", "rules_divergence", "moves", 5, twin=out_at_its_last_millisecond)
def seat_left_out_after_six_seconds(parts: Parts) -> None:
    """Its minute is over, says the deal; the next move says that it is not."""
    for seq in range(5, len(parts.events) - 2):
        put(parts, seq, moved_by(at(parts, 0), 1_000 * (seq + 1)))
    all_at(at(parts, len(parts.events) - 3), len(parts.events) - 2)(parts)


@lie("want", "deal_divergence", "commitment", 4)
def void_a_millisecond_before_the_time_of_the_seats_was_over(parts: Parts) -> None:
    pushed(4, -1)(parts)


def told_at(ms: int) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        put(parts, len(parts.events) - 1, moved_by(parts.events[0].data["withheld_until"], ms))

    return change


@lie("withheld", "deal_divergence", "commitment", len(entries("withheld")) - 1, twin=told_at(0))
def withheld_secret_told_a_millisecond_early(parts: Parts) -> None:
    told_at(-1)(parts)


# What is written down together


@lie("catte", "rules_divergence", "moves", 1, at=2, twin=pushed(0, HOUR))
def deal_later_than_the_setup(parts: Parts) -> None:
    pushed(1, HOUR)(parts)


DEALT = kinds("players").index("dealt")


@lie("players", "rules_divergence", "moves", DEALT, twin=pushed(DEALT - 1, HOUR))
def deal_later_than_the_last_entropy(parts: Parts) -> None:
    """Time enough to look at what would come of it."""
    pushed(DEALT, HOUR)(parts)


@lie("director", "rules_divergence", "moves", 2, twin=pushed(1))
def deal_later_than_the_share_of_the_director(parts: Parts) -> None:
    pushed(2)(parts)


@lie("catte", "rules_divergence", "moves", CATTE - 2, twin=pushed(CATTE - 3, HOUR))
def result_later_than_the_move_that_led_to_it(parts: Parts) -> None:
    pushed(CATTE - 2, HOUR)(parts)


@lie("catte", "rules_divergence", "moves", CATTE - 1, twin=pushed(CATTE - 3, HOUR))
def secret_later_than_the_end(parts: Parts) -> None:
    pushed(CATTE - 1, HOUR)(parts)


GIVEN_UP = len(entries("given up")) - 2


@lie("given up", "rules_divergence", "moves", GIVEN_UP + 1, twin=pushed(GIVEN_UP, HOUR))
def secret_later_than_the_cancelling(parts: Parts) -> None:
    pushed(GIVEN_UP + 1)(parts)


@lie("refereed", "rules_divergence", "moves", PAUSE + 1, twin=pushed(PAUSE, HOUR))
def pause_that_begins_later_than_it_was_ruled(parts: Parts) -> None:
    pushed(PAUSE + 1)(parts)


@lie("refereed", "rules_divergence", "moves", PAUSE + 3, twin=pushed(PAUSE + 2, HOUR))
def pause_that_ends_later_than_it_was_ruled(parts: Parts) -> None:
    pushed(PAUSE + 3, HOUR)(parts)


@lie("flagged", "rules_divergence", "moves", FLAG + 1, twin=pushed(FLAG, 1))
def flag_that_stops_the_clock_later(parts: Parts) -> None:
    pushed(FLAG + 1)(parts)


@lie("unready", "rules_divergence", "moves", UP + 1, twin=pushed(UP, 1))
def match_lost_later_than_the_time_was_up(parts: Parts) -> None:
    pushed(UP + 1)(parts)


OVERSLEPT = kinds("overslept").index("clock_expired")


@lie("overslept", "rules_divergence", "moves", OVERSLEPT + 1)
def second_expiry_of_one_claim_a_millisecond_later(parts: Parts) -> None:
    pushed(OVERSLEPT + 1)(parts)


SET = kinds("corrected").index("match_finished")


@lie("corrected", "rules_divergence", "moves", SET + 1)
def remark_where_the_secret_was_due(parts: Parts) -> None:
    """At the end of the match nothing withheld it any more, so that a player knew it before the referee spoke."""
    held_until(at(parts, SET))(parts)


@lie("corrected", "rules_divergence", "moves", SET + 1)
def remark_where_the_secret_never_was_withheld(parts: Parts) -> None:
    del parts.events[0].data["withheld_until"]


# Deadlines


@lie("flagged", "rules_divergence", "moves", FLAG, twin=pushed(FLAG, HOUR))
def flag_that_falls_at_the_deadline(parts: Parts) -> None:
    """Which is still in time."""
    for seq in (FLAG, FLAG + 1):
        put(parts, seq, parts.events[FLAG].data["deadlines"][0])


@lie("flagged", "rules_divergence", "moves", FLAG)
def decision_that_began_later_than_its_deadline_says(parts: Parts) -> None:
    """The seat had a second more, for the move before it came a second later."""
    put(parts, FLAG - 1, moved_by(at(parts, FLAG - 1), 1_000))


@lie("timed", "rules_divergence", "moves", TIMED_BACK)
def time_of_a_move_hushed_up(parts: Parts) -> None:
    """Its bank is what it was; the move was made a minute later."""
    pushed(TIMED_BACK - 1, 60_000)(parts)


@lie("unready", "rules_divergence", "moves", UP)
def deadlines_of_seats_that_began_together_apart(parts: Parts) -> None:
    one, other = parts.events[UP].data["deadlines"]
    parts.events[UP].data["deadlines"] = [one, written_instant(instant(other) - 1)]


@handed_out("equivocation", "receipts", 5, receipts("catte"))
def move_backdated_against_its_receipt() -> Lines:
    """A log alone cannot show it: the service wrote down when."""
    return forged(honest("catte"), lambda parts: put(parts, 5, at(parts, 4)))
