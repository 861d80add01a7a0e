"""Measures what a piece of work costs: steps of the interpreter, which are the same each time, or processor time."""

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from time import process_time
from types import FrameType
from typing import Any

Work = Callable[[], object]

MOST = 2.3
"""Twice the size costs no more than so many times as much."""

FIRST_MEASURED, MEASURED = 3, 25
"""Times that each size is measured at least, and at most: what else the machine does makes single ones worse."""


def steps(work: Work) -> int:
    """Count the instructions of the interpreter that it takes."""
    count = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def seconds(work: Work) -> float:
    """Measure the processor time that it takes, without that of collecting what others have left."""
    gc.collect()
    began = process_time()
    work()
    return process_time() - began


@contextmanager
def uncollected() -> Iterator[None]:
    """Run without the garbage collector, which looks through all that there is again and again: that is no step of the
    work."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def grows_with_its_size(costs: Sequence[float], sizes: Sequence[int]) -> bool:
    """Tell whether each costs at most so many times as much as the one before, for each time that it is twice as
    large."""
    pairs = pairwise(zip(costs, sizes, strict=True))
    return all(cost / less <= MOST * (size / smaller) / 2 for (less, smaller), (cost, size) in pairs)


def least_seconds(works: Sequence[Work], sizes: Sequence[int]) -> list[float]:
    """Return the least processor time that each of them has taken; measured again as long as it does not grow with the
    size."""
    least = [float("inf")] * len(works)
    with uncollected():
        for turn in range(MEASURED):
            least = [min(before, seconds(work)) for before, work in zip(least, works, strict=True)]
            if turn + 1 >= FIRST_MEASURED and grows_with_its_size(least, sizes):
                break
    return least
