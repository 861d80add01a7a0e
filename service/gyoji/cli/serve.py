"""``gyoji serve``."""

import click

from gyoji.web.server import serve as run


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, envvar="GYOJI_HOST", show_envvar=True)
@click.option(
    "--port", default=8000, type=click.IntRange(0, 65535), show_default=True, envvar="GYOJI_PORT", show_envvar=True
)
@click.option(
    "--workers",
    default=2,
    type=click.IntRange(1, 256),
    show_default=True,
    envvar="GYOJI_WORKERS",
    show_envvar=True,
    help="Processes.",
)
@click.option(
    "--threads",
    default=8,
    type=click.IntRange(1, 256),
    show_default=True,
    envvar="GYOJI_THREADS",
    show_envvar=True,
    help="Threads in each process.",
)
@click.option(
    "--log-level",
    default="info",
    type=click.Choice(["debug", "info", "warning", "error"]),
    show_default=True,
    envvar="GYOJI_LOG_LEVEL",
    show_envvar=True,
    help="What the server says of itself; requests are always logged.",
)
def serve(host: str, port: int, workers: int, threads: int, log_level: str) -> None:
    """Serve the HTTP API under gunicorn.

    Logs go to standard error, one JSON object a line. SIGTERM lets open requests finish.
    """
    run(host, port, workers, threads, log_level)
