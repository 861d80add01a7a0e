"""Registers lies about rulings and clocks."""

from typing import Any

import orjson

from gyoji.log.entries import Entry
from liar.lies import entries, handed_out, lie, renumbered
from liar.ruled import from_the_old_seed
from replay.tampering import Event, Lines, Parts, file_of


def rulings(match: str, kind: str) -> list[int]:
    """Return where the honest log has rulings of that kind."""
    return [entry.seq for entry in entries(match) if _is(entry, kind)]


def _is(entry: Entry, kind: str) -> bool:
    found: Any = orjson.loads(entry.body)
    return bool(found["type"] == "ruling_made" and found["data"]["ruling"]["kind"] == kind)


def first(match: str, kind: str) -> int:
    """Return where the honest log has the first event of that type."""
    return next(entry.seq for entry in entries(match) if orjson.loads(entry.body)["type"] == kind)


BACK, BACK_AGAIN = rulings("refereed", "take_back")
(PLAYED,), (STANDS,), (POINTS,) = (rulings("refereed", kind) for kind in ("play", "accept", "points"))
(PAUSE,) = rulings("refereed", "pause")
LAST = len(entries("refereed")) - 1
SHUFFLED = next(entry.seq for entry in entries("refereed") if entry.seq > BACK and b'"hands_dealt"' in entry.body)
EXPIRED, FLAG = first("timed", "clock_expired"), first("flagged", "clock_expired")
(TIMED_BACK,), (TIME,) = rulings("timed", "take_back"), rulings("timed", "time")
FORFEIT, DECIDED = first("forfeited", "ruling_made"), first("decided", "ruling_made")


# where the match is taken back to


@lie("refereed", "rules_divergence", "moves", BACK, at=BACK)
def taken_back_to_other_hands(parts: Parts) -> None:
    hands = [opening["payload"] for opening in parts.events[BACK].openings if "index" in opening]
    one, other = [payload for payload in hands if any("/hands/" in place for place in payload)][:2]
    mine, theirs = [next(place for place in payload if "/hands/" in place) for payload in (one, other)]
    one[mine], other[theirs] = other[theirs], one[mine]


@lie("refereed", "rules_divergence", "moves", BACK, at=BACK)
def taken_back_to_other_scores(parts: Parts) -> None:
    parts.events[BACK].data["position"]["scores"][0] += 1


@lie("refereed", "rules_divergence", "moves", BACK)
def taken_back_with_a_member_more(parts: Parts) -> None:
    """The first pass does not see it coming."""
    parts.events[BACK].data["subject"] = None


@lie("refereed", "rules_divergence", "moves", BACK)
def taken_back_to_another_event(parts: Parts) -> None:
    parts.events[BACK].data["ruling"]["to"] += 1


@lie("refereed", "rules_divergence", "moves", BACK_AGAIN)
def taken_back_to_what_was_taken_back(parts: Parts) -> None:
    parts.events[BACK_AGAIN].data["ruling"]["to"] = BACK - 2


@lie("refereed", "rules_divergence", "moves", BACK)
def taken_back_to_what_is_to_come(parts: Parts) -> None:
    parts.events[BACK].data["ruling"]["to"] = BACK + 3


@lie("refereed", "rules_divergence", "moves", BACK)
def taken_back_to_before_the_deal(parts: Parts) -> None:
    parts.events[BACK].data["ruling"]["to"] = 0


@handed_out("deal_divergence", "shuffles", None)
def known_cards_dealt_again() -> Lines:
    return file_of(from_the_old_seed())


@lie("refereed", "deal_divergence", "shuffles", SHUFFLED, at=SHUFFLED)
def deal_after_a_ruling_exchanged(parts: Parts) -> None:
    one, other = [
        opening["payload"]
        for opening in parts.events[SHUFFLED].openings
        if any("/hands/" in place for place in opening.get("payload", ()))
    ][:2]
    (mine,), (theirs,) = one, other
    one[mine], other[theirs] = other[theirs], one[mine]


@lie("refereed", "rules_divergence", "moves", BACK)
def ruling_that_takes_back_left_out(parts: Parts) -> None:
    del parts.events[BACK]
    renumbered(parts)


# moves that a referee makes, or lets stand


@lie("refereed", "rules_divergence", "moves", PLAYED)
def legal_move_let_stand(parts: Parts) -> None:
    parts.events[PLAYED].data["ruling"]["kind"] = "accept"


@lie("refereed", "rules_divergence", "moves", STANDS)
def irregular_move_played_for_a_seat(parts: Parts) -> None:
    parts.events[STANDS].data["ruling"]["kind"] = "play"


@lie("refereed", "rules_divergence", "moves", STANDS)
def irregular_move_without_a_ruling(parts: Parts) -> None:
    found = parts.events[STANDS]
    data = {name: found.data[name] for name in ("move", "events")}
    found.document.update(type="move_played", data=data, secret=[])
    found.document["actor"] = {"role": "seat", "seat": data["move"]["seat"]}
    found.openings[:] = [opening for opening in found.openings if "position" in opening]


@lie("refereed", "rules_divergence", "moves", STANDS)
def card_that_nobody_has_let_stand(parts: Parts) -> None:
    data = parts.events[STANDS].data
    played = [one.data["move"]["card"] for one in parts.events[:STANDS] if one.data.get("move", {}).get("card")]
    data["move"]["card"] = data["events"][0]["card"] = played[-1]


# who rules, when, and what follows


@lie("refereed", "rules_divergence", "moves", POINTS)
def ruling_of_a_player(parts: Parts) -> None:
    parts.events[POINTS].document["actor"] = {"role": "seat", "seat": 0}


@lie("refereed", "rules_divergence", "moves", POINTS)
def ruling_of_nobody_in_particular(parts: Parts) -> None:
    parts.events[POINTS].document["actor"] = {"role": "referee"}


@lie("refereed", "rules_divergence", "moves", POINTS)
def no_points(parts: Parts) -> None:
    parts.events[POINTS].data["ruling"]["points"] = 0


@lie("refereed", "rules_divergence", "moves", POINTS)
def points_for_a_seat_that_is_not_there(parts: Parts) -> None:
    parts.events[POINTS].data["ruling"]["seat"] = 3


@lie("refereed", "rules_divergence", "moves", POINTS, at=POINTS)
def reason_shown_to_all(parts: Parts) -> None:
    found = parts.events[POINTS]
    found.data["reason"] = "because"
    found.document["secret"] = []
    found.openings[:] = [opening for opening in found.openings if "position" in opening]


@lie("refereed", "rules_divergence", "scores", LAST - 2, at=LAST - 2)
def adjustments_in_the_scores(parts: Parts) -> None:
    for one in (parts.events[-3].data["events"][-1], parts.events[-2].data["outcome"]):
        one["scores"][0] += 7


@lie("refereed", "rules_divergence", "moves", PAUSE + 1)
def pause_that_never_began(parts: Parts) -> None:
    del parts.events[PAUSE + 1]
    renumbered(parts)


@lie("refereed", "rules_divergence", "moves", LAST + 1)
def ruling_after_the_closing(parts: Parts) -> None:
    late = Event({**parts.events[POINTS].document, "seq": LAST + 1}, [{**parts.events[POINTS].openings[0]}])
    late.document["position"] = None
    late.openings[0]["seq"] = LAST + 1
    parts.events.append(late)


@lie("forfeited", "rules_divergence", "result", FORFEIT + 1)
def forfeit_with_another_winner(parts: Parts) -> None:
    winners = parts.events[FORFEIT + 1].data["result"]["winners"]
    winners[:] = [seat for seat in (0, 1, 3) if seat not in winners][:1]


@lie("forfeited", "rules_divergence", "result", FORFEIT + 1)
def forfeit_that_wins(parts: Parts) -> None:
    parts.events[FORFEIT + 1].data["result"]["winners"] = [2]


@lie("forfeited", "rules_divergence", "result", FORFEIT + 1)
def forfeit_of_another_seat(parts: Parts) -> None:
    parts.events[FORFEIT + 1].data["result"]["forfeited"] = [1]


@lie("forfeited", "rules_divergence", "result", FORFEIT + 1)
def forfeit_as_if_played(parts: Parts) -> None:
    parts.events[FORFEIT + 1].data["result"]["by"] = "ruling"


@lie("forfeited", "rules_divergence", "moves", FORFEIT)
def end_without_the_ruling(parts: Parts) -> None:
    del parts.events[FORFEIT]
    renumbered(parts)


@lie("decided", "rules_divergence", "moves", DECIDED)
def winners_that_the_scores_contradict(parts: Parts) -> None:
    for data in (parts.events[DECIDED].data["ruling"], parts.events[DECIDED + 1].data["result"]):
        data["winners"] = [0]


@lie("decided", "rules_divergence", "result", DECIDED + 1)
def other_scores_than_were_ruled(parts: Parts) -> None:
    parts.events[DECIDED + 1].data["result"]["scores"][2] = 1


# time


@lie("timed", "rules_divergence", "moves", EXPIRED)
def expiry_a_millisecond_early(parts: Parts) -> None:
    parts.events[EXPIRED].document["at"] = parts.events[EXPIRED].data["deadlines"][0]


@lie("timed", "rules_divergence", "moves", EXPIRED, at=EXPIRED + 1)
def deadline_told_earlier(parts: Parts) -> None:
    deadline = parts.events[EXPIRED].data["deadlines"][0]
    parts.events[EXPIRED].data["deadlines"] = ["2025" + deadline[4:]]


@lie("timed", "rules_divergence", "moves", EXPIRED)
def expiry_of_another_seat(parts: Parts) -> None:
    data = parts.events[EXPIRED].data
    data["seats"] = [(data["seats"][0] + 1) % 4]


@lie("timed", "rules_divergence", "moves", EXPIRED)
def default_called_a_pass(parts: Parts) -> None:
    parts.events[EXPIRED].data["then"] = "pass"


@lie("timed", "rules_divergence", "moves", EXPIRED, at=EXPIRED + 1)
def worse_card_by_default(parts: Parts) -> None:
    seat = parts.events[EXPIRED].data["seats"][0]
    card = next(
        one.data["move"]["card"]
        for one in parts.events[EXPIRED + 1 :]
        if one.document["type"] == "move_played" and one.data["move"]["seat"] == seat
    )
    data = parts.events[EXPIRED].data
    data["move"]["card"] = data["events"][0]["card"] = card


@lie("timed", "rules_divergence", "moves", TIMED_BACK)
def other_banks_after_a_ruling(parts: Parts) -> None:
    parts.events[TIMED_BACK].data["banks_ms"][0] += 1


@lie("timed", "rules_divergence", "moves", TIME)
def time_given_twice(parts: Parts) -> None:
    parts.events[TIME].data["banks_ms"][1] += 3_000


@lie("timed", "rules_divergence", "moves", EXPIRED)
def move_in_time_pretended_to_be_late(parts: Parts) -> None:
    parts.events[0].data["clock"]["bank_ms"] = 3_600_000


@lie("timed", "rules_divergence", "moves", 0)
def clock_that_is_none(parts: Parts) -> None:
    parts.events[0].data["clock"]["on_expiry"] = "pass"


@lie("flagged", "rules_divergence", "moves", FLAG + 2)
def played_on_after_a_flag(parts: Parts) -> None:
    del parts.events[FLAG + 2 : FLAG + 4]
    renumbered(parts)


@lie("flagged", "rules_divergence", "moves", FLAG + 1)
def flag_that_stops_nothing(parts: Parts) -> None:
    del parts.events[FLAG + 1 : FLAG + 4]
    renumbered(parts)


@lie("catte", "rules_divergence", "moves", 5)
def expiry_without_a_clock(parts: Parts) -> None:
    found = parts.events[5]
    seat = found.data["move"]["seat"]
    found.document.update(type="clock_expired", actor={"role": "service"})
    found.data.update(seats=[seat], deadlines=["2026-01-01T00:00:00.000Z"], then="default")
