"""Audits have places, a share and a budget; whoever hangs up, or has had a share, makes room."""

from collections.abc import Hashable, Iterator
from contextlib import ExitStack
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from flask import Flask

from answers import CheckedClient
from gyoji.app import audit_slots
from gyoji.app.audit_slots import AuditSlots, AuditTurn
from gyoji.app.problems import HttpProblem
from gyoji.app.services import Services
from operators import OPERATOR
from replay.tampering import entries_of, file_of

JSONL = {"Content-Type": "application/jsonl"}
HONEST = b"".join(file_of(entries_of("towai")))


LONG = 2**20 + 1
"""Bytes of a file that is no short one."""


def there() -> bool:
    """Whoever asked is still there."""
    return False


def gone() -> bool:
    """Whoever asked has hung up."""
    return True


def code(found: pytest.ExceptionInfo[HttpProblem]) -> str:
    return found.value.code


class Asking(Thread):
    """Somebody who asks for a place, and gives it back at once."""

    def __init__(self, slots: AuditSlots, caller: str, size: int = 1) -> None:
        super().__init__(daemon=True)
        self.slots, self.caller, self.size, self.answer = slots, caller, size, ""
        self.start()

    def run(self) -> None:
        try:
            with self.slots.turn(self.caller, self.size, there):
                self.answer = "audited"
        except HttpProblem as refused:
            self.answer = refused.code

    def told(self) -> str:
        """What it was answered."""
        self.join(30)
        return self.answer


def wait_for(is_so: Any) -> None:
    until = monotonic() + 30
    while not is_so():
        assert monotonic() < until
        sleep(0.001)


def waiting(slots: AuditSlots) -> list[Hashable]:
    return [turn.caller for turn in slots._waiting]


@pytest.fixture
def full() -> Iterator[tuple[AuditSlots, ExitStack, list[AuditTurn]]]:
    """Two places, both taken."""
    slots = AuditSlots(2)
    with ExitStack() as held:
        yield slots, held, [held.enter_context(slots.turn("one", 1, there)) for _ in range(2)]


def test_whoever_has_had_a_share_makes_room_for_the_newest() -> None:
    slots = AuditSlots(2)
    with slots.turn("a", 1, there) as little:
        with slots.turn("b", 1, there) as much:
            little.used, much.used = 0.5, 0.6
            newest = Asking(slots, "c")
            wait_for(lambda: much.is_over)
            with pytest.raises(HttpProblem) as ended:
                much.look()
            assert (code(ended), ended.value.retry_after) == ("too-many-at-once", 5)
        assert newest.told() == "audited"
        assert not little.is_over
        little.look()


def test_nobody_makes_room_before_it_has_had_its_share(
    full: tuple[AuditSlots, ExitStack, list[AuditTurn]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_slots, "QUEUE_SECONDS", 0.2)
    slots, _held, turns = full
    assert Asking(slots, "c").told() == "too-many-at-once"
    assert [turn.is_over for turn in turns] == [False, False]
    assert waiting(slots) == []


def test_a_place_that_is_given_back_is_taken_by_whoever_waits(
    full: tuple[AuditSlots, ExitStack, list[AuditTurn]],
) -> None:
    slots, held, _turns = full
    others = [Asking(slots, caller) for caller in "cd"]
    wait_for(lambda: len(waiting(slots)) == 2)
    held.close()
    assert [other.told() for other in others] == ["audited", "audited"]
    assert Asking(slots, "e").told() == "audited"


def test_one_address_does_not_take_every_place_of_those_that_wait(
    full: tuple[AuditSlots, ExitStack, list[AuditTurn]],
) -> None:
    slots, held, _turns = full
    first, second = Asking(slots, "one"), Asking(slots, "one")
    wait_for(lambda: waiting(slots) == ["one", "one"])
    assert Asking(slots, "one").told() == "too-many-at-once"
    other = Asking(slots, "other")
    wait_for(lambda: "other" in waiting(slots) and len(waiting(slots)) == 2)
    held.close()
    assert other.told() == "audited"
    assert sorted([first.told(), second.told()]) == ["audited", "too-many-at-once"]


def test_the_last_place_is_for_short_files() -> None:
    slots = AuditSlots(2)
    with slots.turn("a", LONG, there) as first:
        other = Asking(slots, "b", LONG)
        wait_for(lambda: waiting(slots) == ["b"])
        assert Asking(slots, "a").told() == "audited"
        first.used = 0.6
        wait_for(lambda: first.is_over)
    assert other.told() == "audited"


def test_short_files_come_before_long_ones(full: tuple[AuditSlots, ExitStack, list[AuditTurn]]) -> None:
    slots, held, _turns = full
    long = [Asking(slots, "b", LONG) for _ in range(2)]
    wait_for(lambda: waiting(slots) == ["b", "b"])
    assert Asking(slots, "b", LONG).told() == "too-many-at-once"
    short = Asking(slots, "b")
    wait_for(lambda: waiting(slots)[-1] == "b" and len(waiting(slots)) == 2 and sum(map(Thread.is_alive, long)) == 1)
    held.close()
    assert short.told() == "audited"
    assert sorted(each.told() for each in long) == ["audited", "too-many-at-once"]


@pytest.mark.parametrize("size", [1, LONG])
def test_of_one_place_all_may_be_had(size: int) -> None:
    slots = AuditSlots(1)
    for _ in range(2):
        with slots.turn("a", size, there):
            pass


def test_whoever_hangs_up_does_not_wait(full: tuple[AuditSlots, ExitStack, list[AuditTurn]]) -> None:
    slots, _held, _turns = full
    with pytest.raises(HttpProblem), slots.turn("c", 1, gone):
        pass
    assert waiting(slots) == []


def test_the_budget_is_of_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(audit_slots, "thread_time", lambda: now[0])
    slots = AuditSlots(1)
    with slots.turn("a", 1, there) as turn:
        for second in range(21):
            now[0] = float(second)
            turn.look()
        now[0] = 20.5
        with pytest.raises(HttpProblem) as ended:
            turn.look()
    assert (code(ended), ended.value.facts) == ("too-much-work", {"limit": 20})


# Over HTTP


@pytest.fixture
def services(app: Flask) -> Services:
    """The desk of the application."""
    found: Services = app.extensions["gyoji.services"]
    return found


class Wire:
    """A connection that its client has closed."""

    def recv(self, _size: int, _flags: int) -> bytes:
        """The end."""
        return b""


@pytest.mark.parametrize("path", ["/v1/audits", "/audit/verdict", "/audit/frames", "/v1/replays"])
def test_an_audit_ends_when_the_caller_has_gone(client: CheckedClient, services: Services, path: str) -> None:
    wire = Wire()
    headers = {**JSONL, **(OPERATOR if path == "/v1/replays" else {})}
    answer = client.post(path, data=HONEST, headers=headers, environ_overrides={"gunicorn.socket": wire})
    assert answer.status_code == 400
    assert client.post(path, data=HONEST, headers=headers).status_code in (200, 409)


def test_an_audit_of_a_stored_match_ends_when_the_caller_has_gone(client: CheckedClient) -> None:
    created = client.post("/v1/matches", json={"game": "catte", "seats": 3}, headers=OPERATOR).get_json()
    gone = client.post(
        "/v1/audits",
        json={"match": created["match"]},
        headers=OPERATOR,
        environ_overrides={"gunicorn.socket": Wire()},
    )
    assert gone.status_code == 400


@pytest.mark.parametrize("path", ["/v1/audits", "/v1/replays"])
def test_what_takes_more_than_the_budget_is_refused(
    client: CheckedClient, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    headers = {**JSONL, **(OPERATOR if path == "/v1/replays" else {})}
    monkeypatch.setattr(audit_slots, "BUDGET_SECONDS", -1.0)
    for _ in range(5):  # more than there are places
        refused = client.post(path, data=HONEST, headers=headers)
        assert (refused.status_code, refused.get_json()["code"]) == (413, "too-much-work")
    monkeypatch.undo()
    assert client.post(path, data=HONEST, headers=headers).status_code in (200, 409)


class Hostile(Thread):
    """An audit that never ends by itself."""

    def __init__(self, slots: AuditSlots) -> None:
        super().__init__(daemon=True)
        self.slots, self.answer = slots, ""
        self.start()

    def run(self) -> None:
        try:
            with self.slots.turn("hostile", LONG, there) as turn:
                while True:
                    turn.look()
        except HttpProblem as ended:
            self.answer = ended.code


def test_an_honest_audit_passes_while_hostile_ones_hold_every_place(
    client: CheckedClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_slots, "GUARANTEED_SECONDS", 0.0)
    hostile = [Hostile(services.audits) for _ in range(2)]
    for _ in range(2):
        answer = client.post("/v1/audits", data=HONEST, headers=JSONL)
        assert (answer.status_code, answer.get_json()["match"] is None) == (200, False)
    monkeypatch.setattr(audit_slots, "BUDGET_SECONDS", -1.0)
    for each in hostile:
        each.join(30)
    assert {each.answer for each in hostile} <= {"too-many-at-once", "too-much-work"}
    assert "too-many-at-once" in {each.answer for each in hostile}
