"""``gyoji webhooks run``: delivers to webhooks, in a process of its own."""

from threading import Event

import click

from gyoji.app.child_process import stop_on_signals
from gyoji.app.logs import configure_logs
from gyoji.app.settings import Settings
from gyoji.app.webhooks.process import deliver
from gyoji.cli.groups import Group
from gyoji.cli.options import setting_option
from gyoji.cli.stores import KEY_OPTION, STORE_OPTION, store_errors


@click.group(cls=Group)
def webhooks() -> None:
    """Deliver what happens in matches and tournaments to webhooks."""


@webhooks.command()
@STORE_OPTION
@KEY_OPTION
@setting_option("webhooks_to", "--to")
def run(store: str, store_key: str | None, webhooks_to: str) -> None:
    """Deliver until stopped, for services that run with GYOJI_WEBHOOKS=off, or beside the one that a service starts.

    Any number may run on one store. Logs go to standard error, one JSON object a line.
    """
    configure_logs()
    stop = Event()
    stop_on_signals(stop)
    with store_errors():
        deliver(Settings(store=store, store_key=store_key, webhooks_to=webhooks_to), stop)
