"""Receivers of one account that take 13 seconds for each message, or dribble: another account's are told at once."""

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from time import monotonic, sleep

import pytest

from slow.test_webhooks import deliverer
from store.databases import KINDS, migrated_database
from web.webhooks.houses import placed
from web.webhooks.receivers import Habit, Message, Receiver, answering, dripping, receiving

HOOKS = 5
MATCHES = 24
"""Of the slow account: with its webhooks far more lines than are carried at a time."""

TAKES = 13.0
MESSAGES = 15
EVERY = 4.0
AT_ONCE = 10.0
"""Seconds within which another account is told: less than one message to the slow ones takes."""


def late(receiver: Receiver, request: BaseHTTPRequestHandler, message: Message) -> None:
    """Takes each message, after thirteen seconds."""
    receiver.closed.wait(TAKES)
    answering(204)(receiver, request, message)


@pytest.mark.parametrize("habit", [late, dripping(b""), dripping(b"HTTP/1.1 204 No Content\r\n\r\n")])
@pytest.mark.parametrize("kind", KINDS)
def test_an_account_with_slow_receivers_keeps_no_other_waiting(
    kind: str, habit: Habit, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with (
        migrated_database(kind, tmp_path) as url,
        placed(url, bytes(range(32)).hex()) as here,
        receiving(habit) as slow,
        receiving(answering(204)) as quick,
    ):
        for _hook in range(HOOKS):
            here.hook(slow.url(), types=["match.created"])
        other = here.house.account()
        here.hook(quick.url(), by=other, types=["match.created"])
        for _match in range(MATCHES):
            here.house.table()
        process, took = deliverer(here), list[float]()
        try:
            slow.wait(1)
            for message in range(MESSAGES):
                began = monotonic()
                here.house.table(by=other)
                quick.wait(message + 1, 120)
                took.append(monotonic() - began)
                sleep(EVERY)
        finally:
            process.terminate()
            assert process.wait(30) == 0
    record_property("messages to slow receivers", len(slow.came))
    record_property("seconds at most", round(max(took), 2))
    assert max(took) < AT_ONCE
