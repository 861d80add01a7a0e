"""A reader puts frames together again, as the viewer of a page does it."""

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from gyoji.match.viewer_frames import Frame


def applied(view: Any, changes: Iterable[tuple[list[Any], Any]], additions: Iterable[tuple[list[Any], Any]]) -> Any:
    """The view after these changes, of plain data; the one before is kept as it was."""
    for path, value in changes:
        view = _with(view, path, value)
    for path, items in additions:
        view = _with(view, path, [*_at(view, path), *items])
    return view


def _at(node: Any, path: list[Any]) -> Any:
    for step in path:
        node = node[step]
    return node


def _with(node: Any, path: list[Any], value: Any) -> Any:
    if not path:
        return value
    first, *rest = path
    if isinstance(node, dict):
        return {**node, first: _with(node.get(first), rest, value)}
    return [*node[:first], _with(node[first], rest, value), *node[first + 1 :]]


def plain(value: Any) -> Any:
    """As it comes out of an answer."""
    return orjson.loads(orjson.dumps(value))


def views(frames: Iterable[Mapping[str, Any]]) -> list[Any]:
    """The whole view of every frame of an answer."""
    found: list[Any] = []
    for frame in frames:
        if "view" in frame:
            found.append(frame["view"])
        else:
            found.append(applied(found[-1], frame.get("set", ()), frame.get("add", ())))
    return found


def whole_views(frames: Iterable[Frame]) -> list[Any]:
    """The same, of frames that are not written down yet."""
    documents = [{"view": frame.view} if frame.change is None else frame.change._asdict() for frame in frames]
    return views(plain(documents))
