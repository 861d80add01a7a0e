"""Shows what the rooms below raise as errors of a command: one line, and exit status 1, or 2 where it is of usage."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from gyoji.bulk.errors import BulkError, MissingExtra


@contextmanager
def bulk_errors() -> Iterator[None]:
    """Show what ends an audit of many replays."""
    try:
        yield
    except MissingExtra as missing:
        raise click.UsageError(str(missing)) from None
    except BulkError as failure:
        raise click.ClickException(str(failure)) from None
