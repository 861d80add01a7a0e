"""Stores that are damaged behind their own back: rows changed, and bits of a file flipped one at a time."""

from contextlib import closing
from pathlib import Path

from sqlalchemy import bindparam, text

from gyoji.store import check_store, open_store
from gyoji.store.interface import Unavailable
from gyoji.store.schema.migrator import transaction
from gyoji.store.urls import parse_url
from store.logs import KEY

Export = dict[str, list[tuple[object, ...]]]


def alter(url: str, sql: str, **put: object) -> None:
    """Change what is stored behind the store's back."""
    with transaction(parse_url(url)) as connection:
        connection.execute(text(sql).bindparams(*[bindparam(name, value) for name, value in put.items()]))


def exported(url: str) -> Export | None:
    """All that an export of the store is made of; ``None`` if it cannot be read."""
    try:
        with closing(open_store(url, KEY)) as store:
            return {match: [tuple(entry) for entry in store.entries(match)] for match in store.every_match()}
    except (Unavailable, ValueError):
        return None


def flipped(file: Path, bit: int, kept: Export | None) -> bool:
    """Whether the flip of that bit is found. If it is not, the export must be what it was; the bit is put back."""
    _flip(file, bit)
    try:
        found = check_store(f"sqlite:///{file}", KEY) != []
        assert found or exported(f"sqlite:///{file}") == kept, f"bit {bit} was flipped unnoticed"
    finally:
        _flip(file, bit)
    return found


def _flip(file: Path, bit: int) -> None:
    with file.open("r+b") as opened:
        opened.seek(bit // 8)
        byte = opened.read(1)[0] ^ 1 << bit % 8
        opened.seek(bit // 8)
        opened.write(bytes([byte]))
