"""Makes replay files of any size that cost as much as they can; more of them are in ``replay.shapes``.

Some are true to the last byte, others are nothing but shape. Each grows in one way only, so that twice the size is
twice the bytes.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import IllegalMove
from gyoji.log.canonical import canonical, leaf_hash, secret_commitment
from gyoji.log.entries import Entry
from gyoji.log.files import write_replay
from gyoji.log.signatures import Signer, head, signer
from gyoji.match.clocks import Control
from gyoji.match.events.kind import Refusal
from gyoji.match.events.match_created import MatchDraft
from gyoji.match.recorder import begin, disclose, play, rule
from gyoji.match.rulings.kind import Kind, Ruling
from gyoji.match.state import MatchState
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import plan_match

Lines = tuple[bytes, ...]
Document = dict[str, Any]

SIGNING = signer(bytes(range(32)), "here.example")
REFEREE = {"role": "referee", "key": "0123456789abcdef"}
SALT = bytes(32)


# Files of events that say what they like


def file_of(events: Iterable[tuple[Document, list[Document]]], signing: Signer = SIGNING) -> Lines:
    """Make a file whose chain, commitments, head and digest are right, whatever its events and what they open."""
    match, prev, last = "11111111-1111-4111-8111-111111111111", bytes(32), -1
    lines = [canonical(_header(match)) + b"\n"]
    for seq, (event, payloads) in enumerate(events):
        bodies = [canonical(payload) for payload in payloads]
        secret = [{"for": [], "commit": secret_commitment(SALT, body)} for body in bodies]
        told = {**_plain_event(match, seq), "secret": secret, **event, "prev": prev.hex()}
        body = canonical(told)
        lines.append(body + b"\n")
        for index, payload in enumerate(payloads):
            opening = {"seq": told["seq"], "index": index, "salt": SALT.hex(), "payload": payload}
            lines.append(canonical({"opening": opening}) + b"\n")
        prev, last = leaf_hash(body), seq
    ending = {"head": head(signing, match, max(last, 0), prev), "file": sha256(b"".join(lines)).hexdigest()}
    return (*lines, canonical(ending) + b"\n")


def _header(match: str) -> Document:
    return {
        "format": "gyoji-replay/1",
        "match": match,
        "game": "catte",
        "version": 1,
        "rules_digest": "0" * 64,
        "origin": "here.example",
        "audience": "full",
    }


def _plain_event(match: str, seq: int) -> Document:
    """Make a plain event: the first commits to a secret, any other holds nothing at all."""
    header = _header(match)
    named = {name: header[name] for name in ("game", "version", "rules_digest")}
    data = {} if seq else {**named, "deal_id": match, "seed_commitment": "0" * 64}
    kind = "move_played" if seq else "match_created"
    actor, at = {"role": "operator"}, timestamp(seq)
    return {"v": 1, "match": match, "seq": seq, "at": at, "type": kind, "actor": actor, "data": data, "position": None}


def _one(data: Any, payloads: Iterable[Document] = (), **members: Any) -> Lines:
    """Make one event with these data after the first."""
    return file_of([({}, []), ({"data": data, **members}, [*payloads])])


def opened_members(size: int) -> Lines:
    """Make the same in an object."""
    payloads = [{f"/a/m{256 * one + place}": 0 for place in range(256)} for one in range(size)]
    return _one({"a": {f"m{at}": None for at in range(1024 * size)}}, payloads, type="seed_disclosed")


def opened_lists(size: int) -> Lines:
    """Long lists in place of hidden ones."""
    payloads = [{f"/a/{one}": [0] * 4096} for one in range(size)]
    return _one({"a": [{"count": 4096}] * size}, payloads, type="seed_disclosed")


def opened_deeply(size: int) -> Lines:
    """Places in lists that lie sixty levels deep, of which each level is long."""
    node: Any = [None] * (16 * size)
    for _ in range(50):
        node = [node, *[0] * (16 * size)]
    places = {f"{'/0' * 50}/{at}": 0 for at in range(min(256, size))}
    return _one({"a": node}, [{f"/a{place}": value for place, value in places.items()}], type="seed_disclosed")


def escaped_pointers(size: int) -> Lines:
    """Places whose names are nothing but escapes."""
    name = "~/" * (512 * size)
    pointer = "/" + "~0~1" * (512 * size)
    return _one({f"{name}{one}": None for one in range(16)}, [{f"{pointer}{one}": 0} for one in range(16)])


def many_openings(size: int) -> Lines:
    """More openings of one event than are read."""
    return _one({"a": None}, [{f"/{one}": one} for one in range(128 * size)])


def misplaced_openings(size: int) -> Lines:
    """Openings of no event, after each of many events, as many as are read."""
    first, *events, last = file_of([({}, [])] * (8 * size))
    stray = canonical({"opening": {"seq": 0, "index": 70, "salt": SALT.hex(), "payload": {"/a": 0}}}) + b"\n"
    return (first, *[line for event in events for line in (event, *[stray] * 64)], last)


def wide_setup(size: int) -> Lines:
    """Make the same of the first event."""
    return file_of([({"data": {f"member{at}": at for at in range(2048 * size)}}, [])])


def _deep(wide: int) -> Document:
    node: Any = 0
    for _ in range(60):
        node = [node]
    return {"a": [node] * wide}


def costliest(size: int) -> Lines:
    """Make a file of so many MiB, each a line of lists of lists: nothing takes more work, byte for byte."""
    return file_of([({"data": _deep(8_500)}, [])] * size)


def long_names(size: int) -> Lines:
    """Members with long names, which differ at their ends."""
    return _one({"n" * 16_000 + str(at): at for at in range(size)})


def long_type(size: int) -> Lines:
    """Make a type of event that is as long as a line may be."""
    return file_of([({}, []), ({"type": "x" * (4096 * size)}, [])])


def backwards(size: int) -> Lines:
    """Events whose numbers fall."""
    return file_of([({"seq": 64 * size - at}, []) for at in range(64 * size)])


def differing_lists(size: int) -> Lines:
    """Make options of a setup that could be, which are lists as long as a line may be."""
    return _setup(options={"bust_bonus": "keep", "deck": [f"B{at}" for at in range(2048 * size)]})


def wide_options(size: int) -> Lines:
    """Make the same with options that no game has."""
    return _setup(options={"bust_bonus": "keep", "deck": None, **{f"o{at}": at for at in range(2048 * size)}})


def wide_names(size: int) -> Lines:
    """Names, notes and tags without end, in the opening that can be erased."""
    personal = {
        "/names": ["n" * 64] * (32 * size),
        "/metadata": {f"m{at}": at for at in range(256 * size)},
        "/tags": ["t" * 16] * (64 * size),
    }
    return _setup(names={"count": 32 * size}, tags={"count": 64 * size}, personal=personal)


def _setup(personal: Document | None = None, **members: Any) -> Lines:
    """Return the setup of a match of Catte, but for these members."""
    first, *rest = file_of([(_set_up(**members), [personal] if personal else [])])
    digest = _set_up()["data"]["rules_digest"]
    return (first.replace(b"0" * 64, digest.encode()), *rest)


def _set_up(**members: Any) -> Document:
    game = BY_SLUG["catte"]
    beginning = plan_match(game, 3, {}, "public_on_close", "hostile", 0).beginning
    data = {
        "game": game.slug,
        "version": game.version,
        "rules_digest": beginning.rules_digest,
        "seats": 3,
        "options": game.write_options(beginning.options),
        "first": 0,
        "randomness": {"policy": "server"},
        "disclosure": "public_on_close",
        "visibility": "private",
        "if_match": "optional",
        "deal_id": "11111111-1111-4111-8111-111111111111",
        "seed_commitment": "0" * 64,
        "names": None,
        "metadata": None,
        "tags": {"count": 0},
        **members,
    }
    return {"type": "match_created", "data": data}


# Matches that are true to the last byte


class Match:
    """A match that is recorded; what it takes to record it is no matter."""

    def __init__(self, slug: str = "catte", options: Mapping[str, Any] | None = None, **begins: Any) -> None:
        self.game = BY_SLUG[slug]
        seats = self.game.min_seats
        beginning: MatchDraft = plan_match(self.game, seats, options or {}, "public_on_close", "hostile", 0).beginning
        beginning = beginning._replace(**{"withheld_until": "group", **begins})
        first, self.current = begin(beginning, timestamp(0), self.salt)
        self.entries: list[Entry] = [*first]
        self.course: dict[int, MatchState] = {self.current.seq: self.current}

    def salt(self) -> bytes:
        return len(self.entries).to_bytes(32, "big") if hasattr(self, "entries") else bytes(32)

    @property
    def now(self) -> str:
        return timestamp(self.current.seq + 1)

    def add(self, step: tuple[tuple[Entry, ...], MatchState]) -> None:
        entries, self.current = step
        self.entries += entries
        self.course[self.current.seq] = self.current

    def move(self, plies: int = 1) -> None:
        for _ in range(plies):
            move = self.game.legal_moves(self.current.state)[0]
            step = play(self.current, move, {"role": "seat", "seat": move["seat"]}, self.now, self.salt)
            assert not isinstance(step, IllegalMove)
            self.add(step)

    def rule(self, kind: Kind, **members: Any) -> None:
        ruling = Ruling(kind, **{"by": REFEREE, "reason": "because", **members})
        target = None if ruling.to is None else self.course[ruling.to]
        step = rule(self.current, ruling, self.now, self.salt, target)
        assert not isinstance(step, Refusal), step
        self.add(step)

    def lines(self) -> Lines:
        return tuple(write_replay(self.entries[0], self.entries[1:], SIGNING, "full"))


def _ruled(rule: Callable[[Match, int], None], **begins: Any) -> Callable[[int], Lines]:
    def made(size: int) -> Lines:
        match = Match(**begins)
        match.move(4)
        for at in range(size):
            rule(match, at)
        return match.lines()

    return made


def _back_and_forth(match: Match, _at: int) -> None:
    match.move()
    match.rule("take_back", to=match.current.seq - 1)


def _back_to_the_beginning(match: Match, _at: int) -> None:
    match.move()
    match.rule("take_back", to=3)


def _paused(match: Match, _at: int) -> None:
    match.rule("pause")
    match.rule("resume")


take_backs = _ruled(_back_and_forth)
take_backs_to_one_event = _ruled(_back_to_the_beginning)
notes = _ruled(lambda match, _at: match.rule("note"))
points = _ruled(lambda match, at: match.rule("points", seat=at % 3, points=1))
substitutes = _ruled(lambda match, at: match.rule("substitute", seat=at % 3, name="n" * 64))
pauses = _ruled(_paused)
times = _ruled(
    lambda match, at: match.rule("time", seat=at % 3, add_ms=1), clock=Control(10_000, 60_000, 2_000, "default")
)


def over_and_over(size: int) -> Lines:
    """Make a match that ends again and again, and is taken back each time."""
    match = Match()
    match.move(4)
    for _ in range(size):
        match.rule("void")
        match.rule("take_back", to=4)
    return match.lines()


def closed(size: int) -> Lines:
    """Take-backs, and then the secret."""
    match = Match()
    match.move(4)
    for at in range(size):
        _back_and_forth(match, at)
    match.rule("forfeit", seats=(0,))
    match.add(disclose(match.current, match.now, match.salt))
    return match.lines()


SHAPES: Mapping[str, tuple[Callable[[int], Lines], int, int]] = {
    "members of an object opened": (opened_members, 2, 12),
    "long lists opened": (opened_lists, 4, 16),
    "places opened sixty levels deep": (opened_deeply, 8, 128),
    "pointers of nothing but escapes": (escaped_pointers, 1, 10),
    "more openings than are read": (many_openings, 2, 32),
    "openings of no event": (misplaced_openings, 1, 16),
    "a wide setup": (wide_setup, 1, 3),
    "long names": (long_names, 4, 14),
    "a long type": (long_type, 4, 48),
    "numbers that fall": (backwards, 2, 32),
    "a deck as long as a line": (differing_lists, 1, 2),
    "wide options": (wide_options, 1, 4),
    "names, notes and tags": (wide_names, 2, 32),
    "moves taken back": (take_backs, 8, 240),
    "moves taken back to one event": (take_backs_to_one_event, 8, 240),
    "notes": (notes, 12, 300),
    "points": (points, 12, 300),
    "substitutes": (substitutes, 12, 300),
    "pauses": (pauses, 8, 200),
    "time given": (times, 12, 300),
    "ends taken back": (over_and_over, 6, 160),
    "take-backs and the secret": (closed, 6, 200),
}
"""What is made of a size; a size to count the steps of what reads it, and one to measure its processor time."""
