"""What a start takes: no module that it can do without, no lock that others may hold."""

import subprocess
import sys
from pathlib import Path

import pytest

from gyoji.app.settings import Settings
from gyoji.store import migrate
from gyoji.store.schema.migrator import transaction
from gyoji.store.urls import parse_url
from gyoji.web.app import create_app
from servers import ENVIRONMENT
from store.databases import KINDS, empty_database
from store.logs import KEY

PROGRAM = """
import sys
from gyoji.web import server
from gyoji.app.settings import Settings
server.prepare_store(Settings(store=sys.argv[1], store_key=sys.argv[2]))
server.create_app(Settings(store=sys.argv[1], store_key=sys.argv[2]))
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
        with transaction(parse_url(url)):  # somebody else's turn at the schema
            migrate(url)
        loaded = _loaded(url)
    assert "gyoji.web.server" in loaded
    assert not loaded & {"alembic", "marshmallow", "sqlalchemy", "yaml", "tables of types"}


COMMAND = """
import gc, sys
from gyoji.web.start import without_garbage_collection
with without_garbage_collection():
    from gyoji.web import server
print(gc.isenabled(), gc.get_freeze_count() > 10_000, len(gc.get_objects()) < 1_000)
"""


def test_what_is_imported_at_the_start_is_not_looked_through() -> None:
    command = [sys.executable, "-W", "error", "-c", COMMAND]
    done = subprocess.run(command, env=ENVIRONMENT, check=True, timeout=60, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["True True True"]


def test_an_address_can_be_written_out() -> None:
    addresses = create_app(Settings()).url_map.bind("table.example")
    for _ in range(2):
        assert addresses.build("readMatch", {"match": "a b", "seq": 3}) == "/v1/matches/a%20b?seq=3"
    assert addresses.build("listLegalMoves", {"game": "towai"}) == "/v1/games/towai/legal-moves"
