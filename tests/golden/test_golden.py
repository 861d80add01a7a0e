"""The golden replays: unchanged, readable, and together all that a log can hold."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game, Known
from gyoji.replay.audit import audit
from gyoji.replay.canonical import leaf_hash
from gyoji.replay.entries import Entry, Opening
from gyoji.replay.files import read_opening, redacted
from gyoji.replay.folding import Opened, first_standing, next_standing
from gyoji.replay.readers import shown
from gyoji.replay.recording import Standing
from gyoji.replay.signatures import is_signed, trusted_keys
from gyoji.replay.verdicts import Check, Word
from gyoji.wire.published import CHECKOUT, schema
from gyoji.wire.verdicts import rules_for
from servers import ENVIRONMENT

REPLAYS = CHECKOUT / "replays"
FILES = sorted(REPLAYS.glob("*/*.jsonl"))
FORKS = sorted(Path(__file__).with_name("forks").glob("*/*.jsonl"))
EVERY = [*FILES, *FORKS]
NAMES = [f"{file.parent.name}/{file.stem}" for file in EVERY]
EACH = pytest.mark.parametrize("file", EVERY, ids=NAMES)

WRITTEN = {"match_created", "dealt", "move_played", "choice_made", "match_finished", "seed_disclosed"}
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

MOST_BYTES = 3 * 2**20


@cache
def documents(file: Path) -> list[Any]:
    """Every line of the file."""
    return [json.loads(line) for line in file.read_bytes().splitlines()]


@cache
def entries(file: Path) -> list[Entry]:
    """The log, with its openings."""
    found: list[Entry] = []
    for line, document in zip(file.read_bytes().splitlines(), documents(file), strict=True):
        if "seq" in document:
            found.append(Entry(document["seq"], line, leaf_hash(line)))
        elif "opening" in document:
            found[-1] = _with(found[-1], document["opening"])
    return found


def _with(entry: Entry, document: dict[str, Any]) -> Entry:
    if "position" in document:
        return entry._replace(position=bytes.fromhex(document["position"]))
    opening: Opening = read_opening(document)
    return entry._replace(openings=(*entry.openings, opening))


def game_of(file: Path) -> Game[Any]:
    return BY_SLUG[file.parent.name]


def known(slug: str) -> Known:
    """Every event and every move that the game tells of."""
    game = BY_SLUG[slug]
    return game.known(game.read_options({}))


@cache
def standings(file: Path) -> list[Standing]:
    """Where the match stands after each event from the deal on."""
    first, dealt, *rest = entries(file)
    found = [first_standing(Opened(first, game_of(file), bytes(64)), dealt)]
    for entry in rest:
        found.append(next_standing(found[-1], entry))
    return found


@cache
def shown_in(file: Path) -> list[dict[str, Any]]:
    """Every event with all that is known of it."""
    return [shown("full", entry) for entry in entries(file)]


def domain_events(file: Path) -> Iterator[dict[str, Any]]:
    """What happened at the table."""
    for document in shown_in(file):
        yield from document["data"].get("events", ())


def cited(file: Path) -> Iterator[str]:
    """Every rule that an event or a score line cites."""
    for event in domain_events(file):
        if "rule" in event:
            yield event["rule"]
        yield from (line["rule"] for line in event.get("lines", ()))
    yield from (line["rule"] for line in game_of(file).lines(standings(file)[-1].state))


def settings(file: Path) -> dict[str, Any]:
    """What the match was set up with."""
    found: dict[str, Any] = documents(file)[1]["data"]
    return found


# They are what they were


def test_no_file_has_changed() -> None:
    """The digests were written down when the files were released; whoever changes one has to say so there."""
    listed = (Path(__file__).with_name("digests.txt")).read_text("utf-8").splitlines()
    there = [*FILES, REPLAYS / "trust.json", *FORKS]
    found = [f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(CHECKOUT).as_posix()}" for file in there]
    assert found == listed


def test_they_are_small() -> None:
    assert 0 < sum(file.stat().st_size for file in FILES) < MOST_BYTES


REMADE = [
    "tomorrow-never-meows/bluff-that-fails",
    "catte/own-deck",
    "towai/fork-in-the-middle-of-a-swap",
    "familiars-trouble/all-piles-empty",
]


def test_made_anew_they_are_the_same_bytes() -> None:
    """One a game; `python -m tools.golden check` does all."""
    command = [sys.executable, "-m", "tools.golden", "check", *REMADE]
    done = subprocess.run(command, cwd=CHECKOUT, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_file_has_its_place_and_its_words() -> None:
    listed = tomllib.loads((CHECKOUT / "tools" / "golden.toml").read_text("utf-8"))["replay"]
    assert sorted(f"{entry['game']}/{entry['name']}" for entry in listed) == sorted(NAMES)
    readme = (REPLAYS / "README.md").read_text("utf-8")
    for entry in listed:
        assert "fork" in entry or f"| `{entry['name']}.jsonl` | {entry['shows']} |" in readme


def test_no_two_share_an_id() -> None:
    assert len({documents(file)[0]["match"] for file in EVERY}) == len(EVERY)


# They read


@EACH
def test_it_folds_to_its_result(file: Path) -> None:
    last = standings(file)[-1]
    finished = next(document for document in shown_in(file) if document["type"] == "match_finished")
    assert last.over
    assert json.loads(json.dumps(last.state.outcome)) == finished["data"]["outcome"]
    assert not game_of(file).findings(last.state._replace(seed="0" * 128))


@EACH
def test_its_head_is_signed_by_the_key_beside_it(file: Path) -> None:
    (trusted,) = trusted_keys(json.loads((REPLAYS / "trust.json").read_bytes()))
    head = documents(file)[-1]["head"]
    last = entries(file)[-1]
    assert (head["seq"], head["hash"]) == (last.seq, last.hash.hex())
    assert is_signed(trusted, "head/1", documents(file)[0]["origin"], head["match"], last.seq, last.hash, head["sig"])


def unsure_of(file: Path) -> tuple[Word, set[Check]]:
    """The verdict, and the checks that did not pass. Nobody gave receipts, so those are never checked."""
    keys = trusted_keys(json.loads((REPLAYS / "trust.json").read_bytes()))
    lines = file.read_bytes().splitlines(keepends=True)
    verdict = audit(lambda: lines, rules_for, keys)
    return verdict.verdict, {
        checked.check for checked in verdict.checks if checked.result != "pass" and checked.check != "receipts"
    }


@pytest.mark.parametrize("file", FILES, ids=NAMES[: len(FILES)])
def test_it_audits_to_verified(file: Path) -> None:
    assert unsure_of(file) == ("verified", set())


@pytest.mark.parametrize("file", FORKS, ids=NAMES[len(FILES) :])
def test_of_a_fork_all_but_the_first_deal_is_verified(file: Path) -> None:
    assert unsure_of(file) == ("verified_partial", {"shuffles"})


@EACH
def test_redacted_it_keeps_its_events_and_its_head(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    public = list(redacted(lines, "public"))
    assert [line for line in public if b'"prev"' in line] == [line for line in lines if b'"prev"' in line]
    assert json.loads(public[-1])["head"] == documents(file)[-1]["head"]
    openings = [json.loads(line)["opening"] for line in public if line.startswith(b'{"opening"')]
    assert all({"/names", "/metadata", "/tags"} == opening["payload"].keys() for opening in openings)


# Together they hold everything


def test_every_type_of_log_event() -> None:
    assert {document["type"] for file in FILES for document in shown_in(file)} == WRITTEN


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
    assert {document["actor"]["role"] for file in FILES for document in shown_in(file)[2:]} == {
        "operator",
        "seat",
        "service",
    }


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


RULE = re.compile(r"(TNM|CAT|TOW|FAM)-R?\d+(\.\d+)?")


@pytest.mark.parametrize("slug", BY_SLUG)
def test_the_rules_that_can_be_cited_are_those_in_the_code(slug: str) -> None:
    """Every rule id that a game's code writes: as an event's or a score line's rule, or as the reason of a refusal."""
    folder = CHECKOUT / "service" / "gyoji" / "games" / slug.replace("-", "_")
    nodes = [node for file in folder.glob("*.py") for node in ast.walk(ast.parse(file.read_text("utf-8")))]
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
