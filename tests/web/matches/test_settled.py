"""What of a match cannot change is kept by its reader and nobody else; all that may yet tell something is kept by none.

An answer that holds a secret and what a caller chooses is never packed: its length would tell whether the two are
alike.
"""

import gzip
from collections.abc import Callable, Iterator, Mapping

import pytest
from werkzeug.test import TestResponse

from gyoji.api.media import EVENT_STREAM
from gyoji.api.operations import ROWS
from operators import OPERATOR
from web.matches.grouping import join, make
from web.matches.tables import Headers, House, Table, read, refused

UNPACKS = {"Accept-Encoding": "gzip"}
LASTING = "private, max-age=31536000, immutable"
FIXED = ("/positions/1", "/replay", "/replay?line=ruled")

Later = Callable[[float], None]


def readers(house: House, table: Table) -> Iterator[dict[str, str]]:
    """Everybody who may read the match."""
    yield from [dict(table.operator), table.sits(0), table.sits(2), house.spectator(table)]
    yield house.key("auditor", matches=(table.match,))
    yield house.key("referee", scopes=(), matches=(table.match,))


def words(answer: TestResponse, name: str) -> set[str]:
    """The words of a list in a header."""
    return {word.strip() for word in answer.headers[name].split(",")}


@pytest.mark.parametrize("part", FIXED)
def test_what_cannot_change_is_kept_by_its_reader_alone(house: House, over: Table, part: str) -> None:
    for by in readers(house, over):
        for accepted in ({}, UNPACKS):
            answer = over.get(part, {**by, **accepted})
            assert answer.status_code == 200
            assert answer.headers.get_all("Cache-Control") == [LASTING]
            assert words(answer, "Vary") == {"Authorization", "Accept", "Accept-Encoding", "Accept-Language"}
            again = over.get(part, {**by, **accepted, "If-None-Match": answer.headers["ETag"]})
            assert (again.status_code, again.data) == (304, b"")
            for name in ("Cache-Control", "Vary", "ETag"):
                assert again.headers[name] == answer.headers[name]


@pytest.mark.parametrize("part", FIXED)
def test_it_comes_packed_for_whoever_unpacks(over: Table, part: str) -> None:
    plain, packed = over.get(part, over.sits(0)), over.get(part, {**over.sits(0), **UNPACKS})
    assert (packed.headers["Content-Encoding"], "Content-Encoding" in plain.headers) == ("gzip", False)
    assert gzip.decompress(packed.data) == plain.data
    assert (packed.mimetype, packed.headers.get("Content-Disposition")) == (
        plain.mimetype,
        plain.headers.get("Content-Disposition"),
    )
    assert packed.headers["ETag"] != plain.headers["ETag"]


def test_tags_tell_matches_lines_and_positions_apart(house: House, over: Table) -> None:
    other = house.finished(3)
    parts = ("/positions/1", "/positions/2", "/replay", "/replay?line=ruled")
    tags = [table.get(part, table.sits(0)).headers["ETag"] for table in (over, other) for part in parts]
    assert len({*tags}) == len(tags)


def test_a_file_that_is_signed_anew_has_another_tag(house: House, over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its head is signed with the key in force; the bytes are others, so the tag is."""
    before = over.get("/replay", over.sits(0))
    signing = house.services.signing
    monkeypatch.setattr(type(house.services), "signing", property(lambda _services: signing._replace(key="0" * 16)))
    again = over.get("/replay", {**over.sits(0), "If-None-Match": before.headers["ETag"]})
    assert (again.status_code, again.headers["ETag"] != before.headers["ETag"]) == (200, True)


def test_nobody_is_told_that_he_has_what_he_may_not_read(house: House, over: Table) -> None:
    for part in FIXED:
        tag = over.get(part, over.sits(0)).headers["ETag"]
        for known in (tag, "*"):
            refused(over.get(part, {"If-None-Match": known}), 404, "not-found")
            refused(over.get(part, {**house.table().sits(0), "If-None-Match": known}), 404, "not-found")


def open_ends(house: House, later: Later) -> Mapping[str, Table]:
    """Matches of which something may yet be hidden: that are played, over but withheld, or told to auditors alone."""
    withheld = join(house, make(house))
    while read(withheld.move())["outcome"] is None:
        continue
    return {
        "played": house.table(),
        "withheld": withheld,
        "for auditors": house.finished(disclosure="auditors_only"),
    }


READ = [
    row.path.removeprefix("/v1/matches/{match}")
    for row in ROWS
    if row.route.startswith("GET /v1/matches/{match}") and row.media != (EVENT_STREAM,) and row.name != "readCalls"
]
"""A stream does not end, and is read by a server's tests: ``test_streams.py``. Calls for the referee are not for all of
these readers: ``test_referee_calls.py``."""


def test_what_may_hide_something_is_never_packed_nor_kept(house: House, later: Later) -> None:
    """Not even for whoever sees all of it: for whom it is packed cannot be seen from its length."""
    assert {"", "/events", "/positions/{seq}", "/replay"} <= {*READ}
    for name, table in open_ends(house, later).items():
        for by in [*readers(house, table), {**OPERATOR, "Accept-Language": "ja"}]:
            for path in READ:
                part = path.replace("{seq}", "1")
                answer = table.get(part, {**by, **UNPACKS, "If-None-Match": "*"})
                assert answer.status_code == 200, (name, part)
                assert "Content-Encoding" not in answer.headers
                assert answer.headers.get_all("Cache-Control") == ["private, no-store"]


def test_the_same_goes_for_lists_frames_and_answers_to_moves(house: House) -> None:
    table = house.table()
    asked: list[tuple[str, Headers]] = [("/v1/matches", OPERATOR), (f"/matches/{table.match}/frames", table.sits(0))]
    answers = [house.client.get(path, headers={**by, **UNPACKS}) for path, by in asked]
    answers.append(table.put(table.legal(), {**table.sits(0), **UNPACKS}))
    answers.append(
        house.client.post("/v1/matches", json={"game": "catte", "seats": 3}, headers={**OPERATOR, **UNPACKS})
    )
    for answer in answers:
        assert answer.status_code in (200, 201)
        assert "Content-Encoding" not in answer.headers
        assert "no-store" in answer.headers["Cache-Control"]


def test_the_stateless_calls_are_not_packed_either(house: House) -> None:
    """A capsule, or a seed, would stand beside what the caller chooses."""
    for body in ({"seats": 3}, {"seats": 3, "sealed": True}):
        answer = house.client.post("/v1/games/catte/states", json=body, headers=UNPACKS)
        assert (answer.status_code, "Content-Encoding" in answer.headers) == (200, False)
        assert answer.headers["Cache-Control"] == "no-store"
