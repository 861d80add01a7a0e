"""Sealed positions over HTTP: whoever keeps them can play on, and neither reads nor changes them."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from flask import Flask
from structlog.testing import capture_logs
from werkzeug.test import TestResponse

from answers import CheckedClient, checked_client
from bodies import plain as plain_data
from gyoji.access.capsules import CapsuleRules, OpenedCapsule, unseal
from gyoji.access.keyring import keyring
from gyoji.api.rights import Scope
from gyoji.app.adjudication import answer_call
from gyoji.app.preparation import prepare_store
from gyoji.app.services import Services
from gyoji.app.settings import Settings, WrongSetting
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game
from gyoji.published_files import rules_digest
from gyoji.web.app import create_app
from operators import OPERATOR
from web.matches.tables import house

Plain = dict[str, Any]
NOW = 1_800_000_000
KEYS = f"{'a1' * 32}\n{'b2' * 32}\n"


@pytest.fixture
def services(app: Flask) -> Iterator[Services]:
    """The desk of the application, at a time that the test can change."""
    kept: Services = app.extensions["gyoji.services"]
    clock, kept.clock = kept.clock, lambda: NOW
    yield kept
    kept.clock = clock


def ask(client: CheckedClient, slug: str, call: str, body: Plain, headers: Any = None) -> TestResponse:
    """One call."""
    return client.post(f"/v1/games/{slug}/{call}", json=body, headers=headers)


def told(answer: TestResponse) -> Plain:
    """The body of a good answer."""
    assert answer.status_code == 200, answer.json
    body: Plain | None = answer.json
    assert body is not None
    return body


def refused(answer: TestResponse) -> tuple[int, str, str | None]:
    """How an answer refuses."""
    assert answer.json is not None
    return answer.status_code, answer.json["code"], answer.json.get("reason")


def begun(client: CheckedClient, slug: str = "catte", headers: Any = None, **more: Any) -> Plain:
    """A first position in a capsule."""
    body = {"seats": BY_SLUG[slug].max_seats, "sealed": True, **more}
    return told(ask(client, slug, "states", body, headers))


def opened(services: Services, game: Game[Any], capsule: str) -> Plain:
    """The state in a capsule, as only the service can read it."""
    rules = CapsuleRules(game.slug, game.version, rules_digest(game.slug))
    found = unseal(services.capsule_keys, rules, capsule, NOW)
    assert isinstance(found, OpenedCapsule)
    state: Plain = orjson.loads(found.content)
    return state


# Play


@pytest.mark.parametrize("slug", BY_SLUG)
def test_a_sealed_game_is_the_game(client: CheckedClient, services: Services, slug: str) -> None:
    """Every answer is what the call with the opened state says, as far as the seat may know it."""
    game, chance = BY_SLUG[slug], Random(slug)
    seen, lengths = begun(client, slug, seat=0), set()
    for _ply in range(40):
        lengths.add(len(seen["capsule"]))
        state = opened(services, game, seen["capsule"])
        if state["outcome"] is not None:
            break
        seat, viewer = chance.choice(state["to_act"]), chance.choice([None, *range(game.max_seats)])
        legal = told(ask(client, slug, "legal-moves", {"capsule": seen["capsule"], "seat": seat}))
        assert legal == told(ask(client, slug, "legal-moves", {"state": state, "seat": seat}))
        for one in (seat, viewer):
            seeing = told(ask(client, slug, "views", {"capsule": seen["capsule"], "seat": one}))
            assert seeing == told(ask(client, slug, "views", {"state": state, "seat": one}))
        move = chance.choice(legal["legal_moves"])
        plain = told(ask(client, slug, "adjudications", {"state": state, "move": move}))
        seen = told(
            ask(
                client,
                slug,
                "adjudications",
                {"capsule": seen["capsule"], "move": move, "seat": viewer, "sealed": True},
            )
        )
        assert (seen["kind"], plain["kind"]) == ("sealed", "open")
        assert opened(services, game, seen["capsule"]) == plain["state"]
        assert [event["type"] for event in seen["events"]] == [event["type"] for event in plain["events"]]
        assert (seen["scores"], seen["outcome"]) == (plain["scores"], plain["outcome"])
        assert seen["view"] == plain_data(game.view(game.read_state(plain["state"]), viewer))
    assert len(lengths) == 1


def test_scores_are_what_everybody_knows(client: CheckedClient, services: Services) -> None:
    first = begun(client, audience=[])
    state = opened(services, BY_SLUG["catte"], first["capsule"])
    plain = told(ask(client, "catte", "scores", {"state": state}))
    assert told(ask(client, "catte", "scores", {"capsule": first["capsule"]})) == plain


def test_a_first_position_says_what_its_seat_may_know(client: CheckedClient) -> None:
    first = begun(client, seat=2, first=1)
    assert list(first) == [
        *("game", "version", "rules_digest", "kind", "match", "capsule", "audience", "expires"),
        *("events", "view", "legal_moves", "scores", "outcome"),
    ]
    assert first["audience"] == [0, 1, 2, 3]
    (dealt,) = first["events"]
    assert [isinstance(hand, list) for hand in dealt["hands"]] == [False, False, True, False]
    assert dealt["hands"][2] == first["view"]["table"]["hands"][2]
    assert (first["view"]["seed"], first["legal_moves"]) == (None, [])


def test_whoever_names_no_seat_sees_what_spectators_see(client: CheckedClient) -> None:
    first = begun(client)
    assert all("count" in hand for hand in first["view"]["table"]["hands"])
    assert all("count" in hand for hand in first["events"][0]["hands"])


def test_a_move_is_answered_to_its_seat_unless_another_is_named(client: CheckedClient) -> None:
    first = begun(client, seat=0)
    move = first["legal_moves"][0]
    own = told(ask(client, "catte", "adjudications", {"capsule": first["capsule"], "move": move}))
    other = told(ask(client, "catte", "adjudications", {"capsule": first["capsule"], "move": move, "seat": 1}))
    assert isinstance(own["view"]["table"]["hands"][0], list)
    assert isinstance(other["view"]["table"]["hands"][1], list)
    assert own["match"] == other["match"] == first["match"]


def test_an_illegal_move_is_refused_as_ever(client: CheckedClient, services: Services) -> None:
    first = begun(client, seat=0)
    state = opened(services, BY_SLUG["catte"], first["capsule"])
    missing = next(card for card in state["table"]["hands"][1])
    move = {"type": "play", "seat": 0, "card": missing}
    answer = ask(client, "catte", "adjudications", {"capsule": first["capsule"], "move": move})
    assert refused(answer) == (409, "illegal-move", "card-not-in-hand")
    assert answer.json == ask(client, "catte", "adjudications", {"state": state, "move": move}).json


# Refusals


def test_whatever_is_wrong_with_a_capsule_the_answer_is_the_same(
    client: CheckedClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    capsule = begun(client, seat=0)["capsule"]
    elsewhere = begun(client, "towai")["capsule"]
    with monkeypatch.context() as patch:
        patch.setitem(services.__dict__, "capsule_keys", keyring(b"x" * 32))
        foreign = begun(client)["capsule"]
    wrong = [
        capsule[:60] + ("A" if capsule[60] != "A" else "B") + capsule[61:],
        elsewhere,
        foreign,
        "AAAA",
        capsule[:-4],
    ]
    wrong += ["B" + capsule[1:], capsule[:-1] + "_"]
    for call, more in (("views", {"seat": 0}), ("legal-moves", {"seat": 0}), ("scores", {})):
        answers = [ask(client, "catte", call, {"capsule": each, **more}) for each in wrong]
        assert {refused(answer) for answer in answers} == {(409, "capsule-refused", "unreadable")}
        assert len({answer.data for answer in answers}) == 1


def test_an_expired_capsule_is_refused_as_such(client: CheckedClient, services: Services) -> None:
    first = begun(client, seat=0)
    assert first["expires"] == "2027-01-16T08:00:00.000Z"
    body = {"capsule": first["capsule"], "seat": 0}
    services.clock = lambda: NOW + 24 * 3600 - 1
    told(ask(client, "catte", "views", body))
    later = told(ask(client, "catte", "adjudications", {"capsule": first["capsule"], "move": first["legal_moves"][0]}))
    assert later["expires"] == "2027-01-17T07:59:59.000Z"
    services.clock = lambda: NOW + 24 * 3600
    assert refused(ask(client, "catte", "views", body)) == (409, "capsule-refused", "expired")
    told(ask(client, "catte", "views", {**body, "capsule": later["capsule"]}))


def test_a_capsule_shows_and_plays_for_its_audience_only(client: CheckedClient) -> None:
    first = begun(client, audience=[2, 0, 2], seat=0)
    assert first["audience"] == [0, 2]
    capsule, refusal = first["capsule"], (409, "capsule-refused", "audience")
    told(ask(client, "catte", "views", {"capsule": capsule, "seat": None}))
    assert refused(ask(client, "catte", "views", {"capsule": capsule, "seat": 1})) == refusal
    assert refused(ask(client, "catte", "legal-moves", {"capsule": capsule, "seat": 1})) == refusal
    assert refused(ask(client, "catte", "views", {"capsule": capsule, "seat": 0, "audience": [0, 1]})) == refusal
    move = {"type": "play", "seat": 1, "card": "B1"}
    for seat in (0, 1, None):
        body = {"capsule": capsule, "move": move, "seat": seat}
        assert refused(ask(client, "catte", "adjudications", body)) == refusal
    after = told(ask(client, "catte", "adjudications", {"capsule": capsule, "move": first["legal_moves"][0]}))
    assert after["audience"] == [0, 2]


def test_a_capsule_for_fewer_seats(client: CheckedClient, services: Services) -> None:
    first = begun(client, seat=0)
    services.clock = lambda: NOW + 1000
    narrow = told(ask(client, "catte", "views", {"capsule": first["capsule"], "seat": 0, "audience": [0]}))["capsule"]
    assert len(narrow) == len(first["capsule"])
    assert told(ask(client, "catte", "views", {"capsule": narrow, "seat": 0}))["view"] == first["view"]
    refusal = (409, "capsule-refused", "audience")
    assert refused(ask(client, "catte", "views", {"capsule": narrow, "seat": 1})) == refusal
    own = told(ask(client, "catte", "adjudications", {"capsule": narrow, "move": first["legal_moves"][0]}))
    full = told(ask(client, "catte", "adjudications", {"capsule": first["capsule"], "move": first["legal_moves"][0]}))
    assert (own["audience"], full["audience"]) == ([0], [0, 1, 2, 3])
    assert {**own, "capsule": "", "audience": []} == {**full, "capsule": "", "audience": []}
    services.clock = lambda: NOW + 24 * 3600
    assert refused(ask(client, "catte", "views", {"capsule": narrow, "seat": 0}))[2] == "expired"


@pytest.mark.parametrize(
    ("call", "body", "pointed"),
    [
        ("states", {"sealed": True}, ["/seats missing"]),
        ("states", {"seats": 3, "sealed": False}, ["/sealed not-allowed"]),
        ("states", {"seats": 3, "sealed": "tail"}, ["/sealed not-allowed"]),
        ("states", {"seats": 3, "sealed": 1}, ["/sealed wrong-type"]),
        ("states", {"seats": 3, "sealed": True, "seed": "ab" * 64}, ["/seed unknown-member"]),
        ("states", {"seats": 3, "sealed": True, "match": "m1"}, ["/match not-allowed"]),
        ("states", {"seats": 3, "sealed": True, "seat": 3}, ["/seat no-such-seat"]),
        ("states", {"seats": 3, "sealed": True, "audience": [0, 3]}, ["/audience no-such-seat"]),
        ("states", {"seats": 3, "sealed": True, "audience": [0], "seat": 1}, ["/seat not-allowed"]),
        ("states", {"seats": 3, "sealed": True, "first": 3}, ["/first no-such-seat"]),
        ("adjudications", {"capsule": "AA"}, ["/move missing"]),
        ("adjudications", {"sealed": True, "move": {"type": "play", "seat": 0, "card": "B1"}}, ["/capsule missing"]),
        ("adjudications", {"capsule": "AA", "state": {}, "move": None}, ["/move wrong-type", "/state unknown-member"]),
        ("views", {"capsule": "AA"}, ["/seat missing"]),
        ("views", {"capsule": 5, "seat": 0}, ["/capsule wrong-type"]),
        ("views", {"capsule": "A+/=", "seat": 0}, ["/capsule not-allowed"]),
        ("scores", {"capsule": ""}, ["/capsule not-allowed"]),
        ("legal-moves", {"capsule": "AA", "seat": None}, ["/seat wrong-type"]),
    ],
)
def test_errors_point_at_the_fault(client: CheckedClient, call: str, body: Plain, pointed: list[str]) -> None:
    answer = ask(client, "catte", call, body)
    assert answer.status_code == 422
    assert answer.json is not None
    assert [f"{error['pointer']} {error['code']}" for error in answer.json["errors"]] == pointed


# The newest capsule


def remembered(client: CheckedClient, **more: Any) -> Plain:
    """A sealed game of which the service remembers the newest capsule."""
    return begun(client, headers=OPERATOR, sealed="head", seat=0, **more)


def test_of_a_remembered_game_only_the_newest_capsule_is_accepted(client: CheckedClient, services: Services) -> None:
    first = remembered(client)
    one, two = first["legal_moves"][:2]
    after = told(ask(client, "catte", "adjudications", {"capsule": first["capsule"], "move": one}))
    stale = (412, "stale-position", None)
    assert refused(ask(client, "catte", "adjudications", {"capsule": first["capsule"], "move": two})) == stale
    illegal = {**one, "card": opened(services, BY_SLUG["catte"], first["capsule"])["table"]["hands"][1][0]}
    assert refused(ask(client, "catte", "adjudications", {"capsule": first["capsule"], "move": illegal})) == stale
    for call, more in (("views", {"seat": 0}), ("legal-moves", {"seat": 0}), ("scores", {})):
        assert refused(ask(client, "catte", call, {"capsule": first["capsule"], **more})) == stale
        told(ask(client, "catte", call, {"capsule": after["capsule"], **more}))


def test_a_lost_answer_can_be_asked_for_again(client: CheckedClient, services: Services) -> None:
    """The same move from the same capsule, as long as nobody has moved on from there."""
    first = remembered(client)
    body = {"capsule": first["capsule"], "move": first["legal_moves"][0]}
    answer = told(ask(client, "catte", "adjudications", body))
    services.clock = lambda: NOW + 60
    again = told(ask(client, "catte", "adjudications", body))
    assert {**again, "capsule": ""} == {**answer, "capsule": ""}
    move = told(ask(client, "catte", "views", {"capsule": again["capsule"], "seat": 1}))["legal_moves"][0]
    told(ask(client, "catte", "adjudications", {"capsule": again["capsule"], "move": move}))
    assert refused(ask(client, "catte", "adjudications", body))[1] == "stale-position"


def test_a_plain_capsule_can_be_gone_back_to(client: CheckedClient) -> None:
    """As the page says: without a head nothing prevents it."""
    first = begun(client, seat=0)
    for move in first["legal_moves"][:2]:
        told(ask(client, "catte", "adjudications", {"capsule": first["capsule"], "move": move}))


def test_what_is_forgotten_is_stale(client: CheckedClient, services: Services) -> None:
    first = remembered(client)
    services.store._database.modify("DELETE FROM capsule_heads WHERE match = ?", (first["match"],))
    assert refused(ask(client, "catte", "views", {"capsule": first["capsule"], "seat": 0}))[1] == "stale-position"
    body = {"capsule": first["capsule"], "move": first["legal_moves"][0]}
    assert refused(ask(client, "catte", "adjudications", body))[1] == "stale-position"


def test_a_match_is_remembered_once(client: CheckedClient) -> None:
    match = "6f2f54cf-6a3c-4b9a-8f0b-1d3e5a7c9b10"
    assert remembered(client, match=match)["match"] == match
    body = {"seats": 3, "sealed": "head", "match": match}
    assert refused(ask(client, "catte", "states", body, OPERATOR))[:2] == (409, "already-stored")
    assert begun(client, match=match)["match"] == match


def test_whoever_may_create_matches_may_have_one_remembered(client: CheckedClient, app: Flask) -> None:
    body = {"seats": 3, "sealed": "head"}
    keys = house(app)
    assert refused(ask(client, "catte", "states", body))[1] == "unauthenticated"
    reader, maker = keys.key("operator", "club", (Scope.READ,)), keys.key("operator", "club", (Scope.CREATE,))
    assert refused(ask(client, "catte", "states", body, reader))[1] == "forbidden"
    first = told(ask(client, "catte", "states", body, maker))
    told(ask(client, "catte", "views", {"capsule": first["capsule"], "seat": 0}))


# Keys, and what is not kept


def settled(folder: Path, **more: Any) -> tuple[Settings, CheckedClient]:
    """A service that nobody has prepared: it has no database."""
    settings = Settings(store=f"sqlite:///{folder / 'gyoji.db'}", **more)
    return settings, checked_client(create_app(settings))


def key_file(folder: Path, text: str = KEYS, mode: int = 0o600) -> str:
    """A file of keys."""
    path = folder / "capsules.keys"
    path.write_text(text, "ascii")
    path.chmod(mode)
    return str(path)


def test_without_a_head_no_store_is_needed(tmp_path: Path) -> None:
    """Workers with the same file of keys take each other's capsules, and nothing is written down."""
    keys = key_file(tmp_path)
    clients = [settled(tmp_path, capsule_keys=keys)[1] for _worker in range(2)]
    seen = begun(clients[0], seat=0)
    told(ask(clients[1], "catte", "adjudications", {"capsule": seen["capsule"], "move": seen["legal_moves"][0]}))
    assert [path.name for path in tmp_path.iterdir()] == ["capsules.keys"]


def test_the_key_of_the_store_is_enough(tmp_path: Path) -> None:
    _, one = settled(tmp_path, store_key="cd" * 32)
    _, two = settled(tmp_path, store_key="cd" * 32)
    _, other = settled(tmp_path, store_key="ce" * 32)
    body = {"capsule": begun(one)["capsule"], "seat": 0}
    told(ask(two, "catte", "views", body))
    assert refused(ask(other, "catte", "views", body))[2] == "unreadable"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("ab" * 31, 0o600, "64 hex digits"),
        (KEYS + KEYS, 0o600, "distinct"),
        (KEYS, 0o640, "chmod 600"),
    ],
)
def test_a_wrong_file_of_keys_is_told_of_at_the_start(tmp_path: Path, text: str, mode: int, said: str) -> None:
    settings, _ = settled(tmp_path, capsule_keys=key_file(tmp_path, text, mode))
    with pytest.raises(WrongSetting, match=f"^GYOJI_CAPSULE_KEYS: .*{said}") as wrong:
        prepare_store(settings)
    assert "abab" not in str(wrong.value)
    assert "a1a1" not in str(wrong.value)


def test_a_missing_file_of_keys_is_told_of_at_the_start(tmp_path: Path) -> None:
    settings, _ = settled(tmp_path, capsule_keys=str(tmp_path / "nowhere"))
    with pytest.raises(WrongSetting, match="GYOJI_CAPSULE_KEYS: the file cannot be read: No such file"):
        prepare_store(settings)


def test_no_key_and_no_capsule_is_logged(tmp_path: Path) -> None:
    _, client = settled(tmp_path, capsule_keys=key_file(tmp_path))
    with capture_logs() as lines:
        first = begun(client, seat=0)
        ask(client, "catte", "views", {"capsule": first["capsule"], "seat": 9})
        ask(client, "catte", "views", {"capsule": first["capsule"][:-8], "seat": 0})
        ask(client, "towai", "views", {"capsule": first["capsule"], "seat": 0})
    text = repr(lines)
    assert [line["status"] for line in lines] == [200, 422, 409, 409]
    assert "a1a1" not in text
    assert "b2b2" not in text
    assert first["capsule"][:40] not in text


def test_the_plain_calls_of_the_referee_know_no_capsules() -> None:
    """``gyoji adjudicate`` and the like have no key to open one with."""
    body = orjson.dumps({"capsule": "AA", "move": {"type": "play", "seat": 0, "card": "B1"}})
    assert answer_call("catte", "adjudications", body, "/", "en").status == 422
