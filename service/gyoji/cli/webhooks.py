"""``gyoji webhooks run``: delivers to webhooks, in a process of its own."""

from threading import Event

import click

from gyoji.app.settings import WEBHOOKS_TO, Settings
from gyoji.cli.errors import store_errors
from gyoji.cli.groups import Group
from gyoji.cli.store_options import KEY_OPTION, STORE_OPTION


@click.group(cls=Group)
def webhooks() -> None:
    """Deliver what happens in matches and tournaments to webhooks."""


@webhooks.command()
@STORE_OPTION
@KEY_OPTION
@click.option(
    "--to",
    "leads_to",
    default="public",
    type=click.Choice(WEBHOOKS_TO),
    show_default=True,
    envvar="GYOJI_WEBHOOKS_TO",
    show_envvar=True,
    help="Where webhooks may lead: public addresses, by https; anywhere, by http too, is for development.",
)
def run(store: str, store_key: str | None, leads_to: str) -> None:
    """Deliver until stopped, for services that run with GYOJI_WEBHOOKS=off, or beside the one that a service starts.

    Any number may run on one store. Logs go to standard error, one JSON object a line.
    """
    from gyoji.app.logs import configure_logs  # noqa: PLC0415 - all that takes long
    from gyoji.app.webhooks.process import deliver, stopped_by_signals  # noqa: PLC0415 - the same

    configure_logs()
    stop = Event()
    stopped_by_signals(stop)
    with store_errors():
        deliver(Settings(store=store, store_key=store_key or None, webhooks_to=leads_to), stop)
