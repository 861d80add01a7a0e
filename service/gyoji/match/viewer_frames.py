"""Frames show a log step by step: the position after each event as a reader may know it, and what has changed.

Nothing here decides who may know what: the view of a position and the legal moves come in as functions of a
``Perspective``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from typing import Any, NamedTuple

from gyoji.games.game import Game, Move
from gyoji.log.entries import Entry
from gyoji.log.redaction import Reader, project_event
from gyoji.match.fold import apply_entry, first_state
from gyoji.match.prescan import Branches, TakenBack, taken_back_by
from gyoji.match.state import MatchState

View = Mapping[str, Any]
Path = Sequence[str | int]


class Step(NamedTuple):
    """One step through a log: an event, and the game's state after it."""

    entry: Entry
    state: Any
    """The game's frozen state; ``None`` before the deal, and where it is not known."""
    over: bool
    """Whether there are no more moves."""
    taken_back_by: int | None = None
    """The ruling that has taken the event back; ``None`` where it is in force."""


class Perspective(NamedTuple):
    """The perspective of one reader: how states and moves are shown to that reader."""

    reader: Reader
    view: Callable[[Any], View]
    """State -> the state envelope as the reader may know it."""
    legal: Callable[[Any], Sequence[Move]]
    """State -> the legal moves that the reader may know of."""


class ViewChange(NamedTuple):
    """The difference between two views: which places are set, and which lists grow."""

    set: list[tuple[Path, Any]]
    """Places, and the values that they hold now."""
    add: list[tuple[Path, list[Any]]]
    """Lists, by their place, and the items that they end with now."""


class Frame(NamedTuple):
    """One step as a reader sees it: the event, and the position after it."""

    document: Mapping[str, Any]
    """As ``project_event`` gives it."""
    view: View | None
    change: ViewChange | None
    """What has changed in the view since the frame before; ``None`` where it is given anew."""
    legal: list[dict[str, Any]]
    """The legal moves after it, ``group_moves``."""
    taken_back_by: int | None
    """As ``Step`` has it."""


def steps(
    match: MatchState | None,
    entries: Iterable[Entry],
    game: Game[Any],
    secret: bytes,
    branches: Sequence[tuple[int, int]] = (),
) -> Iterator[Step]:
    """Yield the steps of a stored log over entries that follow on from a state (``None``: from the beginning).
    ``branches`` are those of the whole log, as ``MatchState`` has them."""
    back = Branches(starmap(TakenBack, branches))
    for entry in entries:
        match = first_state(entry, game, secret) if match is None else apply_entry(match, entry)
        yield Step(entry, match.state, match.over, taken_back_by(back, entry.seq))


def frames(found: Iterable[Step], sight: Perspective) -> Iterator[Frame]:
    """Yield the steps as a reader sees them. The first has the whole view; so has each step whose view before, or whose
    own, is not there."""
    before: View | None = None
    for number, step in enumerate(found):
        state = step.state
        view = None if state is None else sight.view(state)
        is_new = number == 0 or (before is None) != (view is None)
        change = None if is_new else view_changes(before, view)
        legal = [] if state is None or step.over else group_moves(sight.legal(state))
        yield Frame(project_event(sight.reader, step.entry), view, change, legal, step.taken_back_by)
        before = view


def group_moves(moves: Iterable[Move]) -> list[dict[str, Any]]:
    """Group moves that differ only in their ``card`` into one, whose ``card`` is the list of them. In the order of the
    first of each."""
    groups: dict[tuple[tuple[str, Any], ...], list[Any]] = {}
    found: list[dict[str, Any]] = []
    for move in moves:
        if "card" not in move:
            found.append({**move})
            continue
        alike = tuple([item for item in move.items() if item[0] != "card"])
        if alike not in groups:
            groups[alike] = []
            found.append({**move, "card": groups[alike]})
        groups[alike].append(move["card"])
    return found


def view_changes(before: Any, after: Any) -> ViewChange:
    """Return what has to be set and added, in that order, to turn one plain value into another. At the root only
    members of equal shape are compared; anything else is set whole (with an empty path)."""
    change = ViewChange([], [])
    _compare(before, after, (), change)
    return change


def _compare(before: Any, after: Any, path: tuple[str | int, ...], change: ViewChange) -> None:
    if before == after:
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping) and before.keys() <= after.keys():
        for name, value in after.items():
            if name in before:
                _compare(before[name], value, (*path, name), change)
            else:
                change.set.append(((*path, name), value))
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple) and _goes_on(before, after):
        change.add.append((path, [*after[len(before) :]]))
    elif isinstance(before, list | tuple) and isinstance(after, list | tuple) and _is_worth_it(before, after):
        for at, (one, other) in enumerate(zip(before, after, strict=True)):
            _compare(one, other, (*path, at), change)
    else:
        change.set.append((path, after))


def _goes_on(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whether items have only been added at the end; a list that was empty is as short when it is set."""
    return 0 < len(before) < len(after) and bool(before == after[: len(before)])


def _is_worth_it(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whether the list takes fewer bytes item by item: it is as long as before, and holds lists or objects, or
    little of it has changed."""
    if len(before) != len(after):
        return False
    if any(isinstance(item, Mapping | list | tuple) for item in after):
        return True
    apart = [one for one, other in zip(before, after, strict=True) if one != other]
    return 4 * len(apart) <= len(after)
