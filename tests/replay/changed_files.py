"""Replay files are changed at random, in ways that whoever writes, sends or forges a file might."""

import copy
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import orjson

from gyoji.audit.audit import audit
from gyoji.audit.verdicts import Verdict
from gyoji.log.canonical import canonical
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.messages.verdicts import rules_for, verdict_document
from replay.tampering import TRUSTED, Lines, Parts, cut_at_lf, flipped, forged, refiled

Document = dict[str, Any]
ENGLISH: Language = "en"

# Changes that anybody can make: bytes, lines


def bit_turned(lines: Lines, rng: Random) -> list[bytes]:
    body = b"".join(lines)
    return flipped(body, rng.randrange(8 * len(body)))


def line_dropped(lines: Lines, rng: Random) -> list[bytes]:
    at = rng.randrange(len(lines))
    return [*lines[:at], *lines[at + 1 :]]


def line_doubled(lines: Lines, rng: Random) -> list[bytes]:
    at = rng.randrange(len(lines))
    return [*lines[: at + 1], *lines[at:]]


def neighbours_swapped(lines: Lines, rng: Random) -> list[bytes]:
    at = rng.randrange(len(lines) - 1)
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def line_moved(lines: Lines, rng: Random) -> list[bytes]:
    left = [*lines]
    line = left.pop(rng.randrange(len(left)))
    left.insert(rng.randrange(len(left) + 1), line)
    return left


def upper_case(lines: Lines, rng: Random) -> list[bytes]:
    """One run of hex digits, a salt, a hash or a name, is written otherwise."""
    return _line_changed(lines, rng, lambda line: line.replace(_piece(line, rng), _piece(line, rng).upper(), 1))


def _piece(line: bytes, rng: Random) -> bytes:
    pieces = [piece for piece in line.split(b'"') if len(piece) in (16, 36, 64, 128)]
    return rng.choice(pieces) if pieces else b"a"


def whole_numbers_as_floats(lines: Lines, rng: Random) -> list[bytes]:
    name = rng.choice([b'"seat":', b'"seq":', b'"v":', b'"round":', b'"index":', b'"points":'])
    return _line_changed(lines, rng, lambda line: _after_digits(line, name, rng.choice([b".0", b"e0", b"0" * 16])))


def _after_digits(line: bytes, name: bytes, more: bytes) -> bytes:
    at = line.rfind(name) + len(name)
    while at < len(line) and line[at : at + 1].isdigit():
        at += 1
    return line[:at] + more + line[at:]


def members_reordered(lines: Lines, rng: Random) -> list[bytes]:
    return _line_changed(lines, rng, lambda line: orjson.dumps(_shuffled(orjson.loads(line), rng)) + b"\n")


def _shuffled(found: Any, rng: Random) -> Any:
    if isinstance(found, dict):
        names = [*found]
        rng.shuffle(names)
        return {name: _shuffled(found[name], rng) for name in names}
    return [_shuffled(item, rng) for item in found] if isinstance(found, list) else found


def spaced(lines: Lines, rng: Random) -> list[bytes]:
    space = rng.choice([b" ", b"\r", b"\t", b"\n", b"\0", b"\xff"])
    at = rng.choice([b":", b",", b"{", b"}"])
    return cut_at_lf(b"".join(_line_changed(lines, rng, lambda line: line.replace(at, at + space, 1))))


def of_another_system(lines: Lines, rng: Random) -> list[bytes]:
    """Lines ended by CR LF: all of them, or one."""
    if rng.random() < 0.5:
        return [line[:-1] + b"\r\n" for line in lines]
    return _line_changed(lines, rng, lambda line: line[:-1] + b"\r\n")


def cut_off(lines: Lines, rng: Random) -> list[bytes]:
    body = b"".join(lines)
    return cut_at_lf(body[: rng.randrange(len(body))]) if rng.random() < 0.7 else cut_at_lf(body[:-1])


def swollen(lines: Lines, rng: Random) -> list[bytes]:
    """One line far beyond the limit, or just at it."""
    more = rng.choice([2**20, 2**20 - 500, 2**16])
    return _line_changed(lines, rng, lambda line: line[:-2] + b" " * more + line[-2:])


def _line_changed(lines: Lines, rng: Random, change: Callable[[bytes], bytes]) -> list[bytes]:
    at = rng.randrange(len(lines))
    return [*lines[:at], change(lines[at]), *lines[at + 1 :]]


def refiled_too(change: Callable[[Lines, Random], list[bytes]]) -> Callable[[Lines, Random], Sequence[bytes]]:
    """The same change in a file whose digest is right afterwards."""

    def changed(lines: Lines, rng: Random) -> Sequence[bytes]:
        found = change(lines[:-1], rng)
        return refiled(found, orjson.loads(lines[-1])["head"])

    return changed


# Changes that need the key: everything but the rules still fits


def forged_somewhere(lines: Lines, rng: Random) -> Sequence[bytes]:
    """A value anywhere in an event or an opening is another one, and all is sealed again."""

    def change(parts: Parts) -> None:
        event = rng.choice(parts.events)
        plain = ("at", "match", "position", "type", "v")
        places = [(event.document, name) for name in plain]
        places += [*_places(event.document["data"]), *_places(event.document["actor"])]
        for opening in event.openings:
            places += _places(opening.get("payload"))
        holder, name = rng.choice(places)
        holder[name] = _other(holder[name], rng)

    return forged(lines, change)


def _places(found: Any) -> Iterator[tuple[Any, Any]]:
    inner = found.items() if isinstance(found, dict) else enumerate(found) if isinstance(found, list) else ()
    for name, value in inner:
        yield found, name
        yield from _places(value)


def _other(value: Any, rng: Random) -> Any:
    if isinstance(value, bool) or value is None:
        return rng.choice([True, False, None, 0, "F1"])
    if isinstance(value, int):
        return value + rng.choice([-1, 1, 2, 2**53])
    if isinstance(value, str):
        return rng.choice([value[::-1], value.upper(), value + "0", "", "F1", "C2", "D3", None, 1])
    if isinstance(value, list):
        return rng.choice([value[::-1], value[1:], [*value, *value[:1]], None])
    return rng.choice([None, {}, {**value, "more": 1}])


def events_swapped(lines: Lines, rng: Random) -> Sequence[bytes]:
    """Two events change their places, with their numbers or without."""

    def change(parts: Parts) -> None:
        at = rng.randrange(len(parts.events) - 1)
        one, other = parts.events[at], parts.events[at + 1]
        parts.events[at : at + 2] = [other, one]
        if rng.random() < 0.5:
            one.document["seq"], other.document["seq"] = other.document["seq"], one.document["seq"]

    return forged(lines, change)


def played_another(lines: Lines, rng: Random) -> Sequence[bytes]:
    """A move is that of another event; where nobody has moved, two events change places."""

    def change(parts: Parts) -> None:
        moves = [event.document["data"] for event in parts.events if "move" in event.document["data"]]
        one, other = rng.choice(moves), rng.choice(moves)
        one["move"] = copy.deepcopy(other["move"])
        if rng.random() < 0.5:
            one["events"] = copy.deepcopy(other["events"])

    has_moved = any(b'"move":' in line for line in lines)
    return forged(lines, change) if has_moved else events_swapped(lines, rng)


def opening_added(lines: Lines, rng: Random) -> Sequence[bytes]:
    """An opening of one event stands beside another as well."""

    def change(parts: Parts) -> None:
        some = [event for event in parts.events if event.openings]
        event = rng.choice([*some, rng.choice(parts.events)])
        event.openings.append({**copy.deepcopy(rng.choice(rng.choice(some).openings)), "seq": event.document["seq"]})

    return forged(lines, change)


BY_ANYBODY: tuple[Callable[[Lines, Random], list[bytes]], ...] = (
    bit_turned,
    line_dropped,
    line_doubled,
    neighbours_swapped,
    line_moved,
    upper_case,
    whole_numbers_as_floats,
    members_reordered,
    spaced,
    of_another_system,
    cut_off,
    swollen,
)
CHANGES: tuple[Callable[[Lines, Random], Sequence[bytes]], ...] = (
    *BY_ANYBODY,
    *map(refiled_too, BY_ANYBODY),
    *[forged_somewhere] * 12,
    events_swapped,
    played_another,
    played_another,
    opening_added,
)


def changed(lines: Lines, rng: Random) -> Sequence[bytes]:
    """The file changed once, and sometimes twice."""
    found = rng.choice(CHANGES)(lines, rng)
    is_whole = found[-1:] != [] and found[-1].startswith(b'{"file":') and len(found) > 4
    return rng.choice(BY_ANYBODY)(tuple(found), rng) if is_whole and rng.random() < 0.2 else found


def document(verdict: Verdict) -> bytes:
    """All that is said of a file."""
    return canonical(verdict_document(verdict, ENGLISH))


def both(lines: Sequence[bytes], trusted: Sequence[Trusted] | None = TRUSTED) -> tuple[Verdict, Verdict]:
    """What is said of the lines on the short way, and with every line read in full."""
    short = audit(lambda: lines, rules_for, trusted)
    return short, audit(lambda: lines, rules_for, trusted, in_full=True)
