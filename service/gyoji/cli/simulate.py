"""``gyoji simulate``: random play, written as move lists."""

import sys
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

import click

from gyoji.cli.printing import GAME_ARGUMENT, JSON_OPTION, json_lines
from gyoji.games.catalogue import BY_SLUG
from gyoji.wire.gate import Malformed, checked, parsed
from gyoji.wire.simulation import move_list, play
from gyoji.wire.validation import errors

HEX = "0123456789abcdef"


def _hex(_context: click.Context, _parameter: click.Parameter, seed: str | None) -> str:
    if seed is None:
        return token_hex(32)
    if not 1 <= len(seed) <= 128 or not set(seed.lower()) <= set(HEX):
        raise click.BadParameter("1 to 128 hex digits")
    return seed.lower()


def _object(_context: click.Context, _parameter: click.Parameter, text: str) -> Mapping[str, Any]:
    try:
        options = parsed(text.encode())
        checked(options)
    except (Malformed, UnicodeEncodeError):
        options = None
    if not isinstance(options, dict):
        raise click.BadParameter("one JSON object")
    return options


@click.command()
@GAME_ARGUMENT
@click.option("--games", "count", default=1, type=click.IntRange(1), show_default=True, help="How many.")
@click.option("--seats", type=int, help="Default: the fewest the game takes.")
@click.option("--options", default="{}", callback=_object, show_default=True, help="The game's options, as JSON.")
@click.option("--seed", callback=_hex, help="1 to 128 hex digits; the same seed gives the same games. Default: fresh.")
@click.option(
    "--out",
    default=Path("simulated"),
    type=click.Path(path_type=Path, file_okay=False),
    show_default=True,
    help="A folder; one .jsonl file a game.",
)
@click.option("--max-plies", default=20_000, type=click.IntRange(1), show_default=True, help="Stop a game after these.")
@JSON_OPTION
def simulate(
    game: str,
    count: int,
    seats: int | None,
    options: Mapping[str, Any],
    seed: str,
    out: Path,
    max_plies: int,
    as_json: bool,
) -> None:
    """Play GAME at random and write what was played."""
    played_game = BY_SLUG[game]
    at_table = played_game.min_seats if seats is None else seats
    _possible(game, at_table, options)
    out.mkdir(parents=True, exist_ok=True)
    plies, unfinished = 0, []
    with click.progressbar(range(count), file=sys.stderr, hidden=not sys.stderr.isatty()) as indices:
        for index in indices:
            played = play(played_game, at_table, options, seed, index, max_plies)
            file = out / f"{game}-{index:05}.jsonl"
            file.write_bytes(b"".join(line + b"\n" for line in move_list(played_game, played)))
            plies += played.last.ply
            if played.last.outcome is None:
                unfinished.append(file.name)
    report = {"game": game, "games": count, "seats": at_table, "seed": seed, "plies": plies, "unfinished": unfinished}
    click.echo(json_lines(report) if as_json else _text(report, out))


def _possible(game: str, seats: int, options: Mapping[str, Any]) -> None:
    """The same checks that the API makes of a new game."""
    wrong = [pointer for pointer, _code in errors(game, "states", {"seats": seats, "options": options})]
    if not wrong:
        rules = BY_SLUG[game]
        wrong = [found.pointer for found in rules.contradictions(seats, rules.read_options(options))]
    if wrong:
        raise click.UsageError(f"the game cannot be set up like this; see {', '.join(wrong)}")


def _text(report: Mapping[str, Any], out: Path) -> str:
    said = (
        f"{report['games']} game(s) of {report['game']} with {report['seats']} seats, {report['plies']} moves, in {out}"
    )
    seeded = f"seed {report['seed']}"
    late = [f"not finished within the limit: {', '.join(report['unfinished'])}"] if report["unfinished"] else []
    return "\n".join([said, seeded, *late])
