"""How a start is kept short."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any


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


@contextmanager
def nothing_awaited() -> Iterator[None]:
    """Imports in the block find an ``asyncio`` that is loaded as soon as somebody asks for something in it: structlog
    wants it for calls that are never made here. Afterwards others find the module itself. (A module within it is none
    to import in the block: it would be loaded once more.)"""
    if "asyncio" in sys.modules:
        yield
        return
    later = ModuleType("asyncio")

    def asked_for(name: str) -> Any:
        if sys.modules.get("asyncio") is later:
            del sys.modules["asyncio"]
        return getattr(import_module("asyncio"), name)

    later.__getattr__ = asked_for  # type: ignore[method-assign]
    sys.modules["asyncio"] = later
    try:
        yield
    finally:
        if sys.modules["asyncio"] is later:
            del sys.modules["asyncio"]
