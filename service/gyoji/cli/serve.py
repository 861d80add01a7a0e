"""``gyoji serve``: starts the HTTP server."""

from collections.abc import Callable
from typing import Any

import click

from gyoji.access.variables import SECRETS
from gyoji.app.settings import (
    CAPSULE_HOURS,
    DEFAULT_STORE,
    SERVERS,
    TOKEN_DAYS,
    WEBHOOKS_TO,
    Settings,
    WrongSetting,
)
from gyoji.cli.options import SecretOption
from gyoji.store.interface import Unavailable
from gyoji.web.listening import CannotListen
from gyoji.web.starting import nothing_awaited, nothing_collected, nothing_coloured


def _setting(flag: str, **attributes: Any) -> Callable[[Any], Any]:
    """An option that can be given as ``GYOJI_…`` too."""
    variable = "GYOJI_" + flag.removeprefix("--").replace("-", "_").upper()
    if variable in SECRETS:
        return click.option(flag, cls=SecretOption, envvar=variable, **attributes)
    return click.option(flag, envvar=variable, show_envvar=True, **attributes)


@click.command()
@_setting("--host", default="127.0.0.1", show_default=True)
@_setting("--port", default=8000, type=click.IntRange(0, 65535), show_default=True)
@_setting("--workers", default=2, type=click.IntRange(1, 256), show_default=True, help="Processes.")
@_setting(
    "--threads",
    default=8,
    type=click.IntRange(1, 256),
    show_default=True,
    help="Threads in each process; streams get half of them at most.",
)
@_setting(
    "--proxies",
    default=0,
    type=click.IntRange(0, 10),
    show_default=True,
    help="Proxies before the service that append to X-Forwarded-For, which tells apart who has no credential.",
)
@_setting(
    "--server",
    default="gunicorn",
    type=click.Choice(SERVERS),
    show_default=True,
    help="Whose HTTP the workers speak; granian takes the extra of that name.",
)
@_setting(
    "--log-level",
    default="info",
    type=click.Choice(["debug", "info", "warning", "error"]),
    show_default=True,
    help="What the server says of itself; requests are always logged.",
)
@_setting(
    "--store",
    default=DEFAULT_STORE,
    show_default=True,
    metavar="URL",
    help="Where matches are kept: sqlite:///FILE or postgresql+psycopg://USER@HOST/DATABASE.",
)
@_setting(
    "--store-connections",
    type=click.IntRange(1, 1000),
    help="Connections to PostgreSQL that the threads of a process share. Default: each thread has its own.",
)
@_setting(
    "--store-replica",
    metavar="URL",
    help="A standby of the PostgreSQL database, where what cannot change any more is read.",
)
@_setting(
    "--store-listen",
    metavar="URL",
    help="PostgreSQL itself, where --store leads to a pooler before it: there news is listened for.",
)
@_setting(
    "--archive",
    metavar="URL",
    help="Where gyoji store archive has put closed matches: s3://BUCKET/PREFIX, gs://, file:///FOLDER, a folder.",
)
@_setting(
    "--store-key",
    metavar="HEX",
    help="64 hex digits that secrets at rest are encrypted with. Default: a key file beside the SQLite database. "
    "Better given as a variable, or in a file, than on the command line.",
)
@_setting(
    "--marker",
    metavar="FILE",
    help="A file outside the database that names what was stored last, so that a database that has gone back is known. "
    "Default: beside the SQLite database; with PostgreSQL none.",
)
@_setting(
    "--operator-key",
    metavar="KEY",
    help="A first operator's key with every scope: 32 to 256 visible ASCII characters. "
    "Better given as a variable, or in a file, than on the command line.",
)
@_setting(
    "--origin",
    default="gyoji",
    show_default=True,
    metavar="NAME",
    help="The name that receipts and heads are signed under.",
)
@_setting(
    "--trust",
    metavar="FILE",
    help="Public keys, as GET /v1/keys gives them, that imported replays may be signed with beside the service's own.",
)
@_setting(
    "--token-days",
    default=TOKEN_DAYS,
    type=click.IntRange(1, 3650),
    show_default=True,
    help="Days that the token of a seat is valid for.",
)
@_setting(
    "--capsule-keys",
    metavar="FILE",
    help="Keys that sealed positions are encrypted with: 64 hex digits a line, the newest last, which seals. "
    "Default: one made from the store key.",
)
@_setting(
    "--capsule-hours",
    default=CAPSULE_HOURS,
    type=click.IntRange(1, 8760),
    show_default=True,
    help="Hours that a sealed position can be played on for.",
)
@_setting(
    "--webhooks",
    default="on",
    type=click.Choice(["on", "off"]),
    show_default=True,
    help="on: a process beside the workers delivers to webhooks. off: gyoji webhooks run does, if anything.",
)
@_setting(
    "--webhooks-to",
    default="public",
    type=click.Choice(WEBHOOKS_TO),
    show_default=True,
    help="Where webhooks may lead: public addresses, by https; anywhere, by http too, is for development.",
)
@click.option(
    "--migrate/--no-migrate",
    default=True,
    show_default=True,
    envvar="GYOJI_MIGRATE",
    show_envvar=True,
    help="Bring the schema of the store up to date first; or start only if gyoji store migrate has.",
)
def serve(
    host: str,
    port: int,
    workers: int,
    threads: int,
    proxies: int,
    server: str,
    log_level: str,
    store: str,
    store_connections: int | None,
    store_replica: str | None,
    store_listen: str | None,
    archive: str | None,
    store_key: str | None,
    marker: str | None,
    operator_key: str | None,
    origin: str,
    trust: str | None,
    token_days: int,
    capsule_keys: str | None,
    capsule_hours: int,
    webhooks: str,
    webhooks_to: str,
    migrate: bool,
) -> None:
    """Serve the HTTP API.

    Logs go to standard error, one JSON object a line. SIGTERM lets open requests finish.
    """
    with nothing_collected(), nothing_coloured(), nothing_awaited():
        from gyoji.web.server import serve as run  # noqa: PLC0415 - all that takes long
    try:
        service = Settings(
            store,
            store_key,
            operator_key,
            origin,
            trust,
            token_days,
            threads,
            capsule_keys,
            capsule_hours,
            webhooks == "on",
            webhooks_to,
            store_connections,
            store_replica or None,
            store_listen or None,
            archive or None,
            proxies,
            marker or None,
            migrate,
        )
        run(host, port, workers, log_level, service, server)
    except WrongSetting as wrong:
        raise click.UsageError(str(wrong)) from None
    except (Unavailable, CannotListen) as gone:
        raise click.ClickException(str(gone)) from None
