"""What happens in a match as it is told by pages, and raw."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import orjson
import pytest

from operators import OPERATOR
from web.matches.tables import House, Plain, Table, pointers, read, refused

STREAM = {"Accept": "text/event-stream"}


def seqs(events: list[Plain]) -> list[int]:
    """Their numbers."""
    return [event["seq"] for event in events]


def test_a_feed_begins_with_the_first_event_and_ends_with_the_last(table: Table) -> None:
    for _ in range(3):
        table.move()
    page = read(table.get("/events", table.sits(0)))
    assert (seqs(page["events"]), page["next"]) == ([0, 1, 2, 3, 4], None)
    assert [event["type"] for event in page["events"]] == ["match_created", "dealt", *["move_played"] * 3]
    assert seqs(table.feed(table.sits(0), 0)) == [1, 2, 3, 4]
    assert seqs(table.feed(table.sits(0), 3)) == [4]
    assert read(table.get("/events?after=4", table.sits(0))) == {"events": [], "next": None}


@pytest.mark.parametrize("query", ["", "&wait=30", "&raw=1", "&limit=1"])
def test_who_has_heard_of_an_event_that_is_not_there_is_told_to_begin_again(table: Table, query: str) -> None:
    """At once, and not with silence: the log may be that of a backup."""
    for beyond in (2, 500, 2147483647):
        answer = table.get(f"/events?after={beyond}{query}", table.sits(0))
        assert pointers(answer) == [("/after", "no-such-event")]


def test_pages_hold_together(over: Table) -> None:
    """``next`` is the next ``after``; the last page says that it is the last, also when it is full."""
    everything = over.feed(over.sits(0))
    for limit in (1, 7, len(everything) - 1, len(everything), 500):
        walked: list[Plain] = []
        query = f"?limit={limit}"
        while True:
            page = read(over.get(f"/events{query}", over.sits(0)))
            walked += page["events"]
            assert len(page["events"]) <= limit
            if page["next"] is None:
                break
            assert page["next"] == walked[-1]["seq"]
            query = f"?limit={limit}&after={page['next']}"
        assert walked == everything


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("after=-1", "after"),
        ("after=x", "after"),
        ("after=2147483648", "after"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("wait=31", "wait"),
        ("wait=1.5", "wait"),
        ("raw=2", "raw"),
        ("raw=yes", "raw"),
    ],
)
def test_queries_that_are_none(table: Table, query: str, name: str) -> None:
    assert pointers(table.get(f"/events?{query}", table.sits(0))) == [(f"/{name}", "not-allowed")]


def test_who_may_not_read_is_told_before_what_is_wrong(table: Table) -> None:
    for query in ("after=x", "raw=2", "limit=0"):
        refused(table.get(f"/events?{query}", {}), 404, "not-found")


def test_each_reader_has_what_it_may_know_merged_in(house: House, table: Table) -> None:
    """The deal: every seat its own hand, nobody what lies aside; an unsealing key everything."""
    deals = [table.feed(table.sits(seat))[1]["data"]["events"][0] for seat in range(3)]
    for seat, deal in enumerate(deals):
        assert [isinstance(hand, list) for hand in deal["hands"]] == [seat == other for other in range(3)]
        assert deal["hands"][seat] == table.seen(table.sits(seat))["view"]["table"]["hands"][seat]
        assert deal["aside"] == {"count": 2}
    watched = table.feed(house.spectator(table))[1]["data"]["events"][0]
    assert (watched["hands"], watched["aside"]) == ([{"count": 13}] * 3, {"count": 2})
    full = table.feed(OPERATOR)[1]["data"]["events"][0]
    assert full["hands"] == [deal["hands"][seat] for seat, deal in enumerate(deals)]
    assert len(full["aside"]) == 2


def lines_of(table: Table, headers: Mapping[str, str], query: str = "?raw=1") -> list[Plain]:
    """The raw lines, understood."""
    return [orjson.loads(line) for line in table.get(f"/events{query}", headers).data.splitlines()]


def test_raw_lines_are_the_log(table: Table) -> None:
    """The bytes that were hashed, in a chain, each followed by the reader's openings, which open what it commits to."""
    table.move()
    answer = table.get("/events?raw=1", table.sits(1))
    assert answer.mimetype == "application/jsonl"
    before, opened = "0" * 64, []
    event: Plain = {}
    told = {found["seq"]: found["hash"] for found in table.feed(table.sits(1))}
    for line in answer.data.splitlines():
        document = orjson.loads(line)
        if "opening" in document:
            opening = document["opening"]
            committed = event["secret"][opening["index"]]
            payload = orjson.dumps(opening["payload"], option=orjson.OPT_SORT_KEYS)
            fields = (b"secret/1", bytes.fromhex(opening["salt"]), payload)
            prefixed = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
            assert (opening["seq"], sha256(prefixed).hexdigest()) == (event["seq"], committed["commit"])
            opened.append((event["seq"], committed["for"]))
            continue
        event = document
        assert event["prev"] == before
        before = sha256(b"\0" + line).hexdigest()
        assert told[event["seq"]] == before
    assert opened == [(0, "all"), (1, [1])]


def test_raw_lines_of_each_reader(house: House, table: Table) -> None:
    """The same events for all; openings of nobody else's; salts of positions only for who sees all."""

    def openings(headers: Mapping[str, str]) -> list[Any]:
        return [line["opening"] for line in lines_of(table, headers) if "opening" in line]

    events = [[line for line in lines_of(table, headers) if "v" in line] for headers in (OPERATOR, table.sits(2))]
    assert events[0] == events[1]
    audiences = [found["for"] for found in events[0][1]["secret"]]
    assert sorted(map(str, audiences)) == sorted(map(str, ([0], [1], [2], [])))
    watching = house.spectator(table)
    assert [found["seq"] for found in openings(watching)] == [0]
    assert [found["seq"] for found in openings(table.sits(2))] == [0, 1]
    full = openings(OPERATOR)
    assert len(full) == 1 + len(audiences) + 1
    assert set(full[-1]) == {"seq", "position"}


def test_raw_lines_in_pages(over: Table) -> None:
    whole = over.get("/events?raw=1", over.sits(0)).data
    parts = [
        over.get("/events?raw=1&limit=10", over.sits(0)).data,
        over.get("/events?raw=1&after=9", {**over.sits(0)}).data,
    ]
    assert b"".join(parts) == whole


@pytest.mark.parametrize(
    ("query", "accept"),
    [
        ("", "text/html"),
        ("", "application/jsonl"),
        ("?raw=1", "application/json"),
        ("", "text/event-stream;q=0"),
        ("", "application/json;q=0"),
    ],
)
def test_forms_that_there_are_not(table: Table, query: str, accept: str) -> None:
    refused(table.get(f"/events{query}", {**table.sits(0), "Accept": accept}), 406, "not-acceptable")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_a_feed_is_only_read(table: Table, method: str) -> None:
    answer = table.client.open(f"{table.path}/events", method=method, headers=table.sits(0))
    refused(answer, 405, "method-not-allowed")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS"
