"""A service with its store, a deliverer in a thread beside it, and a clock that can be moved on."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep, time
from typing import Any

from gyoji.app.metrics import meters
from gyoji.app.preparation import prepare_store
from gyoji.app.services import Services
from gyoji.app.settings import Settings
from gyoji.app.webhooks.deliverer import Deliverer
from gyoji.app.webhooks.http_sender import HttpSender
from gyoji.store.webhooks.records import Delivery, DeliveryPage
from gyoji.web.app import create_app
from operators import OPERATOR, OPERATOR_KEY
from web.matches.tables import House, Plain, read
from web.matches.tables import house as house_of
from web.webhooks.receivers import WAIT


class Clock:
    """The time, moved on by so many seconds."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self._stopped: float | None = None

    def __call__(self) -> float:
        """Unix seconds."""
        return self.ahead + (time() if self._stopped is None else self._stopped)

    def stop(self, at: float) -> None:
        """It is that time from now on, until it is moved on."""
        self._stopped = at


@dataclass
class Place:
    """A service whose webhooks may lead to this machine."""

    house: House
    settings: Settings
    clock: Clock

    @property
    def services(self) -> Services:
        """Its desk."""
        return self.house.services

    def hook(self, url: str, by: Mapping[str, str] = OPERATOR, **more: Any) -> Plain:
        """A new webhook."""
        answer = self.house.client.post("/v1/webhooks", json={"url": url, **more}, headers=dict(by))
        assert answer.status_code == 201, answer.json
        made: Plain = read(answer)
        return made

    def of(self, hook: Plain) -> Plain:
        """The webhook as it stands."""
        found: Plain = read(self.house.client.get(hook["links"]["self"], headers=OPERATOR))
        return found

    def deliveries(self, hook: Plain, query: str = "") -> list[Plain]:
        """What it was sent."""
        found: list[Plain] = read(self.house.client.get(f"{hook['links']['deliveries']}{query}", headers=OPERATOR))[
            "deliveries"
        ]
        return found

    def kept(self, hook: Plain) -> list[Delivery]:
        """The same, as it is stored, oldest first."""
        found = self.services.store.webhooks.deliveries(DeliveryPage(hook["webhook"], limit=10_000))
        return sorted(found, key=lambda each: (each.subject, each.seq, each.place))

    def settled(self, hook: Plain, deliveries: int) -> list[Delivery]:
        """So many deliveries, of which none waits."""
        until = monotonic() + WAIT
        while True:
            found = self.kept(hook)
            if len(found) >= deliveries and all(each.state != "waiting" for each in found):
                return found
            assert monotonic() < until, [each[7:] for each in found if each.state == "waiting"]
            sleep(0.02)

    @contextmanager
    def delivering(self, seconds: float = 2.0) -> Iterator[Deliverer]:
        """A deliverer, as long as the block takes; an attempt has so many seconds."""
        services = Services(self.settings)
        services.clock = self.clock
        deliverer, stop = Deliverer(services, HttpSender(anywhere=True, time=seconds), meters()), Event()
        thread = Thread(target=deliverer.run, args=(stop,))
        thread.start()
        try:
            yield deliverer
        finally:
            stop.set()
            deliverer.wake()
            thread.join(WAIT)
            deliverer.close()
            services.store.close()


def place(folder: Path) -> "AbstractContextManager[Place]":
    """A service with an empty store."""
    return placed(f"sqlite:///{folder}/gyoji.db")


@contextmanager
def placed(url: str, key: str | None = None) -> Iterator[Place]:
    """A service with the store at ``url``."""
    settings = Settings(store=url, store_key=key, operator_key=OPERATOR_KEY, webhooks_to="anywhere")
    prepare_store(settings)
    made = Place(house_of(create_app(settings)), settings, Clock())
    made.services.clock = made.clock
    yield made
    made.services.store.close()
