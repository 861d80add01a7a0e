"""The golden replays together: all that a log can hold."""

import ast
import json
import re
from typing import Any

import jsonschema_rs
import pytest

from golden.logs import (
    EVERY,
    FILES,
    FORKS,
    PARTIAL,
    cited,
    documents,
    domain_events,
    entries,
    known,
    match_states,
    settings,
    shown_in,
)
from gyoji.games.catalogue import BY_SLUG
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.published_files import CHECKOUT, schema

WRITTEN = {
    *("match_created", "entropy_committed", "entropy_revealed", "dealt", "move_played", "choice_made"),
    *("ruling_made", "clock_expired", "match_paused", "match_resumed"),
    *("match_finished", "match_voided", "seed_disclosed"),
}
"""The types of log events that the service writes."""

CITED = {
    "tomorrow-never-meows": {
        *("TNM-4.1", "TNM-4.2", "TNM-4.3", "TNM-4.4", "TNM-4.5", "TNM-4.6"),
        *("TNM-6.2", "TNM-6.3", "TNM-6.4", "TNM-6.5", "TNM-6.6", "TNM-7.4"),
    },
    "catte": {"CAT-4.1", "CAT-4.2", "CAT-6.1", "CAT-6.2", "CAT-R2"},
    "towai": {"TOW-5.2", "TOW-5.3", "TOW-6.1", "TOW-6.2", "TOW-7.1"},
    "familiars-trouble": {"FAM-3.7", "FAM-3.8", "FAM-4.2"},
}
"""Rules that an event or a score line cites."""

REFUSING = {
    "tomorrow-never-meows": {"TNM-2.5", "TNM-2.6", "TNM-2.7", "TNM-3.2", "TNM-7.2"},
    "catte": {"CAT-3.1"},
    "towai": {"TOW-2.1", "TOW-2.2", "TOW-3.1", "TOW-3.2", "TOW-4.1"},
    "familiars-trouble": {"FAM-2.2", "FAM-2.4", "FAM-3.2", "FAM-3.6"},
}
"""Rules that only a refusal cites; a refused move is no event."""


def test_every_type_of_log_event() -> None:
    assert {document["type"] for file in FILES for document in shown_in(file)} == WRITTEN


def test_every_event_is_of_the_published_shape() -> None:
    validators = {kind: jsonschema_rs.validator_for(schema(f"replay/{kind}")) for kind in WRITTEN}
    for file in EVERY:
        for document in documents(file):
            if "type" in document:
                assert validators[document["type"]].is_valid(document["data"]), (file, document["seq"])


def test_both_disclosures() -> None:
    for slug in BY_SLUG:
        found = {settings(file)["disclosure"] for file in FILES if file.parent.name == slug}
        assert found == {"public_on_close", "auditors_only"}


def test_names_an_operators_moves_and_every_policy() -> None:
    created = [shown_in(file)[0]["data"] for file in FILES]
    assert any(data["names"] and data["metadata"] and data["tags"] for data in created)
    assert {data["visibility"] for data in created} == {"private", "public"}
    assert {data["if_match"] for data in created} == {"optional", "required"}
    assert {data["first"] for data in created} > {0}
    assert {document["actor"]["role"] for file in FILES for document in shown_in(file)[1:]} == {
        "director",
        "operator",
        "referee",
        "seat",
        "service",
    }


def test_every_policy_of_randomness_and_what_becomes_of_missing_entropy() -> None:
    every = [settings(file)["randomness"] for file in [*FILES, *PARTIAL]]
    assert {policy["policy"] for policy in every} == {"server", "players", "director", "external"}
    assert {policy["missing"] for policy in every if policy["policy"] == "players"} == {"void", "empty"}
    voids = {
        (document["data"]["reason"], document["position"] is not None)
        for file in FILES
        for document in documents(file)
        if document.get("type") == "match_voided"
    }
    assert voids == {("cancelled", True), ("cancelled", False), ("entropy-missing", False), ("ruling", True)}


def test_every_kind_of_ruling_and_all_that_an_expiry_leads_to() -> None:
    every = [document for file in FILES for document in shown_in(file)]
    rulings = [document for document in every if document["type"] == "ruling_made"]
    assert {document["data"]["ruling"]["kind"] for document in rulings} == RULING_KINDS.keys()
    assert {document["actor"]["role"] for document in rulings} == {"referee", "operator"}
    then = {document["data"]["then"] for document in every if document["type"] == "clock_expired"}
    assert then == {"referee", "forfeit", "default", "pass"}
    ends = [document["data"] for document in every if document["type"] == "match_finished"]
    assert {data["result"]["by"] for data in ends if "result" in data} == {"forfeit", "ruling", "clock"}
    assert {file.parent.name for file in FILES if RULED & {document["type"] for document in shown_in(file)}} == {
        *BY_SLUG
    }


def test_take_backs_with_and_without_banks_across_shuffles_and_after_the_end() -> None:
    """A result can be changed, and a match that is over taken back, while its secret is withheld."""
    logs = [shown_in(file) for file in FILES]
    back = [event["data"] for log in logs for event in log if "position" in event["data"]]
    assert {"banks_ms" in data for data in back} == {True, False}
    assert sum(len(match_states(file)[-1].course.branches) > 1 for file in FILES) >= 1
    seeds = [{at.state.seed for at in match_states(file) if at.state is not None} for file in FILES]
    assert max(map(len, seeds)) == 3  # the first deals, and those after two take-backs
    ended = [[event["type"] for event in log].count("match_finished") for log in logs]
    assert max(ended) == 2


def test_matches_of_a_group_share_their_deals() -> None:
    groups: dict[str, list[Any]] = {}
    for file in [*FILES, *PARTIAL]:
        if settings(file).get("withheld_until") == "group":
            (first,) = [document for document in shown_in(file) if document["type"] == "dealt"]
            groups.setdefault(settings(file)["deal_id"], []).append((documents(file)[0]["match"], first["data"]))
    assert len(groups) == 2
    for (one, deal), (other, same) in groups.values():
        assert one != other
        assert deal == same


def test_a_fork_names_an_event_of_another_golden_replay() -> None:
    hashes = {(documents(file)[0]["match"], entry.seq): entry.hash.hex() for file in FILES for entry in entries(file)}
    assert {file.parent.name for file in FORKS} == set(BY_SLUG)
    for file in FORKS:
        source = settings(file)["from"]
        assert hashes[source["match"], source["seq"]] == source["hash"]


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_domain_event(slug: str) -> None:
    found = {event["type"] for file in FILES if file.parent.name == slug for event in domain_events(file)}
    assert found == set(known(slug).events)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_type_of_move(slug: str) -> None:
    moves = {
        document["data"]["move"]["type"]
        for file in FILES
        if file.parent.name == slug
        for document in shown_in(file)
        if "move" in document["data"]
    }
    assert moves == set(known(slug).moves)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_number_of_seats(slug: str) -> None:
    found = {settings(file)["seats"] for file in FILES if file.parent.name == slug}
    game = BY_SLUG[slug]
    assert found == {*range(game.min_seats, game.max_seats + 1)}


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_rule_that_can_be_cited(slug: str) -> None:
    found = {rule for file in FILES if file.parent.name == slug for rule in cited(file)}
    assert found == CITED[slug]


RULED = {"ruling_made", "clock_expired"}
RULE = re.compile(r"(TNM|CAT|TOW|FAM)-R?\d+(\.\d+)?")


@pytest.mark.parametrize("slug", BY_SLUG)
def test_the_rules_that_can_be_cited_are_those_in_the_code(slug: str) -> None:
    """Every rule id that a game's code writes: as an event's or a score line's rule, or as the reason of a refusal.
    What answers questions also says by which rule a move is legal, which no replay does."""
    folder = CHECKOUT / "service" / "gyoji" / "games" / slug.replace("-", "_")
    files = [file for file in folder.glob("*.py") if file.name != "questions.py"]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    values = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    assert {value for value in values if RULE.fullmatch(value)} == CITED[slug] | REFUSING[slug]


@pytest.mark.parametrize("slug", BY_SLUG)
def test_every_value_of_every_option(slug: str) -> None:
    chosen = [settings(file)["options"] for file in FILES if file.parent.name == slug]
    for name, shape in schema(f"{slug}/options")["properties"].items():
        found = [options[name] for options in chosen]
        for value in _values(shape):
            assert value in found, (name, value)
        if '"null"' in json.dumps(shape):
            assert {value is None for value in found} == {True, False}, name
        if name == "opening":
            assert {tuple(counts) for counts in found} >= {(3, 1, 1), (3, 2, 0), (4, 2, 0)}


def _values(shape: dict[str, Any]) -> list[Any]:
    """The values of an option that has few."""
    if shape.get("type") == "boolean":
        return [False, True]
    if shape.get("type") == "integer":
        return [*range(shape["minimum"], shape["maximum"] + 1)]
    return list(shape.get("enum", ()))
