"""Races for a match: many ask at the same moment, of an application in this process or of a server."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from threading import Barrier, local
from typing import Any, NamedTuple
from uuid import uuid4

from players import Answer, Ask, Order, Table, next_to_act, opened, order, seen


class Crowd:
    """Threads that each have a way to ask, and ask at the same moment."""

    def __init__(self, number: int, way: Callable[[], Ask]) -> None:
        self._own = local()
        self._way = way
        self._pool = ThreadPoolExecutor(number)

    def _ask(self) -> Ask:
        if not hasattr(self._own, "ask"):
            self._own.ask = self._way()
        ask: Ask = self._own.ask
        return ask

    def at_once(self, orders: Sequence[Order]) -> list[Answer]:
        """Send all orders together; return what each got."""
        together = Barrier(len(orders))

        def put(one: Order) -> Answer:
            ask = self._ask()
            together.wait(60)
            return one.put(ask)

        return list(self._pool.map(put, orders))

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown()


@contextmanager
def crowd(number: int, way: Callable[[], Ask]) -> Iterator[Crowd]:
    """Give so many threads for as long as the block takes."""
    made = Crowd(number, way)
    try:
        yield made
    finally:
        made.close()


def position(ask: Ask, table: Table | None, game: str, seats: int, chance: Random) -> tuple[Table, Any]:
    """Return a running match, this one unless it is over, and the view of a seat that is to act."""
    view = None if table is None else next_to_act(ask, table, chance)
    if table is None or view is None:
        table = opened(ask, game, seats)
        view = next_to_act(ask, table, chance)
    return table, view


def same_if_match(ask: Ask, people: Crowd, writers: int, rounds: int) -> Counter[str]:
    """Have everybody play the same move on the same position, each under a key of its own; in every round one succeeds.

    How often each status came back.
    """
    chance = Random(32)
    met: Counter[str] = Counter()
    table = None
    for _ in range(rounds):
        table, view = position(ask, table, "catte", 4, chance)
        move = chance.choice(view["legal_moves"])
        answers = people.at_once([order(table, move, key=str(uuid4()), seq=view["seq"]) for _ in range(writers)])
        met.update(str(answer.status) for answer in answers)
        won = [answer for answer in answers if answer.status == 200]
        assert {answer.document["code"] for answer in answers if answer.status != 200} <= {"stale-position"}
        assert [answer.document["seq"] for answer in won] == [view["seq"] + 1]
    return met


def same_key(ask: Ask, people: Crowd, rounds: int) -> list[tuple[Order, Answer]]:
    """Send a request one to five times at once, and again when the match has moved on: one event, the same bytes.

    Every request with its answer.
    """
    chance = Random(5)
    table, done = None, []
    for number in range(rounds):
        table, view = position(ask, table, "catte", 3, chance)
        one = order(table, chance.choice(view["legal_moves"]), key=f"key-{number}")
        answers = people.at_once([one] * (1 + number % 5))
        assert {answer.status for answer in answers} == {200}
        assert len({answer.body for answer in answers}) == 1
        assert answers[0].document["seq"] == view["seq"] + 1
        done.append((one, answers[0]))
    the_same_again(ask, done)
    return done


def the_same_again(ask: Ask, done: Sequence[tuple[Order, Answer]]) -> None:
    """Send requests again that were answered: the same bytes."""
    for one, answer in done:
        again = one.put(ask)
        assert (again.status, again.body) == (answer.status, answer.body)


def another_under_the_key(ask: Ask, one: Order) -> Answer:
    """Send another document, be it by a member that changes nothing, under the key of a request that was answered."""
    return Order(one.table, one.seat, one.body.replace(b"{", b'{"dry_run":false,', 1), one.headers).put(ask)


def without_precondition(ask: Ask, people: Crowd, rounds: int) -> Counter[str]:
    """Send two legal moves of one seat at once, without a precondition: one stands, the other is judged on what is the
    position then: refused by the referee, or it stands there too.

    What each pair got.
    """
    chance = Random(2)
    met: Counter[str] = Counter()
    table = None
    for _ in range(rounds):
        table, view = position(ask, table, "towai", 3, chance)
        answers = people.at_once([order(table, chance.choice(view["legal_moves"])) for _ in range(2)])
        stood = [answer for answer in answers if answer.status == 200]
        seqs = sorted(answer.document["seq"] for answer in stood)
        assert seqs == [view["seq"] + 1 + place for place in range(len(stood))]
        assert stood
        for answer in answers:
            assert answer.status in (200, 409)
            assert answer.status == 200 or answer.document["code"] in ("illegal-move", "match-finished")
        met[" ".join(sorted(str(answer.status) for answer in answers))] += 1
    return met


class Together(NamedTuple):
    """A decision that all make at once: where it comes up, and where a view shows what was chosen."""

    game: str
    seats: int
    options: Mapping[str, Any]
    chosen: str


SWAP = Together("towai", 4, {}, "swap")
WISHES = Together("tomorrow-never-meows", 4, {"concealed": True}, "wishes")


def choices(ask: Ask, people: Crowd, together: Together, phases: int) -> None:
    """Send all choices at once wherever all choose, each with the ``If-Match`` that was seen when the decision opened:
    all stand, and nobody learns what another chose before the last is in."""
    chance = Random(3)
    table, done = None, 0
    while done < phases:
        if table is None:
            table = opened(ask, together.game, together.seats, options=together.options)
        view = next_to_act(ask, table, chance)
        if view is None:
            table = None
        elif len(view["view"]["to_act"]) < 2:
            assert order(table, chance.choice(view["legal_moves"])).put(ask).status == 200
        else:
            _all_choose(ask, people, table, view["view"]["to_act"], together.chosen, chance)
            done += 1


def _all_choose(ask: Ask, people: Crowd, table: Table, acting: Sequence[int], chosen: str, chance: Random) -> None:
    views = [seen(ask, table, seat) for seat in acting]
    opened_at = views[0]["seq"]
    answers = people.at_once([order(table, chance.choice(one["legal_moves"]), seq=opened_at) for one in views])
    assert [answer.status for answer in answers] == [200] * len(acting), answers
    told = dict(
        sorted((answer.document["seq"], (seat, answer.document)) for seat, answer in zip(acting, answers, strict=True))
    )
    assert list(told) == [opened_at + place for place in range(1, 1 + len(acting))]
    last = max(told)
    for seq, (seat, document) in told.items():
        if seq < last:
            shown = document["view"]["table"][chosen]
            assert [place for place, value in enumerate(shown) if value is not None] == [seat]
            assert len(document["events"]) == 1
        _hidden_from_others(ask, table, seq, seat)


def _hidden_from_others(ask: Ask, table: Table, seq: int, chooser: int) -> None:
    for seat in range(len(table.tokens)):
        page = ask("GET", f"{table.path}/events?after={seq - 1}&limit=1", None, table.sits(seat)).document
        event = page["events"][0]
        assert (event["type"], event["actor"]["seat"]) == ("choice_made", chooser)
        for told in (event["data"]["move"], event["data"]["events"][0]):
            content = {value for name, value in told.items() if name not in ("type", "seat")}
            assert (content == {None}) == (seat != chooser)
