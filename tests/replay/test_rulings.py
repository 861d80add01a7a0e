"""Every kind of ruling: what the log says of it, what it changes, who may read its reason, and when it is refused."""

from collections.abc import Callable
from functools import cache
from typing import Any

import orjson
import pytest

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import Move
from gyoji.log.redaction import Reader, project_event
from gyoji.match.clocks import Control
from gyoji.match.fold import replay_log
from gyoji.match.rulings.kind import Kind
from gyoji.match.rulings.ruling_made import RULING_KINDS
from gyoji.match.seeding import Policy
from gyoji.match.setup import SetupFlaw, check_setup
from gyoji.match.state import Result, result_of
from gyoji.messages.verdicts import rules_for
from gyoji.simulation.derivation import timestamp
from replay.refereed import BANKED, REFEREE, UNBANKED, Match, types

EACH_GAME = pytest.mark.parametrize("slug", BY_SLUG)


def data_of(documents: list[dict[str, Any]]) -> Any:
    """``data`` of the ruling, which comes first."""
    assert documents[0]["type"] == "ruling_made"
    return documents[0]["data"]


# What the log says


@pytest.mark.parametrize(
    ("kind", "members", "ruling", "follows"),
    [
        ("points", {"seat": 1, "points": -5}, {"kind": "points", "seat": 1, "points": -5}, []),
        ("forfeit", {"seats": (2, 0)}, {"kind": "forfeit", "seats": [0, 2]}, ["match_finished"]),
        ("substitute", {"seat": 1, "name": "Aoi"}, {"kind": "substitute", "seat": 1, "name": None}, []),
        ("void", {}, {"kind": "void"}, ["match_voided"]),
        ("result", {"winners": (1,)}, {"kind": "result", "winners": [1], "scores": None}, ["match_finished"]),
        ("pause", {}, {"kind": "pause"}, ["match_paused"]),
        ("note", {}, {"kind": "note"}, []),
    ],
)
def test_a_ruling_as_the_log_states_it(kind: Kind, members: Any, ruling: Any, follows: list[str]) -> None:
    match = Match("catte").play(5)
    before = match.current
    documents = match.rule(kind, rule="CAT-3.1", **members)
    assert documents[0]["actor"] == {"role": "referee", "key": "0123456789abcdef"}
    assert data_of(documents) == {"ruling": ruling, "rule": "CAT-3.1", "reason": None}
    assert types(documents[1:]) == follows
    assert {document["at"] for document in documents} == {timestamp(before.seq + 1)}
    assert [document["actor"] for document in documents[1:]] == [{"role": "service"}] * len(follows)
    assert (match.current.course.rulings, match.current.state) == (1, before.state)


def test_every_kind_is_tested() -> None:
    assert set(RULING_KINDS) == {
        *("take_back", "play", "accept", "points", "time", "forfeit"),
        *("substitute", "void", "result", "pause", "resume", "note"),
    }


def test_points_stand_beside_the_game() -> None:
    match = Match("catte").play(9)
    before = match.current
    match.rule("points", seat=1, points=-5)
    match.rule("points", seat=3, points=20)
    match.rule("points", seat=1, points=2)
    assert match.current.course.adjustments == (0, -3, 0, 20)
    assert (match.current.state, match.current.decision) == (before.state, before.decision)
    match.play()
    scores = match.current.state.scores
    adjusted = (scores[0], scores[1] - 3, scores[2], scores[3] + 20)
    winners = tuple([seat for seat, score in enumerate(adjusted) if score == max(adjusted)])
    assert result_of(match.current) == Result("play", adjusted, winners, ())
    assert orjson.loads(match.entries[-1].body)["data"]["outcome"]["scores"] == list(scores)


def test_a_play_is_a_move_by_the_rules() -> None:
    match, twin = Match("catte").play(6), Match("catte").play(6)
    move = match.legal()[0]
    (document,) = match.rule("play", move=move)
    (played,) = twin.move(move)
    assert document["data"]["ruling"] == {"kind": "play"}
    assert (document["data"]["move"], document["data"]["events"]) == (move, played["data"]["events"])
    assert match.current.state == twin.current.state
    assert match.current.decision == match.seq


def test_a_hidden_choice_that_is_ruled_stays_hidden() -> None:
    match = Match("tomorrow-never-meows", {"concealed": True, "bluff_scoring": "per_trick"})
    seat = match.current.state.to_act[1]
    move = next(move for move in match.legal() if move["seat"] == seat)
    (document,) = match.rule("play", move=move, audience=(seat,))
    assert document["data"]["move"] == {"type": "wish", "seat": seat, "wish": None}
    assert [secret["for"] for secret in document["secret"]] == [[seat]]
    assert match.entries[-1].openings[0].payload["/move/wish"] == move["wish"]
    assert match.entries[-1].openings[0].payload["/reason"] == "because"
    assert match.current.decision == 1  # the others are still to choose


def irregular(match: Match) -> Move:
    """A card in the hand of whoever is to act that a rule forbids, played on until there is one."""
    for _ply in range(2_000):
        state, legal = match.current.state, match.legal()
        for move in legal:
            if move["type"] == "play":
                playable = [other["card"] for other in legal]
                for card in state.hands[move["seat"]]:
                    if card not in playable:
                        return {**move, "card": card}
        match.play(1)
    raise AssertionError("every card could be played")


@pytest.mark.parametrize(("slug", "rules"), [("catte", ["CAT-3.1"]), ("tomorrow-never-meows", ["TNM-3.1", "TNM-3.2"])])
def test_an_irregular_move_stands(slug: str, rules: list[str]) -> None:
    match = Match(slug)
    move = irregular(match)
    before = match.current.state
    refusal = match.refusal("play", move=move)
    rule = refusal.infraction and refusal.infraction.rule
    assert refusal.code == "illegal-move"
    assert rule in rules
    documents = match.rule("accept", move=move, rule=rule)
    data = data_of(documents)
    assert (data["ruling"], data["move"], data["events"][0]["type"]) == ({"kind": "accept"}, move, "card_played")
    after = match.current.state
    assert move["card"] not in after.hands[move["seat"]] or after.round > before.round
    assert match.game.findings(after) == ()
    match.play()
    assert match.current.status == "finished"


def test_a_ruling_by_an_operator_or_a_referee_says_who_ruled() -> None:
    match = Match("catte")
    assert match.rule("note", by={"role": "operator", "key": "f" * 16})[0]["actor"]["role"] == "operator"
    assert match.rule("note")[0]["actor"] == REFEREE


# Time


def test_time_is_given_and_taken() -> None:
    match = Match("catte", clock=BANKED).play(2)
    seat = match.current.state.to_act[0]
    other = (seat + 1) % 4
    banks = match.current.clock.banks_ms if match.current.clock else ()
    data = data_of(match.rule("time", seat=other, add_ms=30_000))
    assert data["ruling"] == {"kind": "time", "seat": other, "add_ms": 30_000}
    assert data["banks_ms"] == [bank + (30_000 if at == other else 0) for at, bank in enumerate(banks)]
    data = data_of(match.rule("time", seat=other, add_ms=-1_000_000))
    assert data["banks_ms"][other] == 0
    assert match.refusal("time", seat=other, add_ms=-1).code == "no-change"
    assert "credited_ms" not in data


def test_without_banks_time_is_that_of_the_running_decision() -> None:
    match = Match("catte", clock=UNBANKED)
    seat = match.current.state.to_act[0]
    assert data_of(match.rule("time", seat=seat, add_ms=5_000)) == {
        "ruling": {"kind": "time", "seat": seat, "add_ms": 5_000},
        "rule": None,
        "reason": None,
    }
    assert match.claim(timestamp(15)) == ("not-expired", *match.claim(timestamp(15))[1:])
    assert match.refusal("time", seat=(seat + 1) % 4, add_ms=5_000).code == "no-change"
    documents = match.claim(timestamp(16))
    assert isinstance(documents, list)
    assert types(documents) == ["clock_expired", "match_paused"]


def test_a_pause_stops_time_and_survives_a_take_back() -> None:
    match = Match("catte", clock=UNBANKED).play(3)
    seat = match.current.state.to_act[0]
    assert types(match.rule("pause", at=timestamp(5))) == ["ruling_made", "match_paused"]
    assert match.current.status == "paused"
    assert match.refusal("pause").code == "paused"
    assert match.claim(timestamp(900)) == ("not-running", {"status": "paused"}, None)
    match.rule("points", seat=0, points=1, at=timestamp(100))
    match.rule("take_back", to=2, at=timestamp(100))
    assert match.current.course.paused
    assert types(match.rule("resume", at=timestamp(200))) == ["ruling_made", "match_resumed"]
    assert not match.current.course.paused
    assert match.refusal("resume", at=timestamp(200)).code == "not-paused"
    assert match.current.clock is not None
    running = match.current.clock.since
    assert [at for at in running if at] == [timestamp(200)]
    assert seat != running.index(timestamp(200))


def test_a_seat_may_be_played_for_during_a_pause() -> None:
    match = Match("catte", clock=UNBANKED)
    match.rule("pause")
    match.rule("play", move=match.legal()[0])
    assert match.current.status == "paused"
    assert match.current.clock is not None
    assert match.current.clock.since == (None,) * 4
    assert match.claim(timestamp(900)) == ("not-running", {"status": "paused"}, None)


# Endings


def ending(documents: list[dict[str, Any]]) -> Any:
    (found,) = [document["data"] for document in documents if document["type"] == "match_finished"]
    return found


@pytest.mark.parametrize(("slug", "wins"), [("catte", True), ("familiars-trouble", False)])
def test_who_forfeits_does_not_win(slug: str, wins: bool) -> None:
    match = Match(slug).play(30)
    scores = match.current.state.scores
    seats = range(len(scores))
    best = max(scores[seat] for seat in seats if seat != 0)
    winners = tuple([seat for seat in seats if seat != 0 and scores[seat] == best]) if wins else ()
    data = ending(match.rule("forfeit", seats=(0,)))
    said = {"by": "forfeit", "winners": [*winners], "scores": [*scores], "forfeited": [0]}
    assert data == {"outcome": None, "result": said}
    assert result_of(match.current) == Result("forfeit", scores, winners, (0,))
    assert (match.current.status, match.current.course.forfeited) == ("finished", (0,))


def test_if_all_forfeit_nobody_wins() -> None:
    match = Match("catte").play(3)
    assert ending(match.rule("forfeit", seats=(0, 1, 2, 3)))["result"]["winners"] == []


def test_points_after_a_forfeit_change_who_wins() -> None:
    match = Match("catte").play(3)
    match.rule("forfeit", seats=(0,))
    match.rule("points", seat=2, points=7)
    match.rule("points", seat=0, points=100)
    assert result_of(match.current) == Result("forfeit", (100, 0, 7, 0), (2,), (0,))


def test_a_result_ends_a_match_and_changes_that_of_one_that_is_over() -> None:
    match = Match("catte").play(3)
    match.rule("points", seat=0, points=9)
    data = ending(match.rule("result", winners=(3, 1)))
    assert data["result"] == {"by": "ruling", "winners": [1, 3], "scores": [9, 0, 0, 0], "forfeited": []}
    documents = match.rule("result", winners=(2,), scores=(1, 2, 30, 4))
    assert types(documents) == ["ruling_made"]
    assert result_of(match.current) == Result("ruling", (1, 2, 30, 4), (2,), ())
    assert match.refusal("result", winners=(2,), scores=(1, 2, 30, 4)).code == "no-change"
    match.rule("points", seat=1, points=50)  # what was ruled stands, with what is given after it
    assert result_of(match.current) == Result("ruling", (1, 52, 30, 4), (2,), ())
    assert match.refusal("result", winners=(2,), scores=(1, 52, 30, 4)).code == "winners-contradict-scores"


@EACH_GAME
def test_the_result_of_play_is_the_outcome(slug: str) -> None:
    match = Match(slug)
    assert result_of(match.current) is None
    match.play()
    outcome = match.current.state.outcome
    assert result_of(match.current) == Result("play", outcome["scores"], outcome["winners"], ())


def test_a_match_is_void_by_ruling_and_the_secret_told() -> None:
    match = Match("catte", withheld_until=None).play(3)
    documents = match.rule("void")
    assert types(documents) == ["ruling_made", "match_voided", "seed_disclosed"]
    assert documents[1]["data"] == {"reason": "ruling", "missing": []}
    assert (match.current.status, match.current.closed, result_of(match.current)) == ("voided", True, None)


def test_a_forfeit_closes_a_log_whose_secret_is_not_withheld() -> None:
    match = Match("catte", withheld_until=None).play(3)
    assert types(match.rule("forfeit", seats=(1,))) == ["ruling_made", "match_finished", "seed_disclosed"]
    assert match.refusal("note").code == "match-closed"


# Substitutes, and who may read what


def test_a_substitute_takes_a_seat_over() -> None:
    match = Match("catte").play(3)
    match.rule("substitute", seat=2, name="Aoi")
    match.rule("substitute", seat=1)
    assert match.current.course.names == {2: "Aoi", 1: None}
    named, nameless = match.entries[-2:]
    assert b"Aoi" not in named.body
    assert [opening.payload for opening in named.openings] == [{"/ruling/name": "Aoi", "/reason": "because"}]
    assert [opening.payload for opening in nameless.openings] == [{"/reason": "because"}]


@pytest.mark.parametrize(
    ("audience", "readers"),
    [("all", ["public", 0, 1, 2, 3, "full"]), ((3, 1), [1, 3, "full"]), ((), ["full"])],
)
def test_who_may_read_the_reason(audience: Any, readers: list[Reader]) -> None:
    match = Match("catte").play(3)
    reason = "a reason that names a card"
    document = match.rule("note", reason=reason, audience=audience)[0]
    assert document["secret"][0]["for"] == (audience if audience == "all" else sorted(audience))
    assert reason.encode() not in match.entries[-1].body
    everybody: list[Reader] = ["public", 0, 1, 2, 3, "full"]
    for reader in everybody:
        assert project_event(reader, match.entries[-1])["data"]["reason"] == (reason if reader in readers else None)


# Refusals: nothing changes by them, so one match serves for many


@cache
def running() -> Match:
    return Match("catte").play(3)


@cache
def finished() -> Match:
    return Match("catte").play()


@cache
def void() -> Match:
    match = Match("catte").play(3)
    match.rule("void")
    return match


@cache
def closed() -> Match:
    match = Match("catte").play()
    match.close()
    return match


@pytest.mark.parametrize(
    ("before", "kind", "members", "code"),
    [
        (closed, "note", {}, "match-closed"),
        (closed, "take_back", {"to": 3}, "match-closed"),
        (finished, "play", {"move": {"type": "play", "seat": 0, "card": "Y1"}}, "match-over"),
        (finished, "accept", {"move": {"type": "play", "seat": 0, "card": "Y1"}}, "match-over"),
        (finished, "forfeit", {"seats": (1,)}, "match-over"),
        (finished, "time", {"seat": 0, "add_ms": 1}, "match-over"),
        (finished, "substitute", {"seat": 0}, "match-over"),
        (finished, "pause", {}, "match-over"),
        (finished, "resume", {}, "match-over"),
        (void, "void", {}, "match-over"),
        (void, "points", {"seat": 0, "points": 1}, "match-over"),
        (void, "result", {"winners": ()}, "match-over"),
        (running, "resume", {}, "not-paused"),
        (running, "points", {"seat": 4, "points": 1}, "unknown-seat"),
        (running, "forfeit", {"seats": (1, 4)}, "unknown-seat"),
        (running, "result", {"winners": (-1,)}, "unknown-seat"),
        (running, "result", {"winners": (0,), "scores": (1, 0, 0)}, "unknown-seat"),
        (running, "note", {"audience": (0, 9)}, "unknown-seat"),
        (running, "play", {"move": {"type": "play", "seat": 7, "card": "Y1"}}, "unknown-seat"),
        (running, "play", {}, "move-needed"),
        (running, "accept", {}, "move-needed"),
        (running, "points", {"seat": 1}, "no-change"),
        (running, "forfeit", {}, "no-change"),
        (running, "time", {"seat": 1, "add_ms": 5}, "no-clock"),
        (running, "result", {"winners": (1,), "scores": (5, 1, 0, 0)}, "winners-contradict-scores"),
        (running, "take_back", {"to": 0}, "no-such-position"),
        (running, "take_back", {"to": 99}, "no-such-position"),
        (running, "take_back", {"to": 4}, "nothing-to-take-back"),
    ],
)
def test_what_is_refused(before: Callable[[], Match], kind: Kind, members: Any, code: str) -> None:
    assert before().refusal(kind, **members).code == code


def test_a_move_that_may_not_stand() -> None:
    match = Match("catte").play(3)
    legal = match.legal()
    seat = legal[0]["seat"]
    assert match.refusal("accept", move=legal[0]).code == "not-irregular"
    elsewhere = next(card for card in match.current.state.hands[(seat + 1) % 4])
    for kind, code in (("play", "illegal-move"), ("accept", "not-acceptable")):
        refusal = match.refusal(kind, move={**legal[0], "card": elsewhere})  # type: ignore[arg-type]
        assert (refusal.code, refusal.infraction and refusal.infraction.reason) == (code, "card-not-in-hand")
        refusal = match.refusal(kind, move={**legal[0], "seat": (seat + 1) % 4})  # type: ignore[arg-type]
        assert (refusal.code, refusal.infraction and refusal.infraction.reason) == (code, "not-your-turn")


@pytest.mark.parametrize(
    ("kind", "members", "code"),
    [
        ("take_back", {"to": 1}, "no-such-position"),
        ("play", {"move": {"type": "play", "seat": 0, "card": "Y1"}}, "not-running"),
        ("points", {"seat": 0, "points": 1}, "not-running"),
        ("forfeit", {"seats": (0,)}, "not-running"),
        ("result", {"winners": (0,)}, "not-running"),
        ("time", {"seat": 0, "add_ms": 1}, "not-running"),
        ("pause", {}, "not-running"),
    ],
)
def test_before_the_deal(kind: Kind, members: Any, code: str) -> None:
    match = Match("catte", randomness=Policy("director"), clock=BANKED)
    assert match.current.status == "seeding"
    assert match.refusal(kind, **members).code == code
    match.rule("note")
    match.rule("substitute", seat=1, name="Aoi")
    assert match.current.clock is None
    assert match.claim(timestamp(99)) == ("not-running", {"status": "seeding"}, None)
    assert types(match.rule("void")) == ["ruling_made", "match_voided"]
    assert match.refusal("take_back", to=1).code == "no-such-position"


def test_a_clock_stands_in_the_log_only_if_there_is_one() -> None:
    plain, timed = (orjson.loads(Match("catte", clock=clock).entries[0].body)["data"] for clock in (None, BANKED))
    said: dict[str, Any] = {"move_ms": 10_000, "bank_ms": 60_000, "increment_ms": 2_000, "on_expiry": "default"}
    assert timed == {**plain, "clock": said}
    assert Control(**said) == BANKED


@pytest.mark.parametrize(
    ("slug", "change", "is_sound"),
    [
        ("towai", {"on_expiry": "pass"}, True),
        ("catte", {"on_expiry": "pass"}, False),
        ("catte", {"on_expiry": "forfeit"}, True),
        ("catte", {"on_expiry": "shrug"}, False),
        ("catte", {"bank_ms": None, "increment_ms": 0}, True),
        ("catte", {"bank_ms": None}, False),
        ("catte", {"move_ms": 0, "bank_ms": 0, "increment_ms": 0}, False),
        ("catte", {"move_ms": -1}, False),
        ("catte", {"move_ms": 1.5}, False),
    ],
)
def test_which_clocks_a_match_can_have(slug: str, change: dict[str, Any], is_sound: bool) -> None:
    data = orjson.loads(Match(slug, clock=BANKED).entries[0].body)["data"]
    given = {**data, "clock": {**data["clock"], **change}}
    found = check_setup(given, rules_for)
    if is_sound:
        assert not isinstance(found, SetupFlaw)
        assert found[1].clock == Control(**given["clock"])
    else:
        assert found == ("rules_divergence", "/clock", None, given["clock"])


def test_words_that_were_erased_are_not_missed() -> None:
    """Names and reasons are kept apart, so that they can be erased: the match stands where it stood."""
    match = Match("catte").play(3)
    match.rule("substitute", seat=2, name="Aoi")
    match.rule("points", seat=1, points=5)
    match.play(2)
    erased = [entry._replace(openings=()) if b'"ruling_made"' in entry.body else entry for entry in match.entries]
    stands = replay_log(match.game, match.current.secret, erased)
    assert stands == match.current._replace(course=match.current.course._replace(names={2: None}))
