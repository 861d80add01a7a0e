"""Many at once on one match of a running service: two workers, their threads, and either store."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gyoji.store import check_store
from players import Line
from races import (
    SWAP,
    WISHES,
    Crowd,
    Together,
    another_under_the_key,
    choices,
    crowd,
    same_if_match,
    same_key,
    the_same_again,
    without_precondition,
)
from servers import serving
from store.databases import KINDS, empty_database
from store.logs import KEY

WRITERS = 32
ROUNDS = 1000


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A store, found sound when the test is over."""
    with empty_database(request.param, tmp_path) as url:
        yield url
        assert check_store(url, KEY) == []


def scene(store: str, number: int, play: Callable[[Line, Crowd], None]) -> None:
    """A server, and so many clients at it."""
    lines: list[Line] = []
    environment = {"GYOJI_STORE": store, "GYOJI_STORE_KEY": KEY.hex()}
    with serving("--workers", "2", "--threads", "16", environment=environment) as server:

        def line() -> Line:
            lines.append(Line(server.port))
            return lines[-1]

        try:
            with crowd(number, line) as people:
                play(line(), people)
        finally:
            for one in lines:
                one.close()
    assert not any(b'"status":5' in logged for logged in server.raw)


def test_of_those_who_saw_the_same_position_one_moves(store: str) -> None:
    def play(ask: Line, people: Crowd) -> None:
        met = same_if_match(ask, people, WRITERS, ROUNDS)
        assert met == {"200": ROUNDS, "412": ROUNDS * (WRITERS - 1)}

    scene(store, WRITERS, play)


def test_a_request_sent_several_times_is_carried_out_once_also_across_a_restart(store: str) -> None:
    done = []

    def play(ask: Line, people: Crowd) -> None:
        done.extend(same_key(ask, people, 200))

    def again(ask: Line, people: Crowd) -> None:
        the_same_again(ask, done)
        for one, answer in done[:20]:
            assert {repeated.body for repeated in people.at_once([one] * 5)} == {answer.body}
            assert another_under_the_key(ask, one).status == 422

    scene(store, 5, play)
    scene(store, 5, again)


def test_the_second_of_two_moves_is_judged_on_the_new_position(store: str) -> None:
    def play(ask: Line, people: Crowd) -> None:
        assert without_precondition(ask, people, 300)["200 409"] > 0

    scene(store, 2, play)


@pytest.mark.parametrize("together", [SWAP, WISHES], ids=lambda together: together.chosen)
def test_choices_of_all_seats_at_once_stand(store: str, together: Together) -> None:
    scene(store, together.seats, lambda ask, people: choices(ask, people, together, 25))
