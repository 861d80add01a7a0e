"""Files that a fixed seed changes in a thousand ways: bytes that somebody without the key turns, and logs that somebody
with it rewrites and signs anew."""

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from golden.logs import EVERY
from golden.logs import entries as golden_entries
from gyoji.log.files import redact_lines
from gyoji.match.events.match_created import ForkOrigin
from liar.lies import honest
from liar.ruled import RULED
from replay import changed_files
from replay.refereed import BANKED, Match
from replay.refereed_courses import course
from replay.seedings import COURSES
from replay.tampering import (
    SHORT,
    Lines,
    Parts,
    cut_at_lf,
    entries_of,
    file_of,
    refiled,
    sealed,
    taken_apart,
)
from replay.test_audit_hostile import ODD, disfigured, nodes
from replay.test_audit_seeding import file_named

Mutation = Callable[[Parts, random.Random], None]
AUDIENCES = ("full", "full", "public", 0, 1)
STUMBLES = (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError)
"""What the forger's own tools stumble over: there is nothing to change, or it cannot be signed."""


@cache
def bases() -> Mapping[str, Lines]:
    """Honest files of every game, policy, ruling and clock, all signed with one key."""
    files: dict[str, Lines] = {slug: file_of(entries_of(slug)) for slug in SHORT}
    files |= {f"sealed {slug}": file_of(entries_of(slug, "auditors_only")) for slug in SHORT}
    files |= {f"ruled {name}": honest(name) for name in RULED}
    files |= {f"seeded {name}": file_named(name) for name in COURSES}
    files |= {f"{path.parent.name} {path.stem}": file_of(golden_entries(path)) for path in EVERY}
    files |= {f"course {number}": file_of(course(number).entries) for number in range(24)}
    return files | dict(forks())


def forks() -> Iterator[tuple[str, Lines]]:
    """Forks of every game, under way and played to their end."""
    for slug in SHORT:
        for plies, more in ((7, 4), (30, 100_000)):
            before = Match(slug).play(plies).current
            source = ForkOrigin(before.match, before.seq, before.hash.hex(), before.state._replace(seed=None))
            match = Match(slug, number=1, withheld_until=None, clock=BANKED, source=source).play(more)
            yield f"fork {slug} after {plies}", file_of(match.entries)


def mutated(count: int, seed: str) -> Iterator[tuple[str, Lines]]:
    """So many changed files, each with a name that tells how it was made; the same for the same seed."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        name = rng.choice(sorted(bases()))
        lines = redacted_for(bases()[name], rng.choice(AUDIENCES))
        change = rng.choices((by_bytes, otherwise, by_the_key), (2, 2, 6))[0]
        made, told = change(lines, rng)
        yield f"{number}, {name}: {told}", made


def redacted_for(lines: Lines, audience: Any) -> Lines:
    """The file as that reader has it."""
    return lines if audience == "full" else tuple(redact_lines(lines, audience))


# Without the key


def by_bytes(lines: Lines, rng: random.Random) -> tuple[Lines, str]:
    """Bytes or whole lines changed; the digest is made right again half of the times."""
    change = rng.choice(
        (turned_bit, other_bytes, without_slice, line_dropped, line_doubled, lines_exchanged, cut_short)
    )
    made = change(lines, rng)
    if rng.random() < 0.5 and len(made) > 1 and made[-1] == lines[-1]:
        return refiled(made[:-1], taken_apart(lines).ending["head"]), f"{change.__name__}, digest made right"
    return made, change.__name__


def otherwise(lines: Lines, rng: random.Random) -> tuple[Lines, str]:
    """As the two ways of the first verifier are tried, with and without the key; some of which need moves to change."""
    try:
        return tuple(cut_at_lf(b"".join(changed_files.changed(lines, rng)))), "otherwise"
    except STUMBLES:
        return by_the_key(lines, rng)


def turned_bit(lines: Lines, rng: random.Random) -> Lines:
    """One bit."""
    body = bytearray(b"".join(lines))
    body[rng.randrange(len(body))] ^= 1 << rng.randrange(8)
    return tuple(cut_at_lf(bytes(body)))


def other_bytes(lines: Lines, rng: random.Random) -> Lines:
    """Some bytes in place of others."""
    body = b"".join(lines)
    at = rng.randrange(len(body))
    return tuple(cut_at_lf(body[:at] + rng.randbytes(rng.randrange(1, 40)) + body[at + rng.randrange(40) :]))


def without_slice(lines: Lines, rng: random.Random) -> Lines:
    """Some bytes missing."""
    body = b"".join(lines)
    at = rng.randrange(len(body))
    return tuple(cut_at_lf(body[:at] + body[at + rng.randrange(1, 2_000) :]))


def line_dropped(lines: Lines, rng: random.Random) -> Lines:
    """A line left out."""
    at = rng.randrange(len(lines))
    return (*lines[:at], *lines[at + 1 :])


def line_doubled(lines: Lines, rng: random.Random) -> Lines:
    """A line again, anywhere."""
    at = rng.randrange(len(lines) + 1)
    return (*lines[:at], rng.choice(lines), *lines[at:])


def lines_exchanged(lines: Lines, rng: random.Random) -> Lines:
    """Two lines in each other's place."""
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    changed = list(lines)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


def cut_short(lines: Lines, rng: random.Random) -> Lines:
    """The beginning alone."""
    body = b"".join(lines)
    return tuple(cut_at_lf(body[: rng.randrange(len(body))]))


BYTES = (turned_bit, other_bytes, without_slice, line_dropped, line_doubled, lines_exchanged, cut_short)


# With the key


def by_the_key(lines: Lines, rng: random.Random) -> tuple[Lines, str]:
    """One to three changes of what the file says, and everything signed; what cannot be signed is tried anew."""
    parts = taken_apart(lines)
    while True:
        changed, told = copy.deepcopy(parts), []
        for _ in range(rng.choice((1, 1, 2, 3))):
            change = rng.choice(CHANGES)
            told.append(change.__name__)
            try:
                change(changed, rng)
            except STUMBLES:
                told[-1] += " (in vain)"  # the change before has left nothing to change
        try:
            return sealed(changed), ", ".join(told)
        except STUMBLES:
            continue


def renumbered(parts: Parts) -> None:
    """As if the events had happened in this order."""
    for seq, event in enumerate(parts.events):
        event.document["seq"] = seq
        for opening in event.openings:
            opening["seq"] = seq


def a_value(parts: Parts, rng: random.Random) -> None:
    """Something odd in place of a value, or a value left out or doubled."""
    disfigured(parts, rng)


def event_dropped(parts: Parts, rng: random.Random) -> None:
    del parts.events[rng.randrange(len(parts.events))]
    if rng.random() < 0.8:
        renumbered(parts)


def event_doubled(parts: Parts, rng: random.Random) -> None:
    event = copy.deepcopy(rng.choice(parts.events))
    parts.events.insert(rng.randrange(len(parts.events) + 1), event)
    renumbered(parts)


def events_exchanged(parts: Parts, rng: random.Random) -> None:
    one = rng.randrange(len(parts.events))
    other = min(len(parts.events) - 1, one + rng.choice((1, 1, 1, 2, 5)))
    parts.events[one], parts.events[other] = parts.events[other], parts.events[one]
    renumbered(parts)


def event_of_another(parts: Parts, rng: random.Random) -> None:
    """An event of another match among them."""
    other = taken_apart(bases()[rng.choice(sorted(bases()))])
    event = rng.choice(other.events)
    event.document["match"] = parts.header["match"]
    parts.events.insert(rng.randrange(1, len(parts.events) + 1), event)
    renumbered(parts)


def ended_early(parts: Parts, rng: random.Random) -> None:
    del parts.events[rng.randrange(1, len(parts.events)) :]


def an_opening(parts: Parts, rng: random.Random) -> None:
    """An opening left out, doubled, moved, exchanged, or for another place."""
    opened = [event for event in parts.events if event.openings]
    event = rng.choice(opened)
    at = rng.randrange(len(event.openings))
    deed = rng.randrange(6)
    if deed == 0:
        del event.openings[at]
    elif deed == 1:
        event.openings.insert(at, copy.deepcopy(event.openings[at]))
    elif deed == 2:
        other = rng.choice(parts.events)
        other.openings.append({**event.openings.pop(at), "seq": other.document["seq"]})
    elif deed == 3:
        rng.shuffle(event.openings)
    elif deed == 4:
        event.openings[at]["index"] += rng.choice((-1, 1))
    else:
        payload = event.openings[at]["payload"]
        place = rng.choice(sorted(payload))
        payload[place + rng.choice(("/0", "~", "/", "x"))] = payload.pop(place)


def a_secret(parts: Parts, rng: random.Random) -> None:
    """A commitment left out, doubled, or for others."""
    secrets = rng.choice([event for event in parts.events if event.document["secret"]]).document["secret"]
    at = rng.randrange(len(secrets))
    deed = rng.randrange(3)
    if deed == 0:
        del secrets[at]
    elif deed == 1:
        secrets.insert(at, copy.deepcopy(secrets[at]))
    else:
        secrets[at]["for"] = rng.choice(("all", [], [0], [1], [0, 1], [1, 0], [7]))


def a_time(parts: Parts, rng: random.Random) -> None:
    """An event later or earlier, alone or with all that follow; or at no time."""
    at = rng.randrange(len(parts.events))
    if rng.random() < 0.1:
        parts.events[at].document["at"] = rng.choice(NO_TIMES)
        return
    shift = timedelta(milliseconds=rng.choice((-1, 1)) * rng.choice((1, 999, 1_000, 5_000, 60_000, 3_600_000, 10**10)))
    for event in parts.events[at:] if rng.random() < 0.5 else parts.events[at : at + 1]:
        event.document["at"] = later(event.document["at"], shift)


NO_TIMES = (
    "2026-19-39T29:59:69.999Z",
    "2026-02-29T00:00:00.000Z",
    "2026-01-01T24:00:00.000Z",
    "2026-12-31T23:59:60.000Z",
    "0000-01-01T00:00:00.000Z",
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.000+00:00",
)


def later(at: str, shift: timedelta) -> str:
    moved = datetime.fromisoformat(at) + shift
    return moved.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def an_actor(parts: Parts, rng: random.Random) -> None:
    event = rng.choice(parts.events)
    others: list[dict[str, Any]] = [{"role": role} for role in ("service", "operator", "director", "referee", "seat")]
    others += [{"role": role, "seat": seat} for role in ("seat", "operator") for seat in (0, 1, 2, 9)]
    others += [{"role": role, "key": "0123456789abcdef"} for role in ("referee", "operator")]
    event.document["actor"] = rng.choice(others)


def a_type(parts: Parts, rng: random.Random) -> None:
    one, other = rng.choice(parts.events), rng.choice(parts.events)
    one.document["type"] = rng.choice((other.document["type"], "erratum_noted", "ruling_made", "match_paused", ""))


def data_of_another(parts: Parts, rng: random.Random) -> None:
    """What one event says, said by another."""
    one, other = rng.choice(parts.events), rng.choice(parts.events)
    one.document["data"] = copy.deepcopy(other.document["data"])


def a_position(parts: Parts, rng: random.Random) -> None:
    event = rng.choice(parts.events)
    deed = rng.randrange(4)
    if deed == 0:
        event.document["position"] = None
    elif deed == 1:
        event.document["position"] = "ab" * 32
    elif deed == 2:
        event.openings[:] = [opening for opening in event.openings if "position" not in opening]
    else:
        event.openings.append({"seq": event.document["seq"], "position": "ab" * 32})


def values_exchanged(parts: Parts, rng: random.Random) -> None:
    """Two values of one event, of the same type, in each other's place."""
    event = rng.choice(parts.events)
    spots = list(nodes([event.document["data"], event.openings]))
    one, at = rng.choice(spots)
    alike = [(node, key) for node, key in spots if type(node[key]) is type(one[at]) and node[key] != one[at]]
    other, place = rng.choice(alike)
    one[at], other[place] = copy.deepcopy(other[place]), copy.deepcopy(one[at])


def a_number(parts: Parts, rng: random.Random) -> None:
    event = rng.choice(parts.events)
    spots = [(node, key) for node, key in nodes([event.document["data"], event.openings]) if type(node[key]) is int]
    node, key = rng.choice(spots)
    node[key] += rng.choice((-2, -1, 1, 2, 10_000))


def a_card(parts: Parts, rng: random.Random) -> None:
    """One text for another wherever an event tells of it."""
    at = rng.randrange(len(parts.events))
    event = parts.events[at]
    texts = [node[key] for node, key in nodes([event.document["data"], event.openings]) if type(node[key]) is str]
    one, other = rng.choice(texts), rng.choice(texts)
    told = json.dumps([event.document["data"], event.openings]).replace(f'"{one}"', f'"{other}"')
    event.document["data"], openings = json.loads(told)
    event.openings[:] = openings


def a_header(parts: Parts, rng: random.Random) -> None:
    name = rng.choice(sorted(parts.header))
    parts.header[name] = rng.choice((*ODD, "catte", "towai", "public", "ab" * 32, 2, {"seat": 1}))


def a_setup(parts: Parts, rng: random.Random) -> None:
    """Another match than was set up."""
    data = parts.events[0].data
    name, value = rng.choice(SETUPS)
    if value is None:
        data.pop(name, None)
    else:
        data[name] = copy.deepcopy(value)


SETUPS: tuple[tuple[str, Any], ...] = (
    ("clock", {"move_ms": 5_000, "bank_ms": None, "increment_ms": 0, "on_expiry": "referee"}),
    ("clock", {"move_ms": 5_000, "bank_ms": 9_000, "increment_ms": 10, "on_expiry": "forfeit"}),
    ("clock", {"move_ms": 5_000, "bank_ms": 9_000, "increment_ms": 10, "on_expiry": "pass"}),
    ("clock", None),
    ("withheld_until", "group"),
    ("withheld_until", "2026-01-01T00:00:30.000Z"),
    ("withheld_until", "2026-13-01T00:00:30.000Z"),
    ("withheld_until", None),
    ("randomness", {"policy": "players", "missing": "void", "within": 60}),
    ("randomness", {"policy": "players", "missing": "empty", "within": 60}),
    ("randomness", {"policy": "director"}),
    ("randomness", {"policy": "server"}),
    ("disclosure", "auditors_only"),
    ("disclosure", "public_on_close"),
    ("seats", 3),
    ("seats", 4),
    ("seats", 2),
    ("first", 1),
    ("visibility", "public"),
    ("visibility", "secret"),
    ("if_match", "never"),
    ("options", {}),
    ("deal_id", "11111111-1111-4111-8111-111111111111"),
    ("from", {"match": "11111111-1111-4111-8111-111111111111", "seq": 3, "hash": "ab" * 32}),
    ("from", None),
    ("tags", None),
    ("more", 7),
)

CHANGES: tuple[Mutation, ...] = (
    a_value,
    a_value,
    a_value,
    event_dropped,
    event_doubled,
    events_exchanged,
    event_of_another,
    ended_early,
    an_opening,
    an_opening,
    a_secret,
    a_time,
    a_time,
    an_actor,
    a_type,
    data_of_another,
    a_position,
    values_exchanged,
    values_exchanged,
    a_number,
    a_number,
    a_card,
    a_card,
    a_header,
    a_setup,
)
