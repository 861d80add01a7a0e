"""Replay files: exported, imported elsewhere, audited."""

from collections.abc import Iterable, Iterator
from typing import Any

import orjson
import pytest

from gyoji.app.matches import replays as audits
from gyoji.log.lines import cut
from gyoji.trust.trusted_keys import read_trusted_keys
from operators import OPERATOR
from replay.tampering import SIGNING, TRUSTED, Parts, forged
from web.matches.tables import House, Plain, Table, pointers, read, refused

LINES = {"Content-Type": "application/jsonl"}
ABSENT = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"

CHECKS = (
    *("bytes", "chain", "head", "file", "openings", "commitment", "shuffles", "moves", "positions", "scores", "result"),
    "receipts",
)


def exported(table: Table, headers: Any = OPERATOR) -> bytes:
    """The replay file as that reader gets it."""
    answer = table.get("/replay", headers)
    assert answer.status_code == 200
    assert answer.mimetype == "application/jsonl"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{table.match}.jsonl"'
    file: bytes = answer.data
    return file


def imported(house: House, file: bytes, by: Any = OPERATOR) -> Any:
    """The answer to an import."""
    return house.client.post("/v1/replays", data=file, headers={**by, **LINES})


def audited(house: House, file: bytes, by: Any = None) -> Plain:
    """The verdict on a file."""
    verdict: Plain = read(house.client.post("/v1/audits", data=file, headers={**(by or {}), **LINES}))
    return verdict


def parts(file: bytes) -> tuple[Plain, list[bytes], list[Plain], Plain]:
    """A file's header, event lines, openings and last line."""
    header, *middle, last = file.splitlines()
    events = [line for line in middle if b'"opening"' not in line[:12]]
    openings = [orjson.loads(line)["opening"] for line in middle if b'"opening"' in line[:12]]
    return orjson.loads(header), events, openings, orjson.loads(last)


def trusting(there: House, here: House) -> None:
    """The one service from now on trusts the keys of the other, as ``GYOJI_TRUST`` would have it."""
    there.services.__dict__["_others"] = read_trusted_keys(read(here.client.get("/v1/keys")))


# --- export


def test_an_export_has_every_event_and_the_openings_of_its_reader(house: House, over: Table, sealed: Table) -> None:
    header, events, openings, last = parts(exported(over))
    assert (header["format"], header["match"], header["audience"]) == ("gyoji-replay/1", over.match, "full")
    assert (header["game"], header["version"]) == ("catte", 1)
    raw = [line for line in over.get("/events?raw=1", OPERATOR).data.splitlines() if line[:12] != b'{"opening":{']
    assert events == raw
    assert last["head"]["seq"] == orjson.loads(events[-1])["seq"]
    assert any("position" in opening for opening in openings)
    for headers, audience in ((sealed.sits(1), {"seat": 1}), (house.spectator(sealed), "public")):
        redacted, same, fewer, head = parts(exported(sealed, headers))
        full = parts(exported(sealed))
        assert (redacted["audience"], same) == (audience, full[1])
        assert head["head"] == full[3]["head"]
        assert 0 < len(fewer) < len(full[2])


def test_an_export_of_a_running_match_shows_what_its_reader_may_know(house: House, table: Table) -> None:
    table.move()
    reading = house.key("operator", scopes=["matches:read"])
    assert parts(exported(table, reading))[0]["audience"] == "public"
    assert parts(exported(table, table.sits(2)))[0]["audience"] == {"seat": 2}
    assert parts(exported(table, OPERATOR))[0]["audience"] == "full"
    hidden = table.seen(table.sits(0))["view"]["table"]["hands"][0]
    told = orjson.dumps(parts(exported(table, table.sits(2)))[2])
    assert orjson.dumps(hidden) not in told


# --- the round trip


def test_a_replay_goes_from_one_service_to_another(house: House, elsewhere: House, over: Table) -> None:
    trusting(elsewhere, house)
    file = exported(over)
    assert audited(elsewhere, file)["verdict"] == "verified"
    answer = imported(elsewhere, file)
    verdict = read(answer)
    assert (answer.status_code, verdict["verdict"], verdict["match"]) == (201, "verified", over.match)
    assert verdict["first_divergence"] is None
    # a file brings no receipts, so there are none to hold it against; everything else is checked
    assert {check["check"]: check["result"] for check in verdict["checks"]} == {
        **dict.fromkeys(CHECKS, "pass"),
        "receipts": "not_checkable",
    }
    assert "token" not in answer.get_data(as_text=True)
    assert answer.headers["Location"] == over.path
    there = Table(elsewhere.client, over.match, over.tokens, OPERATOR)
    here, away = over.seen(OPERATOR), there.seen(OPERATOR)
    assert {**away, "imported": None} == {**here, "imported": None}
    for seq in range(1, here["seq"] + 1):
        assert there.get(f"/positions/{seq}", OPERATOR).data == over.get(f"/positions/{seq}", OPERATOR).data
    assert there.feed(OPERATOR) == over.feed(OPERATOR)
    again = parts(exported(there))
    assert again[1:3] == parts(file)[1:3]
    refused(there.get("", over.sits(0)), 401, "unauthenticated")  # tokens are the other service's
    listed = read(elsewhere.client.get("/v1/matches?tag=cup", headers=OPERATOR))["matches"]
    assert [match["match"] for match in listed] == [over.match]
    assert [seat["name"] for seat in listed[0]["seats"]] == ["Ann", "Ben", "Cho"]


def test_what_is_stored_already(house: House, elsewhere: House, over: Table) -> None:
    trusting(elsewhere, house)
    file = exported(over)
    assert imported(elsewhere, file).status_code == 201
    again = imported(elsewhere, file)
    assert (again.status_code, read(again)["verdict"], again.headers["Location"]) == (200, "verified", over.path)
    assert imported(house, file).status_code == 200  # also where it was played
    assert len(read(elsewhere.client.get("/v1/matches", headers=OPERATOR))["matches"]) == 1


def test_the_same_id_with_another_head(house: House, elsewhere: House, over: Table) -> None:
    """A service that we trust has signed another match under an id that is stored already."""
    other = elsewhere.table()
    source = house.finished(1)
    trusting(elsewhere, house)
    row = elsewhere.services.store.match(other.match)
    assert row is not None
    entries = list(elsewhere.services.store.entries(other.match))
    elsewhere.services.store.create(row._replace(match=source.match), entries)
    refused(imported(elsewhere, exported(source)), 409, "already-stored")
    assert elsewhere.services.store.match(source.match) == row._replace(match=source.match)


def test_an_import_of_secrets_for_auditors(house: House, elsewhere: House, sealed: Table) -> None:
    trusting(elsewhere, house)
    assert imported(elsewhere, exported(sealed)).status_code == 201
    there = Table(elsewhere.client, sealed.match, (), OPERATOR)
    assert there.seen(OPERATOR)["view"] == sealed.seen(OPERATOR)["view"]
    assert there.feed(OPERATOR)[-1]["data"]["server_secret"] == sealed.feed(OPERATOR)[-1]["data"]["server_secret"]


def test_an_imported_match_can_be_forked(house: House, elsewhere: House, over: Table) -> None:
    trusting(elsewhere, house)
    imported(elsewhere, exported(over))
    answer = elsewhere.client.post(f"{over.path}/fork", json={"seq": 12}, headers=OPERATOR)
    assert answer.status_code == 201
    assert (
        elsewhere.seated(answer).seen(OPERATOR)["view"]["table"]
        == read(over.get("/positions/12", OPERATOR))["view"]["table"]
    )


# --- refused, and nothing stored


def nothing_is_stored(house: House) -> None:
    """No match has come in."""
    assert read(house.client.get("/v1/matches", headers=OPERATOR))["matches"] == []


def test_what_is_not_verified_is_not_stored(
    house: House, elsewhere: House, over: Table, sealed: Table, table: Table
) -> None:
    trusting(elsewhere, house)
    file = exported(over)
    lines = file.splitlines(keepends=True)
    bad = {
        "tampered": file.replace(b'"seat":0', b'"seat":1', 1),
        "incomplete": b"".join(lines[:-1]),
        "malformed": b"no replay\n",
        "verified_partial": exported(sealed, sealed.sits(0)),
    }
    for verdict, sent in bad.items():
        problem = refused(imported(elsewhere, sent), 409, "replay-refused")
        assert problem["verdict"] == verdict
        assert any(check["result"] != "pass" for check in problem["checks"])
    running = refused(imported(elsewhere, exported(table)), 409, "replay-refused")
    assert running["verdict"] == "verified_partial"
    nothing_is_stored(elsewhere)


def test_a_log_whose_times_run_backwards_is_not_stored(elsewhere: House, over: Table) -> None:
    """It is signed by a key that the service trusts, as its honest twin is."""
    elsewhere.services.__dict__["_others"] = TRUSTED
    lines = tuple(exported(over).splitlines(keepends=True))

    def signed_anew(parts: Parts) -> None:
        parts.header["origin"] = SIGNING.origin

    def backwards(parts: Parts) -> None:
        signed_anew(parts)
        for number, event in enumerate(parts.events):
            event.document["at"] = f"{9999 - number}{event.document['at'][4:]}"

    problem = refused(imported(elsewhere, b"".join(forged(lines, backwards))), 409, "replay-refused")
    assert problem["verdict"] == "rules_divergence"
    nothing_is_stored(elsewhere)
    assert imported(elsewhere, b"".join(forged(lines, signed_anew))).status_code == 201


def test_a_key_that_is_not_trusted(elsewhere: House, over: Table) -> None:
    problem = refused(imported(elsewhere, exported(over)), 409, "replay-refused")
    assert problem["verdict"] == "key_untrusted"
    nothing_is_stored(elsewhere)


@pytest.mark.parametrize(
    ("headers", "body", "status", "code"),
    [
        ({"Content-Type": "application/json"}, b"{}", 415, "unsupported-media-type"),
        ({"Content-Type": "application/jsonl", "Content-Encoding": "gzip"}, b"{}", 415, "unsupported-media-type"),
        ({"Content-Type": "application/jsonl", "Accept": "text/html"}, b"", 406, "not-acceptable"),
        ({"Content-Type": "application/jsonl"}, b"\n", 409, "replay-refused"),
    ],
)
def test_uploads_that_are_none(elsewhere: House, headers: Plain, body: bytes, status: int, code: str) -> None:
    refused(elsewhere.client.post("/v1/replays", data=body, headers={**OPERATOR, **headers}), status, code)
    nothing_is_stored(elsewhere)


def test_uploads_of_no_length_or_of_too_much(house: House) -> None:
    for length, status, code in (("", 411, "length-required"), (str(16 * 1024 * 1024 + 1), 413, "too-large")):
        for path in ("/v1/replays", "/v1/audits"):
            answer = house.client.post(
                path, headers={**OPERATOR, **LINES}, environ_overrides={"CONTENT_LENGTH": length}
            )
            refused(answer, status, code)


def test_only_an_operator_with_the_scope_stores(house: House, over: Table) -> None:
    file = exported(over)
    refused(imported(house, file, {}), 401, "unauthenticated")
    refused(imported(house, file, over.sits(0)), 403, "forbidden")
    refused(imported(house, file, house.key("operator", scopes=["matches:create", "matches:read"])), 403, "forbidden")
    refused(imported(house, file, house.key("auditor", matches=[over.match])), 403, "forbidden")


# --- audits


def test_anybody_may_have_a_file_audited(house: House, over: Table, sealed: Table) -> None:
    for by in ({}, over.sits(0), OPERATOR):
        assert audited(house, exported(over), by)["verdict"] == "verified"
    for headers in (sealed.sits(0), house.spectator(sealed)):
        verdict = audited(house, exported(sealed, headers))
        assert (verdict["verdict"], verdict["match"]) == ("verified_partial", sealed.match)
        assert {check["result"] for check in verdict["checks"]} == {"pass", "not_checkable"}
        assert all(check["why"] for check in verdict["checks"] if check["result"] == "not_checkable")


def test_a_verdict_is_no_refusal(house: House, over: Table) -> None:
    """200 whatever it is, with the first place where things part."""
    file = exported(over)
    lines = file.splitlines(keepends=True)
    last = max(at for at, line in enumerate(lines) if b'"type":"seed_disclosed"' in line)
    spoiled = b"".join([*lines[:last], lines[last].replace(b'"v":1', b'"v":2'), *lines[last + 1 :]])
    for sent, verdict in ((spoiled, "tampered"), (b"".join(lines[:9]), "incomplete"), (b"\n", "malformed")):
        answer = audited(house, sent)
        assert answer["verdict"] == verdict
        assert any(check["result"] != "pass" for check in answer["checks"])
    assert audited(house, spoiled)["first_divergence"] is not None


def test_a_file_of_nothing_but_line_feeds_is_not_read_to_its_end(
    house: House, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No log of that length has so many lines: the audit passes over them twice, and twice gives up."""
    taken = [0]

    def counted(pieces: Iterable[bytes]) -> Iterator[bytes]:
        for line in cut(pieces):
            taken[0] += 1
            yield line

    monkeypatch.setattr(audits, "cut", counted)
    header = exported(over).splitlines(keepends=True)[0]
    assert audited(house, header + b"\n" * 400_000)["verdict"] == "tampered"
    assert taken[0] <= 2 * (audits.SENT.lines + 1) < 400_000


def test_a_stored_match_is_audited_as_its_reader_may_know_it(house: House, over: Table, sealed: Table) -> None:
    def verdict(match: str, by: Any) -> str:
        answer = house.client.post("/v1/audits", json={"match": match}, headers=dict(by))
        return str(read(answer)["verdict"])

    assert verdict(over.match, OPERATOR) == verdict(over.match, over.sits(1)) == "verified"
    assert verdict(sealed.match, OPERATOR) == "verified"
    assert verdict(sealed.match, house.key("auditor", matches=[sealed.match])) == "verified"
    assert verdict(sealed.match, sealed.sits(1)) == verdict(sealed.match, house.spectator(sealed)) == "verified_partial"


def test_a_running_match_is_verified_in_part(house: House, table: Table) -> None:
    table.move()
    for by in (OPERATOR, table.sits(0)):
        answer = house.client.post("/v1/audits", json={"match": table.match}, headers=by)
        assert read(answer)["verdict"] == "verified_partial"


def test_audits_of_what_is_not_there(house: House, table: Table) -> None:
    for match, by in ((ABSENT, OPERATOR), (table.match, {}), (table.match, house.account())):
        refused(house.client.post("/v1/audits", json={"match": match}, headers=by), 404, "not-found")


def test_audits_of_the_wrong_shape(house: House) -> None:
    def ask(body: Any, by: Any = OPERATOR) -> Any:
        return house.client.post("/v1/audits", json=body, headers=by)

    assert pointers(ask({})) == [("/match", "missing")]
    assert pointers(ask({"match": "x"})) == [("/match", "not-allowed")]
    assert pointers(ask({"match": ABSENT, "jobs": 8})) == [("/jobs", "unknown-member")]
    refused(
        house.client.post("/v1/audits", data=b"{", headers={"Content-Type": "application/json"}), 400, "malformed-json"
    )
    refused(
        house.client.post("/v1/audits", data=b"x", headers={"Content-Type": "text/csv"}), 415, "unsupported-media-type"
    )
    refused(ask({}, {"Authorization": "Bearer " + "x" * 40}), 401, "unauthenticated")


def test_reasons_come_in_the_callers_language(house: House, sealed: Table) -> None:
    file, reader = exported(sealed, sealed.sits(0)), {"Accept-Language": "ja"}
    english, japanese = audited(house, file), audited(house, file, reader)
    assert english["verdict"] == japanese["verdict"]
    pairs = zip(english["checks"], japanese["checks"], strict=True)
    assert all(one["why"] != other["why"] for one, other in pairs if one["why"] is not None)
