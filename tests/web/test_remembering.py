"""What a process remembers of matches follows what is being played, however many there have been."""

from typing import cast

from gyoji.app.match_states import IDLE_SECONDS, MOST_STATES, RecentCache
from gyoji.match.state import MatchState

STANDING = cast(MatchState, object())


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_what_is_not_used_is_let_go_of() -> None:
    clock = _Clock()
    recent: RecentCache[str, MatchState] = RecentCache(clock=clock)
    recent.keep("over", STANDING)
    recent.keep("played", STANDING)
    clock.now += IDLE_SECONDS - 1
    assert recent.get("played") is STANDING
    clock.now += 2
    recent.keep("new", STANDING)
    assert recent.get("over") is None
    assert recent.get("played") is STANDING
    assert len(recent) == 2


def test_there_is_a_most_of_them_and_the_oldest_go_first() -> None:
    recent: RecentCache[int, MatchState] = RecentCache(clock=_Clock())
    for match in range(MOST_STATES):
        recent.keep(match, STANDING)
    assert recent.get(0) is STANDING
    recent.keep(MOST_STATES, STANDING)
    assert len(recent) == MOST_STATES
    assert recent.get(0) is STANDING
    assert recent.get(1) is None
