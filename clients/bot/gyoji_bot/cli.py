"""Has bots play, and spar, and measures the players that come with gyoji."""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace

from gyoji_bot.bot import Bot, load_bot
from gyoji_bot.comparison import Step, rows
from gyoji_bot.seat_player import Played, Say
from gyoji_bot.seats import play_seats
from gyoji_bot.words import Language, Said, SaidError

BOT = "a file with a class of Bot (bots.py:Name where there are several), or random, greedy, search"
KEY = "With GYOJI_KEY, the key of whoever has made the matches, all seats share its one stream."
SEATS = "addresses of seats, …/matches/{id}#token=…; @FILE: those of a file, one a line"


def main() -> None:
    """Run the command that is asked for. It ends with status 0 where all went well, 1 where something did not, 2 where
    it cannot be done as it was asked."""
    asked = _parser().parse_args()
    language: Language = asked.language

    def say(said: Said) -> None:
        print(said.write(language), file=sys.stderr, flush=True)

    try:
        status: int = asked.run(asked, say)
    except SaidError as wrong:
        say(wrong.said)
        status = 2
    except KeyboardInterrupt:
        status = 130
    raise SystemExit(status)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="gyoji-bot", description=__doc__)
    parser.add_argument("--language", choices=("en", "ja"), default="en", help="of what is said (%(default)s)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser(
        "run", help="play seats to the end of their matches", epilog=KEY, fromfile_prefix_chars="@"
    )
    run.add_argument("bot", help=BOT)
    run.add_argument("--seat", nargs="+", action="extend", required=True, metavar="ADDRESS", help=SEATS)
    run.set_defaults(run=_run)
    spar = commands.add_parser("spar", help="play against others on a server of its own, every match audited")
    spar.add_argument("bot", help=BOT)
    spar.add_argument("--against", default="random,greedy", help="opponents, by commas: names or files (%(default)s)")
    spar.add_argument("--game", help="one that the bot plays, where it plays several")
    spar.add_argument("--seats", type=int, help="default: the fewest that the game takes")
    spar.add_argument("--options", type=json.loads, default={}, help="of the game, as JSON")
    spar.add_argument("--games", type=int, default=30, help="matches against each opponent (%(default)s)")
    spar.add_argument("--at-once", type=int, default=2, help="deals that are played at the same time (%(default)s)")
    spar.set_defaults(run=_spar)
    ladder = commands.add_parser("ladder", help="measure the players that come with gyoji, each against the one before")
    ladder.add_argument("--game", help="only this one")
    ladder.add_argument("--games", type=int, default=300, help="of each step (%(default)s)")
    ladder.set_defaults(run=_ladder)
    for command in (spar, ladder):
        command.add_argument("--seed", default="1", help="where cards and dice come from (%(default)s)")
    return parser


def _bot(where: str) -> type[Bot]:
    """Load the bot of a file, or a player that comes with gyoji."""
    if where.endswith(".py") or ".py:" in where:
        return load_bot(where)
    try:
        from gyoji_bot.opponents import opponent
    except ModuleNotFoundError:
        raise SaidError("no extra") from None
    return opponent(where)


def _run(asked: Namespace, say: Say) -> int:
    """Play all the seats that are named, each once."""
    addresses = [*dict.fromkeys(asked.seat)]
    played = asyncio.run(play_seats(_bot(asked.bot), addresses, say, os.environ.get("GYOJI_KEY"), asked.language))
    for each in played:
        if each.failure is None:
            print(_result(each).write(asked.language), flush=True)
    return 1 if any(each.failure is not None for each in played) else 0


def _result(played: Played) -> Said:
    result = Said("void") if played.result is None else Said("scores", played.result)
    facts = {"match": played.match, "seat": played.seat, "moves": played.moves, "fallbacks": played.fallbacks}
    return Said("over", {**facts, "result": result})


def _spar(asked: Namespace, say: Say) -> int:
    """Spar, and print what came of it against each opponent."""
    try:
        from gyoji_bot.sparring import setting_of, spar
    except ModuleNotFoundError:
        raise SaidError("no extra") from None
    bot = _bot(asked.bot)
    opponents = {name: _bot(name) for name in asked.against.split(",")}
    setting = setting_of(bot, asked.game, asked.seats, asked.options)
    bouts = asyncio.run(spar(bot, opponents, setting, asked.games, asked.seed, asked.at_once, say))
    steps = (Step(setting.game, setting.seats, bot.__name__, bout.opponent, bout.found) for bout in bouts)
    print("\n".join(rows(steps)), flush=True)
    for bout in bouts:
        if bout.fallbacks:
            say(Said("not own", {"opponent": bout.opponent, "count": bout.fallbacks}))
        for match, verdict in bout.unsound.items():
            say(Said("unsound", {"match": match, "verdict": verdict}))
    if any(bout.unsound for bout in bouts):
        return 1
    say(Said("audited", {"count": sum(bout.matches for bout in bouts)}))
    return 0


def _ladder(asked: Namespace, _say: Say) -> int:
    """Measure the players, and print each step as it is known."""
    try:
        from gyoji_bot.ladder import climb
    except ModuleNotFoundError:
        raise SaidError("no extra") from None
    for line in rows(climb(asked.games, asked.seed, asked.game)):
        print(line, flush=True)
    return 0
