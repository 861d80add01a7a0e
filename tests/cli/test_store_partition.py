"""``gyoji store partition``."""

import json
from contextlib import closing
from pathlib import Path

from commands import Gyoji
from gyoji.store import open_store
from store.databases import migrated_database
from store.logs import KEY, created


def test_events_are_divided_and_put_together_again(gyoji: Gyoji, tmp_path: Path) -> None:
    with migrated_database("postgresql", tmp_path) as url:
        with closing(open_store(url, KEY)) as store:
            created(store, 7)
        said = gyoji("store", "partition", "--parts", "4", "--store", url)
        assert (said.exit_code, said.stdout) == (0, "7 events, in 1 part(s) before, are in 4 part(s)\n")
        again = gyoji("store", "partition", "--parts", "4", "--store", url)
        assert again.stdout == "nothing to do: 7 events in 4 part(s)\n"
        back = gyoji("store", "partition", "--parts", "1", "--store", url, "--json")
        assert json.loads(back.stdout) == {"before": 4, "parts": 1, "events": 7}


def test_sqlite_is_refused(gyoji: Gyoji, tmp_path: Path) -> None:
    with migrated_database("sqlite", tmp_path) as url:
        refused = gyoji("store", "partition", "--parts", "4", "--store", url)
    assert refused.exit_code == 1
    assert "only PostgreSQL has partitions" in refused.stderr
