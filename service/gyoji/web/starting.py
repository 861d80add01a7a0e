"""How a start is kept short."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nothing_collected() -> Iterator[None]:
    """No looking for garbage in the block, and what it leaves is never looked through: imports make much and let go of
    nothing. To look all the same is a quarter of a start, and would copy what forked processes share."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
