"""Describes the problem of an exact cover: columns are chosen so that every row is covered as often as it has to be."""

from collections.abc import Sequence
from typing import NamedTuple


class CoverProblem(NamedTuple):
    """An exact cover problem: the columns, each of which may be taken once, and how often each row has to be
    covered."""

    covers: Sequence[Sequence[int]]
    """By column: the rows that it covers, each once."""
    asked: Sequence[int]
    """By row: how often it has to be covered."""


class Search(NamedTuple):
    """The bounds of a search for a better cover."""

    gap: float
    """The part of the cost that may remain to be saved; 0: the least cost."""
    nodes: int
    """At most so many nodes of the search tree."""
    improvements: int | None = None
    """After so many choices, each better than the one before, the last is good enough; ``None``: as many as there are.
    Not heeded where a choice is known to begin with."""


class Cap(NamedTuple):
    """The most that a sum over the chosen columns may be."""

    weights: Sequence[int]
    """By column."""
    most: int
