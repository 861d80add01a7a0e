"""What a simulated tournament has to show for itself: files that verify, lines that replay, standings that add up."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from gyoji.audit.audit import audit
from gyoji.audit.impact import entries_in
from gyoji.games.catalogue import BY_VERSION
from gyoji.games.game import Accepted, Game, recorded
from gyoji.log.signatures import Trusted
from gyoji.match.effective_history import history_lines
from gyoji.match.fold import piles_of, replay_log
from gyoji.match.rulings import taken_back_events
from gyoji.messages.verdicts import rules_for
from gyoji.simulation.recount import Counted, recount

Lines = Sequence[bytes]


class Kept(NamedTuple):
    """The files of one match."""

    match: str
    played: Lines
    """Its replay file."""
    ruled: Lines
    """The line that stands, as the service gives it."""


class Checked(NamedTuple):
    """What was found, in numbers, and everything that is wrong."""

    counted: Counter[str]
    wrong: tuple[str, ...]


def check_matches(files: Iterable[Kept], trusted: Sequence[Trusted]) -> Checked:
    """Every match: its verdict, and both of its lines played again."""
    counted: Counter[str] = Counter()
    wrong: list[str] = []
    for kept in files:
        verdict = audit(lambda kept=kept: kept.played, rules_for, trusted)  # type: ignore[misc]
        counted[verdict.verdict] += 1
        counted["rulings"] += len(verdict.rulings)
        expected = "verified_with_rulings" if verdict.rulings else "verified"
        if verdict.verdict != expected:
            wrong.append(f"{kept.match} audits to {verdict.verdict}: {verdict.first_divergence}")
            continue
        wrong += [f"{kept.match}: {what}" for what in _lines(kept)]
    return Checked(counted, tuple(wrong))


def _lines(kept: Kept) -> Iterator[str]:
    """What is wrong with the lines of a match whose file verifies."""
    entries = [*entries_in(kept.played)]
    if [*history_lines("full", entries, taken_back_events(entries))] != [*kept.ruled]:
        yield "the line that was ruled is not what is left of the log"
        return
    header, *events = map(orjson.loads, kept.ruled)
    game = BY_VERSION[header["game"], header["version"]]
    stands = replay_log(game, b"", entries).state
    if played_again(game, events)._replace(seed=None) != stands._replace(seed=None):
        yield "the line that was ruled leads elsewhere than the log"


def played_again(game: Game[Any], events: Sequence[Mapping[str, Any]]) -> Any:
    """The position that the events of a line lead to, one move after the other; those that were taken back are not
    among them, and no ruling is asked for more than its move."""
    created = events[0]["data"]
    options = game.read_options(created["options"])
    state: Any = None
    for event in events:
        data = event["data"]
        chance = recorded(piles_of(game, options, data.get("events", ())))
        if event["type"] == "dealt":
            state = game.start(created["seats"], options, created["first"], None, chance).state
        elif data.get("move") is not None:
            ruled = game.irregular if data.get("ruling", {}).get("kind") == "accept" else game.adjudicate
            verdict = ruled(state, data["move"], chance)
            if not isinstance(verdict, Accepted):
                raise ValueError(f"event {event['seq']} of the line is refused: {verdict.breach.reason}")
            state = verdict.state
    return state


def check_standings(said: Mapping[str, Any], log: Lines, files: Mapping[str, Lines]) -> tuple[str, ...]:
    """How the standings that the service says differ from those counted a second time, from the files alone."""
    ours = [_row(row) for row in recount(log, files)]
    theirs = [_said(row) for row in said["rows"]]
    wrong = [
        f"counted {mine}, and the service says {other}"
        for mine, other in zip(ours, theirs, strict=False)
        if mine != other
    ]
    return tuple(wrong if len(ours) == len(theirs) else [*wrong, f"{len(ours)} entrants, and {len(theirs)} are listed"])


def _row(row: Counted) -> tuple[Any, ...]:
    figures = [(name, None if figure is None else str(figure)) for name, figure in row.tie_breaks]
    return row.place, row.entrant, str(row.points), tuple(figures)


def _said(row: Mapping[str, Any]) -> tuple[Any, ...]:
    figures = [(each["figure"], each["value"]) for each in row["tie_breaks"]]
    return row["place"], row["entrant"], row["points"], tuple(figures)
