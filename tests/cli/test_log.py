"""``gyoji log``: a service's log verified, watched and caught; errata."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from cli.served import run_service
from commands import Gyoji
from golden.logs import REPLAYS
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.app.signing_keys import keys_document
from gyoji.cli.log_verdicts import read_match_facts
from gyoji.log.signatures import signer
from gyoji.store import backup, open_store, restore, store_key
from gyoji.store.interface import Store
from gyoji.store.keys import new_key
from gyoji.store.recovery import recover
from gyoji.trust.transparency.notes import Checkpoint, Verifier, checkpoint_text, sign_note, write_vkey
from operators import OPERATOR
from stored import kept_match
from web.matches.tables import House


def key_of(here: House) -> str:
    """The key that the log names first."""
    return here.client.get("/v1/log/key").text.splitlines()[0]


def grow_log(here: House) -> None:
    """Everything that waits is in the log: it has waited long enough, later each time."""
    later = max(here.services.clock(), 4_000_000_000.0) + 10.0
    here.services.clock = lambda: later
    here.client.get("/v1/log/checkpoint")


def test_a_log_is_verified_over_http_and_out_of_the_store(gyoji: Gyoji, tmp_path: Path) -> None:
    with run_service(tmp_path) as (here, url):
        over = here.finished()
        running = here.table()
        grow_log(here)
        (tmp_path / "m.jsonl").write_bytes(over.get("/replay", OPERATOR).data)
        key = key_of(here)
        for arguments in (("--match", over.match), ("--match", running.match), ("--match", tmp_path / "m.jsonl"), ()):
            result = gyoji("log", "verify", url, "--key", key, *arguments, "--json")
            assert (result.exit_code, json.loads(result.stdout)["verdict"]) == (0, "verified"), result.stdout
        said = json.loads(result.stdout)["said"]
        assert (said["origin"], said["size"]) == ("club.example/log", 3)
        trust = tmp_path / "trust.json"
        trust.write_bytes(here.client.get("/v1/keys").data)
        assert gyoji("log", "verify", url, "--trust", trust).exit_code == 0
        unpinned = gyoji("log", "verify", url)
        assert unpinned.exit_code == 10
        assert "No key was given" in unpinned.stdout
        assert "鍵が指定されていない" in gyoji("log", "verify", url, "--lang", "ja").stdout
        store = f"sqlite:///{tmp_path / 'gyoji.db'}"
        assert gyoji("log", "verify", "--store", store, "--match", over.match).exit_code == 0
        lines = (tmp_path / "m.jsonl").read_bytes().splitlines(keepends=True)
        (tmp_path / "short.jsonl").write_bytes(b"".join(lines[:5]))
        short = gyoji("log", "verify", "--store", store, "--match", tmp_path / "short.jsonl")
        assert (short.exit_code, "the file does not hold" in short.stdout) == (30, True)
        other = "00000000-0000-4000-8000-000000000000"
        assert gyoji("log", "verify", url, "--key", key, "--match", other).exit_code == 30
        assert gyoji("log", "verify", url, "--key", VKEY).exit_code == 42


def test_a_match_that_was_looked_for_is_said_to_be_there(gyoji: Gyoji, tmp_path: Path) -> None:
    with run_service(tmp_path) as (here, url):
        over, running = here.finished(), here.table()
        grow_log(here)
        key = key_of(here)
        ended = gyoji("log", "verify", url, "--key", key, "--match", over.match)
        assert f"3 entries; the beginning and the end of match {over.match} are there" in ended.stdout
        begun = gyoji("log", "verify", url, "--match", running.match)
        assert f"the beginning of match {running.match} is there, and no end of it so far: No key was" in begun.stdout
        japanese = gyoji("log", "verify", url, "--key", key, "--match", running.match, "--lang", "ja")
        assert f"マッチ {running.match} の開始があり、終了はまだありません" in japanese.stdout
        told = [
            json.loads(gyoji("log", "verify", url, "--key", key, *wanted, "--json").stdout)["match"]
            for wanted in (("--match", over.match), ("--match", running.match), ())
        ]
        assert told == [{"match": over.match, "ended": True}, {"match": running.match, "ended": False}, None]


def test_a_monitor_that_was_given_no_key_does_not_speak_of_given_ones(gyoji: Gyoji, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with run_service(tmp_path / "here") as (here, url):
        here.table()
        grow_log(here)
        assert gyoji("log", "monitor", url, "--state", state).exit_code == 0
        (old,) = [kept for kept in here.services.store.signing_keys() if kept.origin == "club.example/log"]
        here.services.store.retire_signing_key(old.key, new_key(old.origin, "2026-01-01T00:00:00.000Z"))
        here.table()
        grow_log(here)
        rotated = gyoji("log", "monitor", url, "--state", state)
        assert rotated.exit_code == 42
        assert "signed by none of the keys that the last run has kept" in rotated.stdout
        assert "--key" in rotated.stdout
        assert "前回の実行で記録した" in gyoji("log", "monitor", url, "--state", state, "--lang", "ja").stdout
        given = gyoji("log", "monitor", url, "--state", state, "--key", VKEY)
        assert "signed by none of the given keys" in given.stdout
        assert gyoji("log", "monitor", url, "--state", state, "--key", key_of(here)).exit_code == 0


VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"


def test_a_monitor_sees_growth_and_catches_a_split(gyoji: Gyoji, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with run_service(tmp_path / "here") as (here, url):
        here.table()
        grow_log(here)
        first = gyoji("log", "monitor", url, "--state", state)
        assert first.exit_code == 0, first.output
        kept = json.loads(state.read_bytes())
        assert kept["keys"] == [key_of(here)]
        here.finished()
        grow_log(here)
        assert gyoji("log", "monitor", url, "--state", state).exit_code == 0
        assert json.loads(state.read_bytes())["checkpoint"].splitlines()[1] == "3"
        forged = forge(here.services.store, 2, state)
        caught = gyoji("log", "monitor", url, "--state", state)
        assert caught.exit_code == 41, caught.output
        assert json.loads(state.read_bytes()) == forged
        proof = tmp_path / "state.json.split.json"
        key = key_of(here)
        alone = gyoji("log", "proof", proof, "--key", key, "--json")
        assert (alone.exit_code, json.loads(alone.stdout)["verdict"]) == (41, "equivocation")
        assert gyoji("log", "proof", proof, "--key", VKEY).exit_code == 42
        assert gyoji("log", "proof", proof).exit_code == 2
        document = json.loads(proof.read_bytes())
        proof.write_text(json.dumps({**document, "smaller": document["larger"]}))
        assert gyoji("log", "proof", proof, "--key", key).exit_code == 51
        proof.write_text("[]")
        assert gyoji("log", "proof", proof, "--key", key).exit_code == 51
        forge(here.services.store, 9, state)
        assert gyoji("log", "monitor", url, "--state", state).exit_code == 30
        state.write_text("{}")
        assert gyoji("log", "monitor", url, "--state", state).exit_code == 1


def forge(store: Store, size: int, state: Path) -> dict[str, object]:
    """What a monitor would have kept that was shown another tree of that size, signed by the log's own key."""
    (key,) = [kept for kept in store.signing_keys() if kept.origin == "club.example/log"]
    note = sign_note(checkpoint_text(Checkpoint(key.origin, size, b"s" * 32)), signer(key.private, key.origin))
    document: dict[str, object] = {**json.loads(state.read_bytes()), "checkpoint": note}
    state.write_text(json.dumps(document))
    return document


def test_a_monitor_believes_a_revoked_key_no_more(gyoji: Gyoji, tmp_path: Path) -> None:
    """What it saw before, it goes on from; but nothing that comes now may be signed so."""
    state, trust = tmp_path / "state.json", tmp_path / "trust.json"
    watch = ("log", "monitor")
    with run_service(tmp_path / "here") as (here, url):
        here.table()
        grow_log(here)
        assert gyoji(*watch, url, "--state", state).exit_code == 0
        (old,) = [kept for kept in here.services.store.signing_keys() if kept.origin == "club.example/log"]
        at = "2026-01-01T00:00:00.000Z"
        trust.write_text(json.dumps(keys_document([old._replace(revoked=at)])), "utf-8")
        assert gyoji(*watch, url, "--state", state, "--trust", trust).exit_code == 42
        here.services.store.revoke_signing_key(old.key, at, "stolen", new_key(old.origin, at))
        trust.write_text(json.dumps(keys_document(here.services.store.signing_keys())), "utf-8")
        assert gyoji(*watch, url, "--state", state, "--trust", trust).exit_code == 0
        kept = json.loads(state.read_bytes())["keys"]
        assert write_vkey(Verifier(old.origin, old.public)) not in kept
        assert key_of(here) in kept


def test_another_service_in_its_place_is_not_believed(gyoji: Gyoji, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with run_service(tmp_path / "here") as (here, url):
        here.table()
        grow_log(here)
        assert gyoji("log", "monitor", url, "--state", state, "--key", key_of(here)).exit_code == 0
    with run_service(tmp_path / "there") as (there, url):
        there.table()
        grow_log(there)
        assert gyoji("log", "monitor", url, "--state", state).exit_code == 42


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9", "ftp://127.0.0.1", "file:///etc/passwd", "nothing", "http://127.0.0.1:9/?a=b"]
)
def test_addresses_at_which_there_is_no_log(gyoji: Gyoji, url: str) -> None:
    result = gyoji("log", "verify", url)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Error" in result.stderr


def test_who_cannot_read_is_told_where_and_why(gyoji: Gyoji, tmp_path: Path) -> None:
    nobody = gyoji("log", "verify", "http://127.0.0.1:9")
    assert "http://127.0.0.1:9/v1/log/key cannot be read: Connection refused" in nobody.stderr
    with run_service(tmp_path) as (_here, url):
        elsewhere = gyoji("log", "verify", f"{url}/docs")
    assert (elsewhere.exit_code, elsewhere.stdout) == (1, "")
    assert "there is no log of matches there: no key" in elsewhere.stderr


def test_one_source_is_named(gyoji: Gyoji) -> None:
    assert gyoji("log", "verify").exit_code == 2
    assert gyoji("log", "verify", "http://127.0.0.1:9", "--store", "sqlite:///x.db").exit_code == 2
    assert gyoji("log", "verify", "http://127.0.0.1:9", "--key", "x").exit_code == 2


def test_an_erratum_is_entered_once_and_signed(gyoji: Gyoji, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'gyoji.db'}"
    prepare_store(Settings(store=url, origin="club.example"))
    kept_match(url)
    arguments = ("--game", "catte", "--version", "1", "--text", "CAT-3.1 was read wrongly.", "--store", url)
    result = gyoji("log", "erratum", *arguments, "--origin", "club.example")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[:2] == ["club.example/log", "3"]
    assert gyoji("log", "verify", "--store", url).exit_code == 0
    wrong = gyoji("log", "erratum", *arguments, "--origin", "elsewhere")
    assert (wrong.exit_code, "club.example/log" in wrong.stderr) == (1, True)
    assert gyoji("log", "erratum", *arguments[:-3], "", "--store", url).exit_code == 2
    with closing(open_store(url, store_key(url, None))) as store:
        assert [b"read wrongly" in leaf.body for leaf in store.transparency_log.leaves(0, 9)].count(True) == 1


@pytest.mark.parametrize(
    ("name", "status"), [("towai/two-seats", "finished"), ("tomorrow-never-meows/void-for-missing-entropy", "voided")]
)
def test_what_a_file_says_of_the_end(name: str, status: str) -> None:
    """The last two events: the end, and the secret that is told with it."""
    lines = (REPLAYS / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
    events = [found for found in map(json.loads, lines) if "seq" in found]
    said = read_match_facts(iter(lines))
    last = len(events) - 1
    assert said.over
    assert said.statuses == {last - 1: status, last: status}
    assert said.times == {event["seq"]: event["at"] for event in events}


def test_a_monitor_follows_a_log_over_the_seam_of_a_restore(gyoji: Gyoji, tmp_path: Path) -> None:
    """On 201a27e it met a split view of an honest service."""
    for name in ("lost", "known", "trusting"):
        (tmp_path / name).mkdir()
    watch = ("log", "monitor")
    with run_service(tmp_path / "lost") as (here, url):
        here.table()
        grow_log(here)
        key = key_of(here)
        assert gyoji(*watch, url, "--state", tmp_path / "known" / "state.json", "--key", key).exit_code == 0
        backup(f"sqlite:///{tmp_path / 'lost' / 'gyoji.db'}", tmp_path / "b")
        here.table()
        here.table()
        grow_log(here)
        assert gyoji(*watch, url, "--state", tmp_path / "lost" / "state.json", "--key", key).exit_code == 0
        assert gyoji(*watch, url, "--state", tmp_path / "trusting" / "state.json", "--key", key).exit_code == 0
    store = f"sqlite:///{tmp_path / 'restored.db'}"
    restore(tmp_path / "b", store)
    (tmp_path / "restored.db.key").write_bytes((tmp_path / "lost" / "gyoji.db.key").read_bytes())
    (tmp_path / "restored.db.key").chmod(0o600)
    recover(store, store_key(store, None), None, lambda: "2026-03-01T12:30:45.000Z", lambda: None)
    with run_service(tmp_path, name="restored.db") as (here, url):
        here.table()
        grow_log(here)
        trust = tmp_path / "trust.json"
        trust.write_bytes(here.client.get("/v1/keys").data)
        for state, given in (("known", ()), ("lost", ()), ("trusting", ("--trust", trust))):
            file = tmp_path / state / "state.json"
            first = gyoji(*watch, url, "--state", file, *given, "--json")
            said = json.loads(first.stdout)
            assert (first.exit_code, said["verdict"], said["reason"]) == (30, "incomplete", "restored"), state
            assert said["said"]["origin"] == "club.example/log/20260301123045"
            assert "what the log before held after its first 1 entries is lost" in said["why"]
            assert gyoji(*watch, url, "--state", file, *given).exit_code == 0, state
        verified = gyoji("log", "verify", url, "--key", key)
        assert (verified.exit_code, "recovered 2026-03-01T12:30:45.000Z" in verified.stdout) == (0, True)
        assert gyoji("log", "verify", url, "--key", VKEY).exit_code == 42
        assert gyoji("log", "verify", "--store", store).exit_code == 0


def test_who_saw_another_beginning_is_not_told_of_a_restore(gyoji: Gyoji, tmp_path: Path) -> None:
    """What was known then is in the log that follows, or it is not what was signed."""
    state = tmp_path / "state.json"
    with run_service(tmp_path) as (here, url):
        here.table()
        grow_log(here)
        assert gyoji("log", "monitor", url, "--state", state).exit_code == 0
        forge(here.services.store, 1, state)
    store = f"sqlite:///{tmp_path / 'gyoji.db'}"
    key = store_key(store, None)
    recover(store, key, None, lambda: "2026-03-01T12:30:45.000Z", lambda: None, anyway=True)
    with run_service(tmp_path) as (here, url):
        caught = gyoji("log", "monitor", url, "--state", state, "--json")
        assert (caught.exit_code, json.loads(caught.stdout)["reason"]) == (40, "wrong-root")
