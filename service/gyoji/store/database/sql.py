"""What is said to a database: SQL with ``?`` for each value put in, and rows."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Row = tuple[Any, ...]

Execute = Callable[[str, Row], list[Row]]
"""Executes a statement with the values put in, and gives back the rows that it finds."""

PAGE = 500
"""Rows that one query reads of a list that may be long."""


class Step(NamedTuple):
    """One statement of a transaction, executed for some rows of values."""

    sql: str
    rows: Sequence[Row]
    clash: type[Exception]
    """Raised where such a row is there already."""
    must_change: bool = False
    """Whether it is raised too where not one row was changed."""
