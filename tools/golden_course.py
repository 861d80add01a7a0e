"""Golden matches that somebody rules on, or whose clocks run out: random play, and in between what ``golden.toml`` has
happen (``acts``).

An act waits for the event that it comes ``after``, unless the match stands still. With ``late_ms`` somebody claims that
time is up, so long after the last deadline; with ``kind`` a referee rules, and the other members are those of the
ruling. Every step is a second after the one before. A line that has been taken back is not played again.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from gyoji.games.chance import deal_v1, length_prefixed, u32
from gyoji.games.game import Accepted, Game, IllegalMove, Move
from gyoji.games.tomorrow_never_meows.components import WISHES
from gyoji.log.entries import Entry
from gyoji.log.times import instant, written_instant
from gyoji.match.clocks import deadlines
from gyoji.match.events.kind import Refusal
from gyoji.match.fold import replay_log
from gyoji.match.recorder import Salt, begin, claim, disclose, play, rule
from gyoji.match.rulings.kind import Ruling
from gyoji.match.state import MatchState
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import MatchPlan, SimulatedLog

Act = Mapping[str, Any]
Step = tuple[tuple[Entry, ...], MatchState]

KEY = "676f6c64656e0000"
"""Of the referee; it is no key of any service."""
SECOND = 1_000


class Undone(Exception):
    """An act cannot happen where it stands: another match may do."""


def ruled_on(at_table: MatchPlan, acts: Sequence[Act], max_plies: int) -> SimulatedLog:
    """Play the match with all that happens to it."""
    salt = _salts(at_table.key)
    entries, match = begin(at_table.beginning, timestamp(0), salt)
    written = [*entries]
    for more, after in _course(at_table, acts, match, written, salt):
        written += more
        match = after
        if match.state.ply >= max_plies:
            break
    return SimulatedLog(tuple(written), match)


def _course(
    at_table: MatchPlan, acts: Sequence[Act], match: MatchState, written: Sequence[Entry], salt: Salt
) -> Iterator[Step]:
    waiting, at = [*acts], timestamp(1)
    while waiting or not match.over:
        at = written_instant(instant(at) + SECOND)
        step: Step | None = None
        if waiting and (match.status != "playing" or match.seq >= waiting[0].get("after", 0)):
            if "late_ms" in waiting[0]:
                at = _up(match, waiting[0]["late_ms"])
            step = _acted(at_table, waiting[0], match, written, at, salt)
            if step is not None:
                waiting.pop(0)
        step = step or _played(at_table, match, at, salt)
        yield step
        match = step[1]
    if not match.closed:
        yield disclose(match, max(at, match.terms.withheld or at), salt)


def _up(match: MatchState, late_ms: int) -> str:
    """Return the time so long after the last deadline."""
    if match.clock is None:
        raise Undone("the match has no clock")
    return written_instant(max([instant(last) for last in deadlines(match.clock) if last], default=0) + late_ms)


def _acted(
    at_table: MatchPlan, act: Act, match: MatchState, written: Sequence[Entry], at: str, salt: Salt
) -> Step | None:
    """Return what comes of an act; ``None`` where there is nothing yet that a referee could let stand."""
    if "late_ms" in act:
        return _taken(act, claim(match, at, salt))
    move = None
    if act["kind"] in ("play", "accept"):
        moves = _irregular(match) if act["kind"] == "accept" else match.game.legal_moves(match.state)
        if not moves:
            return None
        move = moves[_number(at_table, match) % len(moves)]
    to = act.get("to")
    target = None if to is None else replay_log(match.game, match.secret, written[: to + 1])
    return _taken(act, rule(match, _ruling(act, move), at, salt, target))


def _taken(act: Act, step: Step | Refusal) -> Step:
    if isinstance(step, Refusal):
        raise Undone(f"{dict(act)}: {step}")
    return step


def _ruling(act: Act, move: Move | None) -> Ruling:
    members = {name: _frozen(value) for name, value in act.items() if name in Ruling._fields and name != "rule"}
    by = {"role": act.get("role", "referee"), "key": KEY}
    return Ruling(**{"by": by, "move": move, "rule": act.get("cites"), **members})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _irregular(match: MatchState) -> list[Move]:
    """List the moves that a rule forbids and a referee can let stand."""
    game, state = match.game, match.state
    found: list[Move] = []
    for move in game.legal_moves(state):
        found += [other for other in _others(move, state) if other not in found and _can_stand(game, state, other)]
    return found


def _others(move: Move, state: Any) -> list[Move]:
    """List the same move with every other card of the hand, or every other wish."""
    if "card" in move:
        return [{**move, "card": card} for card in state.hands[move["seat"]]]
    return [{**move, "wish": wish} for wish in WISHES] if "wish" in move else []


def _can_stand(game: Game[Any], state: Any, move: Move) -> bool:
    chance = deal_v1(state.seed)
    stands = isinstance(game.irregular(state, move, chance), Accepted)
    return stands and isinstance(game.adjudicate(state, move, chance), IllegalMove)


def _played(at_table: MatchPlan, match: MatchState, at: str, salt: Salt) -> Step:
    """Play one more ply."""
    legal = match.game.legal_moves(match.state)
    move = legal[_number(at_table, match) % len(legal)]
    step = play(match, move, {"role": "seat", "seat": move["seat"]}, at, salt)
    if isinstance(step, IllegalMove):
        raise SystemExit(f"a listed move was refused: {step.infraction.reason}")
    return step


def _number(at_table: MatchPlan, match: MatchState) -> int:
    """Return the number that is chosen at that event; of another effective history another one, since it has other
    numbers."""
    return int.from_bytes(sha256(length_prefixed("choice", at_table.key, u32(match.seq))).digest()[:16], "big")


def _salts(key: bytes) -> Salt:
    numbers = count()
    return lambda: sha256(length_prefixed("salt", key, u32(next(numbers)))).digest()
