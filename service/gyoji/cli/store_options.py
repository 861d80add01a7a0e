"""What the commands that open a store share: the options that say where it is, how it is opened, and a progress bar."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import click

from gyoji.cli.errors import store_errors
from gyoji.cli.options import setting_option
from gyoji.store import open_store, store_key
from gyoji.store.interface import Store

STORE_OPTION = setting_option("store", help="sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE.")
KEY_OPTION = setting_option(
    "store_key", help="64 hex digits. Default: the key file beside the SQLite database. Better given as a variable."
)


@contextmanager
def open_keyless(url: str) -> Iterator[Store]:
    """Open the store at ``url``, which has to be there already; what is sealed stays so."""
    with store_errors(), closing(open_store(url)) as store:
        store.check()
        yield store


@contextmanager
def open_with_key(url: str, configured: str | None) -> Iterator[Store]:
    """Open the store at ``url`` with its key. It has to be there already: no key is made for one that is not."""
    with open_keyless(url):
        key = store_key(url, configured or None)
    with store_errors(), closing(open_store(url, key)) as store:
        yield store


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar for long work, on a terminal only; gives what is to be called with (done, of how many)."""
    with click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def show(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield show
