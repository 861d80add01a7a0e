"""Deliverers that are killed again and again, and receivers that fail at random: every event arrives, in order."""

import os
import subprocess
import sys
from base64 import b64decode
from collections import defaultdict
from pathlib import Path
from random import Random
from signal import SIGKILL
from time import monotonic, sleep

import pytest

from gyoji.app.webhooks.signatures import signed_headers
from gyoji.store.webhooks.records import DeliveryPage
from operators import OPERATOR
from servers import ENVIRONMENT
from store.databases import KINDS, migrated_database
from web.matches.tables import Plain, read
from web.webhooks.houses import Place, placed
from web.webhooks.receivers import Habit, Message, Receiver, answering, hanging_up, in_turn, receiving

MATCHES = 12
MOVES = 12
KILLS = 8
LONG = 420.0


def at_random(chance: Random) -> Habit:
    """Fails now and then, hangs up, or takes the message and breaks off the answer."""
    habits = (answering(500), hanging_up, answering(429), *[answering(204)] * 12)

    def habit(receiver: Receiver, request: object, message: Message) -> None:
        chance.choice(habits)(receiver, request, message)  # type: ignore[arg-type]

    return habit


def deliverer(place: Place) -> "subprocess.Popen[bytes]":
    """A process that delivers."""
    command = [sys.executable, "-m", "gyoji", "webhooks", "run", "--to", "anywhere", "--store", place.settings.store]
    key = {"GYOJI_STORE_KEY": place.settings.store_key or ""}
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**ENVIRONMENT, **key})


def expected(place: Place, match: str) -> list[tuple[str, int]]:
    """What there is to tell of a match that is being played."""
    feed: list[Plain] = read(place.house.client.get(f"/v1/matches/{match}/events", headers=OPERATOR))["events"]
    told = []
    for event in feed:
        told += [("match.created", 0)] if event["seq"] == 0 else []
        told += [("match.moved", event["seq"])] if event["type"] == "move_played" else []
        told += [("match.decision_needed", event["seq"])] if event["seq"] else []
    return told


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_nor_out_of_order_however_often_they_die(kind: str, tmp_path: Path) -> None:
    chance = Random(7)
    with (
        migrated_database(kind, tmp_path) as url,
        placed(url, bytes(range(32)).hex()) as here,
        receiving(in_turn(answering(204), at_random(chance))) as receiver,
    ):
        hook = here.hook(receiver.url())
        running = [deliverer(here) for _each in range(2)]
        tables = [here.house.table() for _match in range(MATCHES)]
        for kill in range(KILLS):
            for table in tables:
                table.move(chance)
            sleep(chance.random())
            victim = running.pop(kill % 2)
            os.kill(victim.pid, SIGKILL)
            victim.wait()
            running.append(deliverer(here))
        for _more in range(MOVES - KILLS):
            for table in tables:
                table.move(chance)
        until = monotonic() + LONG  # what a dead one held is taken up after two minutes
        page = DeliveryPage(hook["webhook"], "waiting", limit=1)
        while here.services.store.webhooks.news(1) or here.services.store.webhooks.deliveries(page):
            assert monotonic() < until
            sleep(0.2)
        for process in running:
            process.terminate()
            assert process.wait(30) == 0
        told = {table.match: expected(here, table.match) for table in tables}
    secret = b64decode(hook["secret"].removeprefix("whsec_"))
    first: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for message in receiver.came:
        assert signed_headers(secret, message.id, int(message.headers["webhook-timestamp"]), message.body).items() <= (
            message.headers.items()
        )
        match = message.document["data"]["match"]
        if message.told not in first[match]:
            first[match].append(message.told)
    assert first == told
    again = len(receiver.came) - len({message.id for message in receiver.came})
    assert again > 0
