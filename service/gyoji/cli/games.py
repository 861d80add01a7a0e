"""``gyoji games``: the catalogue at a terminal."""

import click

from gyoji.app import catalogue
from gyoji.cli.options import JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.output import json_text


@click.command()
@LANGUAGE_OPTION
@JSON_OPTION
def games(lang: str, as_json: bool) -> None:
    """List the games."""
    listed = catalogue.games()
    if as_json:
        click.echo(json_text(listed))
        return
    for game in listed["games"]:
        seats = game["seats"]
        span = str(seats["min"]) if seats["min"] == seats["max"] else f"{seats['min']}-{seats['max']}"
        click.echo(f"{game['game']:22} {span:>3}  {game['title'][lang]}")
