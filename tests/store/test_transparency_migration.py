"""A store of an older release: its matches get their leaves when it is migrated."""

from contextlib import closing
from pathlib import Path

import orjson
from sqlalchemy import text

from gyoji.store import migrate, open_store
from gyoji.store.schema.migrator import transaction, upgrade
from gyoji.store.urls import parse_url
from store.logs import CREATED, KEY, made_log
from store.test_transparency_log import AT, SIGNING, bodies


def test_matches_of_an_older_store_get_their_leaves(empty_url: str, tmp_path: Path) -> None:
    with transaction(parse_url(empty_url), make=True) as connection:
        upgrade(connection, "0002")
        for match, status in (("m1", "finished"), ("m2", "playing"), ("m3", "voided")):
            _insert_old(connection, match, status)
    migrate(empty_url)
    with closing(open_store(empty_url, KEY)) as store:
        assert store.transparency_log.grow(SIGNING, AT).size == 5
        said = [orjson.loads(body) for body in bodies(store)]
    told = sorted((leaf["match"], leaf["type"], leaf.get("status")) for leaf in said)
    assert told == [
        ("m1", "match_closed", "finished"),
        ("m1", "match_created", None),
        ("m2", "match_created", None),
        ("m3", "match_closed", "voided"),
        ("m3", "match_created", None),
    ]
    hashed = OLD["m2"][0].hash.hex()
    assert {"v": 1, "type": "match_created", "match": "m2", "hash": hashed, "at": CREATED} in said
    assert [leaf["hash"] for leaf in said if leaf["match"] == "m1" and "seq" in leaf] == [OLD["m1"][2].hash.hex()]


OLD = {match: made_log(match, 3) for match in ("m1", "m2", "m3")}


def _insert_old(connection: object, match: str, status: str) -> None:
    last = OLD[match][-1]
    columns = {
        "match": match,
        "game": "towai",
        "version": 1,
        "created": CREATED,
        "visibility": "private",
        "disclosure": "public_on_close",
        "demands_precondition": False,
        "imported": False,
        "tags": "[]",
        "secret": b"",
        "seats": "[]",
        "seq": last.seq,
        "hash": last.hash,
        "status": status,
        "decision": 0,
        "closed": status != "playing",
    }
    names = ", ".join(columns)
    places = ", ".join(f":{name}" for name in columns)
    sql = f"INSERT INTO matches ({names}) VALUES ({places})"  # noqa: S608
    connection.execute(text(sql), columns)  # type: ignore[attr-defined]
    for entry in OLD[match]:
        row = {"match": match, "seq": entry.seq, "body": entry.body, "hash": entry.hash}
        sql = "INSERT INTO events (match, seq, body, hash) VALUES (:match, :seq, :body, :hash)"
        connection.execute(text(sql), row)  # type: ignore[attr-defined]
