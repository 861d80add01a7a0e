"""Places in which lines are carried: whoever wants many leaves some to the others."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from threading import Event
from time import monotonic, sleep

import pytest

from gyoji.app.metrics import meters
from gyoji.app.services import Services
from gyoji.app.webhooks.deliverer import (
    MOST_FAILING_WEBHOOKS,
    MOST_LANES,
    MOST_LANES_OF_WEBHOOK,
    MOST_LOOKED_AT,
    Deliverer,
    Shares,
)
from gyoji.app.webhooks.http_sender import DeliveryAttempt, HttpSender
from gyoji.app.webhooks.lanes import SLOW
from gyoji.store.webhooks.records import Lane
from operators import OPERATOR
from web.webhooks.houses import Place

WELL: Mapping[str, str] = {}


def lines(account: str, webhooks: int, each: int) -> list[Lane]:
    """So many lines of each of so many webhooks of an account."""
    return [
        Lane(f"{account}-{webhook}", f"m{match}", "now", None, 0, account)
        for match in range(each)
        for webhook in range(webhooks)
    ]


def taken(shares: Shares, wanted: list[Lane]) -> list[Lane]:
    """Those that get a place."""
    return [line for line in wanted if shares.take(line)]


def test_one_account_alone_has_half_of_the_places() -> None:
    shares = Shares([], WELL)
    assert len(taken(shares, lines("club", 5, 10))) == MOST_LANES // 2
    assert (shares.free, shares.full()) == (MOST_LANES // 2, ["club"])


def test_one_webhook_alone_has_four() -> None:
    shares = Shares([], WELL)
    assert len(taken(shares, lines("club", 1, 10))) == MOST_LANES_OF_WEBHOOK == 4
    assert (shares.busy(), shares.full()) == (["club-0"], [])


def test_a_webhook_that_is_ill_has_one_and_those_of_an_account_four() -> None:
    ill = {f"club-{webhook}": "club" for webhook in range(6)}
    shares = Shares([], ill)
    found = taken(shares, [*lines("club", 6, 3), *lines("well", 1, 1)])
    assert [line.webhook for line in found] == [f"club-{webhook}" for webhook in range(MOST_FAILING_WEBHOOKS)] + [
        "well-0"
    ]
    assert set(shares.busy()) == set(ill)
    assert len(taken(shares, [Lane("club-9", f"m{match}", "now", None, 0, "club") for match in range(9)])) == 4


@pytest.mark.parametrize("greedy", [1, 2, 3, 4])
def test_whoever_comes_last_has_a_place(greedy: int) -> None:
    """Though four accounts want all that they can get, and in whichever order they come."""
    for seed in range(20):
        wanted = [line for account in range(greedy) for line in lines(f"a{account}", 20, 4)]
        Random(seed).shuffle(wanted)
        shares = Shares([], WELL)
        taken(shares, wanted)
        assert shares.free > 0
        assert shares.take(Lane("late", "m", "now", None, 0, "late"))


def test_what_is_carried_already_counts() -> None:
    carried = lines("club", 2, 4)
    shares = Shares(carried, WELL)
    assert (shares.free, shares.full(), sorted(shares.busy())) == (8, ["club"], ["club-0", "club-1"])
    assert not shares.take(Lane("club-2", "m", "now", None, 0, "club"))
    assert Shares(carried[1:], WELL).take(Lane("club-2", "m", "now", None, 0, "club"))


def test_a_line_whose_webhook_is_gone_has_a_place_too() -> None:
    assert Shares(lines("club", 2, 4), WELL).take(Lane("gone", "m", "now", None, 0))


# --- in the process that delivers


class Held(HttpSender):
    """Attempts to one receiver that take as long as the test likes; the others are taken at once."""

    def __init__(self, slow: str) -> None:
        super().__init__(anywhere=True)
        self.slow = slow
        self.sent: list[str] = []
        self.go_on = Event()

    def send(self, url: str, _headers: Mapping[str, str], _body: bytes) -> DeliveryAttempt:
        """The message, taken."""
        self.sent.append(url)
        if url.startswith(self.slow):
            self.go_on.wait(30)
        return DeliveryAttempt(204, None)


SLOW_ONE, QUICK_ONE = "https://slow.example/", "https://quick.example/"


@contextmanager
def deliverer(here: Place, sender: HttpSender) -> Iterator[Deliverer]:
    """A deliverer that looks when it is told to."""
    services = Services(here.settings)
    services.clock = here.clock
    made = Deliverer(services, sender, meters())
    try:
        yield made
    finally:
        made.close()
        services.store.close()


def until(met: Callable[[], object]) -> None:
    """Wait for what other threads do."""
    limit = monotonic() + 30
    while not met():
        assert monotonic() < limit
        sleep(0.01)


def test_an_account_whose_receivers_do_not_answer_holds_up_no_other(here: Place) -> None:
    """Five webhooks, all of whose matches have news that is older than the other account's: one look is enough."""
    sender, other = Held(SLOW_ONE), here.house.account()
    for each in range(5):
        here.hook(f"{SLOW_ONE}{each}", types=["match.created"])
    for _match in range(MOST_LOOKED_AT // 5 + 1):
        here.house.table()
    here.hook(QUICK_ONE, by=other, types=["match.created"])
    here.house.table(by=other)
    with deliverer(here, sender) as carrying:
        carrying.turn()
        until(lambda: QUICK_ONE in sender.sent)
        until(lambda: len(sender.sent) == MOST_LANES // 2 + 1)
        carrying.turn()
        assert len(sender.sent) == MOST_LANES // 2 + 1
        sender.go_on.set()


def test_a_receiver_that_takes_long_is_ill_until_it_is_quick(here: Place) -> None:
    """By a clock of the test's: its messages are taken, and so it is never disabled."""
    hook = here.hook(SLOW_ONE, types=["match.created", "match.moved"])
    tables = [here.house.table() for _match in range(3)]
    tables[0].move()
    here.clock.stop(here.clock())

    class Slow(Held):
        def send(self, url: str, headers: Mapping[str, str], body: bytes) -> DeliveryAttempt:
            here.clock.ahead += SLOW + 1
            return super().send(url, headers, body)

    sender: Held = Slow("nobody")
    with deliverer(here, sender) as carrying:
        carrying.turn()
        until(lambda: len(sender.sent) == 3)
        until(lambda: hook["webhook"] in carrying.carrier.ill)
        assert carrying.carrier.ill == {hook["webhook"]: "operator"}
        until(lambda: len(here.deliveries(hook, "?state=delivered")) == 3)
    assert here.of(hook)["failing_since"] is None
    waiting = here.deliveries(hook, "?state=waiting")
    assert [(each["type"], each["attempts"]) for each in waiting] == [
        ("match.moved", 0)
    ]  # not at once, but in its turn
    quick = Held("nobody")
    with deliverer(here, quick) as carrying:
        carrying.carrier.ill[hook["webhook"]] = "operator"
        until(lambda: carrying.turn() or len(here.deliveries(hook, "?state=delivered")) == 4)
        until(lambda: carrying.carrier.ill == {})


def test_a_webhook_that_is_gone_is_not_remembered_as_ill(here: Place) -> None:
    hook = here.hook(SLOW_ONE, types=["match.created"])
    here.house.table()
    with deliverer(here, Held("nobody")) as carrying:
        carrying.carrier.ill[hook["webhook"]] = "operator"
        carrying.turn()
        until(lambda: carrying.carrier.ill == {})
        carrying.carrier.ill[hook["webhook"]] = "operator"
        (delivery,) = here.kept(hook)
        assert here.house.client.delete(hook["links"]["self"], headers=OPERATOR).status_code == 204
        here.services.store.webhooks.enqueue(delivery)
        until(lambda: carrying.turn() or carrying.carrier.ill == {})
