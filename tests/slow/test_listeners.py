"""One worker, ten thousand idle streams, or a thousand listeners of one match; everybody else is answered at once."""

from collections.abc import Iterator
from contextlib import closing
from random import Random
from statistics import median, quantiles
from time import monotonic

import pytest

from crowds import Crowd, many_files, memory, processor_seconds
from players import Line, Order, Table, next_to_act, opened, order
from servers import Server, serving

IDLE = 9_000
MATCHES = 6
LISTENERS = 1_000
MOVES = 20


@pytest.fixture
def server() -> Iterator[Server]:
    """One worker with the threads that it has by default."""
    with many_files(), serving("--workers", "1") as running:
        yield running


@pytest.fixture
def crowd(server: Server) -> Iterator[Crowd]:
    """Those who listen."""
    with closing(Crowd(server)) as found:
        yield found


@pytest.fixture
def line(server: Server) -> Iterator[Line]:
    """A connection of somebody else."""
    with closing(Line(server.port)) as found:
        yield found


def legal(line: Line, table: Table) -> Order:
    """A legal move."""
    view = next_to_act(line, table, Random(1))
    return order(table, view["legal_moves"][0])


def made(line: Line, move: Order) -> int:
    """The ``seq`` of a move that is made."""
    answer = move.put(line)
    assert answer.status == 200, answer.body
    seq: int = answer.document["seq"]
    return seq


def test_ten_thousand_idle_streams_cost_little_and_nobody_waits_for_them(
    server: Server, crowd: Crowd, line: Line
) -> None:
    tables = [opened(line, "towai", 4, visibility="public") for _match in range(MATCHES)]
    (worker,) = server.workers()
    crowd.join(f"{tables[0].path}/events", tables[0].sits(0))
    before, began = memory(worker), monotonic()
    while len(crowd) < IDLE:
        table = tables[len(crowd) % MATCHES]
        crowd.join(f"{table.path}/events?after=1", table.sits(len(crowd) // MATCHES % 4))
    came = monotonic() - began
    each = (memory(worker) - before) / len(crowd)
    used, began = processor_seconds(worker), monotonic()
    crowd.listen(20, b"\0")
    idle = (processor_seconds(worker) - used) / (monotonic() - began)
    line.close()  # which the server has done meanwhile
    answers, moves = [], []
    for _time in range(MOVES):
        began = monotonic()
        assert line("GET", "/healthz", None, {}).status == 200
        answers.append(monotonic() - began)
    apart = opened(line, "towai", 4)
    for _time in range(MOVES):
        next_move, began = legal(line, apart), monotonic()
        made(line, next_move)
        moves.append(monotonic() - began)
    next_move = legal(line, tables[0])
    crowd.begin()
    word = b"id: %d\n" % made(line, next_move)
    crowd.listen(20, word)
    heard = sum(word in told for told in crowd.heard.values())
    print(  # noqa: T201 - the figures of the run
        f"{len(crowd)} streams came in {came:.1f} s; {each / 1024:.1f} KiB each; {idle:.3f} of a core while idle;"
        f" /healthz in {max(answers):.3f} s, a move in {max(moves):.3f} s at most; {heard} heard"
    )
    assert each < 32 * 1024
    assert idle < 0.5  # a fifth of one where sixteen others want the two that there are
    assert max(answers) < 1
    assert max(moves) < 2
    assert heard == len(range(0, IDLE, MATCHES))


def test_a_thousand_listeners_of_one_match_hear_of_a_move_within_a_second(crowd: Crowd, line: Line) -> None:
    table = opened(line, "towai", 4, visibility="public")
    for number in range(LISTENERS):
        crowd.join(f"{table.path}/events?after=1", table.sits(number % 4))
    took, answered = list[float](), list[float]()
    for _time in range(MOVES):
        next_move = legal(line, table)
        crowd.begin()
        began = monotonic()
        seq = made(line, next_move)
        answered.append(monotonic() - began)
        heard = crowd.listen(30, b"id: %d\n" % seq)
        assert len(heard) == LISTENERS
        took += [at - began for at in heard.values()]
    parts = quantiles(took, n=100)
    print(  # noqa: T201 - the figures of the run
        f"after a move was sent: heard at {parts[49]:.3f} s (median), {parts[98]:.3f} s (p99);"
        f" answered at {median(answered):.3f} s (median), {max(answered):.3f} s (most)"
    )
    assert parts[98] < 1
