"""What happened in a match, and how it stands, as lines at a terminal."""

from collections.abc import Mapping
from typing import Any

from gyoji.wire.telling import Told

Document = Mapping[str, Any]


def account(seq: int, told: list[Told]) -> list[str]:
    """A log event as lines: the first begins with its ``seq``."""
    return [f"{seq if at == 0 else '':>5}  {_printable(_line(item))}" for at, item in enumerate(told)]


def _line(told: Told) -> str:
    if told.detail:
        return f"  [{told.rule}] {told.text}" if told.rule is not None else f"  {told.text}"
    return told.text if told.rule is None else f"{told.text} [{told.rule}]"


def _printable(line: str) -> str:
    """A line that no stranger's file can make into commands to the terminal."""
    return "".join(character if character.isprintable() else "\ufffd" for character in line)


def position_table(view: Document) -> str:
    """A position as a compact table: first the envelope, then what lies on the table."""
    rows = [(name, value) for name, value in view.items() if name not in ("table", "options", "seed")]
    rows += [("seed", view["seed"])] if view["seed"] is not None else []
    return "\n".join(_rows(rows, "") + _rows(view["table"].items(), "  "))


def _rows(rows: Any, indent: str) -> list[str]:
    return [f"{indent}{name:14}{_compact(value)}" for name, value in rows]


def _compact(value: Any) -> str:
    if isinstance(value, str):
        return _printable(value)
    if isinstance(value, Mapping) and value.keys() == {"count"}:
        return f"({value['count']})"
    if isinstance(value, list | tuple):
        nested = any(isinstance(item, list | tuple | Mapping) for item in value)
        return (" | " if nested else " ").join(_compact(item) for item in value) or "-"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_compact(inner)}" for name, inner in value.items())
    return "-" if value is None else str(value)
