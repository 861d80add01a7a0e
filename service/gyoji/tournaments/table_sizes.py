"""Chooses how many tables of which size there are: as few as possible sit out, then the sizes that the rules prefer."""

from collections.abc import Sequence


def choose_sizes(entrants: int, allowed: Sequence[int]) -> tuple[int, ...] | None:
    """Choose the sizes of the tables, as many as possible of the first that is allowed, and so on; ``None`` if there is
    none.

    Who is left over has a bye.
    """
    for seated in range(entrants, min(allowed) - 1, -1):
        found = _fill(seated, tuple(allowed))
        if found is not None:
            return found
    return None


def _fill(seated: int, allowed: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return tables that seat exactly so many."""
    if not seated:
        return ()
    if not allowed:
        return None
    size = allowed[0]
    for tables in range(seated // size, -1, -1):
        rest = _fill(seated - tables * size, allowed[1:])
        if rest is not None:
            return (size,) * tables + rest
    return None
