"""What commands give out: JSON at a terminal, and files that are written whole or not at all."""

import re
from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex
from typing import Any

import click
import orjson

UNSAFE = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What would command a terminal, or turn the direction of its line."""


def json_text(document: Any) -> str:
    """Return a document as indented JSON; what is unsafe at a terminal is escaped."""
    return UNSAFE.sub(_escape, orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


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
