"""``gyoji games``: the catalogue at a terminal."""

from collections.abc import Mapping
from typing import Any

import click

from gyoji.app import catalogue
from gyoji.cli.options import JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.output import print_result


@click.command()
@LANGUAGE_OPTION
@JSON_OPTION
def games(lang: str, as_json: bool) -> None:
    """List the games."""
    listed = catalogue.games()
    print_result(as_json, listed, *[_line(game, lang) for game in listed["games"]])


def _line(game: Mapping[str, Any], lang: str) -> str:
    seats = game["seats"]
    span = str(seats["min"]) if seats["min"] == seats["max"] else f"{seats['min']}-{seats['max']}"
    return f"{game['game']:22} {span:>3}  {game['title'][lang]}"
