"""What several commands print."""

import re
from typing import Any

import click
import orjson


def json_lines(document: Any) -> str:
    """A document as indented JSON; what would command a terminal, or turn the direction of its line, is escaped."""
    return UNSAFE.sub(_escaped, orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


UNSAFE = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def known_game(_context: click.Context, _parameter: click.Parameter, slug: str) -> str:
    """The slug, where a game has it; else a usage error that names those there are."""
    from gyoji.games.catalogue import BY_SLUG  # noqa: PLC0415

    if slug not in BY_SLUG:
        raise click.BadParameter(f"no game {slug!r}; there are {', '.join(BY_SLUG)}")
    return slug


LANGUAGE_OPTION = click.option(
    "--lang", type=click.Choice(["en", "ja"]), default="en", show_default=True, envvar="GYOJI_LANG", show_envvar=True
)
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
GAME_ARGUMENT = click.argument("game", callback=known_game)
