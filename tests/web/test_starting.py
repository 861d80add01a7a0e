"""What a start takes: no module that it can do without, no lock that others may hold."""

import subprocess
import sys
from pathlib import Path

import pytest

from gyoji.store import migrate
from gyoji.store.addresses import address
from gyoji.store.migrating import transaction
from servers import ENVIRONMENT
from store.databases import KINDS, empty_database
from store.logs import KEY

PROGRAM = """
import sys
from gyoji.web import server
from gyoji.web.settings import Settings
server.prepared(Settings(sys.argv[1], sys.argv[2]))
server.create_app(Settings(sys.argv[1], sys.argv[2]))
import mimetypes
print(*sys.modules, *["tables of types"] * mimetypes.inited, sep=chr(10))
"""


def _loaded(url: str) -> set[str]:
    command = [sys.executable, "-W", "error", "-c", PROGRAM, url, KEY.hex()]
    done = subprocess.run(command, env=ENVIRONMENT, check=True, timeout=60, capture_output=True, text=True)
    return set(done.stdout.splitlines())


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_start_needs_no_alembic_and_waits_for_nobody(kind: str, tmp_path: Path) -> None:
    with empty_database(kind, tmp_path) as url:
        migrate(url)
        with transaction(address(url)):  # somebody else's turn at the schema
            migrate(url)
        loaded = _loaded(url)
    assert "gyoji.web.server" in loaded
    assert not loaded & {"alembic", "marshmallow", "sqlalchemy", "yaml", "tables of types"}
