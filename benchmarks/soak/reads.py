"""Reading traffic of a soak: matches that run or are over, in every form that they are read in; and what is refused."""

from random import Random
from typing import Any

from benchmarks.soak.requests import JSON, Asked, Course, WrongAnswer, must, must_be
from benchmarks.soak.tables import House, Table

PAGE = 50


def reads(house: House, number: int) -> Course:
    """One read after the other, for ever."""
    rng = Random(number)
    yield Asked("readiness", "GET", "/readyz")
    while True:
        running, over = list(house.running.values()), list(house.over)
        if running:
            yield from _of_running(rng.choice(running), rng)
        if over:
            yield from _of_finished(rng.choice(over), rng)
        yield from _apart(house, rng)


def _of_running(table: Table, rng: Random) -> Course:
    seat = table.of_seat(rng.randrange(len(table.tokens)))
    asked = rng.random()
    if asked < 0.5:
        before = table.seq
        answer = yield Asked("read match", "GET", table.path, None, seat)
        if must(answer, 200, "read match").document["seq"] < before:
            raise WrongAnswer("read match: an event that was acknowledged is missing")
    elif asked < 0.8:
        after = max(0, table.seq - PAGE)
        answer = yield Asked("events", "GET", f"{table.path}/events?after={after}&limit={PAGE}", None, seat)
        _in_order(must(answer, 200, "events").document["events"], after)
    elif asked < 0.9:
        place = rng.randint(1, max(1, table.seq))
        answer = yield Asked("position", "GET", f"{table.path}/positions/{place}", None, seat)
        must(answer, 200, "position")
    else:
        nobody = {**JSON, "Authorization": "Bearer gyoji_of_nobody_at_all"}
        must((yield Asked("unknown token", "GET", table.path, None, nobody)), 401, "unknown token")


def _of_finished(table: Table, rng: Random) -> Course:
    seat = table.of_seat(rng.randrange(len(table.tokens)))
    asked = rng.random()
    if asked < 0.4:
        place = rng.randint(1, table.seq)
        answer = yield Asked("position of finished match", "GET", f"{table.path}/positions/{place}", None, seat)
        must(answer, 200, "position of finished match")
    elif asked < 0.7:
        answer = yield Asked("events of finished match", "GET", f"{table.path}/events?after=0", None, seat)
        _in_order(must(answer, 200, "events of finished match").document["events"], 0)
    elif asked < 0.85:
        answer = yield Asked("replay file, again", "GET", f"{table.path}/replay", None, seat)
        lines = must(answer, 200, "replay file, again").body.count(b"\n")
        must_be(lines, table.lines, "replay file, again", "number of lines")
    else:
        answer = yield Asked("read finished match", "GET", table.path, None, seat)
        must_be(must(answer, 200, "read finished match").document["outcome"], table.outcome, "read", "outcome")


def _apart(house: House, rng: Random) -> Course:
    asked = rng.random()
    if asked < 0.25:
        must(
            (yield Asked("unknown match", "GET", "/v1/matches/none-of-that-name", None, house.operator)), 404, "unknown"
        )
    elif asked < 0.5:
        must((yield Asked("list of games", "GET", "/v1/games")), 200, "list of games")
    elif asked < 0.6:
        must((yield Asked("list of matches", "GET", "/v1/matches?limit=20", None, house.operator)), 200, "list")
    elif asked < 0.7:
        must((yield Asked("metrics", "GET", "/metrics")), 200, "metrics")
    elif asked < 0.8:
        must((yield Asked("keys", "GET", "/v1/keys")), 200, "keys")


def _in_order(events: list[dict[str, Any]], after: int) -> None:
    if [event["seq"] for event in events] != list(range(after + 1, after + 1 + len(events))):
        raise WrongAnswer("events: they do not follow one another")
