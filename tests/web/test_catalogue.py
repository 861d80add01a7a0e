"""The catalogue and the rulebooks, in the shapes that api.md and the contract give them."""

import jsonschema_rs
import pytest

from answers import CheckedClient
from bodies import OPTIONS, plain
from gyoji.games.catalogue import BY_SLUG, GAMES
from gyoji.messages.rulebooks import rulebook
from gyoji.published_files import rules_digest


def test_the_four_games(client: CheckedClient) -> None:
    found = client.get("/v1/games").get_json()
    assert list(found) == ["games"]
    assert [game["game"] for game in found["games"]] == [game.slug for game in GAMES]
    assert len(found["games"]) == 4
    for game in found["games"]:
        assert list(game) == ["game", "version", "title", "seats", "cooperative", "rulebook"]
    assert [game["cooperative"] for game in found["games"]] == [False, False, False, True]
    assert [(game["seats"]["min"], game["seats"]["max"]) for game in found["games"]] == [(3, 4), (3, 4), (2, 6), (3, 3)]


@pytest.mark.parametrize("slug", BY_SLUG)
def test_one_game(client: CheckedClient, slug: str) -> None:
    found = client.get(f"/v1/games/{slug}").get_json()
    listed = next(game for game in client.get("/v1/games").get_json()["games"] if game["game"] == slug)
    assert {name: found[name] for name in listed} == listed
    assert found["phases"] == list(BY_SLUG[slug].phases)
    assert found["versions"] == [1]
    assert found["rules_digest"] == rules_digest(slug)
    assert found["rulings"] == [entry for entry in plain(rulebook(slug).rules) if entry["kind"] == "ruling"]
    assert all(card["provenance"] for card in found["cards"])


@pytest.mark.parametrize("slug", BY_SLUG)
def test_options_are_a_json_schema_with_defaults(client: CheckedClient, slug: str) -> None:
    options = client.get(f"/v1/games/{slug}").get_json()["options"]
    validator = jsonschema_rs.validator_for(options)
    assert all(validator.is_valid(given) for given in OPTIONS[slug])
    assert not validator.is_valid({"no_such_option": 1})
    in_force = client.post(f"/v1/games/{slug}/states", json={"seats": 3}).get_json()["state"]["options"]
    defaults = {name: option["default"] for name, option in options["properties"].items()}
    assert {name: in_force[name] for name in defaults if name != "errands"} == {
        name: value for name, value in defaults.items() if name != "errands"
    }


@pytest.mark.parametrize("slug", BY_SLUG)
def test_moves_are_json_schemas_by_type(client: CheckedClient, slug: str) -> None:
    moves = client.get(f"/v1/games/{slug}").get_json()["moves"]
    validators = {kind: jsonschema_rs.validator_for(shape) for kind, shape in moves.items()}
    answer = client.post(f"/v1/games/{slug}/states", json={"seats": 3}).get_json()
    for move in answer["legal_moves"]:
        assert validators[move["type"]].is_valid(move)
        assert not validators[move["type"]].is_valid({**move, "extra": 1})
        assert not any(validator.is_valid(move) for kind, validator in validators.items() if kind != move["type"])


@pytest.mark.parametrize("slug", BY_SLUG)
def test_rules(client: CheckedClient, slug: str) -> None:
    found = client.get(f"/v1/games/{slug}/rules").get_json()
    members = ["rule", "kind", "heading", "text", "print", "options", "provenance"]
    assert list(found) == ["game", "version", "rules_digest", "rules"]
    for entry in found["rules"]:
        assert list(entry) == members
        alone = client.get(f"/v1/games/{slug}/rules/{entry['rule']}").get_json()
        assert {name: alone[name] for name in members} == entry
        assert alone["game"] == slug
    assert {entry["kind"] for entry in found["rules"]} == {"rule", "ruling"}


def test_the_catalogue_does_not_depend_on_the_language(client: CheckedClient) -> None:
    for path in ("/v1/games", "/v1/games/catte", "/v1/games/catte/rules", "/v1/games/catte/rules/CAT-3.1"):
        answers = {client.get(path, headers={"Accept-Language": language}).data for language in ("en", "ja")}
        assert len(answers) == 1
