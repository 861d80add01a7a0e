"""Bodies about stored matches: compiled schema and declaration agree, and what is wrong is pointed at."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bodies import Plain, games, plain, some_states
from gyoji.api.bodies import Malformed, body_errors
from gyoji.games.catalogue import BY_SLUG
from wire.faults import OTHERS, agree, mutated

MATCH = "00000000-0000-4000-8000-000000000000"
NOTES = {"table": 3, "lesson": None, "final": True, "rounds": [{"hall": "東"}, [-1, "x"]]}


def _new_matches() -> Iterator[Plain]:
    for game, seats, options in (setting for slug in BY_SLUG for setting in games(slug)):
        yield {"game": game.slug, "seats": seats, "options": options, "first": seats - 1, "version": 1}
        yield {
            "game": game.slug,
            "seats": [{"name": f"席{seat}"} for seat in range(seats)],
            "randomness": {"policy": "server"},
            "disclosure": "auditors_only",
            "visibility": "public",
            "if_match": "required",
            "tags": ["league", "春の大会"],
            "metadata": NOTES,
        }


def _sound(slug: str, call: str) -> list[Plain]:
    if slug == "matches":
        others: dict[str, list[Plain]] = {"fork": [{"seq": 1}, {"seq": 2**31 - 1}], "audits": [{"match": MATCH}]}
        return others[call] if call in others else [*_new_matches()]
    game = BY_SLUG[slug]
    legal = [game.legal_moves(game.read_state(state)) for state in some_states(slug)]
    return [{"move": plain(move), "dry_run": dry} for moves in legal for move in moves for dry in (True, False)]


BODIES = [("matches", "matches"), ("matches", "fork"), ("matches", "audits"), *((slug, "moves") for slug in BY_SLUG)]


@pytest.mark.parametrize(("slug", "call"), BODIES)
def test_both_accept_what_is_sound(slug: str, call: str) -> None:
    assert all(agree(slug, call, document) for document in _sound(slug, call))


@pytest.mark.parametrize(("slug", "call"), BODIES)
def test_both_agree_on_bodies_with_faults(slug: str, call: str) -> None:
    random, sound = Random(f"{slug}/{call}"), _sound(slug, call)
    verdicts = []
    for _again in range(600):
        document: Any = random.choice(sound)
        for _fault in range(random.choice((1, 1, 1, 2, 3))):
            document = mutated(document, random)
        verdicts.append(agree(slug, call, document))
    assert verdicts.count(False) > 200
    assert True in verdicts


@pytest.mark.parametrize(("slug", "call"), BODIES)
def test_both_agree_on_other_values_at_the_top(slug: str, call: str) -> None:
    assert not any(agree(slug, call, value) for value in OTHERS)


@pytest.mark.parametrize("value", OTHERS)
def test_both_agree_on_other_values_among_the_notes(value: Any) -> None:
    for metadata in (value, {"a": value}, {"a": {"b": [value]}}, {"a": [[value]]}, {str(value)[:70]: 1}):
        agree("matches", "matches", {"game": "catte", "seats": 3, "metadata": metadata})


CATTE = {"game": "catte", "seats": 3}


@pytest.mark.parametrize(
    ("document", "pointed"),
    [
        ([], [("", "wrong-type")]),
        ({}, [("/game", "missing")]),
        ({"seats": 3}, [("/game", "missing")]),
        ({"game": "go", "seats": 3}, [("/game", "not-allowed")]),
        ({"game": "catte"}, [("/seats", "missing")]),
        ({"game": "catte", "seats": 2}, [("/seats", "not-allowed")]),
        ({"game": "towai", "seats": 7}, [("/seats", "not-allowed")]),
        ({"game": "catte", "seats": True}, [("/seats", "wrong-type")]),
        ({"game": "catte", "seats": [{"name": "A"}] * 5}, [("/seats", "not-allowed")]),
        (
            {"game": "catte", "seats": [{"name": "A\n"}, {"nick": "B"}, "C"]},
            [
                ("/seats/0/name", "not-allowed"),
                ("/seats/1/name", "missing"),
                ("/seats/1/nick", "unknown-member"),
                ("/seats/2", "wrong-type"),
            ],
        ),
        (
            {"game": "catte", "seats": [{"name": ""}, {"name": "x" * 65}, {"name": 1}]},
            [
                ("/seats/0/name", "not-allowed"),
                ("/seats/1/name", "not-allowed"),
                ("/seats/2/name", "wrong-type"),
            ],
        ),
        ({**CATTE, "version": 2}, [("/version", "not-allowed")]),
        ({**CATTE, "options": {"rounds": 3}}, [("/options/rounds", "unknown-member")]),
        ({**CATTE, "randomness": {"policy": "dice"}}, [("/randomness/policy", "no-such-policy")]),
        ({**CATTE, "randomness": {"policy": ["server"]}}, [("/randomness/policy", "no-such-policy")]),
        ({**CATTE, "withheld_until": "tomorrow"}, [("/withheld_until", "no-time")]),
        ({**CATTE, "withheld_until": "2026-01-31T12:00:00Z"}, [("/withheld_until", "no-time")]),
        ({**CATTE, "withheld_until": 5}, [("/withheld_until", "wrong-type")]),
        ({**CATTE, "disclosure": "never"}, [("/disclosure", "not-allowed")]),
        ({**CATTE, "tags": ["a"] * 17}, [("/tags", "too-long")]),
        ({**CATTE, "tags": ["a", "a"]}, [("/tags", "not-allowed")]),
        ({**CATTE, "tags": ["a", "b\u007f"]}, [("/tags/1", "not-allowed")]),
        ({**CATTE, "metadata": []}, [("/metadata", "wrong-type")]),
        ({**CATTE, "metadata": {f"n{at}": at for at in range(33)}}, [("/metadata", "too-long")]),
        ({**CATTE, "metadata": {"é": 1}}, [("/metadata/é", "not-allowed")]),
        ({**CATTE, "metadata": {"a": {"b": {"c": {}}}}}, [("/metadata/a/b/c", "not-allowed")]),
        (
            {**CATTE, "metadata": {"a": ["x" * 501, "\0"]}},
            [
                ("/metadata/a/0", "not-allowed"),
                ("/metadata/a/1", "not-allowed"),
            ],
        ),
        ({**CATTE, "seed": "ab" * 64}, [("/seed", "unknown-member")]),
    ],
)
def test_errors_point_at_the_fault(document: Any, pointed: list[tuple[str, str]]) -> None:
    assert body_errors("matches", "matches", document) == pointed


@pytest.mark.parametrize("text", ["\ud800", "ok\udfff"])
@pytest.mark.parametrize("place", ["metadata", "tags", "seats"])
def test_a_lone_surrogate_is_malformed_wherever_it_stands(place: str, text: str) -> None:
    put = {"metadata": {"a": [text]}, "tags": [text], "seats": [{"name": text}] * 3}
    with pytest.raises(Malformed) as found:
        body_errors("matches", "matches", {**CATTE, place: put[place]})
    assert found.value.why == "surrogate"


@pytest.mark.parametrize("seq", [0, -1, 2**31, "1", None, True])
def test_a_fork_begins_at_a_position(seq: Any) -> None:
    assert [pointer for pointer, _code in body_errors("matches", "fork", {"seq": seq})] == ["/seq"]


@pytest.mark.parametrize("match", [MATCH.upper().replace("0", "A"), "x", f"{MATCH}\n", 7])
def test_a_match_is_named_by_its_uuid_in_lower_case(match: Any) -> None:
    assert [pointer for pointer, _code in body_errors("matches", "audits", {"match": match})] == ["/match"]
