"""A process whose files may grow to a size, and how its store fares: ``python -m store.full_disk <url> <bytes>``."""

import resource
import sys

from gyoji.store import open_store
from gyoji.store.interface import Unavailable
from store.logs import KEY, appended, created


def main(url: str, limit: int) -> None:
    """Append until no file may grow any more, then lift the limit and append once more to the same store. SQLite's log
    is full first, and has room again when what is in it has been taken over into the database."""
    store = open_store(url, KEY)
    match, entries = created(store)
    last = entries[0]
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    cause = ""
    while not cause:
        try:
            last = appended(store, match, last)
        except Unavailable as failure:
            cause = str(failure)
    refused = 0
    while refused < 3:
        try:
            last, refused = appended(store, match, last), 0
        except Unavailable:
            refused += 1
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    last = appended(store, match, last)
    store.close()
    sys.stdout.write(f"{match} {last.seq} {refused} {cause}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
