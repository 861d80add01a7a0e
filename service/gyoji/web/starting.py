"""How a start is kept short."""

import gc
import sys
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


@contextmanager
def nothing_coloured() -> Iterator[None]:
    """Imports in the block find no ``rich``, which structlog would load where it is installed, to colour what it never
    writes here."""
    if "rich" in sys.modules:
        yield
        return
    sys.modules["rich"] = None  # type: ignore[assignment]  # the import system's word for: there is none
    try:
        yield
    finally:
        del sys.modules["rich"]
