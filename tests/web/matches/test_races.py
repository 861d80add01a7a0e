"""Many at once on one match: one of them is first, the others are told so. The long version is in ``tests/slow``."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from flask import Flask

from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings
from gyoji.web.app import create_app
from operators import OPERATOR_KEY
from players import indoors
from races import (
    SWAP,
    WISHES,
    Together,
    another_under_the_key,
    choices,
    crowd,
    same_if_match,
    same_key,
    without_precondition,
)
from store.databases import KINDS, migrated_database
from store.logs import KEY

WRITERS = 32
ROUNDS = 40


@pytest.fixture(params=KINDS)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    """The application on an empty store of either kind."""
    with migrated_database(request.param, tmp_path) as store:
        settings = Settings(store=store, store_key=KEY.hex(), operator_key=OPERATOR_KEY)
        prepare_store(settings)
        app = create_app(settings)
        yield app
        app.extensions["gyoji.services"].store.close()


def test_of_those_who_saw_the_same_position_one_moves(house: Flask) -> None:
    with crowd(WRITERS, partial(indoors, house)) as people:
        met = same_if_match(indoors(house), people, WRITERS, ROUNDS)
    assert met == {"200": ROUNDS, "412": ROUNDS * (WRITERS - 1)}


def test_a_request_sent_several_times_is_carried_out_once(house: Flask) -> None:
    with crowd(5, partial(indoors, house)) as people:
        done = same_key(indoors(house), people, 15)
    refused = another_under_the_key(indoors(house), done[0][0])
    assert (refused.status, refused.document["code"]) == (422, "idempotency-key-reused")


def test_the_second_of_two_moves_is_judged_on_the_new_position(house: Flask) -> None:
    with crowd(2, partial(indoors, house)) as people:
        met = without_precondition(indoors(house), people, 20)
    assert met["200 409"] > 0


@pytest.mark.parametrize("together", [SWAP, WISHES], ids=lambda together: together.chosen)
def test_choices_of_all_seats_at_once_stand(house: Flask, together: Together) -> None:
    with crowd(together.seats, partial(indoors, house)) as people:
        choices(indoors(house), people, together, 2)
