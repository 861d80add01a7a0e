"""The compiled schema and the declaration agree on every body; what the declaration says points at the fault."""

import json
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import orjson
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from answers import CheckedClient, contract
from bodies import POSTS, Plain, body, plain, some_states
from gyoji.api.bodies import Malformed, body_errors, is_valid, parse_json
from gyoji.api.media import SEALED
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.records import MAX_INTEGER
from wire.faults import OTHERS, agree, mutated


def _sound(slug: str, call: str) -> Iterator[Plain]:
    """Bodies around states of random play."""
    game = BY_SLUG[slug]
    for at, state in enumerate(some_states(slug)):
        moves = [plain(move) for move in game.legal_moves(game.read_state(state))]
        bodies: dict[str, list[Plain]] = {
            "states": [{"seats": state["seats"], "options": state["options"], "first": 0, "seed": state["seed"]}],
            "adjudications": [{"state": state, "move": move} for move in moves[:2]],
            "legal-moves": [{"state": state}, {"state": state, "seat": at % 2}],
            "scores": [{"state": state}],
            "views": [{"state": state, "seat": None}, {"state": {**state, "seed": None}, "seat": 1}],
        }
        bodies["adjudications"] += [{"state": state, "moves": moves}] if moves else []
        yield from bodies[call]


@pytest.mark.parametrize(("slug", "call"), POSTS)
def test_both_accept_what_play_leads_to(slug: str, call: str) -> None:
    assert all(agree(slug, call, document) for document in _sound(slug, call))


@pytest.mark.parametrize(("slug", "call"), POSTS)
def test_both_agree_on_bodies_with_faults(slug: str, call: str) -> None:
    random = Random(f"{slug}/{call}")
    sound = list(_sound(slug, call))
    verdicts = []
    for _again in range(200):
        document: Any = random.choice(sound)
        for _fault in range(random.choice((1, 1, 1, 2, 3))):
            document = mutated(document, random)
        verdicts.append(agree(slug, call, document))
    assert verdicts.count(False) > 100
    assert verdicts.count(True) > 2


@pytest.mark.parametrize(("slug", "call"), POSTS)
def test_both_agree_on_other_values_at_the_top(slug: str, call: str) -> None:
    for value in OTHERS:
        agree(slug, call, value)


def _body(call: str, document: Any) -> str:
    """The name of the body: of two that the call takes, one asks for a capsule or brings it."""
    is_sealed = isinstance(document, dict) and ("capsule" in document or "sealed" in document)
    return SEALED[call] if is_sealed else call


QUIET = list(HealthCheck)
SCHEMA = schemathesis.openapi.from_dict(contract())


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize(("slug", "call"), POSTS)
def test_both_agree_on_generated_bodies(slug: str, call: str, mode: GenerationMode) -> None:
    """Bodies that schemathesis draws from the contract."""
    operation = SCHEMA[f"/v1/games/{slug}/{call}"]["POST"]

    @given(operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=6,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    def agreed(case: Any) -> None:
        try:
            document = parse_json(json.dumps(case.body).encode())
        except (Malformed, TypeError):  # a fraction, or a body that is no JSON at all
            return
        assert agree(slug, _body(call, document), document) or mode is GenerationMode.NEGATIVE

    agreed()


@pytest.mark.parametrize(("slug", "call"), POSTS)
def test_depth_and_surrogates_are_malformed_before_they_are_a_wrong_shape(slug: str, call: str) -> None:
    deep: Any = []
    for _level in range(40):
        deep = [deep]
    for fault, why in ((deep, "too-deep"), ("\ud800", "surrogate"), (MAX_INTEGER + 1, "number")):
        with pytest.raises(Malformed) as found:
            body_errors(slug, call, {**body(slug, call), "extra": fault})
        assert found.value.why == why


@pytest.mark.parametrize("document", [{"seats": 3, "seed": "\ud800"}, {"seats": 3, "options": {"deck": ["\udfff"]}}])
def test_surrogates_where_a_string_is_due(document: Plain) -> None:
    """The compiled schema cannot even read them, where it has to."""
    assert not is_valid("catte", "states", document)
    with pytest.raises(Malformed) as found:
        body_errors("catte", "states", document)
    assert found.value.why == "surrogate"


STATE = body("catte", "scores")["state"]
TABLE = STATE["table"]


def _table(**members: Any) -> Plain:
    return {"state": {**STATE, "table": {**TABLE, **members}}}


PLAY = {"type": "play", "seat": 0, "card": "B1"}


@pytest.mark.parametrize(
    ("call", "document", "pointed"),
    [
        ("states", [], [" wrong-type"]),
        ("states", None, [" wrong-type"]),
        ("states", {}, ["/seats missing"]),
        ("states", {"seats": 9}, ["/seats not-allowed"]),
        ("states", {"seats": "3"}, ["/seats wrong-type"]),
        ("states", {"seats": True}, ["/seats wrong-type"]),
        ("states", {"seats": None}, ["/seats wrong-type"]),
        ("states", {"seats": 3, "Seats": 3}, ["/Seats unknown-member"]),
        ("states", {"seats": 3, "": 3}, ["/ unknown-member"]),
        ("states", {"seats": 3, "a/b~c": 1}, ["/a~1b~0c unknown-member"]),
        ("states", {"seats": 3, "seed": "AB" * 64}, ["/seed not-allowed"]),
        ("states", {"seats": 3, "seed": "ab" * 64 + "\n"}, ["/seed not-allowed"]),
        ("states", {"seats": 3, "seed": "ab" * 3000}, ["/seed too-long"]),
        ("states", {"seats": 3, "version": 2}, ["/version not-allowed"]),
        ("states", {"seats": 3, "options": {"deck": [1]}}, ["/options/deck/0 wrong-type"]),
        ("states", {"seats": 3, "options": {"deck": ["B1", "B1"]}}, ["/options/deck not-allowed"]),
        ("states", {"seats": 3, "options": {"deck": "B1"}}, ["/options/deck wrong-type"]),
        ("states", {"seats": 3, "options": {"bust_bonus": "x"}}, ["/options/bust_bonus not-allowed"]),
        ("states", {"seats": 3, "options": []}, ["/options wrong-type"]),
        ("scores", {}, ["/state missing"]),
        ("scores", {"state": None}, ["/state wrong-type"]),
        ("scores", {"state": {**STATE, "game": "towai"}}, ["/state/game not-allowed"]),
        (
            "scores",
            {"state": {**STATE, "to_act": [0, True, 9]}},
            ["/state/to_act/1 wrong-type", "/state/to_act/2 not-allowed"],
        ),
        (
            "scores",
            _table(hands=[["B1", None], 3]),
            ["/state/table/hands/0/1 wrong-type", "/state/table/hands/1 wrong-type"],
        ),
        ("scores", _table(hands=[[], [], [], [], []]), ["/state/table/hands too-long"]),
        ("scores", _table(aside=["B0"]), ["/state/table/aside/0 not-allowed"]),
        ("scores", _table(aside=["B1\n"]), ["/state/table/aside/0 not-allowed"]),
        ("scores", _table(trick=[{"seat": 0}]), ["/state/table/trick/0/card missing"]),
        ("scores", _table(trick={}), ["/state/table/trick wrong-type"]),
        ("scores", _table(rounds=[None]), ["/state/table/rounds/0 wrong-type"]),
        ("adjudications", {"state": STATE}, ["/move one-of"]),
        ("adjudications", {"state": STATE, "moves": []}, ["/moves not-allowed"]),
        ("adjudications", {"state": STATE, "move": {}}, ["/move/type missing"]),
        ("adjudications", {"state": STATE, "move": None}, ["/move wrong-type"]),
        ("adjudications", {"state": STATE, "move": {"type": "pass", "seat": 0}}, ["/move/type not-allowed"]),
        ("adjudications", {"state": STATE, "move": {"type": ["play"]}}, ["/move/type not-allowed"]),
        (
            "adjudications",
            {"state": STATE, "move": {"type": "play", "seat": 4, "card": "X"}},
            ["/move/card not-allowed", "/move/seat not-allowed"],
        ),
        ("adjudications", {"state": STATE, "moves": [PLAY] * 501}, ["/moves not-allowed"]),
        ("adjudications", {"state": STATE, "moves": [PLAY, 1]}, ["/moves/1 wrong-type"]),
        ("adjudications", {"state": STATE, "move": PLAY, "moves": [PLAY]}, ["/move one-of"]),
        ("legal-moves", {"state": STATE, "seat": None}, ["/seat wrong-type"]),
        ("legal-moves", {"state": STATE, "seat": 3}, ["/seat no-such-seat"]),
        ("views", {"state": STATE}, ["/seat missing"]),
        ("views", {"state": STATE, "seat": 3}, ["/seat no-such-seat"]),
        ("views", {"state": STATE, "seat": "0"}, ["/seat wrong-type"]),
        ("states", {"seats": 3, "first": 3}, ["/first no-such-seat"]),
    ],
)
def test_errors_point_at_the_fault(client: CheckedClient, call: str, document: Any, pointed: list[str]) -> None:
    sent = orjson.dumps(document)
    response = client.post(f"/v1/games/catte/{call}", data=sent, content_type="application/json")
    assert response.status_code == 422
    assert [f"{error['pointer']} {error['code']}" for error in response.get_json()["errors"]] == pointed


def test_a_body_with_faults_without_number_is_answered_in_bounds(client: CheckedClient) -> None:
    response = client.post("/v1/games/catte/states", json={"seats": 3, **{f"m{number}": 0 for number in range(5000)}})
    assert response.status_code == 422
    assert len(response.get_json()["errors"]) == 100
    response = client.post("/v1/games/catte/states", json={"seats": 3, "x" * 60_000: 0})
    assert [error["pointer"] for error in response.get_json()["errors"]] == ["/" + "x" * 64]


def test_options_that_contradict_each_other_or_the_seats(client: CheckedClient) -> None:
    response = client.post("/v1/games/catte/states", json={"seats": 3, "options": {"deck": ["B1", "B2"]}})
    assert response.status_code == 422
    assert {error["code"] for error in response.get_json()["errors"]} == {"contradictory-options"}
    assert all(error["pointer"].startswith("/options") for error in response.get_json()["errors"])


def test_the_same_fault_at_the_same_place_is_said_once(client: CheckedClient) -> None:
    response = client.post("/v1/games/familiars-trouble/states", json={"seats": 3, "options": {"errands": []}})
    assert [(error["pointer"], error["code"]) for error in response.get_json()["errors"]] == [
        ("/options/opening", "contradictory-options")
    ]
    state = client.post("/v1/games/towai/states", json={"seats": 3}).get_json()["state"]
    response = client.post("/v1/games/towai/legal-moves", json={"state": {**state, "phase": "finished"}})
    pointers = [found["pointer"] for found in response.get_json()["findings"]]
    assert pointers.count("/state/phase") == 1
    assert response.get_json()["detail"].endswith(f"({len(pointers)}).")


def test_samples_are_many() -> None:
    """The tests above mean something only if play leads to many states."""
    assert all(len(list(islice(_sound(slug, "scores"), 12))) == 12 for slug in BY_SLUG)
