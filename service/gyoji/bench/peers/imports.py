"""A constant answer from a process that has imported what ``BENCH_IMPORTS`` names, modules with commas between them.

Run by gunicorn as ``gyoji.bench.peers.imports:app``.
"""

import os
from contextlib import suppress
from importlib import import_module

for name in filter(None, os.environ["BENCH_IMPORTS"].split(",")):
    with suppress(ImportError):  # what others only try to import, is tried here too
        import_module(name)

from gyoji.bench.peers.echo import app  # noqa: E402 - after the others, which is what is measured

__all__ = ("app",)
