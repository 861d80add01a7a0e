"""Answers always the same, from a process that has imported the modules in ``BENCH_IMPORTS`` (commas between them).

Run by gunicorn as ``benchmarks.peers.imports:app``. The imports are kept as short as the service keeps its own.
"""

import os
from contextlib import suppress
from importlib import import_module

from gyoji.web.start import without_garbage_collection

with without_garbage_collection():
    for name in filter(None, os.environ["BENCH_IMPORTS"].split(",")):
        with suppress(ImportError):  # what others only try to import, is tried here too
            import_module(name)

from benchmarks.peers.echo import app

__all__ = ("app",)
