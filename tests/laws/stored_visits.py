"""Plays a stored match in one of two worlds, and collects everything that a viewer can learn of it.

Two houses with the same keys and the same clock: the same match is played in both, a world in each, and whatever was
answered or written down is compared byte by byte. What is hidden enters hashes only with a salt that the viewer has
not got; here commitments are made from half of the salt alone, so that they are the same in both worlds, while the
other half differs for whoever may not have it, as do the server's secret and all later shuffles.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from itertools import count
from pkgutil import walk_packages
from random import Random
from typing import Any

import orjson
import pytest

from gyoji import audit, log, match, trust
from gyoji.app import logs
from gyoji.app.match_states import MatchStateCache, head_of
from gyoji.app.services import Services
from gyoji.games import chance
from gyoji.games.game import IllegalMove, Move
from gyoji.log import canonical
from gyoji.log.entries import Entry
from gyoji.match import recorder, state
from gyoji.match.state import MatchState
from laws.stored_groups import new_group, share
from laws.stored_houses import Answer, House
from laws.stored_worlds import Pair, World, ends_soon

NOON = 1_800_000_000


@dataclass
class Visit:
    """A viewer at a match."""

    house: House
    pair: Pair
    world: World
    match: str
    credentials: Mapping[str, str | None]
    """What the viewer, or everybody whose view is the public one, asks with."""
    answers: list[Answer]
    repeated: list[tuple[str, str, bytes, dict[str, str]]] = field(default_factory=list)
    """Moves that were sent: by whom, the question, body and headers."""

    @property
    def path(self) -> str:
        """Return the URL path of the match."""
        return f"/v1/matches/{self.match}"

    @property
    def page(self) -> str:
        """Return the URL path of its page."""
        return f"/matches/{self.match}"

    @property
    def seq(self) -> int:
        """Return the event that the match stands at."""
        head = self.house.services.store.head(self.match)
        assert head is not None
        return head.seq

    def get(self, part: str, messages: int | None = None, **headers: str) -> None:
        """Ask the same question for everybody who looks."""
        for name, held in self.credentials.items():
            question = f"{name}: GET {part} {headers or ''}"
            address = part if part.startswith(("/v1/", self.page)) else self.path + part
            self.answers.append(self.house.ask(question, "GET", address, held, None, messages, **headers))

    def post(self, question: str, part: str, document: Any, only: str | None = None, **headers: str) -> list[Answer]:
        """Send the same request for everybody who looks, or for one of them; a document of bytes is sent as it is."""
        body = document if isinstance(document, bytes) else orjson.dumps(document)
        address = part if part.startswith("/v1/") else self.path + part
        asked = [
            self.house.ask(f"{name}: POST {part} {question}", "POST", address, held, body, None, **headers)
            for name, held in self.credentials.items()
            if only in (None, name)
        ]
        self.answers += asked
        return asked


def _random(pair: Pair, run: int, side: int) -> Callable[[int], bytes]:
    """Return the same bytes in both houses, but for the second half of the server's secret."""
    calls = count()

    def random(length: int) -> bytes:
        made = sha256(f"{pair.number} {run} {next(calls)}".encode()).digest()
        return made + sha256(made + bytes([side])).digest() if length == 64 else made[:length]

    return random


def _salted(pair: Pair, side: int) -> Callable[..., Entry]:
    """Entries whose salts are in part another world's where the viewer may not have them."""
    honest: Callable[..., Entry] = recorder.entry

    def salt(seq: int, place: object, known: bool) -> bytes:
        half = sha256(f"{pair.number} {seq} {place}".encode()).digest()[:16]
        return half + sha256(half + bytes([0 if known else side])).digest()[:16]

    def entry(*parts: Any) -> Entry:
        seq, secrets = parts[1], parts[7]
        audiences = enumerate(secrets)
        salts = [salt(seq, at, audience == "all" or pair.viewer in audience) for at, audience in audiences]
        following = iter([*salts, salt(seq, "position", known=False)])
        return honest(*parts[:9], lambda: next(following))

    return entry


@contextmanager
def _patched(house: House, pair: Pair, world: World, run: int, side: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "deal_v1", lambda _seed: world.chance)
        for name, commitment in COMMITMENTS.items():
            honest = getattr(chance if name == "commitment" else canonical, name)
            for place in [module for at, module in sorted(sys.modules.items()) if at.startswith("gyoji.")]:
                if getattr(place, name, None) is honest and place is not canonical:
                    patch.setattr(place, name, commitment)
        patch.setattr(recorder, "entry", _salted(pair, side))
        patch.setattr(logs, "REQUESTS", house.lines)
        patch.setattr(house.services, "random", _random(pair, run, side))
        patch.setattr(house.services, "clock", lambda: NOON + run)
        yield


def _of_half(secret: bytes, *_of: object) -> str:
    return sha256(secret[: len(secret) // 2]).hexdigest()


for room in (log, match, audit, trust):
    for part in walk_packages(room.__path__, f"{room.__name__}."):  # whatever is imported later would not be patched
        import_module(part.name)

COMMITMENTS: Mapping[str, Callable[..., str]] = dict.fromkeys(
    ("secret_commitment", "position_commitment", "commitment"), _of_half
)
"""Hiding by construction: made from the first half of a salt, or of the server's secret."""


def transcript(
    house: House, pair: Pair, side: int, run: int, channels: Sequence[Callable[[Visit], None]]
) -> list[Answer]:
    """Collect everything that the viewer learns in one of the worlds: while the match is played, and from these
    channels."""
    world = pair.other if side else pair.one
    with _patched(house, pair, world, run, side):
        visit = _opened(house, pair, world, run)
        late = pair.number % 3 == 0
        _play(visit, late)
        if late:  # who comes late is answered from the log, by a process that has not seen the match yet
            house.services.__dict__["match_states"] = MatchStateCache(house.services.store)
        for channel in channels:
            channel(visit)
    return visit.answers


def _opened(house: House, pair: Pair, world: World, run: int) -> Visit:
    setting, club = pair.setting, f"club-{run}"
    scopes = ["matches:create", "matches:tokens", "matches:fork", "groups:manage"]
    owner = house.key("operator", club, scopes)
    body = {
        "game": setting.game.slug,
        "seats": [{"name": f"Seat {seat}"} for seat in range(setting.seats)],
        "options": setting.options,
        "first": setting.first,
        "disclosure": setting.disclosure,
        "visibility": setting.visibility,
        "tags": ["cup"],
        "metadata": {"table": "7"},
    }
    group = new_group(house, setting, owner) if setting.withheld else {}
    made = house.ask("owner: POST matches", "POST", "/v1/matches", owner, orjson.dumps({**body, **group}))
    assert made.code == 201, made
    if group:
        share(house, {**body, **group}, owner)
    if forked_after(pair):
        made = _forked(house, pair, world, made.document["match"], owner)
    match = made.document["match"]
    tokens = [seat["token"] for seat in made.document["seats"]]
    return Visit(house, pair, world, match, _credentials(house, pair, run, match, tokens, owner), [made])


def forked_after(pair: Pair) -> int:
    """After how many moves the match that a seat looks at was forked from another one; 0: it was not forked."""
    setting = pair.setting
    fits = pair.viewer is not None and not pair.over and setting.disclosure == "public_on_close"
    return len(pair.one.moves) * 2 // 3 if fits and pair.number % 2 and ends_soon(setting.game.slug) else 0


def _forked(house: House, pair: Pair, world: World, source: str, owner: str) -> Answer:
    """Fork a match and play on to its end, in each world as chance has it there; its seats cannot read that."""
    services, row = house.services, house.services.store.match(source)
    assert row is not None
    latest, entries = services.match_states.latest(row), list[Entry]()
    after, choices = forked_after(pair), Random(world.seed)
    for at in count():
        legal = latest.game.legal_moves(latest.state)
        if not legal:
            break
        move = world.moves[at] if at < after else choices.choice(legal)
        made, latest = _moved(latest, move, services)
        entries += made
    services.store.append(source, 1, entries, head_of(latest), None)
    body = orjson.dumps({"seq": 1 + after})
    answer = house.ask("owner: POST fork", "POST", f"/v1/matches/{source}/fork", owner, body)
    assert answer.code == 201, answer
    return answer


def _moved(latest: MatchState, move: Move, services: Services) -> tuple[tuple[Entry, ...], MatchState]:
    step = recorder.play(latest, move, {"role": "seat", "seat": move["seat"]}, services.at(), services.salt)
    assert not isinstance(step, IllegalMove)
    return step


def _credentials(
    house: House, pair: Pair, run: int, match: str, tokens: Sequence[str], owner: str
) -> dict[str, str | None]:
    """Return what the viewer asks with; of those whose view is the public one, two."""
    if pair.viewer is not None:
        return {"seat": tokens[pair.viewer]}
    spectator = house.ask("", "POST", f"/v1/matches/{match}/seats/spectator/token", owner, b"").document["token"]
    scopes = ["matches:read", "matches:play", "matches:fork", "replays:store"]
    made: Mapping[str, Callable[[], str | None]] = {
        "spectator": lambda: spectator,
        "anonymous": lambda: None,
        "operator": lambda: house.key("operator", f"club-{run}", scopes),
        "referee": lambda: house.key("referee", f"referee-{run}", [], [match]),
        "auditor": lambda: house.key("auditor", f"auditor-{run}", [], [match]),
    }
    return {name: made[name]() for name in askers(pair)}


def askers(pair: Pair) -> tuple[str, ...]:
    """Return who asks: the seat; or of all whose view is the public one, two. At the end an auditor sees all."""
    if pair.viewer is not None:
        return ("seat",)
    told = pair.over and not pair.setting.withheld
    public = ("operator", "spectator", "anonymous", "referee", "auditor")[: 4 if told else 5]
    at = pair.number
    return tuple(dict.fromkeys((public[at % len(public)], public[at // len(public) % len(public)])))


def _play(visit: Visit, late: bool) -> None:
    """Play the history: the viewer's own moves over HTTP, those of others apart from it; now and then the viewer
    looks."""
    pair, world, services = visit.pair, visit.world, visit.house.services
    begun, choices = forked_after(pair), Random(pair.number)
    moves = range(begun, len(world.moves))
    own = [at for at in moves if pair.one.moves[at]["seat"] == pair.viewer]
    mover = "seat"
    if pair.viewer is None and "operator" in visit.credentials:
        mover = "operator"
        own = [at for at in moves if pair.one.moves[at] == pair.other.moves[at]]
    sent = set(choices.sample(own, min(5, len(own))))
    looks = set() if late else {choices.randint(begun, len(world.moves)) for _ in range(2)}
    row = services.store.match(visit.match)
    assert row is not None
    latest, waiting = services.match_states.latest(row), list[Entry]()
    for at, move in enumerate(world.moves[begun:], begun):
        if waiting and (at in sent or at in looks):
            _append(visit, waiting, latest)
            waiting.clear()
        if at in looks:
            for part in ("", f"/events?after={at // 2}", "/events?raw=1&limit=3"):
                visit.get(part)
        if at in sent:
            _send(visit, mover, at, move, latest.seq)
            row = services.store.match(visit.match)
            assert row is not None
            latest = services.match_states.latest(row)
        else:
            entries, latest = _moved(latest, move, services)
            waiting += entries
    if waiting:
        _append(visit, waiting, latest)


def _append(visit: Visit, entries: Sequence[Entry], latest: MatchState) -> None:
    services = visit.house.services
    services.store.append(visit.match, entries[0].seq - 1, entries, head_of(latest), None)
    services.match_states.remember(latest)


def _send(visit: Visit, mover: str, at: int, move: Any, seq: int) -> None:
    headers = {"idempotency_key": f"key-{at}"} if at % 2 else {}
    if at % 3:
        headers["if_match"] = f'"{seq}"'
    body = orjson.dumps({"move": move})
    (answer,) = visit.post(f"move {at}", "/moves", body, mover, **headers)
    if answer.code == 200:
        visit.repeated.append((mover, f"move {at} again", body, headers))
