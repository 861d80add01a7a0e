"""Logs whose cards are hidden from their reader are judged: order, actors, what follows what, positions."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from golden.logs import EVERY, NAMES
from golden.logs import entries as golden_entries
from gyoji.audit.verdicts import Verdict
from gyoji.log.files import redact_lines
from gyoji.match.clocks import Control
from gyoji.match.events.match_created import ForkOrigin
from gyoji.match.prescan import Spans
from gyoji.match.rulings.take_back import is_in_force
from liar.ruled import late
from replay.changed_files import both, document
from replay.refereed import BANKED, Match
from replay.tampering import Event, Lines, Parts, failed, file_of, forged

REFEREED = "refereed"


@cache
def log(name: str) -> Lines:
    """A match as the public knows it while its secret is withheld: no hand and no deal can be known."""
    if name == "flagged":
        match = Match("catte", clock=Control(2_000, None, 0, "referee")).play(7)
        match.claim(late(match))
        match.rule("resume")
        match.play(3)
    elif name == "forfeited":
        match = Match("catte", clock=Control(2_000, 5_000, 100, "forfeit")).play(7)
        match.claim(late(match))
    elif name == "banked":
        match = Match("catte", clock=BANKED).play(7)
        match.rule("time", seat=1, add_ms=3_000)
        match.rule("take_back", to=4)
        match.play(3)
    elif name == "void":
        match = Match("catte").play(5)
        match.rule("void")
    elif name == "fork":
        before = Match("catte").play(6).current
        source = ForkOrigin(before.match, before.seq, before.hash.hex(), before.state._replace(seed=None))
        match = Match("catte", number=1, source=source, withheld_until="2999-01-01T00:00:00.000Z").play(3)
    else:
        match = Match("catte").play(6)
        match.rule("take_back", to=4)
        match.play(2)
        match.rule("pause")
        match.rule("points", seat=0, points=3)
        match.rule("resume")
        match.play()
        match.rule("note")
    return tuple(redact_lines(file_of(match.entries), "public"))


def judged(lines: Lines) -> Verdict:
    """The verdict, which is the same on the short way and with every line read in full."""
    short, full = both(lines)
    assert document(short) == document(full)
    return short


@pytest.mark.parametrize("name", [REFEREED, "flagged", "forfeited", "banked", "void", "fork"])
def test_an_honest_log_whose_cards_are_hidden(name: str) -> None:
    verdict = judged(log(name))
    assert (verdict.verdict, failed(verdict)) == ("verified_partial", set())


@pytest.mark.parametrize("path", EVERY, ids=NAMES)
@pytest.mark.parametrize("reader", ["public", 0])
def test_every_golden_log_without_its_secret(path: Any, reader: Any) -> None:
    entries = golden_entries(path)
    kept = [entry for entry in entries if b'"type":"seed_disclosed"' not in entry.body]
    verdict = judged(file_of(kept, reader))
    assert (verdict.verdict, failed(verdict)) == ("verified_partial", set())


# Lies, told with the key, in a log of which nobody can play a move again


def place(parts: Parts, kind: str, number: int = 0) -> int:
    """Where the event of this type and number stands."""
    return [at for at, event in enumerate(parts.events) if event.document["type"] == kind][number]


def without(parts: Parts, at: int) -> None:
    """As if that had not happened."""
    del parts.events[at]
    for seq, event in enumerate(parts.events):
        event.document["seq"] = seq
        for opening in event.openings:
            opening["seq"] = seq
        if event.document["type"] not in ("dealt", "match_finished"):
            event.document["position"] = "ab" * 32 if seq % 16 == 0 and seq else None


def moved_by_the_service(parts: Parts) -> None:
    parts.events[4].document["actor"] = {"role": "service"}


def moved_by_another_seat(parts: Parts) -> None:
    actor = parts.events[4].document["actor"]
    actor["seat"] = (actor["seat"] + 1) % 4


def dealt_by_an_operator(parts: Parts) -> None:
    parts.events[1].document["actor"] = {"role": "operator"}


def move_without_events(parts: Parts) -> None:
    del parts.events[4].data["events"]


def move_of_nobody(parts: Parts) -> None:
    parts.events[4].data["move"]["seat"] = parts.events[4].document["actor"]["seat"] = 4


def secret_for_nobody_at_the_table(parts: Parts) -> None:
    parts.events[1].document["secret"][0]["for"] = [7]


def position_missing(parts: Parts) -> None:
    parts.events[16].document["position"] = None


def position_that_is_not_due(parts: Parts) -> None:
    parts.events[5].document["position"] = "ab" * 32


def type_that_there_is_not(parts: Parts) -> None:
    parts.events[4].document["type"] = "erratum_noted"


def dealt_twice(parts: Parts) -> None:
    parts.events[4].document["type"] = "dealt"


def entropy_after_the_deal(parts: Parts) -> None:
    document = parts.events[4].document
    document |= {"type": "entropy_committed", "data": {"commit": "ab" * 32}}


def moved_during_a_pause(parts: Parts) -> None:
    without(parts, place(parts, "match_resumed"))
    without(parts, place(parts, "ruling_made", 3))


def pause_that_does_not_begin(parts: Parts) -> None:
    without(parts, place(parts, "match_paused"))


def result_that_nobody_won(parts: Parts) -> None:
    parts.events[place(parts, "match_finished")].data["outcome"]["winners"] = []


def no_result(parts: Parts) -> None:
    without(parts, place(parts, "match_finished"))


def result_by_an_operator(parts: Parts) -> None:
    parts.events[place(parts, "match_finished")].document["actor"] = {"role": "operator"}


def ruled_by_the_service(parts: Parts) -> None:
    parts.events[place(parts, "ruling_made")].document["actor"] = {"role": "service"}


def ruling_of_no_kind(parts: Parts) -> None:
    parts.events[place(parts, "ruling_made", 2)].data["ruling"]["kind"] = "points_of_mercy"


def points_beside_a_position(parts: Parts) -> None:
    parts.events[place(parts, "ruling_made", 2)].data["position"] = {}


def back_to_what_was_taken_back(parts: Parts) -> None:
    at = place(parts, "ruling_made", 1)
    data = parts.events[place(parts, "ruling_made")].data
    parts.events[at].document["data"] = {**data, "ruling": {"kind": "take_back", "to": 6}}


def back_to_what_is_to_come(parts: Parts) -> None:
    parts.events[place(parts, "ruling_made")].data["ruling"]["to"] = 40


def resumed_while_it_runs(parts: Parts) -> None:
    parts.events[place(parts, "ruling_made")].document["data"] = {
        "ruling": {"kind": "resume"},
        "rule": None,
        "reason": None,
    }


def points_after_the_secret(parts: Parts) -> None:
    last = parts.events[-1]
    told = {**last.document, "type": "seed_disclosed", "actor": {"role": "service"}, "data": {"server_secret": None}}
    parts.events.insert(-1, Event({**told, "secret": [{"for": [], "commit": "ab" * 32}], "position": None}, []))
    last.document["seq"] += 1
    for opening in last.openings:
        opening["seq"] += 1


def given_up_for_entropy(parts: Parts) -> None:
    document = parts.events[4].document
    document |= {"type": "match_voided", "data": {"reason": "entropy-missing", "missing": []}, "position": "ab" * 32}
    document["actor"] = {"role": "service"}
    del parts.events[5:]


def given_up_by_the_service(parts: Parts) -> None:
    given_up_for_entropy(parts)
    parts.events[4].data["reason"] = "cancelled"


Change = Callable[[Parts], None]
LIES: list[tuple[str, Change, str, str]] = [
    (REFEREED, moved_by_the_service, "rules_divergence", "moves"),
    (REFEREED, moved_by_another_seat, "rules_divergence", "moves"),
    (REFEREED, dealt_by_an_operator, "rules_divergence", "moves"),
    (REFEREED, move_without_events, "rules_divergence", "moves"),
    (REFEREED, move_of_nobody, "rules_divergence", "moves"),
    (REFEREED, secret_for_nobody_at_the_table, "rules_divergence", "moves"),
    (REFEREED, position_missing, "tampered", "positions"),
    (REFEREED, position_that_is_not_due, "tampered", "positions"),
    (REFEREED, type_that_there_is_not, "rules_divergence", "moves"),
    (REFEREED, dealt_twice, "rules_divergence", "moves"),
    (REFEREED, entropy_after_the_deal, "deal_divergence", "commitment"),
    (REFEREED, moved_during_a_pause, "rules_divergence", "moves"),
    (REFEREED, pause_that_does_not_begin, "rules_divergence", "moves"),
    (REFEREED, result_that_nobody_won, "rules_divergence", "result"),
    (REFEREED, no_result, "rules_divergence", "moves"),
    (REFEREED, result_by_an_operator, "rules_divergence", "moves"),
    (REFEREED, ruled_by_the_service, "rules_divergence", "moves"),
    (REFEREED, ruling_of_no_kind, "rules_divergence", "moves"),
    (REFEREED, points_beside_a_position, "rules_divergence", "moves"),
    (REFEREED, back_to_what_was_taken_back, "rules_divergence", "moves"),
    (REFEREED, back_to_what_is_to_come, "rules_divergence", "moves"),
    (REFEREED, resumed_while_it_runs, "rules_divergence", "moves"),
    (REFEREED, points_after_the_secret, "rules_divergence", "moves"),
    (REFEREED, given_up_for_entropy, "deal_divergence", "commitment"),
    (REFEREED, given_up_by_the_service, "rules_divergence", "moves"),
]


def in_an_expiry(change: Callable[[dict[str, Any]], object]) -> Change:
    def changed(parts: Parts) -> None:
        change(parts.events[place(parts, "clock_expired")].document)

    return changed


EXPIRIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "by a seat": lambda event: event.update(actor={"role": "seat", "seat": 0}),
    "before the deadline": lambda event: event["data"].update(deadlines=[event["at"]]),
    "at no time": lambda event: event["data"].update(deadlines=["2026-13-01T00:00:00.000Z"]),
    "of nobody": lambda event: event["data"].update(seats=[], deadlines=[]),
    "of others than have deadlines": lambda event: event["data"].update(seats=[0, 1]),
    "with what was not agreed": lambda event: event["data"].update(then="default"),
    "with more than it leads to": lambda event: event["data"].update(move={"seat": 0}),
}
LIES += [("flagged", in_an_expiry(change), "rules_divergence", "moves") for change in EXPIRIES.values()]


def forfeited_by_another(parts: Parts) -> None:
    parts.events[-1].data["result"]["forfeited"] = [0, 1, 2, 3]


def no_clock(parts: Parts) -> None:
    del parts.events[0].data["clock"]


LIES += [
    ("forfeited", forfeited_by_another, "rules_divergence", "result"),
    ("forfeited", no_clock, "rules_divergence", "moves"),
]


def banks_of(number: int, member: str, told: Any) -> Change:
    def changed(parts: Parts) -> None:
        parts.events[place(parts, "ruling_made", number)].data[member] = told

    return changed


NO_BANKS: list[Any] = [
    None,
    [],
    {"count": 4},
    [1, 2, 3],
    [1, 2, 3, -4],
    [1, 2, 3, "4"],
    [1, 2, 3, True],
    [1, 2, 3, 4, 5],
]


def voided_with(**members: Any) -> Change:
    def changed(parts: Parts) -> None:
        parts.events[-1].data.update(members)

    return changed


OVER = {"scores": [1, 0, 0, 0], "winners": [0], "reason": "rounds_played"}


def positioned(name: str, **members: Any) -> Change:
    """The position that a fork, or the play after a take-back, begins with."""

    def changed(parts: Parts) -> None:
        at = 1 if name == "fork" else place(parts, "ruling_made", 1)
        position = parts.events[at].data["position"]
        table = position["table"]
        parts.events[at].data["position"] = {**position, **members, "table": {**table, **members.get("table", {})}}

    return changed


def position_that_is_none(parts: Parts) -> None:
    parts.events[place(parts, "ruling_made", 1)].data["position"] = "as it was"


TOO_MANY: list[dict[str, Any]] = [
    {"aside": {"count": 2}},
    {"discard": ["B1"] * 8},
    {"trick": [{"seat": 0, "card": "B1"}] * 5},
]


LIES += [
    *[("banked", banks_of(0, "banks_ms", told), "rules_divergence", "moves") for told in NO_BANKS],
    *[("banked", banks_of(1, "banks_ms", told), "rules_divergence", "moves") for told in NO_BANKS[:3]],
    *[("banked", banks_of(1, "credited_ms", told), "rules_divergence", "moves") for told in NO_BANKS[:5]],
    ("fork", positioned("fork", outcome=OVER), "rules_divergence", "moves"),
    *[("fork", positioned("fork", table=more), "rules_divergence", "moves") for more in TOO_MANY],
    *[("void", voided_with(missing=told), "deal_divergence", "commitment") for told in (None, [0], [None], [True])],
    ("void", voided_with(reason="cancelled"), "rules_divergence", "moves"),
]
SEEN_BY_THE_RULES: list[Change] = [
    position_that_is_none,
    positioned("banked", outcome=OVER),
    positioned("banked", seed="ab" * 64),
    positioned("banked", seats=3),
    positioned("banked", options={"bust_bonus": "forfeit", "deck": None}),
    positioned("banked", scores=[0, 0, 0]),
    positioned("banked", table={"hands": [{"count": 10}] * 3}),
    *[positioned("banked", table=more) for more in TOO_MANY],
]
"""Of positions that a take-back goes to nothing is known to the second verifier where cards are hidden."""


@pytest.mark.parametrize("lie", SEEN_BY_THE_RULES)
def test_a_lie_about_the_position_that_a_take_back_goes_to(lie: Change) -> None:
    verdict = judged(forged(log("banked"), lie))
    first = verdict.first_divergence
    assert first is not None
    assert (verdict.verdict, failed(verdict), first.seq) == ("rules_divergence", {"moves"}, 10)


@pytest.mark.parametrize(("name", "lie", "word", "check"), LIES)
def test_a_lie_about_what_nobody_has_to_see(name: str, lie: Change, word: str, check: str) -> None:
    verdict = judged(forged(log(name), lie))
    assert (verdict.verdict, check in failed(verdict)) == (word, True)
    assert verdict.first_divergence is not None


def test_events_in_force_are_those_that_no_ruling_has_taken_back() -> None:
    branches: list[tuple[int, int]] = [(10, 4), (14, 11), (20, 3), (25, 22), (30, 25)]
    known = Spans()
    for branch in branches:
        known.add(*branch)
    assert [known.by(seq) is None for seq in range(35)] == [is_in_force(branches, seq) for seq in range(35)]
