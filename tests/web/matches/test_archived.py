"""A match whose events are in the archive is read as before; without the archive, 503 and nothing of it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from werkzeug.test import TestResponse

from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings, WrongSetting
from gyoji.store.archive.archiver import archive
from gyoji.web.app import create_app
from operators import OPERATOR, OPERATOR_KEY
from web.matches.conftest import quiet
from web.matches.tables import House, Table, house, refused

LATER = "9999-01-01T00:00:00.000Z"
PARTS = (
    "",
    "/events?limit=5",
    "/events?after=3&limit=4",
    "/positions/4",
    "/replay",
    "/replay?as=1",
    "/replay?as=public",
)
MOVE = {"move": {"seat": 0, "type": "discard", "cards": []}}
RULING = {"kind": "pause", "reason": "too late"}


class Place(NamedTuple):
    """A service, a finished match in it, and where its archive is."""

    here: House
    table: Table
    store: str
    archive: str

    def restarted(self, archive: str | None) -> House:
        """A service on the same store, with the archive there."""
        return house(create_app(Settings(store=self.store, operator_key=OPERATOR_KEY, archive=archive)))

    def parts(self, of: House) -> list[bytes]:
        """All that there is to read of the match."""
        return [_asked(of, f"{self.table.path}{part}").data for part in PARTS]


def _asked(of: House, path: str) -> TestResponse:
    return of.client.get(path, headers=dict(OPERATOR))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A service with an archive, and a match in it that is over."""
    store = f"sqlite:///{tmp_path / 'gyoji.db'}"
    settings = Settings(store=store, operator_key=OPERATOR_KEY, archive=str(tmp_path / "archive"))
    (tmp_path / "archive").mkdir()
    prepare_store(settings)
    here = house(create_app(settings))
    with quiet():
        yield Place(here, here.finished(), store, str(tmp_path / "archive"))
    here.services.store.close()


def test_everything_is_read_as_before(place: Place) -> None:
    proof = f"/v1/log/proofs/inclusion?match={place.table.match}&type=match_closed"
    place.here.services.clock = lambda: 4_000_000_000.0  # so that the leaves have waited long enough
    checkpoint = place.here.client.get("/v1/log/checkpoint").data
    before, proven = place.parts(place.here), place.here.client.get(proof).json
    assert archive(place.store, place.archive, LATER).matches == 1
    restarted = place.restarted(place.archive)
    for service in (place.here, restarted):
        assert place.parts(service) == before
        assert service.client.get(proof).json == proven
        assert service.client.get("/v1/log/checkpoint").data == checkpoint
    restarted.services.store.close()
    assert proven is not None
    assert "proof" in proven
    said = {**OPERATOR, "Content-Type": "application/jsonl"}
    assert b'"verified"' in place.here.client.post("/v1/audits", data=before[4], headers=said).data


def test_nothing_more_happens_in_it(place: Place) -> None:
    before = place.parts(place.here)[1:4]
    archive(place.store, place.archive, LATER)
    restarted = place.restarted(place.archive)
    voided = restarted.client.post(f"{place.table.path}/void", json={"reason": "other"}, headers=dict(OPERATOR))
    assert voided.status_code == 409
    told = restarted.client.post(f"{place.table.path}/disclosure", json={}, headers=dict(OPERATOR))
    assert told.status_code == 200, told.json  # as it was told at the end
    for part, body in (("/moves", MOVE), ("/rulings", RULING)):
        answer = restarted.client.post(f"{place.table.path}{part}", json=body, headers=dict(OPERATOR))
        assert 400 <= answer.status_code < 500, answer.json
    assert place.parts(restarted)[1:4] == before
    renewed = restarted.client.post(f"{place.table.path}/seats/0/token", json={}, headers=dict(OPERATOR))
    assert renewed.status_code < 300, renewed.json
    forked = restarted.client.post(f"{place.table.path}/fork", json={"seq": 4}, headers=dict(OPERATOR))
    assert forked.status_code == 201, forked.json
    restarted.services.store.close()


def test_without_the_archive_it_is_unavailable(place: Place) -> None:
    archive(place.store, place.archive, LATER)
    for elsewhere in (None, f"{place.archive}-elsewhere"):
        service = place.restarted(elsewhere)
        for part in PARTS[1:]:
            answer = _asked(service, f"{place.table.path}{part}")
            assert refused(answer, 503, "unavailable")
            assert "Retry-After" in answer.headers
        assert _asked(service, "/v1/matches").status_code == 200
        service.services.store.close()


def test_a_replay_that_is_being_read_goes_on(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _asked(place.here, f"{place.table.path}/replay").data
    exports = sys.modules["gyoji.app.matches.replays"]
    real = vars(exports)["write_replay"]

    def archived_meanwhile(*given: object) -> object:
        assert archive(place.store, place.archive, LATER).matches == 1
        return real(*given)

    monkeypatch.setattr(exports, "write_replay", archived_meanwhile)
    answer = _asked(place.here, f"{place.table.path}/replay")
    assert (answer.status_code, answer.data) == (200, whole)


def test_an_archive_that_cannot_be_is_a_wrong_setting(tmp_path: Path) -> None:
    with pytest.raises(WrongSetting, match="GYOJI_ARCHIVE: there is no such kind of place"):
        prepare_store(Settings(store=f"sqlite:///{tmp_path / 'gyoji.db'}", archive="nowhere://hush"))
