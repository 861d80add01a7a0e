"""What the commands that open a store share: where it is, its key, and what is said when it does not open."""

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import click

from gyoji.app.settings import DEFAULT_STORE
from gyoji.cli.secret_option import SecretOption
from gyoji.store import open_store, store_key
from gyoji.store.interface import Conflict, Store, Unavailable
from gyoji.store.object_storage import BadPlace
from gyoji.store.urls import BadAddress

STORE_OPTION = click.option(
    "--store",
    default=DEFAULT_STORE,
    show_default=True,
    cls=SecretOption,
    envvar="GYOJI_STORE",
    metavar="URL",
    help="sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE.",
)
KEY_OPTION = click.option(
    "--store-key",
    cls=SecretOption,
    envvar="GYOJI_STORE_KEY",
    metavar="HEX",
    help="64 hex digits. Default: the key file beside the SQLite database. Better given as a variable.",
)


@contextmanager
def told_plainly() -> Iterator[None]:
    """What keeps a store from being opened or used, as an error with exit status 1."""
    try:
        yield
    except BadAddress as wrong:
        raise click.BadParameter(str(wrong), param_hint="--store") from None
    except BadPlace as wrong:
        raise click.BadParameter(str(wrong), param_hint="GYOJI_ARCHIVE") from None
    except (Unavailable, Conflict) as failure:
        raise click.ClickException(str(failure) or "the store has been changed meanwhile") from None


@contextmanager
def opened_without_key(url: str) -> Iterator[Store]:
    """The store at ``url``, which has to be there already; what is sealed stays so."""
    with told_plainly(), closing(open_store(url)) as store:
        store.check()
        yield store


@contextmanager
def opened(url: str, configured: str | None) -> Iterator[Store]:
    """The store at ``url`` and its key. It has to be there already: no key is made for one that is not."""
    with opened_without_key(url):
        key = store_key(url, configured or None)
    with told_plainly(), closing(open_store(url, key)) as store:
        yield store


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar for long work, on a terminal only; told (done, of how many)."""
    with click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def told(done: int, total: int) -> None:
            bar.length = total
            _advance(bar, done)

        yield told


def _advance(bar: Any, done: int) -> None:
    bar.update(done - bar.pos)
