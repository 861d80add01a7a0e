"""Claims that time is up: when they are in time, and what follows from them."""

from typing import Any

import orjson
import pytest

from gyoji.games.game import Move
from gyoji.log.redaction import project_event
from gyoji.match.clocks import Control
from gyoji.match.state import Result, result_of
from gyoji.simulation.derivation import timestamp
from replay.refereed import Match, types

CONCEALED = {"concealed": True, "bluff_scoring": "per_trick"}


def control(on_expiry: Any, move: int = 10, bank: int | None = None) -> Control:
    """Ten seconds a move."""
    return Control(move * 1000, None if bank is None else bank * 1000, 0, on_expiry)


def past(seconds: int, ms: int = 1) -> str:
    """So many seconds after the beginning, and a little more."""
    return timestamp(seconds).replace(".000Z", f".{ms:03}Z")


def claimed(match: Match, at: str) -> list[dict[str, Any]]:
    found = match.claim(at)
    assert isinstance(found, list), found
    return found


def test_a_claim_at_the_very_deadline_is_too_early() -> None:
    match = Match("catte", clock=control("forfeit"))
    seat = match.current.state.to_act[0]
    deadlines = tuple([timestamp(10) if at == seat else None for at in range(4)])
    assert match.claim(timestamp(10)) == ("not-expired", {"now": timestamp(10), "deadlines": deadlines}, None)
    assert types(claimed(match, past(10))) == ["clock_expired", "match_finished"]


def test_without_a_clock_there_is_nothing_to_claim() -> None:
    assert Match("catte").claim(timestamp(900)) == ("no-clock", {}, None)


def test_after_the_end_there_is_nothing_to_claim() -> None:
    match = Match("catte", clock=control("forfeit"))
    match.rule("forfeit", seats=(0,))
    assert match.claim(timestamp(900)) == ("not-running", {"status": "finished"}, None)


def test_a_late_move_stands_unless_somebody_has_claimed() -> None:
    match = Match("catte", clock=control("forfeit"))
    match.move(match.legal()[0], at=timestamp(500))
    assert match.claim(timestamp(510)) == ("not-expired", *match.claim(timestamp(510))[1:])
    assert isinstance(match.claim(past(510)), list)


def test_the_match_waits_for_a_referee() -> None:
    match = Match("catte", clock=control("referee", bank=5))
    seat = match.current.state.to_act[0]
    expired, paused = claimed(match, past(15))
    assert (expired["type"], expired["actor"]) == ("clock_expired", {"role": "service"})
    assert expired["data"] == {"seats": [seat], "deadlines": [timestamp(15)], "then": "referee"}
    assert (paused["type"], paused["actor"], paused["data"]) == ("match_paused", {"role": "service"}, {})
    assert match.current.status == "paused"
    match.rule("time", seat=seat, add_ms=20_000, at=timestamp(30))
    match.rule("resume", at=timestamp(40))
    assert match.claim(timestamp(59))[0] == "not-expired"
    assert types(claimed(match, past(60))) == ["clock_expired", "match_paused"]


def test_a_seat_forfeits() -> None:
    match = Match("catte", clock=control("forfeit")).play(2)
    match.rule("points", seat=2, points=3)
    seat = match.current.state.to_act[0]
    expired, finished = claimed(match, past(13))
    assert expired["data"] == {"seats": [seat], "deadlines": [timestamp(13)], "then": "forfeit"}
    winners = [2] if seat != 2 else [0, 1, 3]
    result = {"by": "clock", "winners": winners, "scores": [0, 0, 3, 0], "forfeited": [seat]}
    assert finished["data"] == {"outcome": None, "result": result}
    assert result_of(match.current) == Result("clock", (0, 0, 3, 0), tuple(winners), (seat,))


def test_the_first_legal_move_is_made() -> None:
    match = Match("catte", clock=control("default")).play(3)
    first = match.legal()[0]
    (expired,) = claimed(match, past(15))
    assert (expired["data"]["then"], expired["data"]["move"]) == ("default", first)
    assert expired["data"]["events"][0] == {"type": "card_played", "seat": first["seat"], "card": first["card"]}
    assert (match.current.decision, match.current.status) == (match.seq, "playing")
    assert match.current.clock is not None
    assert match.current.clock.since[match.current.state.to_act[0]] == past(15)


def test_a_seat_passes_where_that_is_legal_and_is_moved_for_where_it_is_not() -> None:
    match = Match("towai", clock=control("pass"))
    done: set[str] = set()
    for seconds in range(20, 2_000, 20):
        legal = match.legal()
        may_pass: list[Move] = [move for move in legal if move["type"] == "pass"]
        seats = match.current.state.to_act
        documents = claimed(match, past(seconds))
        for seat, document in zip(seats, documents, strict=False):
            data = document["data"]
            assert (data["then"] == "pass") == bool(may_pass)
            expected = may_pass[0] if may_pass else next(move for move in legal if move["seat"] == seat)
            assert data["move"]["type"] == expected["type"]
            done.add(data["then"])
        if done == {"pass", "default"} or match.current.over:
            break
        match.move(match.choices.choice(match.legal()), at=past(seconds))
    assert done == {"pass", "default"}
    match.check()


def test_all_who_have_not_chosen_are_chosen_for() -> None:
    """One event for each, what they choose is hidden, and after the last a new decision is open."""
    match = Match("tomorrow-never-meows", CONCEALED, clock=control("default"))
    chose = match.choices.choice(match.legal())
    match.move(chose, at=timestamp(5))
    legal = match.legal()
    documents = claimed(match, past(10))
    others = [seat for seat in range(3) if seat != chose["seat"]]
    assert [document["data"]["seats"] for document in documents] == [[seat] for seat in others]
    assert types(documents) == ["clock_expired"] * 2
    for seat, document, entry in zip(others, documents, match.entries[-2:], strict=True):
        default = next(move for move in legal if move["seat"] == seat)
        assert document["data"]["deadlines"] == [timestamp(10)]
        assert document["data"]["move"] == {"type": "wish", "seat": seat, "wish": None}
        assert project_event(seat, entry)["data"]["move"] == default
        assert project_event(chose["seat"], entry)["data"]["move"]["wish"] is None
        assert orjson.loads(entry.body)["secret"][0]["for"] == [seat]
    assert match.current.state.phase != "wish"
    assert match.current.decision == match.seq


def test_of_a_choice_made_together_each_seat_has_its_own_time() -> None:
    match = Match("tomorrow-never-meows", CONCEALED, clock=control("forfeit", bank=30))
    match.rule("time", seat=1, add_ms=-30_000, at=timestamp(0))
    (expired, _finished) = claimed(match, past(10))
    assert (expired["data"]["seats"], expired["data"]["deadlines"]) == ([1], [timestamp(10)])
    assert match.current.course.forfeited == (1,)


def test_seats_that_choose_together_forfeit_together() -> None:
    match = Match("tomorrow-never-meows", CONCEALED, clock=control("forfeit"))
    chose = match.legal()[0]
    match.move(chose, at=timestamp(1))
    expired, finished = claimed(match, past(11))
    others = [seat for seat in range(3) if seat != chose["seat"]]
    assert expired["data"]["seats"] == others
    assert finished["data"]["result"] == {
        "by": "clock",
        "winners": [chose["seat"]],
        "scores": [0, 0, 0],
        "forfeited": others,
    }


@pytest.mark.parametrize("slug", ["catte", "familiars-trouble", "towai", "tomorrow-never-meows"])
def test_a_match_that_nobody_plays_comes_to_its_end(slug: str) -> None:
    """Every move by the clock, to the last, after which the match is finished as after any other."""
    match = Match(slug, clock=control("default", move=1))
    seconds = 0
    while not match.current.over and seconds < 3_000:
        seconds += 2
        documents = claimed(match, timestamp(seconds))
    if slug != "towai":  # in which the first legal moves may go round and round
        assert types(documents)[-2:] == ["clock_expired", "match_finished"]
        assert documents[-1]["data"] == {"outcome": orjson.loads(orjson.dumps(match.current.state.outcome))}
    match.check()


def test_a_take_back_brings_no_time_back() -> None:
    match = Match("catte", clock=control("referee", bank=20))
    seat = match.current.state.to_act[0]
    match.move(match.legal()[0], at=timestamp(25))
    match.rule("take_back", to=1, at=timestamp(26))
    assert match.current.clock is not None
    assert match.current.clock.banks_ms[seat] == 5_000
    assert match.claim(timestamp(41))[0] == "not-expired"
    assert types(claimed(match, past(41))) == ["clock_expired", "match_paused"]
