"""Makes honest matches that somebody ruled on, or whose time ran out, to be lied about."""

from collections.abc import Callable, Mapping

from gyoji.games.chance import deal_v1
from gyoji.games.game import IllegalMove, Move
from gyoji.log.entries import Entry
from gyoji.log.times import instant, written_instant
from gyoji.match.clocks import Control, deadlines
from gyoji.match.state import MatchState
from replay.refereed import BANKED, Match, until

Entries = tuple[Entry, ...]


class Unchecked(Match):
    """A match whose log need not be foldable: a cheat writes it."""

    def check(self) -> None:
        """Nobody looks."""

    def add(self, step: tuple[tuple[Entry, ...], MatchState]) -> list[dict[str, object]]:
        """Nor here."""
        entries, self.current = step
        self.entries += entries
        return []


def revoke(match: Match) -> Move | None:
    """A card that does not follow, which the seat to act holds."""
    game, state = match.game, match.current.state
    seat = state.to_act[0]
    for card in state.hands[seat]:
        move = {"type": "play", "seat": seat, "card": card}
        if isinstance(game.adjudicate(state, move, deal_v1(state.seed)), IllegalMove):
            return move
    return None


def late(match: Match, ms: int = 1) -> str:
    """So long after the last deadline."""
    clock = match.current.clock
    assert clock is not None
    return written_instant(max([instant(last) for last in deadlines(clock) if last]) + ms)


def taken_back(kind: type[Match] = Match) -> Match:
    """Two rounds and a few tricks of Tomorrow Never Meows, then back into the first; the second is dealt anew."""
    match = until(kind("tomorrow-never-meows"), lambda current: current.state.round == 2)
    match.play(9)
    match.rule("take_back", to=20, rule="TNM-3.1")
    return match


def refereed() -> Entries:
    """Taken back twice; a card played for a seat, one that stands, points; a pause. Closed when all is over."""
    match = until(taken_back(), lambda current: current.state.round == 2)
    match.play(6)
    match.rule("take_back", to=match.seq - 3, audience=(0,))
    match.play(1)
    match.rule("play", move=match.legal()[0])
    match = until(match, lambda _standing: revoke(match) is not None)
    match.rule("accept", move=revoke(match), rule="TNM-3.2")
    match.rule("points", seat=0, points=7)
    match.rule("pause")
    match.rule("resume")
    match.play()
    match.close()
    return tuple(match.entries)


def from_the_old_seed() -> Entries:
    """The cards that were known are dealt again."""
    match = taken_back(Unchecked)
    old = match.after(1).state.seed
    match.current = match.current._replace(state=match.current.state._replace(seed=old))
    match.play()
    match.close()
    return tuple(match.entries)


def timed() -> Entries:
    """Somebody's time is up; banks, and a position that is gone back to."""
    match = Match("catte", clock=BANKED)
    match.play(5)
    match.claim(late(match))
    match.play(6)
    match.rule("take_back", to=match.seq - 3)
    match.rule("time", seat=1, add_ms=3_000)
    match.play()
    match.close()
    return tuple(match.entries)


def flagged() -> Entries:
    """A referee is asked for when time is up."""
    match = Match("catte", clock=Control(2_000, None, 0, "referee"))
    match.play(7)
    match.claim(late(match))
    match.rule("resume")
    match.play()
    match.close()
    return tuple(match.entries)


def forfeited() -> Entries:
    """A seat forfeits."""
    match = Match("catte").play(60)
    match.rule("forfeit", seats=(2,))
    match.close()
    return tuple(match.entries)


def decided() -> Entries:
    """The result is a ruling's, with scores."""
    match = Match("catte").play(20)
    match.rule("result", winners=(1,), scores=(3, 9, 0, 4))
    match.close()
    return tuple(match.entries)


RULED: Mapping[str, Callable[[], Entries]] = {
    "refereed": refereed,
    "timed": timed,
    "flagged": flagged,
    "forfeited": forfeited,
    "decided": decided,
}
