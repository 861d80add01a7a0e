"""What is written down of a match: types, actors, chain, checkpoints; and that folding it leads to the same place."""

from collections.abc import Callable
from functools import cache
from typing import Any

import orjson
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Game, NotRecorded
from gyoji.log.canonical import ZERO, canonical, leaf_hash, position_commitment, secret_commitment
from gyoji.log.entries import Entry
from gyoji.log.redaction import project_event
from gyoji.log.times import instant, written_instant
from gyoji.match.events.kind import BrokenLog
from gyoji.match.events.match_created import ForkOrigin
from gyoji.match.fold import apply_entry, first_state, replay_log
from gyoji.match.recorder import begin, cancel
from gyoji.match.seeding import Policy
from gyoji.match.state import MatchState, is_checkpoint
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import SimulatedLog, plan_match, play_on, simulate_match
from replay.refereed import BANKED, Match
from replay.tampering import file_of, judged

VARIANTS: dict[str, list[tuple[int, dict[str, Any]]]] = {
    "tomorrow-never-meows": [(3, {"concealed": True, "bluff_scoring": "per_trick"}), (4, {})],
    "catte": [(3, {}), (4, {"bust_bonus": "forfeit"})],
    "towai": [(2, {}), (4, {"finishes_to_win": 1})],
    "familiars-trouble": [(3, {}), (3, {"lead_rule": "any", "opening": [4, 2, 0]})],
}
GAMES_PLAYED = [(slug, at) for slug, variants in VARIANTS.items() for at in range(len(variants))]
EACH = pytest.mark.parametrize(("slug", "variant"), GAMES_PLAYED)


@cache
def log_of(slug: str, variant: int = 0, disclosure: Any = "public_on_close") -> SimulatedLog:
    """One random match."""
    seats, options = VARIANTS[slug][variant]
    return simulate_match(plan_match(BY_SLUG[slug], seats, options, disclosure, "recording", variant), 20_000)


def documents(log: SimulatedLog) -> list[dict[str, Any]]:
    return [orjson.loads(entry.body) for entry in log.entries]


def match_states(game: Game[Any], log: SimulatedLog) -> list[MatchState]:
    """Where the fold stands after every event from the deal on."""
    first, dealt, *rest = log.entries
    found = [apply_entry(first_state(first, game, log.match.secret), dealt)]
    for entry in rest:
        found.append(apply_entry(found[-1], entry))
    return found


@EACH
def test_bytes_are_canonical_by_another_library(slug: str, variant: int) -> None:
    for entry in log_of(slug, variant).entries:
        assert rfc8785.dumps(orjson.loads(entry.body)) == entry.body


NAME = st.text(st.characters(max_codepoint=127))
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53 - 1), 2**53 - 1) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(max_codepoint=127)), inner, max_size=4)
    ),
    max_leaves=20,
)


@settings(deadline=None, max_examples=60)
@given(PLAIN)
def test_canonical_is_rfc_8785(document: Any) -> None:
    assert canonical(document) == rfc8785.dumps(document)


@EACH
def test_a_chain_without_gap(slug: str, variant: int) -> None:
    prev = ZERO
    log = log_of(slug, variant)
    for seq, (entry, document) in enumerate(zip(log.entries, documents(log), strict=True)):
        assert (entry.seq, document["seq"], document["v"], document["match"]) == (seq, seq, 1, log.match.match)
        assert document["prev"] == prev.hex()
        assert entry.hash == leaf_hash(entry.body)
        prev = entry.hash
    assert log.match.hash == prev


@EACH
def test_every_commitment_opens_and_no_salt_serves_twice(slug: str, variant: int) -> None:
    salts: list[bytes] = []
    log = log_of(slug, variant)
    for entry, document in zip(log.entries, documents(log), strict=True):
        assert [opening.place for opening in entry.openings] == list(range(len(document["secret"])))
        for opening, secret in zip(entry.openings, document["secret"], strict=True):
            assert secret["commit"] == secret_commitment(opening.salt, rfc8785.dumps(_plain(opening.payload)))
        salts += [opening.salt for opening in entry.openings]
        salts += [] if entry.position is None else [entry.position]
    assert all(len(salt) == 32 for salt in salts)
    assert len(set(salts)) == len(salts)


def _plain(value: Any) -> Any:
    return orjson.loads(orjson.dumps(value))


@EACH
def test_the_fold_stands_where_live_play_stood(slug: str, variant: int) -> None:
    """After every event, and with the recorded chance alone."""
    seats, options = VARIANTS[slug][variant]
    at_table = plan_match(BY_SLUG[slug], seats, options, "public_on_close", "recording", variant)
    salts = (number.to_bytes(32, "big") for number in range(10**6))
    entries, current = begin(at_table.beginning, timestamp(0), lambda: next(salts))
    folded = replay_log(BY_SLUG[slug], current.secret, entries)
    assert folded == current
    for more, live in play_on(at_table, current, lambda: next(salts)):
        for entry in more:
            folded = apply_entry(folded, entry)
        assert folded == live


@EACH
def test_positions_are_committed_to_where_the_page_says(slug: str, variant: int) -> None:
    log = log_of(slug, variant)
    folded = match_states(BY_SLUG[slug], log)
    for entry, document in zip(log.entries, documents(log), strict=True):
        due = document["type"] in ("dealt", "match_finished") or (entry.seq > 1 and entry.seq % 16 == 0)
        assert (document["position"] is not None) == (entry.position is not None) == due
        if entry.position is not None:
            state = _plain(BY_SLUG[slug].write_state(folded[entry.seq - 1].state))
            assert document["position"] == position_commitment(entry.position, state)
            assert document["position"] == position_commitment(entry.position, {**state, "seed": "x", "options": 1})
            assert document["position"] != position_commitment(entry.position, {**state, "ply": -1})


@pytest.mark.parametrize(
    ("seq", "kind", "expected"),
    [
        (0, "match_created", False),
        (1, "dealt", True),
        (15, "move_played", False),
        (16, "move_played", True),
        (17, "match_finished", True),
        (32, "seed_disclosed", True),
    ],
)
def test_checkpoints(seq: int, kind: str, expected: bool) -> None:
    assert is_checkpoint(seq, kind) == expected


@pytest.mark.parametrize("slug", BY_SLUG)
def test_one_move_is_one_event_by_its_seat(slug: str) -> None:
    created, dealt, *rest = documents(log_of(slug))
    *moves, finished, disclosed = rest
    assert (created["type"], created["actor"]) == ("match_created", {"role": "operator"})
    assert (dealt["type"], dealt["actor"]) == ("dealt", {"role": "service"})
    for document in moves:
        assert document["type"] in ("move_played", "choice_made")
        assert document["actor"] == {"role": "seat", "seat": document["data"]["move"]["seat"]}
    assert (finished["type"], disclosed["type"]) == ("match_finished", "seed_disclosed")
    assert finished["at"] == disclosed["at"] == moves[-1]["at"]


@pytest.mark.parametrize(
    ("slug", "move"), [("towai", "swap"), ("tomorrow-never-meows", "wish")], ids=["towai", "tomorrow-never-meows"]
)
def test_choices_made_together(slug: str, move: str) -> None:
    """Who has chosen is public, what is not; and the decision is one until the last has chosen."""
    log = log_of(slug)
    folded = match_states(BY_SLUG[slug], log)
    seats = VARIANTS[slug][0][0]
    chosen = [document for document in documents(log) if document["type"] == "choice_made"]
    assert chosen
    assert {document["data"]["move"]["type"] for document in chosen} == {move}
    for at in range(0, len(chosen), seats):
        together = chosen[at : at + seats]
        opened_at = together[0]["seq"] - 1
        assert [document["seq"] for document in together] == list(range(opened_at + 1, opened_at + 1 + seats))
        decisions = [folded[document["seq"] - 1].decision for document in together]
        assert decisions == [opened_at] * (seats - 1) + [opened_at + seats]
        for document in together:
            told = document["data"]["move"]
            assert told[{"swap": "card", "wish": "wish"}[move]] is None
            assert document["secret"][0]["for"] == [told["seat"]]


def test_every_other_decision_is_the_event_before() -> None:
    for current in match_states(BY_SLUG["catte"], log_of("catte"))[:-2]:
        assert current.decision == current.seq


def test_the_first_event_says_how_the_match_is_set_up() -> None:
    log = log_of("towai")
    created = documents(log)[0]
    data = created["data"]
    assert sorted(data) == [
        "deal_id",
        "disclosure",
        "first",
        "game",
        "if_match",
        "metadata",
        "names",
        "options",
        "randomness",
        "rules_digest",
        "seats",
        "seed_commitment",
        "tags",
        "version",
        "visibility",
    ]
    assert data["options"] == {"finishes_to_win": 2, "first_card": "matching", "reform": "either"}
    assert (data["randomness"], data["deal_id"]) == ({"policy": "server"}, log.match.match)
    assert [secret["for"] for secret in created["secret"]] == ["all"]


def test_names_metadata_and_tags_are_one_opening_for_all() -> None:
    at_table = plan_match(BY_SLUG["catte"], 3, {}, "public_on_close", "recording", 9)
    beginning = at_table.beginning._replace(names=("A", None, "C"), metadata={"round": 1}, tags=("x", "y"))
    (first, _dealt), _standing = begin(beginning, timestamp(0), lambda: bytes(32))
    data = orjson.loads(first.body)["data"]
    assert (data["names"], data["metadata"], data["tags"]) == ({"count": 3}, None, {"count": 2})
    (opening,) = first.openings
    assert _plain(opening.payload) == {"/names": ["A", None, "C"], "/metadata": {"round": 1}, "/tags": ["x", "y"]}


@pytest.mark.parametrize("disclosure", ["public_on_close", "auditors_only"])
def test_the_secret_at_the_end(disclosure: str) -> None:
    log = log_of("familiars-trouble", 0, disclosure)
    last = documents(log)[-1]
    secret = log.match.secret.hex()
    if disclosure == "public_on_close":
        assert (last["data"], last["secret"]) == ({"server_secret": secret}, [])
    else:
        assert (last["data"], last["secret"][0]["for"]) == ({"server_secret": None}, [])
        assert log.entries[-1].openings[0].payload == {"/server_secret": secret}
    assert not any(secret.encode() in entry.body for entry in log.entries[:-1])


@EACH
def test_nothing_hidden_stands_in_an_event(slug: str, variant: int) -> None:
    """The public part is the same whatever lies in the hidden places: no payload is found in it."""
    for entry in log_of(slug, variant).entries[:-1]:
        data = orjson.loads(entry.body)["data"]
        for opening in entry.openings:
            for pointer, value in opening.payload.items():
                assert _at(data, pointer) in (None, {"count": len(value) if value is not None else None})


def _at(data: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data


# Forks


@pytest.mark.parametrize("slug", BY_SLUG)
@pytest.mark.parametrize("seq", [3, 21])
def test_a_fork_goes_on_from_the_same_position(slug: str, seq: int) -> None:
    log = log_of(slug)
    game = BY_SLUG[slug]
    before = match_states(game, log)[seq - 1]
    source = ForkOrigin(before.match, before.seq, before.hash.hex(), before.state)
    own = plan_match(
        game, before.state.seats, game.write_options(before.state.options), "public_on_close", "forks", seq
    )
    entries, current = begin(own.beginning._replace(source=source), timestamp(0), lambda: bytes(32))
    assert current.state == before.state._replace(seed=current.state.seed)
    assert current.state.seed != before.state.seed
    assert replay_log(game, current.secret, entries) == current
    assert orjson.loads(entries[0].body)["data"]["from"] == {
        "match": before.match,
        "seq": seq,
        "hash": before.hash.hex(),
    }
    for seat in (None, *range(before.state.seats)):
        seen = project_event("public" if seat is None else seat, entries[1])["data"]["position"]
        assert _plain(seen) == _plain(game.view(before.state, seat))


# Times


def test_nothing_is_written_down_before_the_last_event() -> None:
    """Whoever calls looks for a time that is not; a log with another one is refused by every audit."""
    match = Match("catte", clock=BANKED).play(3)
    move, early = match.legal()[0], written_instant(instant(match.current.at) - 1)
    writing: tuple[Callable[[], object], ...] = (
        lambda: match.move(move, at=early),
        lambda: match.rule("pause", at=early),
        lambda: match.rule("note", at=early),
        lambda: match.rule("take_back", at=early, to=2),
        lambda: match.add(cancel(match.current, early, match.salt)),
    )
    for write in writing:
        with pytest.raises(ValueError, match="is before"):
            write()
    match.move(move, at=match.current.at)


@pytest.mark.parametrize("missing", ["void", "empty"])
def test_a_simulation_waits_for_seats_that_stay_silent(missing: Any) -> None:
    """Its events are a second apart, but for the one that may not come before the hour of the seats is over."""
    policy = Policy("players", missing, 3_600)
    at_table = plan_match(BY_SLUG["towai"], 3, {"finishes_to_win": 1}, "public_on_close", "waits", 0, policy)
    entries = simulate_match(at_table._replace(silent=(1,)), 20_000).entries
    times = [orjson.loads(entry.body)["at"] for entry in entries]
    assert times == sorted(times)
    assert times[6] == timestamp(3_600)
    assert judged(file_of(entries)).verdict == "verified"


# Logs that were not written by this service


def test_a_log_without_its_openings_does_not_fold() -> None:
    log = log_of("towai")
    bare = [entry._replace(openings=()) for entry in log.entries]
    with pytest.raises(NotRecorded, match="deck"):
        replay_log(BY_SLUG["towai"], log.match.secret, bare)


def test_an_illegal_move_breaks_the_fold() -> None:
    log = log_of("catte")
    first, dealt, played, *_rest = log.entries
    document = orjson.loads(played.body)
    document["data"]["move"]["seat"] = 2
    body = canonical(document)
    forged = Entry(2, body, leaf_hash(body))
    with pytest.raises(BrokenLog, match="2"):
        replay_log(BY_SLUG["catte"], log.match.secret, [first, dealt, forged])
