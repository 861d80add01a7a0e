"""``gyoji adjudicate``: rules on the moves in a file."""

from typing import Any, BinaryIO

import click

from gyoji.api.bodies import Malformed, parse_json
from gyoji.app.adjudication import answer_parsed_call
from gyoji.cli.options import LANGUAGE_OPTION
from gyoji.cli.output import json_text
from gyoji.games.catalogue import BY_SLUG
from gyoji.messages.language import Language
from gyoji.messages.problems import malformed_sentence

ILLEGAL = 3
"""The exit status when the rules forbid the move."""


@click.command()
@click.argument("file", type=click.File("rb"))
@LANGUAGE_OPTION
def adjudicate(file: BinaryIO, lang: Language) -> None:
    """Rule on FILE (- for standard input): one object with "state" and "move" or "moves"; "game" may be left out.

    Prints the ruling as JSON. Exit status 0: the move stands; 3: the rules forbid it; 1: there is nothing to rule on.
    """
    request = _read(file.read(), lang)
    slug = _game(request)
    try:
        answer = answer_parsed_call(slug, "adjudications", request, f"/v1/games/{slug}/adjudications", lang)
    except Malformed as found:
        raise click.ClickException(malformed_sentence(found.why, found.facts, lang)) from None
    click.echo(json_text(answer.body))
    if answer.status != 200:
        raise SystemExit(ILLEGAL if answer.body["code"] == "illegal-move" else 1)


def _read(body: bytes, lang: Language) -> dict[str, Any]:
    try:
        request = parse_json(body)
    except Malformed as found:
        raise click.ClickException(malformed_sentence(found.why, found.facts, lang)) from None
    if not isinstance(request, dict):
        raise click.ClickException('the file has to hold one object with "state" and "move" or "moves"')
    return request


def _game(request: dict[str, Any]) -> str:
    """Return the game that the file names, or else its state."""
    state = request.get("state")
    slug = request.pop("game", state.get("game") if isinstance(state, dict) else None)
    if not isinstance(slug, str) or slug not in BY_SLUG:
        raise click.ClickException(f'"game" has to be one of {", ".join(BY_SLUG)}')
    return slug
