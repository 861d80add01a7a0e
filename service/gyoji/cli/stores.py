"""What commands share that open stores or audit replays: options, how a store is opened, and how errors are shown."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import click

from gyoji.bulk.locations import BulkError, MissingExtra
from gyoji.cli.options import setting_option
from gyoji.store import open_store, store_key
from gyoji.store.interface import Conflict, Store, Unavailable
from gyoji.store.object_storage import BadPlace
from gyoji.store.records import OperationFailed
from gyoji.store.urls import BadUrl


@contextmanager
def bulk_errors() -> Iterator[None]:
    """Show what ends an audit of many replays."""
    try:
        yield
    except MissingExtra as missing:
        raise click.UsageError(str(missing)) from None
    except BulkError as failure:
        raise click.ClickException(str(failure)) from None


@contextmanager
def store_errors() -> Iterator[None]:
    """Show what keeps a store from being opened or used."""
    try:
        yield
    except BadUrl as wrong:
        raise click.BadParameter(str(wrong), param_hint="--store") from None
    except BadPlace as wrong:
        raise click.BadParameter(str(wrong), param_hint="GYOJI_ARCHIVE") from None
    except (Unavailable, Conflict, OperationFailed) as failure:
        raise click.ClickException(str(failure) or "the store has been changed meanwhile") from None


STORE_OPTION = setting_option("store", help="sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE.")
KEY_OPTION = setting_option(
    "store_key", help="64 hex digits. Default: the key file beside the SQLite database. Better given as a variable."
)


@contextmanager
def open_keyless(url: str) -> Iterator[Store]:
    """Open the store at ``url`` without its key; it has to exist already, and what is encrypted stays so."""
    with store_errors(), closing(open_store(url)) as store:
        store.check()
        yield store


@contextmanager
def open_with_key(url: str, configured: str | None) -> Iterator[Store]:
    """Open the store at ``url`` with its key. It has to exist already: no key is made for one that does not."""
    with open_keyless(url):
        key = store_key(url, configured or None)
    with store_errors(), closing(open_store(url, key)) as store:
        yield store


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar for long work, on a terminal only; yields the function to call with (done, of how many)."""
    with click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def show(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield show
