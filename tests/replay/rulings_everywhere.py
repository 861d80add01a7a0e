"""Rulings of every kind at any ply of a match, which is then played on to its end and looked at from all sides."""

from collections.abc import Callable, Mapping
from copy import copy
from functools import cache
from itertools import count
from random import Random
from typing import Any, NamedTuple

import orjson

from gyoji.audit.playback import play_back
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, IllegalMove, Move
from gyoji.log.entries import Entry
from gyoji.log.redaction import project_event
from gyoji.match.effective_history import history_lines, taken_back_events
from gyoji.match.fold import apply_entry, first_state
from gyoji.match.rulings.kind import Kind
from gyoji.match.state import MatchState, Result, result_of
from gyoji.messages.verdicts import rules_for
from laws.universe import universe
from replay.refereed import BANKED, Match
from replay.tampering import file_of, judged

POINTS = -7
"""What a ruling of the kind ``points`` gives to seat 1."""
OVERRIDES = {"take_back", "accept", "points", "forfeit", "void", "result"}
"""The kinds of rulings that put something else in the place of what the rules make of a match."""


class Setting(NamedTuple):
    """A match of that game; ``number`` tells random ones apart."""

    slug: str
    options: tuple[tuple[str, Any], ...] = ()
    number: int = 0


class Whole(NamedTuple):
    """A match that was played to its end without a ruling, and where it stood after each event."""

    match: Match
    match_states: tuple[MatchState, ...]
    plies: int


@cache
def whole(setting: Setting) -> Whole:
    """The match of that setting."""
    match = Match(setting.slug, dict(setting.options), setting.number, clock=BANKED)
    match_states = [match.after(0), match.current]
    while not match.current.over:
        match.play(1)
        match_states += [match.current] * (len(match.entries) - len(match_states))
    match_states[-2] = match.after(len(match_states) - 2)
    return Whole(match, tuple(match_states), match.current.state.ply)


def at_ply(setting: Setting, plies: int) -> Match:
    """The same match as it was after so many moves."""
    match = copy(whole(setting).match)
    match.entries, match.current = match.entries[: plies + 2], whole(setting).match_states[plies + 1]
    match.choices, match._salts = Random(f"{setting} {plies}"), count(10**6)
    return match


# Rulings of every kind


def misplays(match: Match) -> list[Move]:
    """What nobody may play now, and a referee may let stand."""
    game, state = match.game, match.current.state
    chance, found = deal_v1(state.seed), []
    for move in universe(game, orjson.loads(orjson.dumps(game.write_state(state)))):
        ruling = game.adjudicate(state, move, chance)
        if isinstance(ruling, IllegalMove) and ruling.infraction.reason == "rule-violation":
            stood = game.irregular(state, move, chance)
            found += [move] if isinstance(stood, Accepted) else []
    return found


def place_of(setting: Setting, kind: Kind, plies: int) -> int:
    """The ply nearest to that one at which there is such a ruling to make."""
    if kind == "take_back":
        return max(1, plies)
    if kind != "accept":
        return plies
    nearest = sorted(range(whole(setting).plies), key=lambda at: abs(at - plies))
    return next(at for at in nearest if misplays(at_ply(setting, at)))


def _accepted(match: Match) -> None:
    match.rule("accept", move=match.choices.choice(misplays(match)), rule=None)


def _played(match: Match) -> None:
    match.rule("play", move=match.choices.choice(match.legal()))


def _taken_back(match: Match) -> None:
    match.rule("take_back", to=match.choices.choice(earlier(match)))


def earlier(match: Match) -> list[int]:
    """The events of the line in force with another position than this one."""
    gone, here = taken_back_events(match.entries), unseeded(match.current.state)
    found = [current for current in fold(match)[1:] if unseeded(current.state) != here]
    return [current.seq for current in found if current.seq not in gone]


def unseeded(state: Any) -> Any:
    """The position alone: a take-back over a shuffle changes the seed."""
    return None if state is None else state._replace(seed=None)


def fold(match: Match) -> list[MatchState]:
    """Where the match stood after each event."""
    found = [first_state(match.entries[0], match.game, match.current.secret)]
    for entry in match.entries[1:]:
        found.append(apply_entry(found[-1], entry))
    return found


def _back_again(match: Match, kind: Kind, **members: Any) -> None:
    """A ruling that ends the match, and one that takes it back to the position before."""
    to = match.seq
    match.rule(kind, **members)
    assert match.current.over
    match.rule("take_back", to=to)


def _resumed(match: Match) -> None:
    match.rule("pause")
    match.rule("resume")


def _paused(match: Match) -> None:
    """During the pause a referee plays for a seat; then it goes on."""
    match.rule("pause")
    if match.choices.random() < 0.5:
        match.rule("play", move=match.choices.choice(match.legal()))
    if not match.current.over:
        match.rule("resume")


def _result(match: Match) -> None:
    seats = match.current.seeding.seats
    scores = tuple([10 * seat for seat in range(seats)])
    _back_again(match, "result", scores=scores, winners=match.game.winners(scores))


RULINGS: Mapping[Kind, Callable[[Match], object]] = {
    "take_back": _taken_back,
    "play": _played,
    "accept": _accepted,
    "points": lambda match: match.rule("points", seat=1, points=POINTS),
    "time": lambda match: match.rule("time", seat=1, add_ms=30_000),
    "forfeit": lambda match: _back_again(match, "forfeit", seats=(0,)),
    "substitute": lambda match: match.rule("substitute", seat=2, name="a substitute"),
    "void": lambda match: _back_again(match, "void"),
    "result": _result,
    "pause": _paused,
    "resume": _resumed,
    "note": lambda match: match.rule("note", rule=None),
}


def rule_every_way(match: Match) -> None:
    """One ruling of each kind at this place but ``accept``; what moves the position is taken back again, and the last
    of them is a take-back to some place before."""
    here, state = match.seq, match.current.state
    for kind in RULINGS:
        if kind not in ("accept", "take_back"):
            RULINGS[kind](match)
            if unseeded(match.current.state) != unseeded(state):
                match.rule("take_back", to=here)
    RULINGS["take_back"](match)


# What there is to see


def replayed(match: Match) -> Any:
    """The position that the moves of the line in force lead to from the deal, all of them ruled on again, each with the
    seed that was in force when it was made."""
    game, gone, stood = match.game, taken_back_events(match.entries), fold(match)
    state = stood[1].state
    for before, entry in zip(stood, match.entries[1:], strict=False):
        data = project_event("full", entry)["data"]
        if entry.seq not in gone and "move" in data:
            is_misplay = data.get("ruling", {}).get("kind") == "accept"
            rule = game.irregular if is_misplay else game.adjudicate
            ruling = rule(state, data["move"], deal_v1(before.state.seed))
            assert isinstance(ruling, Accepted), (entry.seq, ruling)
            state = ruling.state
    return state


def expected(match: Match, points: int) -> Result:
    """What comes out of a match that was played to its end, if a referee has given seat 1 so many points."""
    scores = list(match.current.state.outcome["scores"])
    scores[1] += points
    best = [seat for seat, score in enumerate(scores) if match.game.cooperative or score == max(scores)]
    return Result("play", tuple(scores), tuple(best))


def rulings_of(match: Match) -> list[tuple[int, str, bool]]:
    """Of each ruling in the log its ``seq``, its kind, and whether it puts something in the place of the rules."""
    documents = [orjson.loads(entry.body) for entry in match.entries]
    kinds = [(at, one["data"]["ruling"]["kind"]) for at, one in enumerate(documents) if one["type"] == "ruling_made"]
    return [(seq, kind, kind in OVERRIDES) for seq, kind in kinds]


def look_at(match: Match, points: int = 0) -> None:
    """All is well with a match that was ruled on, with so many points for seat 1, and played to its end."""
    match.check()
    current = match.current
    assert current.status == "finished"
    assert result_of(current) == expected(match, points)
    assert match.game.findings(current.state) == ()
    assert unseeded(replayed(match)) == unseeded(current.state)
    assert current.course.rulings == len(rulings_of(match)) > 0


def audit(match: Match) -> None:
    """What the audit says of it, once its secret is told: all is as it should be, and a referee has ruled."""
    match.close()
    verdict = judged(file_of(match.entries))
    assert verdict.first_divergence is None, verdict
    assert verdict.verdict == "verified_with_rulings", verdict
    assert [(one.seq, one.kind, one.overrides) for one in verdict.rulings] == rulings_of(match)


def step_through(match: Match) -> None:
    """The file is stepped through to its end, every event with the position after it and with what took it back; the
    line that stands is all the others, and points, time and substitutes, each with the hash that it has in the log."""
    lines, taken = file_of(match.entries), taken_back_events(match.entries)
    found = play_back(lambda: lines, rules_for, -1, len(match.entries))
    assert found is not None
    assert (found.broken, found.seq, found.status) == (None, match.seq, "finished")
    assert {step.entry.seq: step.taken_back_by for step in found.steps if step.taken_back_by is not None} == taken
    positions = fold(match)
    assert [unseeded(step.state) for step in found.steps] == [unseeded(current.state) for current in positions]
    header, *current = [orjson.loads(line) for line in history_lines("full", match.entries, taken)]
    assert (header["line"], header["verifies"]) == ("ruled", False)
    stand = [entry for entry in match.entries if entry.seq not in taken or _lasts(entry)]
    assert [(event["seq"], event["hash"]) for event in current] == [(entry.seq, entry.hash.hex()) for entry in stand]


def _lasts(entry: Entry) -> bool:
    """What a take-back leaves in force: points, time, a substitute."""
    event = orjson.loads(entry.body)
    return event["type"] == "ruling_made" and event["data"]["ruling"]["kind"] in ("points", "time", "substitute")
