"""What commands print and write: JSON, whole files or none, and a standard output that may be gone."""

import io
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex
from typing import IO, TYPE_CHECKING, Any

import click
import orjson

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

UNSAFE = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What would command a terminal, or turn the direction of its line."""


def json_text(document: Any) -> str:
    """Return a document as indented JSON; what is unsafe at a terminal is escaped."""
    return UNSAFE.sub(_escape, orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def print_result(as_json: bool, document: Any, *lines: str) -> None:
    """Print what a command comes to: the document as JSON, or lines of text; nothing where there are none."""
    for line in [json_text(document)] if as_json else lines:
        click.echo(line)


def write_output(lines: Iterable[bytes], out: Path | None) -> None:
    """Write all the lines to a file, or no file; to standard output where there is no ``out``."""
    body = b"".join(lines)
    if out is None:
        click.echo(body, nl=False)
        return
    draft = out.with_name(f"{out.name}.{token_hex(4)}.part")
    try:
        draft.write_bytes(body)
        draft.replace(out)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise click.ClickException(f"cannot write {out}: {error.strerror}") from None


class CannotPrint(click.ClickException):
    """Standard output takes nothing more.

    No ``OSError``: commands that write files as well would tell it as a failure of theirs.
    """

    def show(self, file: IO[Any] | None = None) -> None:
        """Say on standard error that standard output is gone. Where that is gone as well, the exit status alone says
        it."""
        try:
            super().show(file)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # takes what is still buffered when the interpreter ends


def guard_standard_output() -> None:
    """Make the standard output of this process one that ends a command with status 1 and one line when it is gone.

    Streams that somebody has put in its place, as tests do, are left alone.
    """
    stream = sys.stdout
    if stream is not sys.__stdout__:
        return
    if stream is None:  # the descriptor was closed before the interpreter began
        _occupy_descriptor()
    raw = _Descriptor(1, "w", closefd=False)
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=None if stream is None else stream.encoding,
        errors=None if stream is None else stream.errors,
        line_buffering=raw.isatty(),
    )


def _occupy_descriptor() -> None:
    """Put what cannot be written to in the place of standard output.

    Else the first file that is opened, a store for example, gets its number, and with it what children print.
    """
    os.dup2(os.open(os.devnull, os.O_RDONLY), 1)
    os.set_inheritable(1, True)


class _Descriptor(io.FileIO):
    """A descriptor whose first failure to write is ``CannotPrint``.

    What is still buffered then goes nowhere: the interpreter would try again when it ends, and end with status 120.
    """

    _is_gone = False

    def write(self, data: "ReadableBuffer", /) -> int:
        if self._is_gone:
            return memoryview(data).nbytes
        try:
            return super().write(data)
        except OSError as error:
            self._is_gone = True
            raise CannotPrint(f"cannot print: {error.strerror}") from None
