"""Capsules leak nothing: in worlds that are one to a seat its answers are the same bytes, and capsules as long."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from gyoji.access.capsules import CapsuleClaims, CapsuleRules, seal
from gyoji.app import capsules as sealed
from gyoji.app.services import Services
from gyoji.games.catalogue import GAMES
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Game
from gyoji.published_files import rules_digest
from laws.strategies import SLUGS, Plain, dumped, law, positions, tables
from laws.universe import universe
from laws.worlds import Worlds, pool

NOW = 1_800_000_000
OPEN = {
    *("card_played", "coffee_served", "coffee_acquired", "trick_won", "passed", "turn_ended", "pile_discarded"),
    *(
        "daylight_declared",
        "daylight_flipped",
        "swap_begun",
        "exchange_skipped",
        "errand_exchange_skipped",
        "errands_completed",
    ),
}
"""What happens in front of everybody, with cards that all know from the move on."""

SECRET = ("card_drawn", "card_passed", "swap_chosen", "wish_chosen")
"""What only the seats that it happens to know all of."""


@pytest.fixture
def services(app: Flask) -> Iterator[Services]:
    """The desk, where it is always the same time."""
    kept: Services = app.extensions["gyoji.services"]
    clock, kept.clock = kept.clock, lambda: NOW
    yield kept
    kept.clock = clock


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client that looks at nothing but the bytes; that they fit the contract is tested elsewhere."""
    return FlaskClient(app, app.response_class)


def capsules(services: Services, worlds: Worlds) -> list[str]:
    """Both worlds in capsules that say the same of themselves."""
    game = worlds.game
    rules = CapsuleRules(game.slug, game.version, rules_digest(game.slug))
    states = [game.read_state(world) for world in (worlds.one, worlds.other)]
    claims = CapsuleClaims(
        "00112233-4455-4677-8899-aabbccddeeff", states[0].ply, (*range(states[0].seats),), NOW + 99, False
    )
    return [
        seal(
            services.capsule_keys,
            rules,
            claims,
            sealed.capsule_content(game, state),
            services.random(12),
            sealed.capsule_room(game, state.options),
        )
        for state in states
    ]


def answers(client: FlaskClient, slug: str, call: str, held: list[str], more: Plain) -> list[tuple[int, Plain]]:
    """The same question with either capsule."""
    asked = [client.post(f"/v1/games/{slug}/{call}", json={"capsule": capsule, **more}) for capsule in held]
    return [(answer.status_code, answer.get_json()) for answer in asked]


def told(answer: tuple[int, Plain]) -> bytes:
    """An answer but for its capsule."""
    return dumped({**answer[1], "capsule": len(answer[1].get("capsule", ""))})


def some(items: list[Any], count: int) -> list[Any]:
    """Some of them, always the same."""
    return Random(len(items)).sample(items, min(count, len(items)))


def moves_of(worlds: Worlds) -> list[Any]:
    """Some moves of the viewer, legal and illegal ones, and some that others may make in either world."""
    legal = [[*worlds.game.legal_moves(worlds.game.read_state(world))] for world in (worlds.one, worlds.other)]
    both = [move for move in legal[0] if move in legal[1]]
    own = [move for move in universe(worlds.game, worlds.one) if move["seat"] == worlds.viewer]
    return [*some(own, 4), *some(both, 4)]


def turns_up(worlds: Worlds, move: Any) -> bool:
    """Whether the viewer learns by the move of something that was hidden: a deal, a score, a card in its own hand."""
    state = worlds.game.read_state(worlds.one)
    ruling = worlds.game.adjudicate(state, move, deal_v1(state.seed))
    return isinstance(ruling, Accepted) and any(_is_news(event, worlds.viewer) for event in ruling.events)


def _is_news(event: Any, viewer: int | None) -> bool:
    concerned = {event.get(name, -1) for name in ("seat", "from", "to")}
    return event["type"] not in OPEN and (event["type"] not in SECRET or viewer in concerned)


def compare(client: FlaskClient, services: Services, worlds: Worlds) -> Iterator[str]:
    """What of the answers to the viewer has been compared; they have to be the same."""
    slug, held = worlds.game.slug, capsules(services, worlds)
    assert len({len(capsule) for capsule in held}) == 1
    questions: list[tuple[str, Plain]] = [("views", {"seat": worlds.viewer}), ("scores", {})]
    if worlds.viewer is not None:
        questions.append(("legal-moves", {"seat": worlds.viewer}))
    for call, more in questions:
        one, other = answers(client, slug, call, held, more)
        assert (one[0], told(one)) == (200, told(other))
        yield call
    for move in moves_of(worlds):
        one, other = answers(client, slug, "adjudications", held, {"move": move, "seat": worlds.viewer})
        assert one[0] == other[0]
        if not turns_up(worlds, move):
            assert told(one) == told(other)
            yield "accepted" if one[0] == 200 else "refused"


def compared_in(pairs: tuple[Worlds, ...], client: FlaskClient, services: Services) -> Counter[str]:
    """How often what has been compared."""
    return Counter(found for worlds in pairs for found in compare(client, services, worlds))


@pytest.mark.parametrize("slug", SLUGS)
def test_nothing_hidden_shows_in_an_answer(client: FlaskClient, services: Services, slug: str) -> None:
    """Views, legal moves, scores, refusals, and the answers to moves after which no more is known than before."""
    compared = compared_in(pool(slug)[:20], client, services)
    assert min(compared[name] for name in ("views", "legal-moves", "scores", "refused", "accepted")) > 10, compared


@pytest.mark.parametrize("slug", ["towai"])
def test_a_card_that_another_draws_or_passes_would_be_noticed(
    client: FlaskClient, services: Services, slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison sees a leak: events as they are, told to everybody."""
    monkeypatch.setattr(sealed, "_events_for", _indiscreet)
    with pytest.raises(AssertionError, match="At index"):
        compared_in(pool(slug)[:60], client, services)


def _indiscreet(_game: Game[Any], _state: Any, events: list[Any], _seat: int | None) -> list[Any]:
    return events


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
@law(8)
@given(data=st.data())
def test_lengths_carry_nothing(game: Game[Any], data: st.DataObject) -> None:
    """From the first move to the last a position fits into the room that its options alone make: no capsule of a game
    is longer than another."""
    table = data.draw(tables(game))
    for state in positions(table):
        assert len(sealed.capsule_content(game, state)) <= sealed.capsule_room(game, state.options)
