"""How a start is kept short."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nothing_collected() -> Iterator[None]:
    """No looking for garbage in the block. Imports make much and let go of nothing; to look all the same is a fifth of
    a start."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
