"""Writes proofs of equivocation to files, which ``gyoji proof check`` reads."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gyoji.bulk.errors import BulkError
from gyoji.log.canonical import canonical


def write_proof(folder: Path, found: Mapping[str, Any]) -> None:
    """Write a proof, under a name that says the match and the place."""
    first = found["statements"][0]
    file = folder / f"equivocation-{first['match']}-{first['seq']}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(canonical(dict(found)) + b"\n")
    except OSError as error:
        raise BulkError(f"cannot write {file}: {error.strerror}") from None
