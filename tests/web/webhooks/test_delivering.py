"""What happens reaches whoever wants to hear: all of it, in order, signed; whatever receivers do."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from random import Random
from time import monotonic, sleep

import pytest

from gyoji.app.clock import written_time
from gyoji.app.metrics import meters
from gyoji.app.webhooks import lanes
from gyoji.app.webhooks.deliverer import Deliverer
from gyoji.app.webhooks.fan_out import make_deliveries
from gyoji.app.webhooks.http_sender import HttpSender
from gyoji.app.webhooks.lanes import pause, requested_pause
from gyoji.store.webhooks.records import Delivery
from operators import OPERATOR
from web.matches.tables import Plain, Table, read
from web.test_metrics import counts, of
from web.webhooks.houses import Place
from web.webhooks.receivers import (
    Message,
    Receiver,
    answering,
    closed_port,
    endless,
    hanging_up,
    in_turn,
    receiving,
    stalling,
)

DAY = 24 * 60 * 60.0


def played(table: Table, moves: int) -> Table:
    """So many moves."""
    for _move in range(moves):
        table.move(Random(1))
    return table


def by_match(messages: Sequence[Message]) -> dict[str, list[tuple[str, int]]]:
    """What came of each match, in the order in which it came."""
    found = defaultdict(list)
    for message in messages:
        found[message.document["data"]["match"]].append(message.told)
    return dict(found)


def expected(events: list[Plain]) -> list[tuple[str, int]]:
    """What is told of a match of Catte that was not played to its end: every move opens a decision."""
    names = {"match_created": "match.created", "move_played": "match.moved", "match_voided": "match.finished"}
    told = []
    for event in events:
        told += [(names[event["type"]], event["seq"])] if event["type"] in names else []
        told += [("match.decision_needed", event["seq"])] if event["type"] in ("dealt", "move_played") else []
    return told


def test_a_match_is_told_in_order_and_signed(here: Place) -> None:
    with receiving(answering(204)) as receiver, here.delivering():
        hook = here.hook(receiver.url())
        table = played(here.house.table(), 4)
        assert here.house.client.post(f"{table.path}/void", headers=OPERATOR).status_code == 200
        told = expected(table.feed(table.operator))
        came = receiver.wait(len(told))
        here.settled(hook, len(told))
    assert [message.told for message in came] == told
    assert [kind for kind, _seq in told] == [
        *("match.created", "match.decision_needed", *["match.moved", "match.decision_needed"] * 4, "match.finished")
    ]
    assert came[-1].document["data"]["result"] is None
    for message in came:
        assert message.verified(hook["secret"])["timestamp"] == message.document["timestamp"]
    assert len({message.id for message in came}) == len(came)
    assert [(each.state, each.attempts) for each in here.kept(hook)] == [("delivered", 1)] * len(told)


def test_events_are_those_of_the_public_feed(here: Place) -> None:
    with receiving(answering(204)) as receiver, here.delivering():
        here.hook(receiver.url(), types=["match.created", "match.moved", "match.finished"])
        table = played(here.house.table(seats=[{"name": "Ann"}, {"name": "Ben"}, {"name": "Cho"}]), 4)
        came = receiver.wait(5)
    reader = here.house.key("operator", scopes=("matches:read",))
    public = {event["seq"]: event for event in table.feed(reader)}
    assert [message.document["data"]["event"] for message in came] == [public[at] for at in (0, 2, 3, 4, 5)]


def test_each_is_told_what_it_asked_for(here: Place) -> None:
    other = here.house.account()
    with receiving(answering(204)) as receiver, here.delivering():
        one, two = here.house.table(), here.house.table()
        hooks = [
            here.hook(receiver.url(), match=one.match, types=["match.moved"]),
            here.hook(receiver.url(), types=["match.decision_needed"]),
            here.hook(receiver.url(), by=other),
        ]
        for table in (one, two):
            played(table, 2)
        here.settled(hooks[0], 2)
        here.settled(hooks[1], 4)
    assert [(each.type, each.subject) for each in here.kept(hooks[0])] == [("match.moved", one.match)] * 2
    assert {(each.type, each.subject) for each in here.kept(hooks[1])} == {
        ("match.decision_needed", table.match) for table in (one, two)
    }
    assert here.kept(hooks[2]) == []


def test_a_receiver_that_fails_at_first_loses_nothing(here: Place) -> None:
    habit = in_turn(answering(500), hanging_up, answering(429), answering(302, Location="http://127.0.0.1:1/"))
    with receiving(in_turn(*[habit] * 4, answering(200))) as receiver, here.delivering():
        hook = here.hook(receiver.url(), types=["match.moved"])
        played(here.house.table(), 3)
        here.settled(hook, 3)
    ids = [message.id for message in receiver.came]
    assert len(set(ids[:5])) == 1
    assert [message.told[1] for message in receiver.came] == [2, 2, 2, 2, 2, 3, 4]
    assert len({message.headers["webhook-signature"] for message in receiver.came}) >= 3
    assert [each.attempts for each in here.kept(hook)] == [5, 1, 1]
    assert here.of(hook)["failing_since"] is None


def test_a_match_waits_for_its_own_and_for_no_other(here: Place) -> None:
    """One match's messages are refused; the other's go on."""
    stubborn: list[str] = []

    def habit(receiver: Receiver, request: object, message: Message) -> None:
        refuse = message.document["data"]["match"] == stubborn[0]
        answering(500 if refuse else 200)(receiver, request, message)  # type: ignore[arg-type]

    with receiving(habit) as receiver:
        hook = here.hook(receiver.url(), types=["match.moved"])
        one, two = here.house.table(), here.house.table()
        stubborn.append(one.match)
        for table in (one, two):
            played(table, 3)
        with here.delivering():
            receiver.wait(5)
            while len(here.deliveries(hook, "?state=delivered")) < 3:
                sleep(0.01)
        came = by_match(receiver.came)
    assert set(came[one.match]) == {("match.moved", 2)}
    assert came[two.match] == [("match.moved", seq) for seq in (2, 3, 4)]
    waiting = here.deliveries(hook, f"?state=waiting&about={one.match}")
    assert sorted([(each["seq"], each["attempts"] > 0, each["fault"]) for each in waiting]) == [
        *[(2, True, "status"), (3, False, None), (4, False, None)]
    ]


@pytest.mark.parametrize("habit", [stalling, endless])
def test_a_receiver_that_takes_its_time_holds_up_nobody(here: Place, habit: object) -> None:
    """More matches than lines that can be carried at a time, all to one that stalls; and one message to another."""
    with receiving(habit) as slow, receiving(answering(200)) as quick, here.delivering(seconds=1.0):  # type: ignore[arg-type]
        here.hook(slow.url(), types=["match.created"])
        for _match in range(20):
            here.house.table()
        slow.wait(1)
        began = monotonic()
        hook = here.hook(quick.url(), types=["match.created"])
        here.house.table()
        here.settled(hook, 1)
        assert monotonic() - began < 5
        assert here.house.table().move().status_code == 200


def test_of_two_deliverers_each_message_is_carried_by_one(here: Place) -> None:
    with receiving(answering(200)) as receiver:
        hook = here.hook(receiver.url())
        tables = [played(here.house.table(), 4) for _match in range(4)]
        with here.delivering(), here.delivering():
            for table in tables:
                played(table, 4)
            told = {table.match: expected(table.feed(table.operator)) for table in tables}
            here.settled(hook, sum(map(len, told.values())))
    assert by_match(receiver.came) == told
    assert len({message.id for message in receiver.came}) == len(receiver.came)


def test_one_that_ends_in_the_middle_is_followed_by_another(here: Place) -> None:
    """Whatever was under way when it was stopped is sent by the next one, at once and under its own id."""
    with receiving(in_turn(answering(200), stalling, answering(200))) as receiver:
        hook = here.hook(receiver.url(), types=["match.moved"])
        played(here.house.table(), 3)
        with here.delivering(seconds=30):
            receiver.wait(2)
        assert [each.state for each in here.kept(hook)] == ["delivered", "waiting", "waiting"]
        with here.delivering():
            here.settled(hook, 3)
    assert [message.told[1] for message in receiver.came] == [2, 3, 3, 4]
    assert len({message.id for message in receiver.came}) == 3
    assert [each.attempts for each in here.kept(hook)] == [1, 1, 1]


def test_what_a_dead_one_held_is_taken_over_in_time(here: Place) -> None:
    with receiving(answering(200)) as receiver:
        hook = here.hook(receiver.url(), types=["match.created"])
        with here.delivering():
            here.house.table()
            here.settled(hook, 1)
            webhooks, (delivery,) = here.services.store.webhooks, here.kept(hook)
        webhooks.retry(delivery, here.services.at())
        line = webhooks.lane(hook["webhook"], delivery.subject)
        assert line is not None
        assert webhooks.hold(line, "dead", written_time(here.clock() + lanes.HOLD_SECONDS))
        with here.delivering():
            sleep(0.3)
            assert len(receiver.came) == 1
            here.clock.ahead = lanes.HOLD_SECONDS + 1
            here.settled(hook, 1)
    assert [message.told for message in receiver.came] == [("match.created", 0)] * 2


def test_who_takes_nothing_for_days_is_given_up_and_disabled_and_that_is_said(here: Place) -> None:
    hook = here.hook(f"http://127.0.0.1:{closed_port()}/", types=["match.moved"])
    played(here.house.table(), 2)
    with here.delivering():
        while not here.of(hook)["failing_since"]:
            sleep(0.01)
        here.clock.ahead = 6 * DAY
        until = monotonic() + 20
        while here.of(hook)["disabled"] is None:
            assert monotonic() < until
            sleep(0.01)
    found = here.of(hook)
    assert found["disabled"]["reason"] == "failing"
    assert found["failing_since"] < found["disabled"]["at"]
    assert {(each["state"], each["fault"]) for each in here.deliveries(hook)} == {("given_up", "disabled")}
    played(here.house.table(), 1)
    assert len(here.deliveries(hook)) == 2


def test_one_message_is_given_up_after_its_attempts(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_ATTEMPTS", 3)
    with receiving(in_turn(*[answering(500)] * 3, answering(200))) as receiver, here.delivering():
        hook = here.hook(receiver.url(), types=["match.moved"])
        played(here.house.table(), 2)
        here.settled(hook, 2)
    assert [(each.state, each.attempts, each.fault) for each in here.kept(hook)] == [
        *[("given_up", 3, "status"), ("delivered", 1, None)]
    ]
    assert [message.told[1] for message in receiver.came] == [2, 2, 2, 3]


def test_who_answers_410_is_told_nothing_more(here: Place) -> None:
    with receiving(answering(410)) as receiver, here.delivering():
        hook = here.hook(receiver.url(), types=["match.moved"])
        played(here.house.table(), 3)
        here.settled(hook, 1)
    assert here.of(hook)["disabled"]["reason"] == "gone"
    assert len(receiver.came) == 1


def test_pauses_grow_to_half_a_day_and_last_three_days() -> None:
    pauses = [pause(attempts, 0.0) for attempts in range(1, lanes.MOST_ATTEMPTS)]
    assert pauses[:5] == [5, 10, 20, 40, 80]
    assert pauses == sorted(pauses)
    assert pauses[-1] == 12 * 60 * 60
    assert 2.5 * DAY < sum(pauses) < 3.5 * DAY
    assert pause(1, 1.0) == 6.0
    assert (pause(1, 0.0, 60.0), pause(3, 0.0, 1.0), pause(1, 0.0, 10 * DAY)) == (60, 20, 12 * 60 * 60)


NOW = 784111777.0
"""Sun, 06 Nov 1994 08:49:37 GMT."""


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (None, None),
        ("120", 120),
        (" 7 ", 7),
        ("99999999999999999999", 1e20),
        ("9" * 5000, float("inf")),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
        ("Sunday, 06-Nov-94 08:50:37 GMT", 60),
        ("Sun Nov  6 08:50:37 1994", 60),
        ("Sun, 06 Nov 1994 08:48:37 GMT", -60),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253402300799 - NOW),
        ("Sun, 06 Nov 1994 08:49:37 +99999999999999999999", None),
        ("Sun, 32 Nov 1994 08:49:37 GMT", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("\u00b2", None),
        ("", None),
    ],
)
def test_what_a_retry_after_asks_for(said: str | None, seconds: float | None) -> None:
    """A number of seconds or a date, in any of the three forms of RFC 9110, section 5.6.7."""
    assert requested_pause(said, NOW) == seconds


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [
        ("Sun, 06 Nov 1994 08:52:37 GMT", 180, 180),
        ("120", 120, 120),
        ("99999999999999999999", 12 * 60 * 60, 12 * 60 * 60),
        ("Sun, 06 Nov 1994 08:49:00 GMT", 0.05, 0.07),
        ("whenever", 0.05, 0.07),
    ],
)
def test_who_asks_to_be_asked_later_is(here: Place, said: str, least: float, most: float) -> None:
    here.clock.stop(NOW)
    with receiving(answering(503, Retry_After=said)) as receiver, here.delivering():
        hook = here.hook(receiver.url(), types=["match.created"])
        here.house.table()
        until = monotonic() + 20
        while not (found := here.deliveries(hook)) or not found[0]["attempts"] or not found[0]["next_attempt"]:
            assert monotonic() < until
            sleep(0.01)
    pause = datetime.fromisoformat(found[0]["next_attempt"]).timestamp() - NOW
    assert least <= round(pause, 3) <= most  # to the millisecond, as it is written


def test_what_cannot_be_read_holds_up_nobody(here: Place) -> None:
    """A match whose event is gone: its message is given up, and said so; another's is delivered."""
    with receiving(answering(200)) as receiver:
        hook = here.hook(receiver.url(), types=["match.moved"])
        one, two = played(here.house.table(), 2), played(here.house.table(), 1)
        lost = Delivery("msg_0", hook["webhook"], one.match, "match", 99, 0, "match.moved", here.services.at())
        here.services.store.webhooks.enqueue(lost)
        with here.delivering():
            here.settled(hook, 4)
    assert [(each.seq, each.state, each.fault) for each in here.kept(hook) if each.subject == one.match] == [
        *[(2, "delivered", None), (3, "delivered", None), (99, "given_up", "gone")]
    ]
    assert two.match in by_match(receiver.came)


def test_the_oldest_message_that_waits_has_its_age(here: Place) -> None:
    deliverer = Deliverer(here.services, HttpSender(anywhere=True), meters())
    here.clock.stop(1_800_000_000.0)
    for ahead, messages, age in ((0.0, 0, 0.0), (10.0, 1, 0.0), (90.0, 2, 80.0)):
        here.clock.ahead = ahead
        if messages == 1:
            here.hook(f"http://127.0.0.1:{closed_port()}/", types=["match.created"])
        if messages:
            here.house.table()
            assert not make_deliveries(deliverer.carrier.source, here.services.at())
        deliverer._count()
        told = counts(meters().text().decode())
        assert (of(told, "webhook_messages_waiting"), of(told, "webhook_oldest_message_seconds")) == (messages, age)


def test_messages_bear_the_trace_of_the_request_that_led_to_them(here: Place) -> None:
    """And those of a request that was part of none, or of what is no trace, bear none."""
    traces = [f"00-{digit * 32}-{digit * 16}-01" for digit in "123"]
    with receiving(answering(204)) as receiver, here.delivering():
        hook = here.hook(receiver.url(), types=["match.created", "round.paired"])
        here.house.seated(here.house.create({**OPERATOR, "traceparent": traces[0]}))
        here.house.seated(here.house.create({**OPERATOR, "traceparent": "no trace"}))
        here.house.table()
        test = hook["links"]["test"]
        assert here.house.client.post(test, headers={**OPERATOR, "traceparent": traces[1]}).status_code == 202
        cup = {"game": "catte", "name": "Cup", "seats": [3], "rounds": 2}
        path = f"/v1/tournaments/{_granted(here, '/v1/tournaments', cup)['tournament']}"
        _granted(here, f"{path}/entrants", {"entrants": [{"name": name} for name in ("Ann", "Ben", "Cho")]})
        paired = _granted(here, f"{path}/rounds", {}, traceparent=traces[2])
        came = receiver.wait(6)
    found = sorted((message.told[0], message.headers.get("traceparent", "")) for message in came)
    assert len(paired["tables"]) == 1
    made = [("match.created", trace) for trace in ("", "", traces[0], traces[2])]
    assert found == [*made, ("round.paired", traces[2]), ("webhook.test", traces[1])]
    for message in came:
        message.verified(hook["secret"])


def _granted(here: Place, path: str, document: Plain, **headers: str) -> Plain:
    """A request of the operator's that is granted."""
    answer = here.house.client.post(path, json=document, headers={**OPERATOR, "If-Match": "*", **headers})
    assert answer.status_code in (200, 201), answer.json
    found: Plain = read(answer)
    return found
