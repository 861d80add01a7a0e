"""How long players and spectators wait for a move where fifty look on. Each does what its page does: it hears of an
event by a stream, and then asks for the frames behind what it has. Time is no matter for the tests of every day."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from random import Random
from time import monotonic

from browser.house import SEATS, House
from browser.matches import looking
from browser.screens import SMALL, Browse
from players import Line, Table, next_to_act, order

SPECTATORS = 50
MOVES = 12
SECONDS = 1.0


class Spectator:
    """One who looks on over two connections: that of the stream, and that of questions."""

    def __init__(self, server: House, table: Table, seq: int) -> None:
        self.seq = seq
        self._table = table
        self._questions = Line(server.server.port)
        self._stream = server.server.connection()
        self._stream.request(
            "GET", f"{table.path}/events", headers={"Accept": "text/event-stream", "Last-Event-ID": str(seq)}
        )
        self._answer = self._stream.getresponse()
        assert self._answer.status == 200

    def seen(self, seq: int) -> float:
        """When the frame of an event has come."""
        while self.seq < seq:
            line = self._answer.readline()
            assert line, "the stream has ended"
            if line.startswith(b"id:") and int(line[3:]) > self.seq:
                path = f"/matches/{self._table.match}/frames?after={self.seq}&limit=500"
                answer = self._questions("GET", path, None, {})
                assert answer.status == 200
                self.seq = answer.document["frames"][-1]["seq"]
        return monotonic()

    def close(self) -> None:
        """Look on no longer."""
        self._stream.close()
        self._questions.close()


def test_with_fifty_spectators_nobody_waits_over_a_second_for_a_move(browse: Browse, server: House) -> None:
    page = browse(SMALL)
    for game in SEATS:
        table = server.opened(game)
        server.played(table, 8, chance=2)
        shown = looking(page, server, table.match)
        spectators = [Spectator(server, table, shown.place()) for _ in range(SPECTATORS)]
        mover, watcher, others = list[float](), list[float](), list[float]()
        with closing(Line(server.server.port)) as line, ThreadPoolExecutor(SPECTATORS) as pool:
            for move in range(MOVES):
                view = next_to_act(line, table, Random(move))
                waits = [pool.submit(spectator.seen, view["seq"] + 1) for spectator in spectators]
                sent = monotonic()
                answer = order(table, view["legal_moves"][0]).put(line)
                mover.append(monotonic() - sent)
                shown.stands_at(answer.document["seq"])
                watcher.append(monotonic() - sent)
                others += [one.result() - sent for one in waits]
        for spectator in spectators:
            spectator.close()
        print(  # noqa: T201 - the figures of the run
            f"{game}: whoever moves waits {max(mover):.3f} s at most, {SPECTATORS} spectators {max(others):.3f} s,"
            f" one more in a browser {max(watcher):.3f} s"
        )
        assert len(others) == SPECTATORS * MOVES
        assert max(*mover, *others, *watcher) <= SECONDS
