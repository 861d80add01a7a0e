"""Registers lies about what else a log commits to: who may know, who acts, what follows."""

from collections.abc import Callable
from copy import deepcopy

import orjson

from gyoji.match.events import match_finished
from gyoji.match.events.match_created import ForkOrigin
from gyoji.match.recorder import record
from liar.lies import CATTE, entries, handed_out, lie, renumbered
from liar.ruled import Unchecked
from liar.rulings import FLAG, PAUSE, POINTS, TIME
from liar.timed import moved_by
from replay.refereed import Match
from replay.tampering import Event, Lines, Parts, file_of


def where(match: str, kind: str) -> int:
    """Return where the honest log has its first event of that type."""
    return next(entry.seq for entry in entries(match) if orjson.loads(entry.body)["type"] == kind)


def acts(seq: int, **actor: object) -> Callable[[Parts], None]:
    """Somebody else is said to have done it."""

    def change(parts: Parts) -> None:
        parts.events[seq].document["actor"] = actor

    return change


# What is kept apart so that it can be erased


def unopened(parts: Parts) -> None:
    """Nobody tells names, notes and tags any more."""
    parts.events[0].openings.clear()


@lie("named", "rules_divergence", "moves", 0)
def names_in_the_clear(parts: Parts) -> None:
    parts.events[0].data["names"] = ["Ann", "Ben", "Cho", "Dan"]
    unopened(parts)


@lie("named", "rules_divergence", "moves", 0)
def notes_in_the_clear(parts: Parts) -> None:
    parts.events[0].data["metadata"] = {"round": 3}
    unopened(parts)


@lie("named", "rules_divergence", "moves", 0)
def tags_in_the_clear(parts: Parts) -> None:
    parts.events[0].data["tags"] = ["cup", "final"]
    unopened(parts)


def called(*names: str) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts.events[0].data["names"] = {"count": len(names)}
        parts.events[0].openings[0]["payload"]["/names"] = [*names]

    return change


@lie("named", "rules_divergence", "moves", 0, twin=called("Ann", "Ann", "凛", "Dan"))
def more_names_than_seats(parts: Parts) -> None:
    called("Ann", "Ben", "Cho", "Dan", "Eve")(parts)


# How a match is set up


def watched(word: str) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts.events[0].data["visibility"] = word

    return change


@lie("catte", "rules_divergence", "moves", 0, at=2, twin=watched("public"))
def watched_by_nobody_knows_whom(parts: Parts) -> None:
    watched("friends")(parts)


@lie("catte", "rules_divergence", "moves", 0, at=2)
def begun_by_a_director(parts: Parts) -> None:
    acts(0, role="director")(parts)


# Who may know what


def kept_for(*seats: int) -> Callable[[Parts], None]:
    """The reason of a ruling is for these."""

    def change(parts: Parts) -> None:
        parts.events[POINTS].document["secret"][-1]["for"] = [*seats]

    return change


@lie("refereed", "rules_divergence", "moves", POINTS, twin=kept_for(0, 2))
def reason_for_a_seat_that_is_not_there(parts: Parts) -> None:
    kept_for(0, 3)(parts)


@lie("refereed", "rules_divergence", "moves", POINTS, twin=kept_for(0, 1))
def reason_for_seats_out_of_order(parts: Parts) -> None:
    kept_for(1, 0)(parts)


@lie("refereed", "rules_divergence", "moves", POINTS, twin=kept_for(1))
def reason_for_one_seat_twice(parts: Parts) -> None:
    kept_for(1, 1)(parts)


def because(words: str) -> Callable[[Parts], None]:
    """The reason is put like this."""

    def change(parts: Parts) -> None:
        opened = next(one["payload"] for one in parts.events[POINTS].openings if "/reason" in one.get("payload", {}))
        opened["/reason"] = words

    return change


@lie("refereed", "rules_divergence", "moves", POINTS, twin=because("札を二度見せた。"))
def reason_on_two_lines(parts: Parts) -> None:
    because("Cards shown twice.\nmatch_finished")(parts)


@lie("refereed", "rules_divergence", "moves", POINTS, twin=because("x" * 1_000))
def reason_without_end(parts: Parts) -> None:
    because("x" * 1_001)(parts)


STOOD_IN = where("stood in", "ruling_made")


@lie("stood in", "rules_divergence", "moves", STOOD_IN)
def substitute_named_in_the_clear(parts: Parts) -> None:
    """A name that could never be erased."""
    found = parts.events[STOOD_IN]
    found.data["ruling"]["name"] = "Eve"
    at = next(opening for opening in found.openings if "/ruling/name" in opening.get("payload", {}))
    del found.document["secret"][at["index"]]
    found.openings.remove(at)
    for opening in found.openings:
        if opening.get("index", 0) > at["index"]:
            opening["index"] -= 1


CHOSEN = where("overslept", "choice_made")


@lie("overslept", "rules_divergence", "moves", CHOSEN, at=CHOSEN)
def choice_shown_to_all(parts: Parts) -> None:
    found = parts.events[CHOSEN]
    wish = next(opening for opening in found.openings if "index" in opening)["payload"]
    found.data["move"]["wish"] = wish["/move/wish"]
    found.data["events"][0]["wish"] = wish["/events/0/wish"]
    found.document["secret"].clear()
    found.openings[:] = [opening for opening in found.openings if "position" in opening]


@lie("overslept", "rules_divergence", "moves", CHOSEN)
def choice_told_to_another_seat(parts: Parts) -> None:
    secret = parts.events[CHOSEN].document["secret"][0]
    secret["for"] = [(secret["for"][0] + 1) % 3]


LAST = len(entries("auditors")) - 1


@lie("auditors", "rules_divergence", "moves", LAST)
def secret_of_auditors_told_to_all(parts: Parts) -> None:
    found = parts.events[LAST]
    found.data["server_secret"] = found.openings[0]["payload"]["/server_secret"]
    found.document["secret"].clear()
    found.openings.clear()


@lie("auditors", "rules_divergence", "moves", LAST)
def secret_of_auditors_told_to_a_seat(parts: Parts) -> None:
    parts.events[LAST].document["secret"][0]["for"] = [0]


@lie("catte", "rules_divergence", "moves", CATTE - 1)
def secret_of_all_kept_for_auditors(parts: Parts) -> None:
    found = parts.events[-1]
    payload = {"/server_secret": found.data["server_secret"]}
    found.data["server_secret"] = None
    found.document["secret"].append({"for": [], "commit": ""})
    found.openings.append({"seq": CATTE - 1, "index": 0, "salt": "5a" * 32, "payload": payload})


# Who acts


@lie("catte", "rules_divergence", "moves", 1)
def deal_by_the_operator(parts: Parts) -> None:
    acts(1, role="operator")(parts)


@lie("catte", "rules_divergence", "moves", 2, at=2)
def move_of_a_referee(parts: Parts) -> None:
    acts(2, role="referee", key="0123456789abcdef")(parts)


def by_the_operator(parts: Parts) -> None:
    parts.events[2].document["actor"]["role"] = "operator"


@lie("catte", "rules_divergence", "moves", 2, at=2, twin=by_the_operator)
def move_of_the_director(parts: Parts) -> None:
    parts.events[2].document["actor"]["role"] = "director"


@lie("refereed", "rules_divergence", "moves", POINTS)
def ruling_of_an_auditor(parts: Parts) -> None:
    acts(POINTS, role="auditor", key="0123456789abcdef")(parts)


@lie("refereed", "rules_divergence", "moves", PAUSE + 1)
def pause_by_the_referee_in_person(parts: Parts) -> None:
    acts(PAUSE + 1, role="referee", key="0123456789abcdef")(parts)


@lie("flagged", "rules_divergence", "moves", FLAG)
def expiry_told_by_the_seat_that_claims_it(parts: Parts) -> None:
    acts(FLAG, role="seat", seat=0)(parts)


VOID = where("given up", "match_voided")


@lie("given up", "rules_divergence", "moves", VOID)
def cancelled_by_a_seat(parts: Parts) -> None:
    acts(VOID, role="seat", seat=0)(parts)


# Rulings


def cites(match: str, seq: int, rule: str | None) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts.events[seq].data["rule"] = rule

    return change


@lie("refereed", "rules_divergence", "moves", POINTS, twin=cites("refereed", POINTS, "TNM-R11"))
def ruling_by_a_rule_of_another_game(parts: Parts) -> None:
    cites("refereed", POINTS, "CAT-3.1")(parts)


@lie("refereed", "rules_divergence", "moves", POINTS, twin=cites("refereed", POINTS, "TNM-2.7"))
def ruling_by_a_rule_that_the_game_has_not(parts: Parts) -> None:
    cites("refereed", POINTS, "TNM-2.8")(parts)


NOTED = where("noted", "ruling_made")


def kept_as_a_void(parts: Parts) -> None:
    parts.events[NOTED].data["rule"] = "TOW-R12"


@lie("noted", "rules_divergence", "moves", NOTED, twin=kept_as_a_void)
def points_before_the_deal(parts: Parts) -> None:
    parts.events[NOTED].data["ruling"] = {"kind": "points", "seat": 1, "points": 3}


GIVEN = where("out of time", "ruling_made")


@lie("out of time", "rules_divergence", "moves", GIVEN)
def time_taken_where_there_was_none(parts: Parts) -> None:
    """A ruling that changes nothing is none."""
    data = parts.events[GIVEN].data
    data["banks_ms"][data["ruling"]["seat"]] -= data["ruling"]["add_ms"]
    data["ruling"]["add_ms"] = -1_000


@lie("timed", "rules_divergence", "moves", TIME)
def time_without_what_is_left_of_the_banks(parts: Parts) -> None:
    del parts.events[TIME].data["banks_ms"]


# What follows what


def inserted(parts: Parts, seq: int, found: Event) -> None:
    parts.events.insert(seq, deepcopy(found))
    parts.events[seq].document["at"] = parts.events[seq - 1].document["at"]
    renumbered(parts)


@lie("flagged", "rules_divergence", "moves", FLAG + 2)
def expiry_during_a_pause(parts: Parts) -> None:
    inserted(parts, FLAG + 2, parts.events[FLAG])


@lie("catte", "rules_divergence", "moves", CATTE - 1)
def ended_twice(parts: Parts) -> None:
    inserted(parts, CATTE - 1, parts.events[CATTE - 2])


@lie("catte", "rules_divergence", "moves", CATTE)
def secret_told_twice(parts: Parts) -> None:
    inserted(parts, CATTE, parts.events[CATTE - 1])


REVEALED = where("players", "dealt") - 1


@lie("players", "deal_divergence", "commitment", REVEALED + 2)
def entropy_after_the_deal(parts: Parts) -> None:
    inserted(parts, REVEALED + 2, parts.events[REVEALED])


@lie("catte", "tampered", "positions", 10, at=10)
def position_where_none_is_due(parts: Parts) -> None:
    parts.events[10].document["position"] = "ab" * 32
    parts.events[10].openings.append({"seq": 10, "position": "5a" * 32})


@lie("want", "deal_divergence", "commitment", where("want", "match_voided"))
def void_for_want_that_was_not_agreed(parts: Parts) -> None:
    parts.events[0].data["randomness"]["missing"] = "empty"


def an_hour_for_all(parts: Parts) -> None:
    parts.events[0].data["randomness"]["within"] = 3_600
    for each in parts.events[4:]:
        each.document["at"] = moved_by(parts.events[0].document["at"], 3_600_000)


@lie("want", "deal_divergence", "commitment", where("want", "match_voided"), twin=an_hour_for_all)
def longer_time_for_entropy_than_was_given(parts: Parts) -> None:
    parts.events[0].data["randomness"]["within"] = 3_600


# Forks


@handed_out("rules_divergence", "moves", 1)
def fork_of_what_is_over() -> Lines:
    """A match that was won without a move."""
    over = Match("catte").play().current
    source = ForkOrigin(over.match, over.seq, over.hash.hex(), over.state._replace(seed=None))
    fork = Unchecked("catte", number=1, withheld_until=None, source=source)
    at, chance = fork.current.at, fork.current.chance
    fork.add(record(fork.current, match_finished.decide(fork.current, at, chance), at, fork.salt))
    return file_of(fork.entries)
