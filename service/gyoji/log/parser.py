"""Parses the lines of a replay file that anybody may have made: bounded and strict."""

import re
from typing import Any, NamedTuple

import orjson

from gyoji.games.records import MAX_INTEGER
from gyoji.log.canonical import canonical
from gyoji.log.files import FORMAT


class Limits(NamedTuple):
    """The limits of how much of a replay file is read."""

    line: int = 2**20
    """Bytes of one line."""
    lines: int = 2_000_000
    openings: int = 2**22
    """Bytes of all openings of one event."""
    depth: int = 64
    """Levels of lists and objects."""


LIMITS = Limits()


class Unreadable(Exception):
    """A line of a replay file is not what it has to be; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class OverLimits(Exception):
    """A line of a replay file is longer, nests deeper, or holds more, than is read."""


def parse_object(line: bytes, depth: int = LIMITS.depth) -> dict[str, Any]:
    """Parse the object on a line. Raises ``Unreadable`` unless its bytes are canonical, ``OverLimits`` for its
    depth."""
    body = line[:-1]
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError as found_fault:
        if found_fault.msg.startswith("depth limit"):  # of the parser's own, far beyond ours
            raise OverLimits from None
        raise Unreadable("not-json") from None
    if not isinstance(found, dict):
        raise Unreadable("not-an-object")
    _plain(found, depth)
    if canonical(found) != body:
        raise Unreadable("not-canonical")
    return found


ALWAYS_PLAIN = frozenset([str, bool, type(None)])


def _plain(found: Any, depth: int) -> None:
    """Nothing but strings, integers within bounds, booleans, ``None``, lists, and objects with ASCII names."""
    level = [found]
    for _ in range(depth + 1):
        below: list[Any] = []
        for value in level:
            kind = type(value)
            if kind in ALWAYS_PLAIN:
                continue
            if kind is dict:
                if not all(map(str.isascii, value)):
                    raise Unreadable("name")
                below += value.values()
            elif kind is list:
                below += value
            elif kind is float or (kind is int and not -MAX_INTEGER <= value <= MAX_INTEGER):
                raise Unreadable("number")
        if not below:
            return
        level = below
    raise OverLimits


HEX_32 = re.compile("[0-9a-f]{64}")
HEX_64 = re.compile("[0-9a-f]{128}")
KEY = re.compile("[0-9a-f]{16}")
ID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
SLUG = re.compile("[a-z][a-z0-9-]{0,63}")
LONG_MONTH = r"(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])"
SHORT_MONTH = r"(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])"
LEAP_YEAR = r"(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
AT = re.compile(
    rf"(?:\d{{4}}-(?:{LONG_MONTH}|{SHORT_MONTH})|{LEAP_YEAR}-02-29)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{{3}}Z",
    re.ASCII,
)
"""A moment that there is: a day of the calendar and a time of the day, in UTC with milliseconds. There are no leap
seconds, as the service never writes any. All have one width, so the later of two is the greater text."""
MOST_SEATS = 16
MOST_EVENTS = 2**32 - 1
"""A ``seq`` has 4 bytes where it is signed."""
MOST_SECRETS = 64
"""Commitments of one event to what it hides."""
MOST_OPENINGS = MOST_SECRETS + 1
"""Lines of openings that follow one event: of each secret, and of the position."""
MOST_PLACES = 256
"""Places that one opening fills."""


def is_text(value: Any, pattern: re.Pattern[str]) -> bool:
    """Tell whether a value is a string that matches the pattern as a whole."""
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def is_whole(value: Any, least: int = 0, most: int = MAX_INTEGER) -> bool:
    """Tell whether a value is an integer (``True`` is none) within bounds."""
    return type(value) is int and least <= value <= most


def is_object(value: Any, *members: str) -> bool:
    """Tell whether a value is an object with exactly these members."""
    return isinstance(value, dict) and value.keys() == {*members}


def parse_header(line: bytes, limits: Limits) -> dict[str, Any] | None:
    """Parse the header of a replay file; return ``None`` if no replay file of this format begins like that."""
    if not line.endswith(b"\n"):
        return None
    try:
        found = parse_object(line, limits.depth)
    except (Unreadable, OverLimits):
        return None
    return found if _is_header(found) else None


def _is_header(found: dict[str, Any]) -> bool:
    return (
        is_object(found, "format", "match", "game", "version", "rules_digest", "origin", "audience")
        and found["format"] == FORMAT
        and is_text(found["match"], ID)
        and is_text(found["game"], SLUG)
        and is_whole(found["version"], 1)
        and is_text(found["rules_digest"], HEX_32)
        and isinstance(found["origin"], str)
        and _is_audience(found["audience"])
    )


def _is_audience(found: Any) -> bool:
    if isinstance(found, str):
        return found in ("full", "public")
    return is_object(found, "seat") and is_whole(found["seat"], 0, MOST_SEATS - 1)


MEMBERS = frozenset(["v", "match", "seq", "prev", "at", "type", "actor", "data", "secret", "position"])


def check_event(found: dict[str, Any]) -> None:
    """Check that an object is a log event of this version. Raises ``Unreadable`` if not, ``OverLimits`` if it hides too
    much."""
    if not (
        found.keys() == MEMBERS
        and is_whole(found["v"], 1, 1)
        and is_text(found["match"], ID)
        and is_whole(found["seq"], 0, MOST_EVENTS)
        and is_text(found["prev"], HEX_32)
        and is_text(found["at"], AT)
        and isinstance(found["type"], str)
        and _is_actor(found["actor"])
        and isinstance(found["data"], dict)
        and isinstance(found["secret"], list)
        and all(map(_is_secret, found["secret"]))
        and (found["position"] is None or is_text(found["position"], HEX_32))
    ):
        raise Unreadable("not-an-event")
    if len(found["secret"]) > MOST_SECRETS:
        raise OverLimits


def _is_actor(found: Any) -> bool:
    if is_object(found, "role"):
        return isinstance(found["role"], str)
    if is_object(found, "role", "key"):
        return isinstance(found["role"], str) and is_text(found["key"], KEY)
    return is_object(found, "role", "seat") and isinstance(found["role"], str) and is_whole(found["seat"])


def _is_secret(found: Any) -> bool:
    return is_object(found, "for", "commit") and is_text(found["commit"], HEX_32) and _is_for(found["for"])


def _is_for(found: Any) -> bool:
    if isinstance(found, list):
        return all(is_whole(seat) for seat in found)
    return bool(found == "all")


def parse_opening(found: dict[str, Any]) -> dict[str, Any]:
    """Return the opening on a line, of a secret or of a position. Raises ``Unreadable`` unless it is one,
    ``OverLimits`` if it fills too many places."""
    inner = found["opening"]
    if len(found) == 1 and is_object(inner, "seq", "position"):
        if is_whole(inner["seq"]) and is_text(inner["position"], HEX_32):
            return dict(inner)
    elif (
        len(found) == 1
        and is_object(inner, "seq", "index", "salt", "payload")
        and is_whole(inner["seq"])
        and is_whole(inner["index"])
        and is_text(inner["salt"], HEX_32)
        and isinstance(inner["payload"], dict)
    ):
        if len(inner["payload"]) > MOST_PLACES:
            raise OverLimits
        return dict(inner)
    raise Unreadable("not-an-opening")


class HeadLine(NamedTuple):
    """The head line, last of a replay file: the signed head, and the digest of all lines before."""

    match: str
    seq: int
    hash: str
    key: str
    sig: str
    file: str


def read_head_line(found: dict[str, Any]) -> HeadLine:
    """Read the head line of a replay file from its object. Raises ``Unreadable`` unless it is one."""
    inner: Any = found.get("head")
    if not (
        is_object(found, "file", "head")
        and is_text(found["file"], HEX_32)
        and is_object(inner, "match", "seq", "hash", "key", "sig")
        and is_text(inner["match"], ID)
        and is_whole(inner["seq"], 0, MOST_EVENTS)
        and is_text(inner["hash"], HEX_32)
        and is_text(inner["key"], KEY)
        and is_text(inner["sig"], HEX_64)
    ):
        raise Unreadable("not-a-head")
    return HeadLine(**inner, file=found["file"])


HEAD = re.compile(
    b'{"file":"(%b)","head":{"hash":"(%b)","key":"(%b)","match":"(%b)","seq":(0|[1-9][0-9]{0,9}),"sig":"(%b)"}}\n'
    % tuple([part.pattern.encode() for part in (HEX_32, HEX_32, KEY, ID, HEX_64)])
)
"""How the last line looks, in canonical bytes."""


def parse_head_line(line: bytes, depth: int) -> HeadLine:
    """Parse the head line of a replay file. Raises as ``parse_object`` does, and ``Unreadable`` unless it is one."""
    found = HEAD.fullmatch(line)
    if found is None or int(found[5]) > MOST_EVENTS:
        return read_head_line(parse_object(line, depth))
    file, hashed, key, match, seq, sig = [part.decode() for part in found.groups()]
    return HeadLine(match, int(seq), hashed, key, sig, file)
