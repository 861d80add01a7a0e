"""Take-backs: the position, the line in force, the seed of a branch, banks, and what was revealed."""

import hashlib
import hmac
from typing import Any

import orjson
import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import shuffled
from gyoji.log.canonical import position_commitment
from gyoji.log.redaction import project_event
from gyoji.match.clocks import Control
from gyoji.match.effective_history import taken_back_events
from gyoji.match.events.match_created import ForkOrigin
from gyoji.match.rulings.take_back import is_in_force
from gyoji.match.seeding import Policy
from gyoji.simulation.derivation import timestamp
from replay.refereed import BANKED, Match, types, until

EACH_GAME = pytest.mark.parametrize("slug", BY_SLUG)


def plain(value: Any) -> Any:
    return orjson.loads(orjson.dumps(value))


def bare(state: Any) -> Any:
    return state._replace(seed=None)


# The position


@EACH_GAME
@pytest.mark.parametrize("to", [1, 6, 20])
def test_the_position_is_the_position_again(slug: str, to: int) -> None:
    match = Match(slug).play(24)
    then, old = match.after(to), [*match.entries]
    (document,) = match.rule("take_back", to=to)
    assert bare(match.current.state) == bare(then.state)
    assert match.entries[: len(old)] == old  # nothing of the old line is gone
    assert document["data"]["ruling"] == {"kind": "take_back", "to": to}
    assert document["data"].keys() == {"ruling", "rule", "reason", "position"}
    for seat in (None, *range(then.state.seats)):
        seen = project_event("public" if seat is None else seat, match.entries[-1])["data"]["position"]
        assert plain(seen) == plain(match.game.view(bare(then.state), seat))
    assert (match.current.decision, match.current.status) == (match.seq, "playing")
    match.play()
    match.check()
    assert match.game.findings(match.current.state) == ()


@EACH_GAME
def test_a_match_that_is_over_runs_again(slug: str) -> None:
    match = Match(slug).play()
    end = match.seq
    assert match.refusal("take_back", to=end).code == "no-such-position"
    assert match.refusal("take_back", to=end - 1).code == "no-such-position"  # the game was over there
    match.rule("take_back", to=end - 2)
    assert (match.current.status, match.current.state.outcome) == ("playing", None)
    match.play()
    assert match.current.status == "finished"
    match.rule("take_back", to=end // 2)
    match.play()
    assert types(match.close()) == ["seed_disclosed"]
    assert match.refusal("take_back", to=3).code == "match-closed"


@pytest.mark.parametrize("kind", ["forfeit", "void", "result"])
def test_an_end_by_ruling_is_taken_back(kind: Any) -> None:
    match = Match("catte").play(5)
    at = match.seq
    match.rule("points", seat=3, points=4)
    match.rule(kind, seats=(1,), winners=(2,))
    assert match.current.over
    match.rule("take_back", to=at)
    assert (match.current.status, match.current.course.ruled, match.current.course.forfeited) == (
        "playing",
        None,
        (),
    )
    assert match.current.course.adjustments == (0, 0, 0, 4)


def test_what_stands_beside_the_position_survives() -> None:
    match = Match("catte").play(5)
    match.rule("points", seat=3, points=4)
    match.rule("substitute", seat=2, name="Aoi")
    match.play(3)
    match.rule("take_back", to=4)
    assert (match.current.course.adjustments, match.current.course.names) == ((0, 0, 0, 4), {2: "Aoi"})


def test_amid_choices_that_all_make_together() -> None:
    match = Match("tomorrow-never-meows", {"concealed": True, "bluff_scoring": "per_trick"}).play(12)
    wishes = match.after(3).state.wishes
    match.rule("take_back", to=3)
    assert match.current.state.wishes == wishes
    assert sum(wish is not None for wish in wishes) == 2
    opening = {opening["for"][0]: entry for entry, opening in _secrets(match)}
    chosen = [seat for seat, wish in enumerate(wishes) if wish is not None]
    for seat in range(3):
        seen = project_event(seat, match.entries[-1])["data"]["position"]["table"]["wishes"]
        assert seen == [wish if at == seat else None for at, wish in enumerate(wishes)]
        assert (seat in opening) == (seat in chosen or seat in range(3))
    match.play(1)
    assert match.current.decision == match.seq  # the last has chosen


def _secrets(match: Match) -> list[tuple[Any, Any]]:
    entry = match.entries[-1]
    return [(entry, secret) for secret in orjson.loads(entry.body)["secret"] if secret["for"] not in ("all", [])]


def test_a_position_that_falls_on_a_checkpoint_is_committed_to() -> None:
    match = Match("catte").play(14)
    assert match.seq == 15
    (document,) = match.rule("take_back", to=3)
    salt = match.entries[-1].position
    assert salt is not None
    state = plain(match.game.write_state(match.after(3).state))
    assert document["position"] == position_commitment(salt, state)


# The line in force


def test_several_take_backs_and_into_a_branch() -> None:
    match = Match("catte").play(8)  # events 2 to 9
    match.rule("take_back", to=5)  # 10
    match.play(3)  # 11 to 13
    match.rule("take_back", to=11)  # 14: into the branch
    match.play(2)  # 15, 16
    assert bare(match.after(14).state) == bare(match.after(11).state)
    taken = {6: 10, 7: 10, 8: 10, 9: 10, 12: 14, 13: 14}
    assert taken_back_events(match.entries) == taken
    for seq in range(17):
        assert is_in_force(match.current.course.branches, seq) == (seq not in taken)
    for seq in taken:
        assert match.refusal("take_back", to=seq) == ("not-on-the-line", {"to": seq}, None)
    assert match.refusal("take_back", to=16).code == "nothing-to-take-back"
    match.rule("take_back", to=3)  # 17: before all of them
    assert taken_back_events(match.entries) == {**taken, **dict.fromkeys((4, 5, 10, 11, 14, 15, 16), 17)}
    assert match.current.course.branches == ((10, 5), (14, 11), (17, 3))
    for seq in (4, 10, 14):
        assert match.refusal("take_back", to=seq).code == "not-on-the-line"
    match.rule("take_back", to=2)
    assert bare(match.current.state) == bare(match.after(2).state)


def test_where_only_words_came_after_nothing_is_taken_back() -> None:
    match = Match("catte").play(4)
    at = match.seq
    match.rule("note")
    assert match.refusal("take_back", to=at).code == "nothing-to-take-back"
    match.play(2)
    match.rule("take_back", to=at + 1)  # the position after a note is one like any other
    assert bare(match.current.state) == bare(match.after(at).state)


# Shuffles


def lp(*fields: bytes) -> bytes:
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def extracted(match: Match, label: bytes, *more: bytes) -> str:
    """HKDF-Extract with SHA-512 (RFC 5869, section 2.2), by the standard library alone."""
    seeding = match.current.seeding
    game = (match.game.slug.encode(), u32(match.game.version), seeding.deal_id.encode())
    salt = hashlib.sha512(lp(label, *game, *more)).digest()
    entropies = [bytes.fromhex(entropy or "") for entropy in seeding.entropies]
    ikm = lp(match.current.secret, *entropies, bytes.fromhex(seeding.share or ""))
    return hmac.new(salt, ikm, hashlib.sha512).hexdigest()


def branch(match: Match, seq: int) -> str:
    return extracted(match, b"deal/v1/branch", match.current.match.encode(), u32(seq))


def test_a_branch_that_crosses_a_shuffle_has_a_seed_of_its_own() -> None:
    match = Match("catte")
    root = extracted(match, b"deal/v1/salt")
    assert match.current.state.seed == root
    until(match, lambda current: current.state.round == 2)
    second = match.current.state
    match.rule("take_back", to=5)
    first_branch = match.seq
    assert match.current.state.seed == branch(match, first_branch) != root
    until(match, lambda current: current.state.round == 2)
    assert match.current.state.hands != second.hands
    cats = shuffled(branch(match, first_branch), "cats", 2, match.current.options.cats())
    assert {*match.current.state.hands[0]} == {*cats[: len(second.hands[0])]}
    match.check()


def test_without_a_shuffle_in_between_the_seed_stays() -> None:
    match = Match("catte").play(9)
    root = match.current.state.seed
    match.rule("take_back", to=4)
    assert match.current.state.seed == root


def test_a_seed_whose_shuffles_are_known_never_comes_back() -> None:
    """From a branch to a position of the first line, without a shuffle in between: what that line shuffled is known."""
    match = until(Match("catte"), lambda current: current.state.round == 2)
    root = match.current.state.seed
    match.rule("take_back", to=5)
    own = match.current.state.seed
    match.play(2)
    match.rule("take_back", to=4)
    assert match.after(4).state.seed == root
    assert match.current.state.seed == own != root
    until(match, lambda current: current.state.round == 2)
    match.rule("take_back", to=3)
    assert match.current.state.seed == branch(match, match.seq) not in (own, root)
    match.check()


def contribute(match: Match) -> None:
    """Every seat commits to its entropy, and reveals it."""
    entropies = [bytes([seat + 1]) * 32 for seat in range(4)]
    for seat, entropy in enumerate(entropies):
        own = lp(b"deal/v1/player", match.current.seeding.deal_id.encode(), u32(seat), entropy)
        commit = hashlib.sha256(own).hexdigest()
        match.contribute(seat, {"commit": commit})
    for seat, entropy in enumerate(entropies):
        match.contribute(seat, {"entropy": entropy.hex()})


@pytest.mark.parametrize("policy", ["players", "director"])
def test_a_branch_rests_on_all_contributions(policy: Any) -> None:
    match = Match("catte", randomness=Policy(policy))
    if policy == "director":
        match.contribute(None, {"entropy": (b"d" * 32).hex()})
    else:
        contribute(match)
    assert match.current.state.seed == extracted(match, b"deal/v1/salt")
    until(match, lambda current: current.state.round == 2)
    match.rule("take_back", to=12)
    assert match.current.state.seed == branch(match, match.seq)


def test_a_fork_is_taken_back_to_its_beginning() -> None:
    first = Match("towai").play(30)
    source = ForkOrigin(first.current.match, first.seq, first.current.hash.hex(), first.current.state)
    fork = Match("towai", source=source, number=7)
    fork.play(6)
    fork.rule("take_back", to=1)
    assert bare(fork.current.state) == bare(first.current.state)
    fork.play()
    fork.check()


# Time


def test_time_used_stays_used_and_what_moves_earned_since_is_taken_away() -> None:
    match = Match("catte", clock=BANKED)
    spent = {2: 12, 3: 3, 4: 30, 5: 8, 6: 15}  # seconds for the move that is event 2, and so on
    now, banks, movers = 0, [60_000] * 4, []
    for seconds in spent.values():
        now += seconds
        seat = match.current.state.to_act[0]
        movers.append(seat)
        match.move(match.legal()[0], at=timestamp(now))
        banks[seat] += 2_000 - max(0, seconds - 10) * 1_000
    assert match.current.clock is not None
    assert [*match.current.clock.banks_ms] == banks
    thinking = match.current.state.to_act[0]
    now += 25  # the decision that is given up was thought about as well
    banks[thinking] -= 15_000
    credited = [0] * 4
    for seat in movers[:2]:
        credited[seat] += 2_000
    for seat in movers[2:]:
        banks[seat] -= 2_000
    (document,) = match.rule("take_back", to=3, at=timestamp(now))
    assert document["data"]["banks_ms"] == banks
    assert document["data"]["credited_ms"] == credited
    assert match.current.clock is not None
    assert match.current.clock.since.index(timestamp(now)) == match.after(3).state.to_act[0]
    match.check()


def test_a_bank_is_never_below_zero() -> None:
    match = Match("catte", clock=Control(0, 5_000, 5_000, "referee"))
    for _move in range(4):
        match.move(match.legal()[0], at=match.now)
    seat = match.after(1).state.to_act[0]
    match.rule("time", seat=seat, add_ms=-100_000)
    (document,) = match.rule("take_back", to=1)
    assert document["data"]["banks_ms"][seat] == 0
    assert document["data"]["credited_ms"] == [0, 0, 0, 0]


def test_without_banks_none_are_told() -> None:
    match = Match("catte", clock=Control(9_000, None, 0, "forfeit")).play(4)
    (document,) = match.rule("take_back", to=2)
    assert document["data"].keys() == {"ruling", "rule", "reason", "position"}


# Nothing hidden


@EACH_GAME
def test_no_hidden_card_stands_in_the_public_bytes(slug: str) -> None:
    """Among the strings of the event are the cards that lie open, and no others."""
    match = Match(slug).play(20)
    match.rule("take_back", to=9)
    entry = match.entries[-1]
    view, full = (plain(found) for found in (match.game.view(match.current.state, None), _full(match)))
    hidden = {*_strings(full["table"])} - {*_strings(view)}
    assert hidden
    assert not hidden & {*_strings(orjson.loads(entry.body))}
    assert match.current.state.seed.encode() not in entry.body
    for seat in range(match.current.state.seats):
        own = {*_strings(plain(match.game.view(match.current.state, seat)))}
        assert not (hidden - own) & {*_strings(project_event(seat, entry)["data"])}


def _full(match: Match) -> Any:
    return match.game.write_state(match.current.state)


def _strings(node: Any) -> list[str]:
    if isinstance(node, str):
        return [node]
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return [found for value in inner for found in _strings(value)]
