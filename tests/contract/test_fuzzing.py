"""schemathesis with all its checks: what the contract says and what the service does are the same."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from answers import contract
from contract.fuzzing import (
    MATCHES,
    TOURNAMENTS,
    answers_of,
    of_game,
    promised,
    refused_without_credential,
    scenarios,
    stored,
)
from contract.services import Fuzzed, fuzzed_matches, fuzzed_tournaments
from gyoji.api.contract import operations
from gyoji.games.catalogue import BY_SLUG


@pytest.mark.parametrize("tag", ["catalogue", "operations"])
def test_pages_and_catalogue(tag: str, app: Flask) -> None:
    """Parameters that exist and such as do not, methods that do not exist."""
    asked = {node.value.operation.path for recorder in scenarios(of_game(tag, app)) for node in recorder.cases.values()}
    listed = {path for path, methods in contract()["paths"].items() if methods.get("get", {}).get("tags") == [tag]}
    assert asked == listed


@pytest.mark.parametrize("slug", BY_SLUG)
def test_calls(slug: str, app: Flask) -> None:
    """Bodies of the right shape and of wrong ones; then games played along the links of the contract, every one of
    which has been followed to an answer 200 in the course."""
    statuses: Counter[int] = Counter()
    followed: Counter[str] = Counter()
    for recorder in scenarios(of_game(slug, app)):
        for key, interaction in recorder.interactions.items():
            assert interaction.response is not None
            status = interaction.response.status_code
            statuses[status] += 1
            if recorder.cases[key].is_transition_applied and status == 200:
                followed[recorder.cases[key].value.operation.path.rsplit("/", 1)[1]] += 1
    assert statuses.total() > 600
    assert {200, 400, 405, 409, 411, 415, 422} <= set(statuses)
    assert followed.total() >= 20
    assert set(followed) == {"adjudications", "legal-moves", "scores", "views"}


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Fuzzed]:
    """A service of its own with stored matches."""
    with fuzzed_matches(tmp_path) as service:
        yield service


@pytest.fixture
def tournaments(tmp_path: Path) -> Iterator[Fuzzed]:
    """A service of its own, with tournaments and webhooks."""
    with fuzzed_tournaments(tmp_path) as service:
        yield service


def test_stored_matches(matches: Fuzzed) -> None:
    """Every operation of stored matches, replays and keys comes to a good answer in the course, and to each kind of
    refusal; whoever has no key is refused where one is needed."""
    answered = answers_of(stored(matches, MATCHES))
    nothing_left = {("readFeed", 204), ("followMatch", 204)}  # said to streams that go on behind the last event
    for_seats = {("callReferee", status) for status in (200, 401)}  # what is asked here bears an operator's key
    assert promised(MATCHES) - nothing_left - for_seats - answered == set()
    assert refused_without_credential(MATCHES) - for_seats - answered == set()
    assert {404, 405, 409, 415, 422} - {status for _, status in answered} == set()
    assert {("makeRuling", status) for status in (409, 412, 422, 428)} - answered == set()
    assert ("claimExpiry", 409) in answered


def test_tournaments_and_webhooks(tournaments: Fuzzed) -> None:
    """The same of tournaments and webhooks; and what has been done once is refused the second time."""
    answered = answers_of(stored(tournaments, TOURNAMENTS))
    assert promised(TOURNAMENTS) - answered == set()
    assert refused_without_credential(TOURNAMENTS) - answered == set()
    assert {400, 404, 405, 409, 412, 415, 422} - {status for _, status in answered} == set()
    refusing = [each.name for each in operations() if {"tournament-refused", "webhook-disabled"} & set(each.problems)]
    assert len(refusing) == 19
    assert {(name, 409) for name in refusing} - answered == set()
    assert ("takeBackRound", 428) in answered
