"""A process of the service that plays matches with itself and notes every acknowledged event.

``workload.py prepare FOLDER JOURNAL SYNCHRONOUS`` makes the store ready, as a start of the service does;
``workload.py play FOLDER JOURNAL SYNCHRONOUS MOVES SEED`` plays so many moves in two threads. The store is the
product's, on the product's connection; ``product`` for journal and synchronous leaves the choice to it.
"""

import os
import sys
from pathlib import Path
from random import Random
from threading import Thread

from flask import Flask

from gyoji.app.logs import configure_logs
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.store.database import sqlite
from gyoji.web.app import create_app
from operators import OPERATOR_KEY
from players import indoors, next_to_act, opened, order
from slow.powerloss.disks import ACKNOWLEDGED

THREADS = 2

DATABASE = "gyoji.db"


def service(folder: Path) -> Settings:
    """The settings of a service whose store is in that folder."""
    return Settings(store=f"sqlite:///{folder / DATABASE}", operator_key=OPERATOR_KEY)


def choose(journal: str, synchronous: str) -> None:
    """Other settings for the product's connections than it chooses."""
    if journal != "product":
        sqlite.DURABILITY = (journal, synchronous)


def play(app: Flask, folder: Path, moves: int, chance: Random) -> None:
    """Play; a note after every answer that says that something is stored."""
    ask = indoors(app)
    notes = os.open(folder / ACKNOWLEDGED, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    table = None
    for _ in range(moves):
        view = None if table is None else next_to_act(ask, table, chance)
        if table is None or view is None:
            table = opened(ask, "towai", 3)
            os.write(notes, f"{table.match} 1 -\n".encode())
            continue
        answer = order(table, chance.choice(view["legal_moves"])).put(ask)
        assert answer.status == 200, answer
        told = answer.document
        os.write(notes, f"{table.match} {told['seq']} {told['receipt']['hash']}\n".encode())
    os.close(notes)


def main(what: str, where: str, journal: str, synchronous: str, moves: str = "0", seed: str = "0") -> None:
    """As the command line says."""
    configure_logs()
    folder = Path(where)
    choose(journal, synchronous)
    if what == "prepare":
        prepare_store(service(folder))
        return
    app = create_app(service(folder))
    chance = Random(int(seed))
    players = [
        Thread(target=play, args=(app, folder, int(moves), Random(chance.random())), daemon=True)
        for _ in range(THREADS)
    ]
    for player in players:
        player.start()
    for player in players:
        player.join()
    app.extensions["gyoji.services"].store.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
