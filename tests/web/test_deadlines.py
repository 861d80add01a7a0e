"""When a worker looks at connections: never after their time, and at no more of them than have something to come."""

from collections.abc import Iterator
from contextlib import ExitStack
from math import inf
from socket import socketpair

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gyoji.web.connection import Connection
from gyoji.web.deadlines import Deadlines

ANSWERS = 1_000


@pytest.fixture
def connections() -> Iterator[list[Connection]]:
    """Three, of which nothing is noted."""
    with ExitStack() as open_sockets:
        pairs = [tuple(map(open_sockets.enter_context, socketpair())) for _each in range(3)]
        yield [Connection(ours, "", "", inf) for ours, _theirs in pairs]


def looked(deadlines: Deadlines, connections: list[Connection], now: float) -> list[Connection]:
    """Look at what is due, as the main thread of a worker does."""
    due = deadlines.take_due({conn.sock.fileno(): conn for conn in connections}, now)
    for conn in due:
        if conn.until > now:
            deadlines.note(conn, conn.until)
    return due


@given(steps=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 20), st.integers(0, 5)), max_size=40))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_is_looked_at_when_its_time_has_come(
    connections: list[Connection], steps: list[tuple[int, int, int]]
) -> None:
    deadlines, now = Deadlines(), 0.0
    for conn in connections:
        conn.until = conn.looked_at = inf
    for number, later, passes in steps:
        conn = connections[number]
        conn.until = now + later
        deadlines.note(conn, conn.until)
        now += passes
        due = {each for each in connections if each.until <= now}
        assert due <= set(looked(deadlines, connections, now))
        for each in connections:
            each.until = inf if each.until <= now else each.until


def test_a_connection_that_answers_often_has_few_entries(connections: list[Connection]) -> None:
    """Each request moves the time of its connection away, which is noted once that time would have come."""
    deadlines, looks = Deadlines(), 0
    conn = connections[0]
    for number in range(ANSWERS):
        now = number / 100
        conn.until = now + 20
        deadlines.note(conn, conn.until)
        conn.until = now + 5
        deadlines.note(conn, conn.until)
        looks += len(looked(deadlines, connections, now))
    assert looks <= 2 * ANSWERS / 100 / 5
    assert len(looked(deadlines, connections, inf)) <= 3
