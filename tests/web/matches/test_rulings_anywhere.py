"""Rulings where the store decides: two at once, tokens that change with the log, groups that share their deals. On
either store."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any

import pytest

from answers import checked_client
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.store import check_store
from gyoji.web.app import create_app
from operators import OPERATOR, OPERATOR_KEY
from store.databases import KINDS, migrated_database
from store.logs import KEY
from web.matches.refereeing import REASON, referee
from web.matches.tables import House, Table, holding, read, refused
from web.matches.tables import house as house_of

ROUNDS = 8
LATER = "2999-01-01T00:00:00.000Z"


@pytest.fixture(params=KINDS)
def there(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """The application on a store of either kind, which is found sound in the end."""
    with migrated_database(request.param, tmp_path) as store:
        settings = Settings(store=store, store_key=KEY.hex(), operator_key=OPERATOR_KEY)
        prepare_store(settings)
        app = create_app(settings)
        found = house_of(app)
        yield found
        found.services.store.close()
        assert check_store(store, KEY) == []


def test_of_two_referees_at_once_one_wins_and_the_other_is_told(there: House) -> None:
    table = there.table()
    keys = [referee(there, table).headers for _ in range(2)]
    together = Barrier(2)

    def ruling(by: dict[str, str], seq: int) -> tuple[int, Any]:
        body = {"ruling": {"kind": "points", "seat": 0, "points": 1}, "reason": REASON}
        headers = {**by, "If-Match": f'"{seq}"'}
        client = checked_client(there.app)
        together.wait(60)
        answer = client.post(f"{table.path}/rulings", json=body, headers=headers)
        return answer.status_code, answer.json

    met: Counter[int] = Counter()
    with ThreadPoolExecutor(2) as referees:
        for number in range(ROUNDS):
            answers = list(referees.map(ruling, keys, [number + 1] * 2))
            met.update(status for status, _body in answers)
            assert {body["code"] for status, body in answers if status != 200} == {"stale-position"}
    assert met == {200: ROUNDS, 412: ROUNDS}
    assert table.seen(OPERATOR)["adjustments"] == [ROUNDS, 0, 0]


def test_a_substitute_and_a_new_token_do_not_get_into_each_others_way(there: House) -> None:
    table = there.table()
    ruling = referee(there, table)
    first = ruling.rules("substitute", seat=1, name="Zoe")["token"]
    second = ruling.rules("substitute", seat=1, name="Yui")["token"]
    renewed = read(there.client.post(f"{table.path}/seats/1/token", headers=dict(OPERATOR)))["token"]
    third = ruling.rules("substitute", seat=1, name="Aya")["token"]
    void = [table.tokens[1], first, second, renewed]
    assert len({*void, third}) == 5
    for token in void:
        refused(table.get("", holding(token)), 401, "unauthenticated")
    assert table.seen(holding(third))["seats"][1]["name"] == "Aya"
    for other in (0, 2):
        table.seen(table.sits(other))


def grouped(there: House, until: str | None) -> tuple[str, list[Table]]:
    """A group of two matches, both over."""
    body = {"game": "catte", "seats": 3, "until": until}
    group = read(there.client.post("/v1/groups", json=body, headers=dict(OPERATOR)))["group"]
    made = [there.client.post("/v1/matches", json={"group": group}, headers=dict(OPERATOR)) for _ in range(2)]
    tables = [there.seated(answer) for answer in made]
    for table in tables:
        table.finish(Random(1))
    return group, tables


def test_while_one_of_a_group_runs_again_nothing_of_it_is_told(there: House) -> None:
    group, (one, other) = grouped(there, None)
    ruling = referee(there, one)
    ruling.rules("take_back", to=3)
    read(there.client.post(f"/v1/groups/{group}/close", headers=dict(OPERATOR)))
    assert [table.seen(OPERATOR)["closed"] for table in (one, other)] == [False, False]
    one.finish(Random(2))
    assert [table.seen(OPERATOR)["closed"] for table in (one, other)] == [True, True]
    assert refused(ruling.asks("note"), 409, "ruling-refused")["reason"] == "match-closed"


def test_nothing_of_a_closed_group_runs_again(there: House) -> None:
    """Its secret could be told at any moment; other rulings can still be made."""
    group, (one, _other) = grouped(there, LATER)
    read(there.client.post(f"/v1/groups/{group}/close", headers=dict(OPERATOR)))
    ruling = referee(there, one)
    before = ruling.log()
    assert refused(ruling.asks("take_back", to=3), 409, "ruling-refused")["reason"] == "group-closed"
    assert ruling.log() == before
    assert ruling.rules("points", seat=0, points=5)["status"] == "finished"
