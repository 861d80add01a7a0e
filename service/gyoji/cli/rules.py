"""``gyoji rules``: the rulebooks at a terminal."""

from collections.abc import Mapping
from typing import Any

import click

from gyoji.app import catalogue
from gyoji.cli.options import GAME_ARGUMENT, JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.output import print_result


@click.command()
@GAME_ARGUMENT
@click.argument("rule", required=False)
@LANGUAGE_OPTION
@JSON_OPTION
def rules(game: str, rule: str | None, lang: str, as_json: bool) -> None:
    """Print the rulebook of GAME, or one RULE of it."""
    if rule is None:
        listed = catalogue.rules(game)
        print_result(as_json, listed, "\n\n".join(_entry(entry, lang) for entry in listed["rules"]))
        return
    found = catalogue.rule(game, rule)
    if found is None:
        raise click.ClickException(f"{game} has no rule {rule}")
    print_result(as_json, found, _entry(found, lang))


def _entry(entry: Mapping[str, Any], lang: str) -> str:
    return f"{entry['rule']}  {entry['heading'][lang]}\n    {entry['text'][lang]}\n    ({entry['print']})"
