"""What commands write: to a file, whole or not at all, or to standard output."""

from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex

import click

PROOFS = click.option(
    "--proofs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write a proof of every equivocation there, for gyoji proof check.",
)
OUT = click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="Where to write it. Default: standard output."
)


def put(lines: Iterable[bytes], out: Path | None) -> None:
    """All the lines, or no file."""
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
