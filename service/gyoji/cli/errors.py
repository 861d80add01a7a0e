"""Shows what the rooms below raise as errors of a command: one line, and exit status 1, or 2 where it is of usage."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from gyoji.bulk.errors import BulkError, MissingExtra
from gyoji.store.interface import Conflict, Unavailable
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
