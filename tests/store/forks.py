"""A process that opens a store, forks, and tells what its child could do: ``python -m store.forks <url> <when>``."""

import os
import sys

from gyoji.store import open_store
from gyoji.store.database.connections import Forked
from store.logs import KEY, created


def main(url: str, when: str) -> None:
    """``unused``: forked before the store was used; ``used``: after; ``closed``: after it was used and closed."""
    store = open_store(url, KEY)
    if when != "unused":
        created(store)
    if when == "closed":
        store.close()
    child = os.fork()
    if child == 0:
        try:
            created(store)
        except Forked:
            os._exit(3)
        store.close()
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    created(store)
    store.close()
    sys.stdout.write(f"child {status}")


if __name__ == "__main__":
    main(*sys.argv[1:])
