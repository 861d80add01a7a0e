"""The log over all matches over HTTP: what anybody can read, when it grows, and that nobody waits for it."""

from base64 import b64decode

import orjson
import pytest
import structlog

from gyoji.log.canonical import leaf_hash
from gyoji.store.interface import Unavailable
from gyoji.trust.transparency.notes import Checkpoint, open_note, read_checkpoint, read_vkey
from gyoji.trust.transparency.tiles import read_bundle, read_tile
from gyoji.trust.transparency.tree import root_of, verify_consistency
from gyoji.trust.trusted_keys import read_trusted_keys
from replay.inclusion import verify_inclusion
from web.matches.tables import House, Table, read, refused

FRESH = "no-store"
LASTING = "public, max-age=31536000, immutable"


def told(here: House, later: float = 0.0) -> Checkpoint:
    """What the newest checkpoint says, checked with the key that the log names first."""
    clock = here.services.clock
    here.services.clock = lambda: clock() + later
    try:
        answer = here.client.get("/v1/log/checkpoint")
    finally:
        here.services.clock = clock
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, FRESH)
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    key = read_vkey(here.client.get("/v1/log/key").text.splitlines()[0])
    return read_checkpoint(open_note(answer.data, [key]))


def bundled_leaves(here: House, size: int) -> list[bytes]:
    """The leaves of a log that has not filled a tile yet."""
    answer = here.client.get(f"/v1/log/tile/entries/000.p/{size}")
    assert answer.headers["Cache-Control"] == LASTING
    assert answer.headers["Content-Type"] == "application/octet-stream"
    return read_bundle(answer.data)


def test_matches_get_into_the_log_with_their_beginning_and_end(elsewhere: House) -> None:
    assert told(elsewhere) == ("elsewhere/log", 0, root_of([]))
    over, running = elsewhere.finished(), elsewhere.table()
    said = told(elsewhere, later=2)
    assert said.size == 3
    bodies = bundled_leaves(elsewhere, 3)
    assert root_of([leaf_hash(body) for body in bodies]) == said.root
    leaves = [orjson.loads(body) for body in bodies]
    assert [(leaf["match"], leaf["type"]) for leaf in leaves if leaf["match"] == over.match] == [
        (over.match, "match_created"),
        (over.match, "match_closed"),
    ]
    assert [leaf["match"] for leaf in leaves].count(running.match) == 1
    lines = over.get("/replay", over.operator).data.splitlines()
    events = [line for line in lines if b'"seq"' in line and b'"opening"' not in line and b'"head"' not in line]
    hashes = {leaf_hash(event).hex() for event in events}
    assert {leaf["hash"] for leaf in leaves if leaf["match"] == over.match} <= hashes
    tile = elsewhere.client.get("/v1/log/tile/0/000.p/3")
    assert (tile.headers["Cache-Control"], read_tile(tile.data)) == (LASTING, [leaf_hash(body) for body in bodies])


def test_a_leaf_tells_nothing_but_an_id_a_hash_and_a_time(elsewhere: House) -> None:
    elsewhere.finished(
        seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}], tags=["cup"], metadata={"club": "Ito"}
    )
    size = told(elsewhere, later=2).size
    assert [set(orjson.loads(body)) for body in bundled_leaves(elsewhere, size)] == [
        {"v", "type", "match", "hash", "at"},
        {"v", "type", "match", "seq", "hash", "at", "status"},
    ]


def test_proofs_of_inclusion(elsewhere: House) -> None:
    over, _running = elsewhere.finished(), elsewhere.table()
    said = told(elsewhere, later=2)
    for kind in ("match_created", "match_closed"):
        found = read(elsewhere.client.get(f"/v1/log/proofs/inclusion?match={over.match}&type={kind}"))
        leaf = leaf_hash(found["leaf"].encode())
        assert (found["size"], found["root"], found["hash"]) == (3, said.root.hex(), leaf.hex())
        assert orjson.loads(found["leaf"])["type"] == kind
        proof = [bytes.fromhex(value) for value in found["proof"]]
        assert verify_inclusion(said.root, said.size, found["index"], leaf, proof)
    ask = f"/v1/log/proofs/inclusion?match={over.match}&type=match_closed&size=1"
    refused(elsewhere.client.get(ask), 404, "not-found")
    refused(
        elsewhere.client.get(f"/v1/log/proofs/inclusion?match={'0' * 8}-0000-4000-8000-{'0' * 12}"), 404, "not-found"
    )


def test_proofs_of_consistency(elsewhere: House) -> None:
    first = told(elsewhere)
    elsewhere.table()
    second = told(elsewhere, later=2)
    elsewhere.finished()
    third = told(elsewhere, later=2)
    assert (first.size, second.size, third.size) == (0, 1, 3)
    for before, after in ((first, second), (first, third), (second, third), (third, third)):
        found = read(elsewhere.client.get(f"/v1/log/proofs/consistency?from={before.size}&to={after.size}"))
        assert (found["from_root"], found["to_root"]) == (before.root.hex(), after.root.hex())
        proof = [bytes.fromhex(value) for value in found["proof"]]
        assert verify_consistency(before.size, before.root, after.size, after.root, proof)
    assert read(elsewhere.client.get("/v1/log/proofs/consistency?from=1"))["to"] == 3


UNPROVEN = [
    ("inclusion", "/match"),
    ("inclusion?match=x", "/match"),
    ("inclusion?match={}&type=erratum", "/type"),
    ("inclusion?match={}&size=99", "/size"),
    ("inclusion?match={}&size=-1", "/size"),
    ("consistency", "/from"),
    ("consistency?from=2", "/from"),
    ("consistency?from=x", "/from"),
    ("consistency?from=0&to=99", "/to"),
]
NOWHERE = ["0/000", "0/000.p/2", "0/000.p/0", "0/001.p/1", "1/000.p/1", "00/000.p/1", "64/000", "x/000", "0/x"]


def test_questions_that_have_no_answer(elsewhere: House) -> None:
    table = elsewhere.table()
    told(elsewhere, later=2)
    for query, place in UNPROVEN:
        problem = refused(elsewhere.client.get(f"/v1/log/proofs/{query.format(table.match)}"), 422, "invalid-request")
        assert [error["pointer"] for error in problem["errors"]] == [place], query
    for place in (*NOWHERE, "entries/000", "entries/000.p/2"):
        answer = elsewhere.client.get(f"/v1/log/tile/{place}")
        refused(answer, 404, "not-found")
        assert answer.headers["Cache-Control"] != LASTING


def test_it_grows_after_answers_and_once_a_second_at_most(elsewhere: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """At a time that stands still, however busy the machine is."""
    now, tree = elsewhere.services.clock(), elsewhere.services.store.transparency_log
    monkeypatch.setattr(elsewhere.services, "clock", lambda: now)
    monkeypatch.setattr("gyoji.app.services.monotonic", lambda: now)
    elsewhere.table()
    assert tree.pending_since() is None  # the answer to the creation was followed by a growth
    elsewhere.table()
    assert tree.pending_since() is not None  # less than a second ago
    assert told(elsewhere).size == 1  # and it has not waited for a second
    assert told(elsewhere, later=1.1).size == 2


def test_a_move_that_ends_nothing_does_nothing_to_the_log(elsewhere: House) -> None:
    table = elsewhere.table()
    told(elsewhere, later=2)
    before = elsewhere.services.store.transparency_log.latest()
    elsewhere.services.store.has_new_leaves = False
    table.move()
    assert not elsewhere.services.store.has_new_leaves
    assert elsewhere.services.store.transparency_log.pending_since() is None
    assert elsewhere.services.store.transparency_log.latest() == before


def test_a_growth_that_fails_spoils_no_answer_and_is_logged(elsewhere: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> None:
        raise Unavailable("the disk is full")

    monkeypatch.setattr(elsewhere.services.store.transparency_log, "grow", full)
    with structlog.testing.capture_logs() as lines:
        elsewhere.table()
    assert [line["failure"]["kind"] for line in lines if line["event"] == "log-not-grown"] == ["Unavailable"]
    refused(elsewhere.client.get("/v1/log/checkpoint"), 503, "unavailable")
    monkeypatch.undo()
    assert told(elsewhere, later=2).size == 1


def test_an_imported_match_is_in_the_log(elsewhere: House, over: Table) -> None:
    replay = over.get("/replay", over.operator).data
    elsewhere.services.__dict__["_others"] = tuple(trusted(over))
    answer = elsewhere.client.post(
        "/v1/replays", data=replay, content_type="application/jsonl", headers=dict(over.operator)
    )
    assert answer.status_code == 201, answer.json
    said = told(elsewhere, later=2)
    assert [orjson.loads(body)["match"] for body in bundled_leaves(elsewhere, said.size)] == [over.match] * 2


def trusted(over: Table) -> list[object]:
    """The keys of the house in which the match was played."""
    return list(read_trusted_keys(read(over.client.get("/v1/keys"))))


def test_the_key_of_the_log_is_one_of_its_own(elsewhere: House) -> None:
    told(elsewhere)
    keys = {key["origin"]: key for key in read(elsewhere.client.get("/v1/keys"))["keys"]}
    assert set(keys) == {"elsewhere", "elsewhere/log"}
    named, digest, encoded = elsewhere.client.get("/v1/log/key").text.strip().split("+", 2)
    assert (named, len(digest)) == ("elsewhere/log", 8)
    assert b64decode(encoded)[1:].hex() == keys["elsewhere/log"]["public"]
