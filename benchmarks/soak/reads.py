"""The reading traffic of a soak: matches that run or are over, in every form; and what is refused."""

from random import Random
from typing import Any

from benchmarks.soak.requests import JSON, Course, SoakRequest, WrongAnswer, check_equal, check_status
from benchmarks.soak.tables import Table, Tables

PAGE = 50


def read_forever(house: Tables, number: int) -> Course:
    """Make one read after the other, for ever."""
    rng = Random(number)
    yield SoakRequest("readiness", "GET", "/readyz")
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
        answer = yield SoakRequest("read match", "GET", table.path, None, seat)
        if check_status(answer, 200, "read match").document["seq"] < before:
            raise WrongAnswer("read match: an event that was acknowledged is missing")
    elif asked < 0.8:
        after = max(0, table.seq - PAGE)
        answer = yield SoakRequest("events", "GET", f"{table.path}/events?after={after}&limit={PAGE}", None, seat)
        _in_order(check_status(answer, 200, "events").document["events"], after)
    elif asked < 0.9:
        place = rng.randint(1, max(1, table.seq))
        answer = yield SoakRequest("position", "GET", f"{table.path}/positions/{place}", None, seat)
        check_status(answer, 200, "position")
    else:
        nobody = {**JSON, "Authorization": "Bearer gyoji_of_nobody_at_all"}
        check_status((yield SoakRequest("unknown token", "GET", table.path, None, nobody)), 401, "unknown token")


def _of_finished(table: Table, rng: Random) -> Course:
    seat = table.of_seat(rng.randrange(len(table.tokens)))
    asked = rng.random()
    if asked < 0.4:
        place = rng.randint(1, table.seq)
        answer = yield SoakRequest("position of finished match", "GET", f"{table.path}/positions/{place}", None, seat)
        check_status(answer, 200, "position of finished match")
    elif asked < 0.7:
        answer = yield SoakRequest("events of finished match", "GET", f"{table.path}/events?after=0", None, seat)
        _in_order(check_status(answer, 200, "events of finished match").document["events"], 0)
    elif asked < 0.85:
        answer = yield SoakRequest("replay file, again", "GET", f"{table.path}/replay", None, seat)
        lines = check_status(answer, 200, "replay file, again").body.count(b"\n")
        check_equal(lines, table.lines, "replay file, again", "number of lines")
    else:
        answer = yield SoakRequest("read finished match", "GET", table.path, None, seat)
        check_equal(
            check_status(answer, 200, "read finished match").document["outcome"], table.outcome, "read", "outcome"
        )


def _apart(house: Tables, rng: Random) -> Course:
    asked = rng.random()
    if asked < 0.25:
        check_status(
            (yield SoakRequest("unknown match", "GET", "/v1/matches/none-of-that-name", None, house.operator)),
            404,
            "unknown",
        )
    elif asked < 0.5:
        check_status((yield SoakRequest("list of games", "GET", "/v1/games")), 200, "list of games")
    elif asked < 0.6:
        check_status(
            (yield SoakRequest("list of matches", "GET", "/v1/matches?limit=20", None, house.operator)), 200, "list"
        )
    elif asked < 0.7:
        check_status((yield SoakRequest("metrics", "GET", "/metrics")), 200, "metrics")
    elif asked < 0.8:
        check_status((yield SoakRequest("keys", "GET", "/v1/keys")), 200, "keys")


def _in_order(events: list[dict[str, Any]], after: int) -> None:
    if [event["seq"] for event in events] != list(range(after + 1, after + 1 + len(events))):
        raise WrongAnswer("events: they do not follow one another")
