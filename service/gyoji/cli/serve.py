"""``gyoji serve``: starts the HTTP server."""

from collections.abc import Callable
from typing import Any

import click

from gyoji.app.settings import SETTINGS, Settings, WrongSetting
from gyoji.cli.options import setting_option
from gyoji.store.interface import Unavailable
from gyoji.web.start import CannotListen, without_garbage_collection


def _setting_options(command: Callable[..., None]) -> Callable[..., None]:
    for name in reversed(SETTINGS):
        command = setting_option(name)(command)
    return command


@click.command()
@_setting_options
def serve(**values: Any) -> None:
    """Serve the HTTP API.

    Logs go to standard error, one JSON object a line. SIGTERM lets open requests finish.
    """
    with without_garbage_collection():
        from gyoji.web.server import serve as run
    try:
        run(Settings(**values))
    except WrongSetting as wrong:
        raise click.UsageError(str(wrong)) from None
    except (Unavailable, CannotListen) as gone:
        raise click.ClickException(str(gone)) from None
