"""Files of matches that somebody ruled on: verified with every ruling listed, stepped through across take-backs."""

from dataclasses import replace
from random import Random
from typing import Any

import orjson
import pytest

from gyoji.audit.audit import audit
from gyoji.audit.playback import play_back
from gyoji.audit.verdicts import RULINGS
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Finding, IllegalMove
from gyoji.log.files import redact_lines
from gyoji.log.parser import LIMITS
from gyoji.log.times import instant, written_instant
from gyoji.match import prescan
from gyoji.match.clocks import Control, deadlines
from gyoji.match.effective_history import taken_back_events
from gyoji.match.events.kind import Refusal
from gyoji.match.fold import replay_log
from gyoji.match.prescan import TakenBack, branches, prescan_lines, taken_back_by
from gyoji.match.recorder import claim
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.match.setup import GameVersion
from gyoji.messages.verdicts import rules_for
from replay.refereed import SEATS, Match
from replay.tampering import TRUSTED, Parts, file_of, forged, judged, result, why

KINDS = [*["take_back"] * 4, "play", "accept", "points", "time", "substitute", "pause", "note", "result", "forfeit"]
CLOCKS = [
    None,
    Control(5_000, None, 0, "referee"),
    Control(0, 15_000, 1_500, "default"),
    Control(900, 9_000, 0, "forfeit"),
]
RULES = {"tomorrow-never-meows": "TNM-7.4", "catte": "CAT-R4", "towai": "TOW-R12", "familiars-trouble": "FAM-1.1"}
MANY = [(slug, number) for slug in SEATS for number in range(4)]


def irregular(match: Match, rng: Random) -> Any:
    """A move that only a rule forbids, if the seat to act has one."""
    game, state = match.game, match.current.state
    chance = deal_v1(state.seed)
    found = []
    for move in match.legal():
        for card in state.hands[move["seat"]] if "card" in move else ():
            other = {**move, "card": card}
            stands = isinstance(game.irregular(state, other, chance), Accepted)
            if stands and isinstance(game.adjudicate(state, other, chance), IllegalMove):
                found.append(other)
    return rng.choice(found) if found else None


def members(match: Match, kind: str, rng: Random) -> dict[str, Any]:
    """A ruling of that kind, by chance; it may well be refused."""
    seat = rng.randrange(match.current.seeding.seats)
    running = match.current.state is not None and not match.current.over
    move = None
    if running and kind == "play":
        move = rng.choice(match.legal())
    elif running and kind == "accept":
        move = irregular(match, rng)
    ruled: dict[str, dict[str, Any]] = {
        "take_back": {"to": rng.randint(1, match.seq)},
        "play": {"move": move},
        "accept": {"move": move},
        "points": {"seat": seat, "points": rng.randint(-9, 9)},
        "time": {"seat": seat, "add_ms": rng.choice((-4_000, 7_000))},
        "substitute": {"seat": seat, "name": rng.choice((None, "凛"))},
        "result": {"winners": (seat,)},
        "forfeit": {"seats": (seat,)},
    }
    return {
        **ruled.get(kind, {}),
        "audience": rng.choice(("all", (), (seat,))),
        "rule": rng.choice((None, RULES[match.game.slug])),
    }


def ruled_on(slug: str, number: int) -> Match:
    """A match with a dozen rulings and expiries by chance."""
    rng = Random(f"{slug} {number}")
    disclosure = "auditors_only" if number == 3 else "public_on_close"
    options = {"finishes_to_win": 1} if slug == "towai" else {"concealed": True} if slug[0] == "t" else {}
    match = Match(slug, options, number, clock=CLOCKS[number], disclosure=disclosure)
    for _step in range(12):
        if match.current.course.paused:
            match.rule("resume")
        match.play(rng.randint(1, 6))
        kind = rng.choice(KINDS)
        step = match.asked(kind, **members(match, kind, rng))  # type: ignore[arg-type]
        if not isinstance(step, Refusal):
            match.add(step)
        if match.current.clock is not None and rng.random() < 0.3:
            last = [instant(at) for at in deadlines(match.current.clock) if at]
            at = max(written_instant(max(last, default=0) + 1), match.current.at)
            found = claim(match.current, at, match.salt)
            if not isinstance(found, Refusal):
                match.add(found)
    if match.current.course.paused:
        match.rule("resume")
    match.play()
    match.close()
    return match


@pytest.fixture(scope="module")
def matches() -> dict[tuple[str, int], Match]:
    return {key: ruled_on(*key) for key in MANY}


def told(match: Match) -> list[tuple[int, str]]:
    """The rulings of a log."""
    found = [orjson.loads(entry.body) for entry in match.entries]
    return [(one["seq"], one["data"]["ruling"]["kind"]) for one in found if one["type"] == "ruling_made"]


@pytest.mark.parametrize("key", MANY, ids=str)
def test_whatever_was_ruled_is_verified_and_listed(matches: dict[Any, Match], key: tuple[str, int]) -> None:
    match = matches[key]
    lines = file_of(match.entries)
    verdict = judged(lines)
    assert (verdict.verdict, verdict.first_divergence) == ("verified_with_rulings", None)
    assert [(ruling.seq, ruling.kind) for ruling in verdict.rulings] == told(match)
    assert all(ruling.overrides == RULINGS[ruling.kind] for ruling in verdict.rulings)
    for reader in ("public", 0):
        part = judged(tuple(redact_lines(lines, reader)))
        assert (part.verdict, part.rulings) == ("verified_partial", verdict.rulings)


@pytest.mark.parametrize("key", MANY, ids=str)
def test_a_file_is_stepped_through_across_take_backs(matches: dict[Any, Match], key: tuple[str, int]) -> None:
    match = matches[key]
    lines = file_of(match.entries)
    found = play_back(lambda: lines, rules_for, -1, 10_000)
    assert found is not None
    assert (found.broken, found.status) == (None, match.current.status)
    taken = taken_back_events(match.entries)
    assert [step.taken_back_by for step in found.steps] == [taken.get(entry.seq) for entry in match.entries]
    for seq in {0, match.seq // 2, match.seq, *[to for _ruling, to in match.current.course.branches]}:
        state = replay_log(match.game, match.current.secret, match.entries[: seq + 1]).state
        assert found.steps[seq].state == (None if state is None else state._replace(seed=None))


def test_they_show_every_kind() -> None:
    assert RULINGS.keys() == RULING_KINDS.keys()
    assert {*KINDS, "resume", "void"} == RULINGS.keys()


def test_more_take_backs_than_are_followed_are_not_checkable(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("catte")
    for _time in range(3):
        match.play(3)
        match.rule("take_back", to=match.seq - 2)
    match.play()
    match.close()
    lines = file_of(match.entries)
    assert judged(lines).verdict == "verified_with_rulings"
    monkeypatch.setattr(prescan, "MOST_TAKEN_BACK", 2)
    verdict = judged(lines)
    reason = why(verdict, "moves")
    assert (verdict.verdict, len(verdict.rulings)) == ("verified_partial", 3)
    assert reason is not None
    assert (reason.code, result(verdict, "moves")) == ("too-many-taken-back", "not_checkable")


def test_what_is_coming_is_read_from_the_end_of_an_event() -> None:
    """Whatever stands in the position that a ruling tells of: it is the ruling itself that counts."""
    match = Match("catte").play(5)
    match.rule("take_back", to=3)
    lines = list(file_of(match.entries))
    at = next(number for number, line in enumerate(lines) if b'"take_back"' in line)
    lines[at] = lines[at].replace(b'"position":{', b'"position":{"a":{"ruling":{"kind":"take_back","to":9}},', 1)
    assert prescan_lines(lines, LIMITS).back == (TakenBack(7, 3),)


def test_the_line_in_force() -> None:
    """What goes back to an event that was taken back, or is to come, changes nothing."""
    back = branches([TakenBack(9, 5), TakenBack(12, 7), TakenBack(14, 20), TakenBack(15, 3)])
    assert back == (TakenBack(9, 5), TakenBack(15, 3))
    assert [taken_back_by(back, seq) for seq in range(3, 17)] == [
        *[None, 15, 15, 9, 9, 9],
        *[15, 15, 15, 15, 15, 15, None, None],
    ]


# Rulings that the service refuses, written down all the same


def test_a_result_that_is_the_result_already() -> None:
    match = Match("catte").play(9)
    match.rule("result", winners=(1,), scores=(3, 9, 0, 4))
    assert match.refusal("result", winners=(1,), scores=(3, 9, 0, 4)).code == "no-change"
    match.rule("result", winners=(1,), scores=(3, 9, 0, 5))
    match.close()
    honest = file_of(match.entries)
    assert judged(honest).verdict == "verified_with_rulings"
    again = len(match.entries) - 2

    def change(parts: Parts) -> None:
        parts.events[again].data["ruling"]["scores"] = [3, 9, 0, 4]

    verdict = judged(forged(honest, change))
    assert (verdict.verdict, verdict.first_divergence[:2]) == ("rules_divergence", (again, "moves"))  # type: ignore[index]
    assert why(verdict, "moves").code == "ruling-no-change"  # type: ignore[union-attr]


def test_time_for_a_seat_that_is_not_to_act() -> None:
    """Without banks there is none of it that could be changed."""
    match = Match("catte", clock=Control(10_000, None, 0, "referee")).play(2)
    (turn,) = match.current.state.to_act
    other = (turn + 1) % 4
    assert match.refusal("time", seat=other, add_ms=5_000).code == "no-change"
    match.rule("time", seat=turn, add_ms=5_000)
    match.play()
    match.close()
    honest = file_of(match.entries)
    assert judged(honest).verdict == "verified_with_rulings"

    def change(parts: Parts) -> None:
        ruling = next(event for event in parts.events if event.document["type"] == "ruling_made")
        ruling.data["ruling"]["seat"] = other

    verdict = judged(forged(honest, change))
    assert (verdict.verdict, why(verdict, "moves").code) == ("rules_divergence", "ruling-no-change")  # type: ignore[union-attr]


def test_a_position_that_no_match_can_go_back_to() -> None:
    """As the game finds it impossible, the service would not have gone back to it."""
    match = Match("catte").play(9)
    match.rule("take_back", to=4)
    match.play()
    match.close()
    lines = file_of(match.entries)
    ply = match.after(4).state.ply

    def doubting(game: str, version: int, digest: str) -> GameVersion | None:
        rules = rules_for(game, version, digest)
        found = (Finding("/table/trick", "wrong-count"),)
        return (
            None
            if rules is None
            else replace(rules, game=rules.game._replace(findings=lambda at: found * (at.ply == ply)))
        )

    assert judged(lines).verdict == "verified_with_rulings"
    verdict = audit(lambda: lines, doubting, TRUSTED)
    assert (verdict.verdict, why(verdict, "moves").code) == ("rules_divergence", "ruling-impossible-position")  # type: ignore[union-attr]
