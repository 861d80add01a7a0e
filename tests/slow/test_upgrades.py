"""A migration that takes longer than any request may, while the release before serves; and two that start at once."""

import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from time import monotonic, sleep

import pytest

from gyoji.store.database.statements import REVISION
from players import Answer, Line, Table, next_to_act, opened, order
from servers import ENVIRONMENT, Server, serving
from store.databases import KINDS, empty_database
from store.logs import KEY
from store.next_release import AS_NEXT, NEXT, scripts_with

LONG = 70
"""Seconds; a statement of a request is ended after 60, and a lock is waited for 10."""

SLOW = f"""
if is_postgres:
    connection.exec_driver_sql("SELECT pg_sleep({LONG})")
else:
    sleep({LONG})
"""


def _played(line: Line, table: Table) -> Answer:
    view = next_to_act(line, table, Random(1))
    assert view is not None
    return order(table, view["legal_moves"][0]).put(line)


@pytest.mark.parametrize("kind", KINDS)
def test_a_migration_of_seventy_seconds(kind: str, tmp_path: Path) -> None:
    """It ends, whoever waits for it goes on, the old release reads throughout and writes no more afterwards."""
    scripts = scripts_with(tmp_path, SLOW)
    with empty_database(kind, tmp_path) as url:
        environment = {"GYOJI_STORE": url, "GYOJI_STORE_KEY": KEY.hex()}
        with ExitStack() as lines, serving("--workers", "1", environment=environment) as old:
            line = lines.enter_context(closing(Line(old.port)))
            table = opened(line, "towai", 3)
            assert _played(line, table).status == 200
            began = monotonic()
            with (
                _migrating(scripts, environment) as one,
                _migrating(scripts, environment) as two,
            ):
                while one.poll() is None or two.poll() is None:
                    assert line("GET", table.path, None, table.sits(0)).status == 200
                    assert monotonic() - began < 10 * LONG
                    sleep(0.5)
                said = sorted([process.communicate()[0] for process in (one, two)])
            assert monotonic() - began >= LONG
            assert (one.returncode, two.returncode) == (0, 0)
            assert said[0] == f"the schema is {NEXT}; it was {REVISION}\n".encode()
            _refuses(old, line, table)
            command = [sys.executable, "-c", AS_NEXT, str(scripts), "serve", "--no-migrate", "--port", "0"]
            new = Server(subprocess.Popen(command, stderr=subprocess.PIPE, env={**ENVIRONMENT, **environment}))
            try:
                assert _played(lines.enter_context(closing(Line(new.port))), table).status == 200
                assert line("GET", table.path, None, table.sits(0)).status == 200
            finally:
                assert new.stop() == 0


def _migrating(scripts: Path, environment: dict[str, str]) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", AS_NEXT, str(scripts), "store", "migrate"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env={**ENVIRONMENT, **environment})


def _refuses(old: Server, line: Line, table: Table) -> None:
    answer = _played(line, table)
    assert (answer.status, answer.document["code"]) == (503, "unavailable")
    assert old.asked("GET", "/readyz")[0] == 503
    assert old.asked("GET", "/healthz")[0] == 200
