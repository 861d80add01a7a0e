"""Clients that play while the service is being killed, and a journal of what they were told."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import NamedTuple
from uuid import uuid4

from operators import OPERATOR
from players import JSON, NO_ANSWER, Answer, Ask, Line, Order, Table, next_to_act, order, setting, table_of

GAMES = (("towai", 4), ("catte", 4), ("tomorrow-never-meows", 3), ("familiars-trouble", 3))

TIMEOUT_SECONDS = 60
"""Seconds after which a client that gets no answer gives up."""


class Acknowledged(NamedTuple):
    """A move that a client was told is stored."""

    order: Order
    seq: int
    hash: str
    answer: bytes


@dataclass
class Journal:
    """What the clients were told, how often, and what they should not have been."""

    moves: list[Acknowledged] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    met: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def count(self, name: str) -> None:
        """Once more."""
        with self.lock:
            self.met[name] += 1

    def note(self, placed: Order, answer: Answer) -> None:
        """The answer to a move: stored, or beaten to it by another client of the same match."""
        self.count(str(answer.status))
        if answer.status == 200:
            told = answer.document
            self.moves.append(Acknowledged(placed, told["seq"], told["receipt"]["hash"], answer.body))
        elif answer.status not in (409, 412):
            self.faults.append(f"{answer.status} {answer.body[:300]!r}")


class Persistent:
    """Sends the same request until it is answered, whatever becomes of the server meanwhile."""

    def __init__(self, port: int, journal: Journal) -> None:
        self.line = Line(port)
        self._journal = journal

    def answered(self, put: Callable[[Ask], Answer]) -> tuple[Answer, bool]:
        """The answer, and whether an earlier try may have been heard."""
        doubtful = False
        until = monotonic() + TIMEOUT_SECONDS
        while monotonic() < until:
            try:
                answer = put(self.line)
            except NO_ANSWER:
                self._journal.count("no answer")
                doubtful = True
                sleep(0.2)
                continue
            if answer.status != 503:
                return answer, doubtful
            self._journal.count("503")
            sleep(0.2)
        raise AssertionError(f"no answer for {TIMEOUT_SECONDS} seconds")

    def __call__(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        """The answer to one request."""
        return self.answered(lambda ask: ask(method, path, body, headers))[0]

    def founded(self, game: str, seats: int) -> Table:
        """A new match, created once however often it was asked for."""
        headers = {**OPERATOR, **JSON, "Idempotency-Key": str(uuid4())}
        body = setting(game, seats)
        answer, _ = self.answered(lambda ask: ask("POST", "/v1/matches", body, headers))
        table = table_of(answer)
        self._journal.tables.append(table)
        return table


class Client(Thread):
    """Plays matches of its own, and now and then one that all play, until it is told to stop."""

    def __init__(self, port: int, shared: list[Table], journal: Journal, chance: Random) -> None:
        super().__init__(daemon=True)
        self.stop = Event()
        self._server = Persistent(port, journal)
        self._shared = shared
        self._own: Table | None = None
        self._journal = journal
        self._chance = chance

    def run(self) -> None:
        """One move after the other."""
        try:
            while not self.stop.is_set():
                self._look_and_move()
        except Exception as failure:  # the test is told, whatever it is
            self._journal.faults.append(f"a client broke off: {failure!r}")
        self._server.line.close()

    def _look_and_move(self) -> None:
        table = self._table()
        view = next_to_act(self._server, table, self._chance)
        if view is None and table is self._own:
            self._own = None
        elif view is not None and view["legal_moves"]:
            self._move(table, view)

    def _table(self) -> Table:
        if self._chance.random() < 0.25:
            return self._chance.choice(self._shared)
        if self._own is None:
            self._own = self._server.founded(*self._chance.choice(GAMES))
        return self._own

    def _move(self, table: Table, view: dict[str, object]) -> None:
        """Half of the moves rest on the position that was seen."""
        seq = view["seq"] if self._chance.random() < 0.5 else None
        moves = view["legal_moves"]
        assert isinstance(moves, list)
        assert isinstance(seq, int | None)
        placed = order(table, self._chance.choice(moves), key=str(uuid4()), seq=seq)
        answer, doubtful = self._server.answered(placed.put)
        self._journal.note(placed, answer)
        if answer.status == 200 and doubtful:
            again, _ = self._server.answered(placed.put)
            self._journal.count("asked twice")
            if again != answer and again.body != answer.body:
                self._journal.faults.append(f"the same request was answered otherwise: {placed.table.match}")
