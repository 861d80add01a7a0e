"""Who contributes to a deal, and when: the policies, by their page and its vectors."""

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import player_commitment
from gyoji.log.entries import SERVICE, Entry
from gyoji.match import recorder
from gyoji.match.events.kind import BrokenLog
from gyoji.match.fold import apply_entries, apply_entry, first_state, replay_log
from gyoji.match.recorder import begin, cancel, close_seeding, disclose
from gyoji.match.seeding import (
    Policy,
    Seeding,
    add_commitment,
    add_reveal,
    add_share,
    empty_seeding,
    is_withheld,
    read_policy,
    seed_of,
    write_policy,
)
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import contribute, play_on
from replay.seedings import COURSES, POLICIES, log_of, table_of

VECTORS: Any = json.loads((Path(__file__).parent.parent / "games/vectors/deal-v1.json").read_text("utf-8"))
ENTROPIES: list[str] = VECTORS["with_entropy"]["player_entropy"]
COMMITS: list[str] = VECTORS["with_entropy"]["player_commitments"]
PLAYERS = Policy("players")
START = "2026-01-01T00:00:00.000Z"


def of_vectors(policy: Policy = PLAYERS) -> Seeding:
    return empty_seeding(policy, VECTORS["seats"], VECTORS["deal_id"], START)


def taken(found: Any) -> Seeding:
    assert isinstance(found, Seeding), found
    return found


def all_committed() -> Seeding:
    seeding = of_vectors()
    for seat, commit in enumerate(COMMITS):
        seeding = taken(add_commitment(seeding, seat, commit))
    return seeding


# The vectors


def test_the_seed_of_the_vectors() -> None:
    seeding = all_committed()
    assert (seeding.committed, seeding.revealed, seeding.missing) == ((0, 1, 2, 3), (), (0, 1, 2, 3))
    for seat in (2, 0, 3, 1):
        assert not seeding.is_complete
        seeding = taken(add_reveal(seeding, seat, ENTROPIES[seat]))
    assert (seeding.is_complete, seeding.missing) == (True, ())
    secret = bytes.fromhex(VECTORS["server_secret"])
    assert seed_of(seeding, secret, BY_SLUG["towai"]) == VECTORS["with_entropy"]["seed"]


@pytest.mark.parametrize("policy", [Policy(), PLAYERS, Policy("director"), Policy("external", beacon="b")])
def test_nothing_contributed_is_the_seed_without_entropy(policy: Policy) -> None:
    secret = bytes.fromhex(VECTORS["server_secret"])
    assert seed_of(of_vectors(policy), secret, BY_SLUG["towai"]) == VECTORS["no_entropy"]["seed"]


# Policies


@pytest.mark.parametrize(
    ("document", "policy"),
    [
        ({"policy": "server"}, Policy()),
        ({"policy": "players"}, Policy("players", "void", 3600)),
        ({"policy": "players", "missing": "empty", "within": 60}, Policy("players", "empty", 60)),
        ({"policy": "director"}, Policy("director")),
        ({"policy": "external", "beacon": "b", "reference": "r"}, Policy("external", beacon="b", reference="r")),
    ],
)
def test_policies_are_read_and_written(document: dict[str, Any], policy: Policy) -> None:
    assert read_policy(document) == policy
    assert read_policy(write_policy(policy)) == policy
    assert write_policy(policy).items() >= document.items()


def test_what_the_log_has_of_a_policy() -> None:
    assert write_policy(PLAYERS) == {"policy": "players", "missing": "void", "within": 3600}
    assert write_policy(Policy()) == {"policy": "server"}
    assert write_policy(Policy("director")) == {"policy": "director"}


def test_the_time_of_the_seats() -> None:
    assert of_vectors(PLAYERS).until == "2026-01-01T01:00:00.000Z"
    assert of_vectors(PLAYERS._replace(within=604_800)).until == "2026-01-08T00:00:00.000Z"
    assert of_vectors(PLAYERS)._replace(since="2026-13-01T00:00:00.000Z").until is None


def test_only_seats_have_a_time() -> None:
    assert of_vectors(Policy("director")).until is None
    assert of_vectors(Policy("director")).missing == ()


# Refusals


def test_commitments_refused() -> None:
    seeding = taken(add_commitment(of_vectors(), 1, COMMITS[1]))
    assert add_commitment(seeding, 1, COMMITS[1]) == "already-committed"
    assert add_commitment(seeding._replace(closed=True), 2, COMMITS[2]) == "complete"
    for policy in (Policy(), Policy("director"), Policy("external")):
        assert add_commitment(of_vectors(policy), 0, COMMITS[0]) == "wrong-policy"


def test_reveals_refused() -> None:
    seeding = taken(add_commitment(of_vectors(), 1, COMMITS[1]))
    assert add_reveal(seeding, 0, ENTROPIES[0]) == "commit-first"
    assert add_reveal(seeding, 1, ENTROPIES[1]) == "waiting-for-commitments"
    seeding = all_committed()
    assert add_reveal(seeding, 0, ENTROPIES[1]) == "not-the-committed"
    seeding = taken(add_reveal(seeding, 0, ENTROPIES[0]))
    assert add_reveal(seeding, 0, ENTROPIES[0]) == "already-revealed"
    assert add_reveal(seeding._replace(closed=True), 1, ENTROPIES[1]) == "complete"
    assert add_reveal(of_vectors(Policy("director")), 0, ENTROPIES[0]) == "wrong-policy"


def test_another_seats_entropy_does_not_serve() -> None:
    """A commitment names its seat, so nobody can copy one and reveal what somebody else has revealed."""
    seeding = of_vectors()
    for seat in range(4):
        seeding = taken(add_commitment(seeding, seat, COMMITS[0]))
    assert add_reveal(seeding, 1, ENTROPIES[0]) == "not-the-committed"


def test_shares_refused() -> None:
    for policy in (Policy(), PLAYERS):
        assert add_share(of_vectors(policy), "ab" * 32) == "wrong-policy"
    seeding = taken(add_share(of_vectors(Policy("director")), "ab" * 32))
    assert seeding.is_complete
    assert add_share(seeding, "ab" * 32) == "complete"
    assert add_share(of_vectors(Policy("external"))._replace(closed=True), "ab" * 32) == "complete"


# Written down and folded


def documents(entries: tuple[Entry, ...]) -> list[Any]:
    return [orjson.loads(entry.body) for entry in entries]


@pytest.mark.parametrize("name", COURSES)
def test_the_fold_stands_where_the_match_stood_after_every_event(name: str) -> None:
    log = log_of(name)
    folded = first_state(log.entries[0], log.match.game, log.match.secret)
    for entry in log.entries[1:]:
        folded = apply_entry(folded, entry)
    assert folded == log.match


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("slug", ["towai", "familiars-trouble"])
def test_step_by_step(policy: str, slug: str) -> None:
    at_table = table_of(policy, slug)
    salts = (number.to_bytes(32, "big") for number in range(10**6))
    entries, live = begin(at_table.beginning, START, lambda: next(salts))
    folded = replay_log(live.game, live.secret, entries)
    assert folded == live
    assert (len(entries), live.status) == ((2, "playing") if policy == "server" else (1, "seeding"))
    for more, after in contribute(at_table, live, lambda: next(salts)):
        folded, live = apply_entries(folded, more), after
        assert folded == live
    assert live.status == ("voided" if policy == "void" else "playing")
    for more, after in play_on(at_table, live, lambda: next(salts)) if policy != "void" else ():
        folded = apply_entries(folded, more)
        assert folded == after


TRIED = st.tuples(st.sampled_from(["commit", "reveal", "share"]), st.integers(0, 2), st.booleans())
"""What, which seat, and whether with its own entropy."""


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from(["commit", "reveal", "share"]), st.integers(0, 2), st.booleans()), max_size=30)
)
def test_whatever_is_tried_the_fold_agrees(tried: list[tuple[str, int, bool]]) -> None:
    """Contributions in any order, by anybody, right and wrong: those that are taken fold to the same."""
    at_table = table_of("players")
    entries, live = begin(at_table.beginning, START, lambda: bytes(32))
    folded = replay_log(live.game, live.secret, entries)
    for what, seat, is_right in tried:
        entropy = bytes([seat + (0 if is_right else 9)] * 32)
        commit = player_commitment(live.seeding.deal_id, seat, bytes([seat] * 32))
        sent = {"commit": commit} if what == "commit" else {"entropy": entropy.hex()}
        giver = None if what == "share" else seat
        found = recorder.contribute(live, giver, sent, timestamp(live.seq + 1), lambda: bytes(32))
        if giver is None:
            assert found == "wrong-policy"
        if isinstance(found, str):
            assert found != "complete" or live.status == "playing"
            continue
        assert live.status == "seeding"
        more, live = found
        for entry in more:
            folded = apply_entry(folded, entry)
        assert folded == live
        assert (live.status == "playing") == (live.seeding.missing == ())


def test_the_events_of_a_seeding() -> None:
    found = documents(log_of("players").entries)[:9]
    seats = [{"role": "seat", "seat": seat} for seat in range(3)]
    assert [event["type"] for event in found] == [
        "match_created",
        *["entropy_committed"] * 3,
        *["entropy_revealed"] * 3,
        "dealt",
        "move_played",
    ]
    assert [event["actor"] for event in found[:8]] == [{"role": "operator"}, *seats, *seats, SERVICE]
    deal_id = found[0]["data"]["deal_id"]
    for seat in range(3):
        entropy = bytes.fromhex(found[4 + seat]["data"]["entropy"])
        assert found[1 + seat]["data"] == {"commit": player_commitment(deal_id, seat, entropy)}
    assert all(event["secret"] == [] and event["position"] is None for event in found[1:7])
    assert found[7]["at"] == found[6]["at"]
    assert "missing" not in found[7]["data"]


def test_a_seed_of_all_entropies() -> None:
    log = log_of("players")
    entropies = [document["data"]["entropy"] for document in documents(log.entries)[4:7]]
    assert log.match.seeding.entropies == tuple(entropies)
    assert log.match.state.seed == seed_of(log.match.seeding, log.match.secret, log.match.game)


@pytest.mark.parametrize(
    ("name", "actor", "data", "has_position"),
    [
        ("void", {"role": "service"}, {"reason": "entropy-missing", "missing": [1]}, False),
        ("cancelled among commitments", {"role": "operator"}, {"reason": "cancelled", "missing": [0, 1, 2]}, False),
        ("cancelled among reveals", {"role": "operator"}, {"reason": "cancelled", "missing": [2]}, False),
        ("cancelled in play", {"role": "operator"}, {"reason": "cancelled", "missing": []}, True),
        ("withheld void", {"role": "operator"}, {"reason": "cancelled", "missing": []}, True),
    ],
)
def test_a_void(name: str, actor: Any, data: Any, has_position: bool) -> None:
    log = log_of(name)
    (void,) = [document for document in documents(log.entries) if document["type"] == "match_voided"]
    assert (void["actor"], void["data"], void["position"] is not None) == (actor, data, has_position)
    current = log.match
    assert (current.status, current.over, current.seeding.closed) == ("voided", True, True)
    assert current.state is None or current.state.outcome is None
    told = [document["type"] for document in documents(log.entries)[void["seq"] + 1 :]]
    assert told == ([] if name == "withheld void" else ["seed_disclosed"])


def test_a_deal_without_a_seat() -> None:
    log = log_of("empty")
    dealt = documents(log.entries)[6]
    assert (dealt["type"], dealt["data"]["missing"]) == ("dealt", [1])
    assert log.match.seeding.entropies[1] is None
    assert log.match.status == "finished"


@pytest.mark.parametrize(
    ("name", "status"), [("players", "finished"), ("void", "voided"), ("withheld group", "finished")]
)
def test_how_a_match_stands_event_by_event(name: str, status: str) -> None:
    log = log_of(name)
    folded = first_state(log.entries[0], log.match.game, log.match.secret)
    seen = [(folded.status, folded.closed)]
    for entry in log.entries[1:]:
        folded = apply_entry(folded, entry)
        if (folded.status, folded.closed) != seen[-1]:
            seen.append((folded.status, folded.closed))
        if folded.status == "seeding":
            assert (folded.decision, folded.state) == (folded.seq, None)
    course = [("seeding", False), *([] if name == "void" else [("playing", False)]), (status, False)]
    assert seen == [*course, *([] if "withheld" in name else [(status, True)])]


# What is withheld


def test_when_a_secret_is_withheld() -> None:
    assert not is_withheld(None, START)
    assert is_withheld("group", START)
    assert is_withheld("2026-01-01T00:00:00.001Z", START)
    assert not is_withheld(START, START)


def test_a_match_that_ends_after_its_time_tells_at_once() -> None:
    at_table = table_of("server")
    for until, kinds in ((timestamp(10), ["match_voided", "seed_disclosed"]), (timestamp(11), ["match_voided"])):
        beginning = at_table.beginning._replace(withheld_until=until)
        _entries, current = begin(beginning, START, lambda: bytes(32))
        entries, after = cancel(current, timestamp(10), lambda: bytes(32))
        assert [document["type"] for document in documents(entries)] == kinds
        assert after.closed == (len(kinds) == 2)
        if not after.closed:
            (told,), after = disclose(after, timestamp(11), lambda: bytes(32))
            assert orjson.loads(told.body)["data"] == {"server_secret": current.secret.hex()}
            assert after.closed


def test_matches_of_a_group_are_dealt_the_same() -> None:
    one, other = log_of("withheld group"), log_of("withheld void")
    created, dealt = documents(one.entries)[:2]
    assert created["data"]["withheld_until"] == "group"
    assert created["data"]["deal_id"] != created["match"]
    assert one.match.state.seed == other.match.state.seed
    assert dealt["data"] == documents(other.entries)[1]["data"]


def test_until_the_secret_is_told_nothing_in_the_log_holds_it() -> None:
    log = log_of("withheld group")
    secret = log.match.secret.hex().encode()
    assert not any(secret in entry.body for entry in log.entries)
    assert not any(secret.decode() in str(opening) for entry in log.entries for opening in entry.openings)


# Logs that were not written by this service


def test_a_wrong_reveal_breaks_the_fold() -> None:
    log = log_of("players")
    first, *rest = log.entries
    forged = [entry._replace(body=entry.body.replace(b'{"entropy":"', b'{"entropy":"0000')) for entry in rest]
    with pytest.raises(BrokenLog, match="4"):
        replay_log(log.match.game, log.match.secret, [first, *forged])


def test_a_time_that_is_over() -> None:
    """By the policy the match is dealt, or void; both are the service's doing."""
    for name, kinds in (("empty", ["dealt"]), ("void", ["match_voided", "seed_disclosed"])):
        _entries, current = begin(table_of(name).beginning, START, lambda: bytes(32))
        entries, after = close_seeding(current, timestamp(6), lambda: bytes(32))
        assert [document["type"] for document in documents(entries)] == kinds
        assert orjson.loads(entries[0].body)["data"]["missing"] == [0, 1, 2]
        assert after.status == ("playing" if name == "empty" else "voided")
