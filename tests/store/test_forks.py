"""A connection never passes a fork (R21)."""

import subprocess
import sys

import pytest

from gyoji.store.interface import Store
from servers import ENVIRONMENT


@pytest.mark.parametrize(
    ("when", "child", "matches"), [("unused", "child 0", 2), ("closed", "child 0", 3), ("used", "child 3", 2)]
)
def test_a_child_works_on_its_own_connection_or_not_at_all(
    store: Store, url: str, when: str, child: str, matches: int
) -> None:
    """What the parent has connected is refused in the child; the parent works on, whatever the child has done."""
    command = [sys.executable, "-W", "error", "-m", "store.forks", url, when]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == child
    assert len(list(store.every_match())) == matches
