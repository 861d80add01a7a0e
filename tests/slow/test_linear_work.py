"""Whoever reads what a stranger has made takes time that grows with its bytes: twice the size, at most 2.3 times the
processor time, at n, 2n and 4n.
"""

import gc
from collections.abc import Callable, Iterable

import pytest

from gyoji.audit.audit import audit
from gyoji.audit.playback import play_back
from gyoji.log.canonical import canonical
from gyoji.messages.verdicts import rules_for
from hostile import logs, parsers
from hostile.cost import grows_with_its_size, least_seconds
from replay import shapes
from replay.tampering import TRUSTED, cut_at_lf, entries_of, file_of

Lines = tuple[bytes, ...]
FILES: dict[str, tuple[Callable[[int], Iterable[bytes]], int]] = {
    **{name: (make, size) for name, (make, _few, size) in logs.SHAPES.items()},
    **{name: (lambda size, name=name: cut_at_lf(shapes.SHAPES[name](size)), 2) for name in shapes.SHAPES},  # type: ignore[misc]
}
"""Replay files of any size by what grows in them, and a size."""


def in_short(lines: Lines) -> object:
    """The audit as everybody asks for it."""
    return audit(lambda: lines, rules_for, TRUSTED)


def in_full(lines: Lines) -> object:
    """The audit that reads every line in full."""
    return audit(lambda: lines, rules_for, TRUSTED, in_full=True)


def frames(lines: Lines) -> object:
    """What a page steps through."""
    return play_back(lambda: lines, rules_for, -1, 100)


def read(made: list[Lines], work: Callable[[Lines], object]) -> tuple[list[float], list[int]]:
    """The processor time of each, and its bytes."""
    sizes = [sum(map(len, lines)) for lines in made]
    return least_seconds([lambda lines=lines: work(lines) for lines in made], sizes), sizes  # type: ignore[misc]


@pytest.mark.parametrize("work", [in_short, in_full, frames])
@pytest.mark.parametrize("shape", FILES)
def test_a_replay_file(shape: str, work: Callable[[Lines], object]) -> None:
    make, size = FILES[shape]
    made = [tuple(make(times * size)) for times in (1, 2, 4)]
    costs, sizes = read(made, work)
    assert grows_with_its_size(costs, sizes), [*zip(sizes, costs, strict=True)]


@pytest.mark.parametrize("name", parsers.PARSERS)
def test_a_document(name: str) -> None:
    parser = parsers.PARSERS[name]
    made = [parser.make(times * parser.size) for times in (1, 2, 4)]
    sizes = list(map(len, made))
    costs = least_seconds([lambda body=body: parser.read(body) for body in made], sizes)  # type: ignore[misc]
    assert grows_with_its_size(costs, sizes), [*zip(sizes, costs, strict=True)]


def test_a_replay_file_beside_receipts() -> None:
    lines = tuple(file_of(entries_of("towai")))
    held = [shapes.receipts(size) for size in (1, 2, 4)]
    sizes = [sum(len(canonical(one)) for one in some) for some in held]
    works = [lambda some=some: audit(lambda: lines, rules_for, TRUSTED, some) for some in held]
    assert grows_with_its_size(least_seconds(works, sizes), sizes)


def test_what_is_measured_is_told_apart() -> None:
    """A square of the size is seen."""
    gc.collect()
    works = [lambda size=size: [(one, other) for one in range(size) for other in range(size)] for size in (200, 400)]
    assert not grows_with_its_size(least_seconds(works, (200, 400)), (200, 400))
