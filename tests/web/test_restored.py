"""A service on a store that was restored: it reads, says why it does not write, and goes on when it was recovered."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import orjson
import pytest

from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.audit.audit import audit
from gyoji.messages.verdicts import rules_for
from gyoji.store import backup, restore
from gyoji.trust.transparency.notes import Verifier, open_note, read_checkpoint
from gyoji.trust.trusted_keys import read_trusted_keys
from gyoji.web.app import create_app
from operators import OPERATOR, OPERATOR_KEY
from store.databases import KINDS, empty_database
from store.logs import KEY, recovered
from web.conftest import Lines
from web.matches.conftest import quiet
from web.matches.tables import House, Plain, Table, house, read

PARTS = ("", "/events", "/events?after=1", "/replay", "/replay?as=1", "/positions/2")


class Lost(NamedTuple):
    """A service on a restored store, and what was in the hands of others when the first one was lost."""

    here: House
    table: Table
    url: str
    receipt: Plain
    """Of a move that was lost."""
    checkpoint: bytes
    """Of the log that was lost."""


@pytest.fixture(params=KINDS)
def lost(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lost]:
    """Backed up, played on, lost, restored."""
    (tmp_path / "before").mkdir()
    (tmp_path / "after").mkdir()
    with (
        quiet(),
        empty_database(request.param, tmp_path / "before") as url,
        empty_database(request.param, tmp_path / "after") as there,
    ):
        first = serving(url)
        table = first.table()
        table.move()
        later(first)
        first.client.get("/v1/log/checkpoint")
        backup(url, tmp_path / "b")
        receipt = read(table.move())["receipt"]
        first.table()
        later(first)
        checkpoint = first.client.get("/v1/log/checkpoint").data
        first.services.store.close()
        restore(tmp_path / "b", there)
        here = serving(there)
        yield Lost(here, Table(here.client, table.match, table.tokens, OPERATOR), there, receipt, checkpoint)
        here.services.store.close()


def serving(url: str) -> House:
    """A service that has just started."""
    settings = Settings(store=url, store_key=KEY.hex(), operator_key=OPERATOR_KEY, origin="club.example")
    prepare_store(settings)
    return house(create_app(settings))


def later(here: House) -> None:
    """A minute passes, so that what waits has waited long enough."""
    now = here.services.clock()
    here.services.clock = lambda: now + 60


def test_it_reads_and_does_not_write(lost: Lost, lines: Lines) -> None:
    table = lost.table
    for part in PARTS:
        assert table.get(part, table.operator).status_code == 200, part
        assert table.get(part, table.sits(0)).status_code == 200, part
    assert read(lost.here.client.get("/v1/matches", headers=dict(OPERATOR)))["matches"]
    for path in ("/v1/keys", "/v1/log/key", "/v1/log/checkpoint", "/healthz"):
        assert lost.here.client.get(path).status_code == 200, path
    move = table.legal()
    lines()
    refused = [
        table.put(move, table.sits(move["seat"])),
        lost.here.create(),
        lost.here.client.get("/readyz"),
    ]
    said = (
        "The store was restored from an earlier state, and nothing new is stored before its operator has recovered it"
    )
    for answer in refused:
        assert (answer.status_code, read_anyway(answer)["code"]) == (503, "unavailable")
        assert read_anyway(answer)["detail"].startswith(said)
    assert [line["cause"] for line in lines()] == ["restored", "restored", "restored"]


def read_anyway(answer: object) -> Plain:
    """The body of a refusal."""
    found: Plain = orjson.loads(answer.data)  # type: ignore[attr-defined]
    return found


def test_a_start_says_it(lost: Lost, lines: Lines) -> None:
    lines()
    serving(lost.url).services.store.close()
    (line,) = lines()
    assert (line["event"], line["cause"], line["level"]) == ("store-restored", "restored", "error")


def test_when_it_was_recovered_it_goes_on_and_a_receipt_is_no_lie(lost: Lost) -> None:
    table = lost.table
    before = read(lost.here.client.get("/v1/keys"))
    assert "restorations" not in before
    recovered(lost.url, "2026-03-01T12:30:45.000Z")
    later(lost.here)
    receipt = read(table.move())["receipt"]
    keys = read(lost.here.client.get("/v1/keys"))
    (document,) = keys["restorations"]
    assert document["open"] == [{"log": table.match, "seq": table.seen(table.operator)["seq"] - 1}]
    assert receipt["key"] not in [key["key"] for key in before["keys"]]
    assert receipt["hash"] != lost.receipt["hash"]
    assert orjson.loads(receipt["event"])["seq"] == orjson.loads(lost.receipt["event"])["seq"]
    file = table.get("/replay?as=public", table.operator).data.splitlines(keepends=True)
    found = [audit(lambda: file, rules_for, read_trusted_keys(trust), [lost.receipt]) for trust in (keys, unsaid(keys))]
    assert [one.verdict for one in found] == ["incomplete", "equivocation"]
    assert lost.here.client.get("/readyz").status_code == 200


def unsaid(keys: Plain) -> Plain:
    """The same keys without a word of it."""
    return {"keys": keys["keys"]}


def test_the_log_goes_on_under_another_name(lost: Lost) -> None:
    recovered(lost.url, "2026-03-01T12:30:45.000Z")
    name = "club.example/log/20260301123045"
    note = lost.here.client.get("/v1/log/checkpoint").data
    (line,) = lost.here.client.get("/v1/log/key").get_data(as_text=True).splitlines()
    assert line.startswith(f"{name}+")
    (key,) = [key for key in read(lost.here.client.get("/v1/keys"))["keys"] if key["origin"] == name]
    said = read_checkpoint(open_note(note, [Verifier(name, bytes.fromhex(key["public"]))]))
    gone = lost.checkpoint.split(b"\n")
    assert gone[0] == b"club.example/log"
    assert (said.origin, said.size, int(gone[1])) == (name, 2, 2)
    later(lost.here)
    table = lost.here.table()
    proof = read(lost.here.client.get(f"/v1/log/proofs/inclusion?match={table.match}"))
    assert (proof["size"], proof["index"]) == (3, 2)
