"""``gyoji replay show``: the account of a match move by move, or one position of it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from gyoji.cli.match_text import Account, position_lines
from gyoji.cli.options import JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.output import json_text
from gyoji.cli.replay_files import FILE, LINE_OPTION, Line, Replay, game_of, read_replay, seated
from gyoji.cli.terminal import COLOUR_OPTION, Colours, When, is_coloured
from gyoji.games.game import Game, replace_at
from gyoji.log.redaction import Reader, project_event
from gyoji.match.effective_history import lasts, taken_back_events
from gyoji.match.fold import UNFOLDABLE, opened_data, replay_log
from gyoji.match.state import Result, winners_among
from gyoji.messages.language import Language
from gyoji.messages.matches import Narrator
from gyoji.messages.positions import PositionWriter, reader_name
from gyoji.messages.rulebooks import rulebook


@click.command()
@FILE
@click.option(
    "--at", type=click.IntRange(1), metavar="SEQ", help="The position after that event, in place of the account."
)
@click.option("--as", "seat", type=click.IntRange(0), metavar="SEAT", help="Only what that seat may know.")
@LINE_OPTION
@LANGUAGE_OPTION
@COLOUR_OPTION
@JSON_OPTION
def show(file: Path, at: int | None, seat: int | None, line: Line, lang: Language, when: When, as_json: bool) -> None:
    """Tell the match in FILE move by move, or show one position of it.

    What a referee took back bears a cross in the line that was played, and is not in the line that was ruled.
    """
    found = read_replay(file)
    reader = _reader(found, seat)
    colours = Colours(found.header["game"], is_coloured(when) and not as_json)
    for text in (
        _account(found, reader, line, lang, colours, as_json)
        if at is None
        else _position(found, at, seat, lang, colours, as_json)
    ):
        click.echo(text, color=colours.on)


def _reader(found: Replay, seat: int | None) -> Reader:
    """Return the reader that was asked for, if the file is theirs to read; else whoever reads all that is in it."""
    if seat is None:
        return "full"
    if found.audience not in ("full", seat):
        raise click.ClickException(f"the file has been redacted; it does not hold what seat {seat} may know")
    return seated(seat, found.created["seats"], "--as")


def _account(
    found: Replay, reader: Reader, line: Line, lang: Language, colours: Colours, as_json: bool
) -> Iterator[str]:
    events = []
    narrator, account = Narrator(game_of(found).slug, lang), Account(colours, lang, _names(found))
    so_far, taken = ResultSoFar(game_of(found), found.created["seats"]), _taken_back(found)
    if not as_json:
        yield colours.heading(_heading(found, reader, lang))
    for entry in found.entries:
        try:
            document, is_out = project_event(reader, entry), entry.seq in taken
            if line == "ruled" and is_out:
                continue
            lines = [*account.event(entry.seq, [*narrator.sentences(document)], is_taken_back=is_out)]
            account.seated(*_substitute(document))
            result = so_far.apply(document)
            lines += [] if result is None else account.scores(result.scores, result.winners)
        except UNFOLDABLE:
            raise click.ClickException(f"event {entry.seq} says what no match says; see gyoji audit") from None
        events.append(document)
        if not as_json:
            yield from lines
    if as_json:
        taken_back = [{"seq": seq, "by": by} for seq, by in sorted(taken.items())]
        yield json_text({"header": found.header, "line": line, "taken_back": taken_back, "events": events})


def _taken_back(found: Replay) -> Mapping[int, int]:
    """Return what was taken back, and by which ruling; but for the rulings that last."""
    taken = taken_back_events(found.entries)
    return {entry.seq: taken[entry.seq] for entry in found.entries if entry.seq in taken and not lasts(entry)}


def _substitute(document: Mapping[str, Any]) -> Iterator[tuple[int, str | None]]:
    """Return who sits where from that event on, by seat, if it seats somebody else."""
    ruling = document["data"]["ruling"] if document["type"] == "ruling_made" else {}
    if ruling.get("kind") == "substitute":
        name = ruling["name"]
        yield ruling["seat"], name if isinstance(name, str) else None


def _names(found: Replay) -> list[str | None]:
    """Return the name of each seat; ``None`` where the file does not hold it."""
    unnamed: list[str | None] = [None] * found.created["seats"]
    try:
        names = opened_data(found.entries[0], {"data": found.created})["names"]
    except UNFOLDABLE:
        return unnamed
    return [name if isinstance(name, str) else None for name in names] if isinstance(names, list) else unnamed


def _heading(found: Replay, reader: Reader, lang: Language) -> str:
    title = rulebook(found.header["game"]).title[lang]
    whose = reader_name(found.audience if reader == "full" else reader, lang)
    return " · ".join(filter(None, [f"{title} ({found.header['game']})", found.header["match"], whose]))


def _position(
    found: Replay, at: int, seat: int | None, lang: Language, colours: Colours, as_json: bool
) -> Iterator[str]:
    view = _view(found, at, seat)
    if as_json:
        yield json_text(view)
        return
    writer = PositionWriter(game_of(found).slug, lang, _names(found))
    heading = _heading(found, "full" if seat is None else seat, lang)
    yield from position_lines(writer.layout(view, at), heading, colours)


def _view(found: Replay, at: int, seat: int | None) -> dict[str, Any]:
    """Return the position after an event as plain data: as that seat sees it, or all of it."""
    if found.audience != "full":
        raise click.ClickException("the file has been redacted: it does not hold enough to play it again")
    last = found.entries[-1].seq
    if at > last:
        raise click.BadParameter(f"the last event is {last}", param_hint="--at")
    game = game_of(found)
    try:
        secret = _server_secret(found)
        state = replay_log(game, secret or b"", found.entries[: at + 1]).state
    except UNFOLDABLE:
        raise click.ClickException("the log cannot be played again up to there; see gyoji audit") from None
    if state is None:
        raise click.BadParameter(f"no cards are dealt by event {at}", param_hint="--at")
    if seat is not None:
        return game.view(state, seat)
    return game.write_state(state if secret else state._replace(seed=None))


def _server_secret(found: Replay) -> bytes | None:
    """Return the secret of all deals, once the file discloses it."""
    last = found.entries[-1]
    secret = opened_data(last, project_event("full", last)).get("server_secret")
    return None if secret is None else bytes.fromhex(secret)


Document = Mapping[str, Any]


class ResultSoFar:
    """Follows the result of one match, as its events are applied one after another."""

    def __init__(self, game: Game[Any], seats: int) -> None:
        self._game = game
        self._adjustments = (0,) * seats
        self._result: Result | None = None

    def apply(self, document: Document) -> Result | None:
        """Apply an event; return the result of the match if this event sets or changes it, else ``None``."""
        before = self._result
        if document["type"] == "match_finished":
            self._finish(document["data"])
        elif document["type"] == "ruling_made":
            self._rule(document["data"]["ruling"])
        return None if self._result == before else self._result

    def _finish(self, data: Document) -> None:
        if data["outcome"] is None:
            result = data["result"]
            self._result = Result(result["by"], *[tuple(result[name]) for name in ("scores", "winners", "forfeited")])
        else:
            scores = tuple(map(sum, zip(data["outcome"]["scores"], self._adjustments, strict=True)))
            self._result = Result("play", scores, self._game.winners(scores))

    def _rule(self, ruling: Document) -> None:
        kind, result = ruling["kind"], self._result
        if kind == "take_back":
            self._result = None
        elif kind == "points":
            self._adjust(ruling["seat"], ruling["points"])
        elif kind == "result" and result is not None:
            scores = result.scores if ruling["scores"] is None else tuple(ruling["scores"])
            self._result = Result("ruling", scores, tuple(ruling["winners"]))

    def _adjust(self, seat: int, points: int) -> None:
        self._adjustments = replace_at(self._adjustments, seat, self._adjustments[seat] + points)
        result = self._result
        if result is not None:
            scores = replace_at(result.scores, seat, result.scores[seat] + points)
            stays = result.by == "ruling"
            winners = result.winners if stays else winners_among(self._game, scores, result.forfeited)
            self._result = result._replace(scores=scores, winners=winners)
