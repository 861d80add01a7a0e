"""What must never be written down or told: searched for in every byte that a server leaves behind.

A server plays matches with names that nobody else has, with keys, tokens and secrets that are read from its store
afterwards; nothing of them may be in its log lines, its metrics, its errors, its database or a backup.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from random import Random
from secrets import token_bytes, token_hex
from typing import Any, NamedTuple

import pytest

from gyoji.access.keyring import keys_of_store
from gyoji.access.keys import digest, key_id, new_key
from gyoji.app import logs
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import root
from gyoji.log.canonical import canonical
from gyoji.store import backup, migrate, open_store
from gyoji.store.interface import ApiKey
from operators import OPERATOR, OPERATOR_KEY
from players import JSON, Answer, Line, Table, next_to_act, order, table_of
from servers import serving
from web.matches.tables import House as Indoors

STORE_KEY = "c0de" * 16
NAME, NOTE = "canary Ann of the tests", "canary at home"
CARD = re.compile(rb"(?<![A-Za-z0-9])(?:[FCRTSBWKDNG]|R[BG]|BG|RBG)[1-9][0-9]?(?![A-Za-z0-9-])")
"""The code of a card, as a word."""

PLIES = 14
ENTROPY = token_hex(32)
"""Contributed too early, and refused."""
Needles = Mapping[str, bytes]


class Left(NamedTuple):
    """What a server has left behind, and what may not be in it."""

    log: bytes
    metrics: bytes
    errors: tuple[Answer, ...]
    stored: Mapping[str, bytes]
    needles: Needles
    played: int


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """A server has played a while in every game, refused a lot, and stopped."""
    folder = tmp_path_factory.mktemp("canaries")
    url = f"sqlite:///{folder / 'gyoji.db'}"
    migrate(url)
    keys = _keys(url)
    tables: list[Table] = []
    errors: list[Answer] = []
    with serving("--store", url, environment={"GYOJI_STORE_KEY": STORE_KEY}) as server:
        with closing(Line(server.port)) as ask:
            for slug, game in BY_SLUG.items():
                seats = [{"name": f"{NAME} {seat}"} for seat in range(game.min_seats)]
                setting = {"game": slug, "seats": seats, "metadata": {"note": NOTE}}
                table = table_of(ask("POST", "/v1/matches", json.dumps(setting).encode(), {**OPERATOR, **JSON}))
                tables.append(table)
                errors += _played(ask, table, keys)
            shared = _shared(ask)
            errors += shared.errors
            metrics = ask("GET", "/metrics", None, {}).body
        server.stop()
        log = b"".join(server.raw)
    needles, played = _needles(url, tables, keys)
    needles = {**needles, **_withheld(url, shared)}
    backup(url, folder / "copy.backup")
    stored = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return Left(log, metrics, tuple(errors), stored, needles, played)


def _keys(url: str) -> list[str]:
    made = [new_key(role, token_bytes(32)) for role in ("operator", "referee", "auditor")]
    with closing(open_store(url, bytes.fromhex(STORE_KEY))) as store:
        for key, role in zip(made, ("operator", "referee", "auditor"), strict=True):
            kept = digest(key)
            created = "2026-01-01T00:00:00.000Z"
            store.add_key(ApiKey(key_id(kept), kept, role, "club", ("matches:read",), (), created))  # type: ignore[arg-type]
    return made


class Shared(NamedTuple):
    """What was asked of deals that others share or contribute to, and of capsules."""

    group: str
    director: str
    capsule: str
    errors: tuple[Answer, ...]


def _shared(ask: Line) -> Shared:
    """A group with a match, a match with a director, one whose seats contribute, and a capsule; each refused once."""

    def post(path: str, body: Any, headers: Mapping[str, str] = OPERATOR) -> Answer:
        return ask("POST", path, json.dumps(body).encode(), {**headers, **JSON})

    group = post("/v1/groups", {"game": "catte", "seats": 3}).document["group"]
    one = table_of(post("/v1/matches", {"group": group}))
    made = post("/v1/matches", {"game": "catte", "seats": 3, "randomness": {"policy": "director"}})
    directed, token = table_of(made), made.document["director"]["token"]
    players = table_of(post("/v1/matches", {"game": "catte", "seats": 3, "randomness": {"policy": "players"}}))
    assert post(f"{directed.path}/entropy", {"entropy": "ab" * 16}, {"Authorization": f"Bearer {token}"}).status == 200
    capsule = post("/v1/games/catte/states", {"seats": 3, "sealed": True}).document["capsule"]
    errors = (
        post(f"{one.path}/disclosure", {}),
        post(f"{directed.path}/entropy", {"entropy": ENTROPY}, {"Authorization": f"Bearer {token}"}),
        post(f"{players.path}/entropy", {"entropy": ENTROPY}, players.sits(0)),
        post(f"{players.path}/entropy", {"entropy": ENTROPY + "x"}, players.sits(0)),
        post(f"{players.path}/entropy/close", {}),
        post("/v1/games/towai/views", {"capsule": capsule, "seat": 0}),
    )
    return Shared(group, token, capsule, errors)


def _withheld(url: str, shared: Shared) -> Needles:
    """What of that is nobody's business: entropy that was refused, tokens, the group's secret, keys of capsules."""
    key = bytes.fromhex(STORE_KEY)
    found = {"entropy": ENTROPY.encode(), "director": shared.director.encode(), "capsule": shared.capsule.encode()}
    found |= {f"capsule key {name.hex()}": kept for name, kept in keys_of_store(key).keys.items()}
    with closing(open_store(url, key)) as store:
        group = store.group(shared.group)
    assert group is not None
    found["group"] = group.secret
    return found | {f"{name}, hex": found[name].hex().encode() for name in found if name != "entropy"}


def _played(ask: Line, table: Table, keys: list[str]) -> Iterator[Answer]:
    """Moves, each under a key of its own; between them requests of all kinds that are refused."""
    chance = Random(table.path)
    for ply in range(PLIES):
        seen = next_to_act(ask, table, chance)
        if seen is None:
            return
        move = chance.choice(seen["legal_moves"])
        yield from _refused(ask, table, move, chance.choice(keys))
        made = order(table, move, key=f"key-{ply}", seq=seen["seq"]).put(ask)
        assert made.status == 200, made


def _refused(ask: Line, table: Table, move: Any, key: str) -> Iterator[Answer]:
    seat = move["seat"]
    asked = [
        order(table, {**move, "type": "peek"}),
        order(table, {**move, "card": NAME}),
        order(table, move, seq=0),
    ]
    yield from [each.put(ask) for each in asked]
    others = json.dumps({"move": {**move, "seat": (seat + 1) % len(table.tokens)}}).encode()
    yield ask("POST", f"{table.path}/moves", others, {**JSON, **table.sits(seat)})
    body = json.dumps({"move": move}).encode()
    yield ask("POST", f"{table.path}/moves", body, {**JSON, **table.sits((seat + 1) % len(table.tokens))})
    yield ask("POST", f"{table.path}/moves", body[:-1], {**JSON, **table.sits(seat)})
    yield ask("GET", table.path, None, {"Authorization": f"Bearer {table.tokens[seat]}x"})
    yield ask("GET", table.path, None, {"Authorization": f"Bearer {key}"})
    yield ask("GET", f"{table.path}/positions/1?as=0", None, table.sits(seat))
    yield ask("POST", f"{table.path}/fork", b'{"seq":1}', {**JSON, **OPERATOR})
    yield ask("GET", "/v1/matches?limit=0", None, OPERATOR)


def _needles(url: str, tables: list[Table], keys: list[str]) -> tuple[Needles, int]:
    """Everything hidden, as bytes and as text; and the number of moves that were stored."""
    found = {"operator": OPERATOR_KEY.encode(), "name": NAME.encode(), "note": NOTE.encode()}
    found["store key"], found["store key, raw"] = STORE_KEY.encode(), bytes.fromhex(STORE_KEY)
    found |= {f"key {at}": key.encode() for at, key in enumerate(keys)}
    moves = 0
    with closing(open_store(url, bytes.fromhex(STORE_KEY))) as store:
        found |= {f"signing {key.key}": key.private for key in store.signing_keys()}
        found["token key"] = store.token_key()
        for table in tables:
            found |= {f"token {table.match} {seat}": token.encode() for seat, token in enumerate(table.tokens)}
            row = store.match(table.match)
            assert row is not None
            found[f"secret {row.match}"] = row.secret
            seed = root(row.secret, [b""] * len(table.tokens), b"", row.game, row.version, row.match)
            found[f"seed {row.match}"] = bytes.fromhex(seed)
            for entry in store.entries(row.match):
                moves += entry.seq > 1
                for opening in entry.openings:
                    place = f"{row.match} {entry.seq} {opening.place}"
                    found[f"salt {place}"] = opening.salt
                    found[f"payload {place}"] = canonical(opening.payload)
    raw = {
        name: value for name, value in found.items() if name.startswith(("salt", "secret", "seed", "signing", "tok"))
    }
    return found | {f"{name}, hex": value.hex().encode() for name, value in raw.items()}, moves


def _in(content: bytes, needles: Needles) -> list[str]:
    return [name for name, needle in needles.items() if needle in content]


def test_there_is_something_to_find(left: Left) -> None:
    """All games were played, refusals of every kind came, and what is searched for is where it may be."""
    assert left.played == PLIES * len(BY_SLUG)
    assert len(left.needles) > 100
    assert CARD.findall(b'{"card": "B7", "cards": ["RBG1", "T10"]}') == [b"B7", b"RBG1", b"T10"]
    assert {401, 403, 404, 409, 412, 422, 400} <= {answer.status for answer in left.errors}
    assert [answer for answer in left.errors if answer.status < 400] == []
    assert len(left.log.splitlines()) > left.played + len(left.errors)
    assert b"gyoji_log_events_stored" in left.metrics
    assert set(left.stored) == {"gyoji.db", "gyoji.db.marker", "copy.backup"}


def test_log_and_metrics_name_nobody_no_secret_and_no_card(left: Left) -> None:
    for content in (left.log, left.metrics):
        assert _in(content, left.needles) == []
        assert CARD.findall(content) == []


def test_errors_tell_no_secret(left: Left) -> None:
    for answer in left.errors:
        assert _in(answer.body, left.needles) == [], answer


def test_neither_database_nor_backup_tells_anything_without_the_key(left: Left) -> None:
    """Every match, every hidden card, every name: only sealed."""
    for name, content in left.stored.items():
        assert _in(content, left.needles) == [], name


def test_a_fault_tells_its_places_only(house: Indoors, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text of the exception is full of what is hidden; neither the answer nor the line has any of it."""
    lines: list[str] = []

    class Kept:
        """In place of the logger of requests."""

        def info(self, event: str, **facts: Any) -> None:
            """A line."""
            lines.append(repr((event, facts)))

        error = warning = info

    secret = token_hex(16)

    def broken(latest: Any, *_rest: Any) -> Any:
        raise ValueError(f"{secret} {latest.secret.hex()} {latest.state}")

    table = house.table(seats=[{"name": NAME}, {"name": NAME}, {"name": NAME}])
    move, seed = table.legal(), house.services.store.match(table.match)
    assert seed is not None
    monkeypatch.setattr(logs, "REQUESTS", Kept())
    monkeypatch.setattr("gyoji.match.events.move.decide", broken)
    answer = table.put(move, table.sits(move["seat"]))
    assert answer.status_code == 500
    (line,) = lines
    for told in (answer.text, line):
        assert [hidden for hidden in (secret, seed.secret.hex(), NAME, *table.tokens) if hidden in told] == []
        assert CARD.findall(told.encode()) == []
    assert "ValueError" in line
