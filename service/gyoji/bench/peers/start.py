"""The parts of the first answer after the start of the process, against the clock; prints a line of JSON.

usage: python -P start.py FILE       (as a script: it imports nothing of ours before the clock runs)

FILE is JSON: the modules of others and of ours that the service has imported by then, and a folder for a store.
"""

import json
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import perf_counter


def timed(others: list[str], ours: list[str], folder: str) -> dict[str, float]:
    """Milliseconds of each."""
    marks = [perf_counter()]
    for names in (others, ours):
        for name in names:
            with suppress(ImportError):  # what others only try to import, is tried here too
                import_module(name)
        marks.append(perf_counter())
    made = import_module("gyoji.web.app").create_app
    made(import_module("gyoji.web.settings").Settings(store=f"sqlite:///{folder}/gyoji.db", store_key="0" * 64))
    marks.append(perf_counter())
    parts = ("imports of others", "imports of ours", "the application made")
    return {part: (after - before) * 1e3 for part, before, after in zip(parts, marks, marks[1:], strict=False)}


if __name__ == "__main__":
    print(json.dumps(timed(**json.loads(Path(sys.argv[1]).read_text("utf-8")))))
