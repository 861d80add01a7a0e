"""What happens in a match as it is told by pages, and raw."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import orjson
import pytest

from gyoji.app import match_states
from gyoji.app.match_states import MatchStateCache
from gyoji.match import fold
from gyoji.match.fold import apply_entry
from operators import OPERATOR
from web.matches.refereeing import referee
from web.matches.tables import House, Plain, Table, concealed, pointers, read, refused, wishes

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


def test_what_each_game_has_its_own_of_says_its_game(house: House, over: Table) -> None:
    """Whoever reads the feeds of several games knows by it what a move and an event are."""
    for reader in readers(house, over):
        events = over.feed(reader)
        told = {event["type"] for event in events if event["data"].get("game") == "catte"}
        assert told == {event["type"] for event in events} - {"match_finished", "seed_disclosed"}
        assert {"match_created", "dealt", "move_played"} <= told
    lines = [orjson.loads(line) for line in over.get("/events?raw=1", OPERATOR).data.splitlines()]
    assert [line["seq"] for line in lines if "game" in line.get("data", {})] == [0], "the log is as it was"


def seats_to_act(event: Plain) -> list[int]:
    """Who may move after an event."""
    return [each["seat"] for each in event["to_act"]]


def readers(house: House, table: Table) -> list[Mapping[str, str]]:
    """Whoever may read a match: its seats, a spectator, its operator with all scopes, and a referee with none."""
    seats = [table.sits(seat) for seat in range(len(table.tokens))]
    return [*seats, house.spectator(table), OPERATOR, referee(house, table, ()).headers]


def test_every_event_says_who_may_move_after_it(house: House, over: Table) -> None:
    """As the position after it does; nobody before the deal and after the end."""
    for event in over.feed(over.sits(0)):
        assert event["match"] == over.match
        if event["seq"] == 0:
            assert event["to_act"] == []
        else:
            view = read(over.get(f"/positions/{event['seq']}", over.sits(0)))["view"]
            assert seats_to_act(event) == view["to_act"]
            assert all(each["deadline"] is None for each in event["to_act"])
    assert seats_to_act(over.feed(over.sits(0))[-1]) == []


def test_who_has_chosen_is_told_as_in_every_view_and_what_is_not(house: House) -> None:
    """While all choose at the same time: the same to everybody, and no more than a view says."""
    table = concealed(house)
    first, second, third = wishes(table)
    for wish, left in ((second, [0, 2]), (first, [2])):
        assert table.put(wish, table.sits(wish["seat"])).status_code == 200
        for headers in readers(house, table):
            assert seats_to_act(table.feed(headers)[-1]) == table.seen(headers)["view"]["to_act"] == left
    assert table.put(third, table.sits(2)).status_code == 200
    for headers in readers(house, table):
        told = table.feed(headers)
        assert seats_to_act(told[-1]) == table.seen(headers)["view"]["to_act"]
        assert [seats_to_act(event) for event in told[1:4]] == [[0, 1, 2], [0, 2], [2]]


def test_deadlines_are_those_of_the_match_whenever_they_are_read(house: House, later: Callable[[float], None]) -> None:
    table = house.table(clock={"move": 20, "bank": 10, "increment": 2, "on_expiry": "referee"})
    seen = {}
    for _ in range(6):
        later(3)
        table.move()
        clock = table.seen(table.sits(0))
        seen[clock["seq"]] = {seat["seat"]: seat["deadline"] for seat in clock["clock"]["seats"] if seat["running"]}
    told = {
        event["seq"]: {each["seat"]: each["deadline"] for each in event["to_act"]} for event in table.feed(OPERATOR)
    }
    assert {seq: told[seq] for seq in seen} == seen
    assert all(None not in each.values() for each in seen.values())


def test_nobody_may_move_in_a_pause_and_what_was_taken_back_is_so_no_more(house: House) -> None:
    table = house.table()
    for _ in range(3):
        table.move()
    refereeing = referee(house, table)
    after = [seats_to_act(event) for event in table.feed(OPERATOR)]
    refereeing.rules("pause")
    assert seats_to_act(table.feed(OPERATOR)[-1]) == []
    refereeing.rules("resume")
    assert seats_to_act(table.feed(OPERATOR)[-1]) == after[-1]
    refereeing.rules("take_back", to=2)
    assert seats_to_act(table.feed(OPERATOR)[-1]) == after[2]
    assert [seats_to_act(event) for event in table.feed(OPERATOR)][: len(after)] == after


def test_a_long_feed_applies_each_event_once(over: Table, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """However it is divided into pages, and though nothing of the match is remembered."""
    everything = over.feed(over.sits(0))
    applied = 0

    def counted(*given: Any, **named: Any) -> Any:
        nonlocal applied
        applied += 1
        return apply_entry(*given, **named)

    monkeypatch.setattr(house.services, "match_states", MatchStateCache(house.services.store))
    monkeypatch.setattr(match_states, "apply_entry", counted)
    monkeypatch.setattr(fold, "apply_entry", counted)
    walked: list[Plain] = []
    while len(walked) < len(everything):
        walked += read(
            over.get(f"/events?limit=7&after={len(walked) - 1}" if walked else "/events?limit=7", over.sits(0))
        )["events"]
    assert walked == everything
    assert applied <= len(everything)


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
