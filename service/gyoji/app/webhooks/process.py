"""Runs the deliverer in a process of its own: beside the service's workers, or started by hand."""

from threading import Event

from gyoji.app.metrics import meters
from gyoji.app.services import Services
from gyoji.app.settings import Settings
from gyoji.app.webhooks.deliverer import Deliverer
from gyoji.app.webhooks.http_sender import HttpSender


def deliver(settings: Settings, stop: Event) -> None:
    """Deliver until ``stop`` is set. ``Unavailable`` where the store is not of this release, or of another key."""
    services = Services(settings)
    services.observe_store = meters().asked_store
    services.store.check()
    deliverer = Deliverer(services, HttpSender(settings.webhooks_to == "anywhere"), meters())
    try:
        deliverer.run(stop)
        deliverer.close()
    finally:
        services.store.close()
