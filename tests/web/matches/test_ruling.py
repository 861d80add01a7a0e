"""Rulings over HTTP: every kind, what is answered, who is told what, and that nothing else changes."""

from random import Random
from typing import Any

import orjson
import pytest

from gyoji.api.rights import Scope
from operators import OPERATOR
from web.matches.conftest import quiet
from web.matches.refereeing import ONCE, REASON, Referee, referee
from web.matches.tables import House, Plain, Table, concealed, holding, read, refused

ZEROS = "0" * 16


def six_moves(house: House) -> Referee:
    """A referee of a match that keeps time, six moves after its deal."""
    table = house.table(clock={"move": 30, "bank": 60, "increment": 5, "on_expiry": "referee"})
    for _ in range(6):
        table.move(Random(6))
    return referee(house, table)


@pytest.fixture
def running(house: House) -> Referee:
    """A match to rule in."""
    return six_moves(house)


@pytest.fixture(scope="module")
def calm(house: House) -> Referee:
    """The same, for tests that change nothing."""
    with quiet():
        return six_moves(house)


@pytest.fixture
def withheld(house: House) -> Referee:
    """A referee of a match that is over, and whose secret is not told yet."""
    table = house.finished(withheld_until="2999-01-01T00:00:00.000Z")
    return referee(house, table)


PLAIN: dict[str, tuple[Plain, str, list[str]]] = {
    "points": ({"seat": 1, "points": -3}, "playing", ["ruling_made"]),
    "time": ({"seat": 1, "add": -20}, "playing", ["ruling_made"]),
    "note": ({}, "playing", ["ruling_made"]),
    "pause": ({}, "paused", ["ruling_made", "match_paused"]),
    "substitute": ({"seat": 2, "name": "Zoe"}, "playing", ["ruling_made"]),
    "take_back": ({"to": 4}, "playing", ["ruling_made"]),
    "forfeit": ({"seats": [1]}, "finished", ["ruling_made", "match_finished", "seed_disclosed"]),
    "result": ({"winners": [2], "scores": None}, "finished", ["ruling_made", "match_finished", "seed_disclosed"]),
    "void": ({}, "voided", ["ruling_made", "match_voided", "seed_disclosed"]),
}
"""By kind: its members, how the match stands after it, and what is written down."""


@pytest.mark.parametrize("kind", PLAIN)
def test_a_ruling_is_tried_then_stored_with_what_follows_and_answered_the_same_again(
    running: Referee, kind: str
) -> None:
    members, status, written = PLAIN[kind]
    before = running.log()
    tried = running.tries(kind, **members)
    assert running.log() == before
    headers = {"If-Match": '"7"', ONCE: kind}
    first = running.asks(kind, headers=headers, **members)
    told = read(first)
    assert (told["seq"], told["status"], told["ruling"]["kind"]) == (8, status, kind)
    assert told.keys() - tried.keys() <= {"seq", "receipt", "token", "expires"}
    assert {name: told[name] for name in tried} == tried
    assert running.events(7) == written
    assert first.headers["ETag"] == f'"{7 + len(written)}"'
    event = orjson.loads(told["receipt"]["event"])
    assert event["actor"]["role"] == "referee"
    assert (event["type"], event["seq"], event["data"]["reason"]) == ("ruling_made", 8, None)
    assert running.table.seen(running.headers)["rulings"] == 1
    running.table.client.post(f"{running.table.path}/void", headers=dict(OPERATOR))
    again = running.asks(kind, headers=headers, **members)
    assert (read(again), again.headers["ETag"]) == (told, first.headers["ETag"])


def test_what_is_ruled_shows_in_the_match(running: Referee) -> None:
    still = next(seat for seat in (1, 2) if seat not in running.table.turn()["view"]["to_act"])
    banks = [seat["bank_ms"] for seat in running.table.seen(running.headers)["clock"]["seats"]]
    running.rules("points", seat=1, points=-3)
    running.rules("time", seat=1, add=30)
    running.rules("substitute", seat=still, name="Zoe")
    running.rules("pause")
    seen = running.table.seen(running.headers)
    assert (seen["status"], seen["paused"], seen["adjustments"], seen["rulings"]) == ("paused", True, [0, -3, 0], 4)
    assert [seat["name"] for seat in seen["seats"]] == ["Zoe" if seat == still else None for seat in range(3)]
    assert [seat["bank_ms"] for seat in seen["clock"]["seats"]] == [banks[0], banks[1] + 30_000, banks[2]]
    assert not any(seat["running"] for seat in seen["clock"]["seats"])
    assert seen["scores"] == [0, 0, 0]
    assert seen["result"] is None
    assert running.table.turn()["legal_moves"] == []
    running.rules("resume")
    assert running.table.seen(running.headers)["status"] == "playing"
    assert running.table.turn()["legal_moves"] != []


def test_nobody_moves_while_the_match_is_paused(running: Referee) -> None:
    move, seat = running.table.legal(), running.table.turn()["viewer"]["seat"]
    running.rules("pause")
    refused(running.table.put(move, running.table.sits(seat)), 409, "match-not-running")
    running.rules("resume")
    read(running.table.put(move, running.table.sits(seat)))


def test_a_move_is_made_for_a_seat(running: Referee) -> None:
    move = running.table.legal()
    told = running.rules("play", move=move)
    (event,) = running.table.feed(running.table.sits(0), 7)
    assert (event["data"]["move"], event["data"]["ruling"]) == (move, {"kind": "play"})
    assert event["data"]["events"][0]["type"] == "card_played"
    assert told["crossed"] == []


def irregular(running: Referee) -> Plain:
    """A card in the hand of the seat to act that it may not play; the match is played on until there is one."""
    while True:
        seen = running.table.turn()
        seat, phase = seen["viewer"]["seat"], seen["view"]["phase"]
        legal = {move["card"] for move in seen["legal_moves"]}
        others = [card for card in seen["view"]["table"]["hands"][seat] if card not in legal]
        if phase == "trick" and others:  # while coffee is served no card of a hand is due at all
            return {"type": "play", "seat": seat, "card": others[0]}
        running.table.move(Random(1))


def test_an_irregular_move_stands_and_the_audit_says_so(running: Referee) -> None:
    move = irregular(running)
    seq = running.seq
    told = running.rules("accept", said={"rule": "CAT-3.1"}, move=move)
    assert (told["seq"], told["status"]) == (seq + 1, "playing")
    (event,) = running.table.feed(running.table.sits(0), seq)
    assert (event["data"]["move"], event["data"]["rule"]) == (move, "CAT-3.1")
    running.table.finish(Random(2))
    verdict = read(running.table.client.post("/v1/audits", json={"match": running.table.match}, headers=dict(OPERATOR)))
    assert verdict["verdict"] == "verified_with_rulings"
    assert verdict["rulings"] == [{"seq": seq + 1, "kind": "accept", "rule": "CAT-3.1", "overrides": True}]


def test_the_position_is_the_earlier_one_again(running: Referee) -> None:
    before = read(running.table.get("/positions/4", running.headers))
    taken = running.table.feed(running.headers, 4)
    told = running.rules("take_back", to=4)
    seen = running.table.seen(running.headers)
    assert (seen["view"], seen["scores"]) == (before["view"], before["scores"])
    cards = [event["seq"] for event in taken if event["data"]["events"][0]["type"] == "card_played"]
    assert cards
    assert told["crossed"] == [
        {"seq": seq, "type": "move_played", "known_to": "all", "shuffle": False} for seq in cards
    ]
    assert told["fresh_entropy"] is False
    running.table.move(Random(4))
    again = refused(running.asks("take_back", to=6), 409, "ruling-refused")
    assert again["reason"] == "not-on-the-line"


def test_a_shuffle_that_is_taken_back_is_told_and_comes_fresh(house: House) -> None:
    """A match of several rounds: each is dealt anew."""
    table = house.table(game="tomorrow-never-meows", seats=3)
    while table.turn()["view"]["round"] == 1:
        table.move(Random(1))
    ruling = referee(house, table, scopes=())
    tried = ruling.tries("take_back", to=3)
    told = ruling.rules("take_back", to=3)
    assert told["fresh_entropy"]
    shuffled = [undone for undone in told["crossed"] if undone["shuffle"]]
    assert [undone["seq"] for undone in shuffled] == [told["seq"] - 1]
    assert {name: told[name] for name in tried} == tried


def test_a_match_that_was_over_runs_again(withheld: Referee) -> None:
    seen = withheld.table.seen(withheld.headers)
    assert (seen["status"], seen["result"]["by"]) == ("finished", "play")
    told = withheld.rules("take_back", to=seen["seq"] - 3)
    assert (told["status"], told["result"]) == ("playing", None)
    withheld.table.finish(Random(5))
    assert withheld.table.seen(withheld.headers)["status"] == "finished"


def test_the_result_of_a_match_that_is_over_is_changed(withheld: Referee) -> None:
    scores = withheld.table.seen(withheld.headers)["result"]["scores"]
    adjusted = withheld.rules("points", seat=2, points=100)["result"]
    assert adjusted == {"by": "play", "scores": [*scores[:2], scores[2] + 100], "winners": [2], "forfeited": []}
    ruled = withheld.rules("result", winners=[0, 1], scores=[7, 7, 0])["result"]
    assert ruled == {"by": "ruling", "scores": [7, 7, 0], "winners": [0, 1], "forfeited": []}
    assert withheld.table.seen(withheld.table.sits(1))["result"] == ruled


# Which position it is meant for


def test_a_ruling_has_to_say_which_position_it_is_meant_for(calm: Referee) -> None:
    before = calm.log()
    refused(calm.asks("note", headers={}), 428, "precondition-required")
    refused(calm.asks("note", headers={"If-Match": "*"}), 428, "precondition-required")
    refused(calm.asks("note", headers={"If-Match": '"6"'}), 412, "stale-position")
    assert calm.log() == before


def test_in_a_simultaneous_choice_too(house: House) -> None:
    """The choices of others do not conflict with each other, but a ruling does with all of them."""
    table = concealed(house)
    ruling = referee(house, table)
    table.move()
    refused(ruling.asks("note", headers={"If-Match": '"1"'}), 412, "stale-position")
    assert ruling.rules("note")["seq"] == 3


# Trying


def test_whoever_sees_no_hands_tries_no_moves(house: House, calm: Referee) -> None:
    blind = referee(house, calm.table, scopes=())
    for kind in ("play", "accept"):
        refused(blind.asks(kind, headers={}, said={"dry_run": True}, move=calm.table.legal()), 403, "forbidden")
        read(calm.asks("play", headers={}, said={"dry_run": True}, move=calm.table.legal()))


# Refusals


REFUSED: dict[str, tuple[str, Plain]] = {
    "not-paused": ("resume", {}),
    "no-such-position": ("take_back", {"to": 2_000}),
    "nothing-to-take-back": ("take_back", {"to": 7}),
    "no-change": ("points", {"seat": 1, "points": 0}),
    "unknown-seat": ("forfeit", {"seats": [5]}),
    "winners-contradict-scores": ("result", {"winners": [0], "scores": [0, 1, 0]}),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_why_a_ruling_is_not_taken_is_said_in_both_languages(calm: Referee, reason: str) -> None:
    kind, members = REFUSED[reason]
    before, seq = calm.log(), calm.seq
    said = []
    for language in ("en", "ja"):
        headers = {"If-Match": f'"{seq}"', "Accept-Language": language}
        problem = refused(calm.asks(kind, headers=headers, **members), 409, "ruling-refused")
        assert (problem["reason"], problem["breach"], problem["detail"]) == (reason, None, problem["because"])
        said.append(problem["because"])
    assert said[0].isascii()
    assert not said[1].isascii()
    assert calm.log() == before


def test_without_a_clock_there_is_no_time_to_give(house: House, table: Table) -> None:
    problem = refused(referee(house, table).asks("time", seat=0, add=10), 409, "ruling-refused")
    assert problem["reason"] == "no-clock"


def test_a_closed_match_never_changes(house: House, over: Table) -> None:
    ruling = referee(house, over)
    every: dict[str, Plain] = {"note": {}, "take_back": {"to": 3}, "points": {"seat": 0, "points": 1}}
    for kind, members in every.items():
        problem = refused(ruling.asks(kind, **members), 409, "ruling-refused")
        assert problem["reason"] == "match-closed"


def test_the_rule_and_the_audience_have_to_exist(calm: Referee) -> None:
    answer = calm.asks("note", said={"rule": "CAT-99.9", "audience": [0, 5]})
    errors = refused(answer, 422, "invalid-request")["errors"]
    assert [(error["pointer"], error["code"]) for error in errors] == [
        ("/rule", "no-such-rule"),
        ("/audience", "no-such-seat"),
    ]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"ruling": {"kind": "pardon"}}, "/ruling/kind"),
        ({"ruling": {"kind": "note", "to": 3}}, "/ruling/to"),
        ({"ruling": {"kind": "take_back"}}, "/ruling/to"),
        ({"ruling": {"kind": "points", "seat": 0, "points": 1_000_001}}, "/ruling/points"),
        ({"ruling": {"kind": "forfeit", "seats": []}}, "/ruling/seats"),
        ({"ruling": {"kind": "forfeit", "seats": [1, 1]}}, "/ruling/seats"),
        ({"reason": ""}, "/reason"),
        ({"reason": "a\nb"}, "/reason"),
        ({"audience": "seats"}, "/audience"),
        ({"audience": [True]}, "/audience"),
    ],
)
def test_the_shape_of_a_ruling(calm: Referee, body: Plain, pointer: str) -> None:
    sent = {"ruling": {"kind": "note"}, "reason": REASON, **body}
    headers = {**calm.headers, "If-Match": '"7"'}
    answer = calm.table.client.post(f"{calm.table.path}/rulings", json=sent, headers=headers)
    assert [error["pointer"] for error in refused(answer, 422, "invalid-request")["errors"]] == [pointer]


def test_a_referee_of_elsewhere_knows_of_no_such_match(house: House, calm: Referee) -> None:
    elsewhere = Referee(calm.table, referee(house, house.table()).headers)
    refused(elsewhere.asks("note", headers={"If-Match": '"7"'}), 404, "not-found")


def test_an_operator_rules_with_a_scope_for_it(house: House, running: Referee) -> None:
    bare = Referee(running.table, house.key("operator", scopes=(Scope.READ, Scope.PLAY)))
    refused(bare.asks("note"), 403, "forbidden")
    able = Referee(running.table, house.key("operator", scopes=(Scope.READ, Scope.RULE)))
    configured = Referee(running.table, OPERATOR)
    actors = [orjson.loads(each.rules("note")["receipt"]["event"])["actor"] for each in (able, configured)]
    assert [actor["role"] for actor in actors] == ["operator", "operator"]
    assert actors[0]["key"] != ZEROS
    assert actors[1]["key"] == ZEROS


# What is hidden


def test_a_refused_move_tells_a_blind_referee_nothing_of_a_hand(house: House, calm: Referee) -> None:
    """A legal move, an irregular one that could not stand, and a card that is elsewhere are refused alike."""
    legal = calm.table.legal()
    hand = calm.table.turn()["view"]["table"]["hands"][legal["seat"]]
    elsewhere = next(
        f"{colour}{number}" for number in range(1, 14) for colour in "BWK" if f"{colour}{number}" not in hand
    )
    blind = referee(house, calm.table, scopes=())
    said = []
    for move in (legal, {**legal, "card": elsewhere}):
        problem = refused(blind.asks("accept", move=move), 409, "ruling-refused")
        said.append({name: problem[name] for name in ("reason", "because", "breach", "detail")})
    assert said[0] == said[1]
    assert said[0]["reason"] == "not-acceptable"
    assert said[0]["breach"]["rule"] is None
    seen = [
        refused(calm.asks("accept", move=move), 409, "ruling-refused")["reason"]
        for move in (legal, {**legal, "card": elsewhere})
    ]
    assert seen == ["not-irregular", "not-acceptable"]


def test_an_illegal_move_is_explained_to_whoever_sees_the_hand(house: House, running: Referee) -> None:
    move = irregular(running)
    told = refused(running.asks("play", move=move), 409, "ruling-refused")
    assert (told["reason"], told["breach"]["reason"]) == ("illegal-move", "rule-violation")
    assert told["breach"]["rule"].startswith("CAT-")
    assert told["because"] == f"The move is illegal: {told['breach']['because']}"
    blind = refused(referee(house, running.table, scopes=()).asks("play", move=move), 409, "ruling-refused")
    assert (blind["reason"], blind["breach"]["rule"]) == ("illegal-move", None)
    assert blind["because"] != told["because"]


def test_a_reason_is_for_those_whom_it_is_meant_for(house: House, running: Referee) -> None:
    running.rules("note", said={"audience": [1], "reason": "for one seat"})
    running.rules("note", said={"audience": [], "reason": "for nobody yet"})
    blind = referee(house, running.table, scopes=())
    readers = [*(running.table.sits(seat) for seat in range(3)), blind.headers, running.headers]
    heard = [[event["data"]["reason"] for event in running.table.feed(reader, 7)] for reader in readers]
    nothing = [None, None]
    assert heard == [nothing, ["for one seat", None], nothing, nothing, ["for one seat", "for nobody yet"]]


# Substitutes


def test_a_substitute_gets_the_seat_and_the_other_loses_it(running: Referee) -> None:
    seat = running.table.turn()["viewer"]["seat"]
    move = running.table.legal()
    told = running.rules("substitute", seat=seat, name="Zoe")
    refused(running.table.put(move, running.table.sits(seat)), 401, "unauthenticated")
    read(running.table.put(move, holding(told["token"])))
    others = [other for other in range(3) if other != seat]
    for other in others:
        running.table.seen(running.table.sits(other))


def test_a_repeated_request_is_answered_as_before(running: Referee) -> None:
    headers = {"If-Match": '"7"', ONCE: "the-same-ruling"}
    first = running.asks("substitute", headers=headers, seat=1, name="Zoe")
    again = running.asks("substitute", headers=headers, seat=1, name="Zoe")
    assert (again.status_code, again.data, again.headers["ETag"]) == (200, first.data, '"8"')
    assert running.events(7) == ["ruling_made"]
    other = running.asks("substitute", headers=headers, seat=1, name="Yui")
    refused(other, 422, "idempotency-key-reused")
    read(running.table.client.post(f"{running.table.path}/seats/1/token", headers=dict(OPERATOR)))
    later = read(running.asks("substitute", headers=headers, seat=1, name="Zoe"))
    assert read(first).keys() - later.keys() == {"token", "expires"}


def test_a_second_substitute_in_the_same_second_is_answered_as_before_too(
    running: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_900_000_000.25
    monkeypatch.setattr(running.table.client.application.extensions["gyoji.services"], "clock", lambda: now)
    keyed = [{"If-Match": f'"{seq}"', ONCE: f"substitute-{seq}"} for seq in (7, 8, 9)]
    told = [read(running.asks("substitute", headers=headers, seat=1, name="Zoe")) for headers in keyed]
    *before, last = [read(running.asks("substitute", headers=headers, seat=1, name="Zoe")) for headers in keyed]
    assert last == told[2]
    running.table.seen(holding(last["token"]))
    assert not any("token" in answer for answer in before)
    read(running.table.client.post(f"{running.table.path}/seats/1/token", headers=dict(OPERATOR)))
    assert "token" not in read(running.asks("substitute", headers=keyed[2], seat=1, name="Zoe"))


# Lines


def lines(table: Table, query: str, headers: Any) -> list[Plain]:
    """The lines of an export."""
    return [orjson.loads(line) for line in table.get(f"/replay{query}", headers).data.splitlines()]


def recorded(table: Table, headers: Any) -> list[Plain]:
    """The events of the feed without what the feed alone says of each: the match, the game, and who may move."""
    return [
        {
            **{name: event[name] for name in event if name not in ("match", "to_act")},
            "data": {name: held for name, held in event["data"].items() if event["seq"] == 0 or name != "game"},
        }
        for event in table.feed(headers)
    ]


def test_the_line_that_was_ruled_leaves_out_what_was_taken_back(running: Referee) -> None:
    running.rules("take_back", to=4)
    running.table.move(Random(1))
    whole = running.table.get("/replay", running.headers).data
    assert running.table.get("/replay?line=played", running.headers).data == whole
    header, *events = lines(running.table, "?line=ruled", running.headers)
    assert (header["format"], header["line"], header["audience"], header["verifies"]) == (
        "gyoji-line/1",
        "ruled",
        "full",
        False,
    )
    assert [event["seq"] for event in events] == [0, 1, 2, 3, 4, 8, 9]
    feed = {event["seq"]: event for event in recorded(running.table, running.headers)}
    assert events == [feed[event["seq"]] for event in events]
    own = lines(running.table, "?line=ruled", running.table.sits(1))
    assert own[0]["audience"] == {"seat": 1}
    told = recorded(running.table, running.table.sits(1))
    assert own[1:] == [event for event in told if event["seq"] not in (5, 6, 7)]
    refused(running.table.get("/replay?line=other", running.headers), 422, "invalid-request")
