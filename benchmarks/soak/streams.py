"""The listeners of a soak: streams of server-sent events and waits for news, each on one running match after another.

What is timed is how long after the answer to a move its event is heard; both are seen by this process.
"""

from http.client import HTTPConnection, HTTPException
from random import Random
from threading import Event
from time import perf_counter
from typing import Any

import orjson

from benchmarks.servers import HOST
from benchmarks.soak.tables import Table, Tables
from benchmarks.soak.traffic import Tally

STREAM, WAIT = "stream: event heard after", "wait: event heard after"
SILENCE = 30.0
"""Seconds without a byte, heartbeats included, after which a stream is taken for dead."""


def listen(port: int, house: Tables, tally: Tally, stop: Event, number: int) -> None:
    """Stream one match after the other."""
    _each(house, tally, stop, number, lambda table: _stream(port, table, tally, stop))


def wait(port: int, house: Tables, tally: Tally, stop: Event, number: int) -> None:
    """Wait for the events of one match after the other."""
    _each(house, tally, stop, number, lambda table: _wait(port, house, table, tally, stop))


def _each(house: Tables, tally: Tally, stop: Event, number: int, follow: Any) -> None:
    rng = Random(number)
    while not stop.is_set():
        running = list(house.running.values())
        if not running:
            stop.wait(0.2)
            continue
        try:
            follow(rng.choice(running))
        except (OSError, HTTPException, orjson.JSONDecodeError) as failure:
            if not stop.is_set():
                tally.wrong(f"listening: {type(failure).__name__}")


def _stream(port: int, table: Table, tally: Tally, stop: Event) -> None:
    connection = HTTPConnection(HOST, port, timeout=SILENCE)
    after = table.seq
    headers = {**table.of_seat(0), "Accept": "text/event-stream"}
    try:
        connection.request("GET", f"{table.path}/events?after={after}", headers=headers)
        response = connection.getresponse()
        if response.status not in (200, 204):
            tally.wrong(f"stream: {response.status}")
            return
        while not stop.is_set() and (line := response.readline()):
            if line.startswith(b"id: "):
                after = _next_seq(STREAM, table, int(line[4:]), after, tally)
    finally:
        connection.close()


def _wait(port: int, house: Tables, table: Table, tally: Tally, stop: Event) -> None:
    connection = HTTPConnection(HOST, port, timeout=SILENCE + 20)
    after = table.seq
    try:
        while not stop.is_set() and table.match in house.running:
            connection.request("GET", f"{table.path}/events?after={after}&wait=3", headers=table.of_seat(0))
            response = connection.getresponse()
            body = response.read()
            if response.status != 200:
                tally.wrong(f"wait: {response.status}")
                return
            for event in orjson.loads(body)["events"]:
                after = _next_seq(WAIT, table, event["seq"], after, tally)
    finally:
        connection.close()


def _next_seq(kind: str, table: Table, seq: int, after: int, tally: Tally) -> int:
    """Take an event that has come; return the number that the next one has to follow."""
    now = perf_counter()
    if seq != after + 1:
        tally.wrong(f"{kind}: an event does not follow the one before")
    told = table.told.get(seq)
    if told is not None:
        tally.add_aside(kind, max(0.0, now - told))
    return seq
