"""Checks a simulated tournament: files verify, effective histories replay, standings add up."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from gyoji.audit.audit import audit
from gyoji.audit.impact import entries_in
from gyoji.games.catalogue import BY_VERSION
from gyoji.games.game import Accepted, Game, chance_of_piles
from gyoji.log.signatures import Trusted
from gyoji.match.effective_history import history_lines, taken_back_events
from gyoji.match.fold import replay_log
from gyoji.match.seeding import shuffles_in
from gyoji.messages.verdicts import rules_for
from gyoji.simulation.recount import RecountedRow, recount

Lines = Sequence[bytes]


class MatchFiles(NamedTuple):
    """The files of one match."""

    match: str
    played: Lines
    """Its replay file."""
    ruled: Lines
    """Its effective history, as the service gives it."""


class MatchChecks(NamedTuple):
    """The checks of all matches: what was found, in numbers, and everything that is wrong."""

    counts: Counter[str]
    wrong: tuple[str, ...]


def check_matches(files: Iterable[MatchFiles], trusted: Sequence[Trusted]) -> MatchChecks:
    """Check every match: its verdict, and its log and effective history played again."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for kept in files:
        verdict = audit(lambda kept=kept: kept.played, rules_for, trusted)  # type: ignore[misc]
        counts[verdict.verdict] += 1
        counts["rulings"] += len(verdict.rulings)
        expected = "verified_with_rulings" if verdict.rulings else "verified"
        if verdict.verdict != expected:
            wrong.append(f"{kept.match} audits to {verdict.verdict}: {verdict.first_divergence}")
            continue
        wrong += [f"{kept.match}: {what}" for what in _faulty_lines(kept)]
    return MatchChecks(counts, tuple(wrong))


def _faulty_lines(kept: MatchFiles) -> Iterator[str]:
    """Find what is wrong with the effective history of a match whose file verifies."""
    entries = [*entries_in(kept.played)]
    if [*history_lines("full", entries, taken_back_events(entries))] != [*kept.ruled]:
        yield "the line that was ruled is not what is left of the log"
        return
    header, *events = map(orjson.loads, kept.ruled)
    game = BY_VERSION[header["game"], header["version"]]
    stands = replay_log(game, b"", entries).state
    if play_again(game, events)._replace(seed=None) != stands._replace(seed=None):
        yield "the line that was ruled leads elsewhere than the log"


def play_again(game: Game[Any], events: Sequence[Mapping[str, Any]]) -> Any:
    """Play the events of an effective history again, one move after the other; return the position they lead to.

    What was taken back is not among them, and of a ruling only its move counts.
    """
    created = events[0]["data"]
    options = game.read_options(created["options"])
    state: Any = None
    for event in events:
        data = event["data"]
        chance = chance_of_piles(shuffles_in(game, options, data.get("events", ())))
        if event["type"] == "dealt":
            state = game.start(created["seats"], options, created["first"], None, chance).state
        elif data.get("move") is not None:
            rule = game.irregular if data.get("ruling", {}).get("kind") == "accept" else game.adjudicate
            verdict = rule(state, data["move"], chance)
            if not isinstance(verdict, Accepted):
                raise ValueError(f"event {event['seq']} of the line is refused: {verdict.infraction.reason}")
            state = verdict.state
    return state


def check_standings(
    served: Mapping[str, Any], log: Lines, files: Mapping[str, Lines], cooperative: Container[str]
) -> tuple[str, ...]:
    """Compare the standings that the service gives with those counted a second time, from the files alone."""
    ours = [_row(row) for row in recount(log, files, cooperative)]
    theirs = [_served_row(row) for row in served["rows"]]
    wrong = [
        f"counted {mine}, and the service says {other}"
        for mine, other in zip(ours, theirs, strict=False)
        if mine != other
    ]
    return tuple(wrong if len(ours) == len(theirs) else [*wrong, f"{len(ours)} entrants, and {len(theirs)} are listed"])


def _row(row: RecountedRow) -> tuple[Any, ...]:
    figures = [(name, None if figure is None else str(figure)) for name, figure in row.tie_breaks]
    return row.place, row.entrant, str(row.points), tuple(figures)


def _served_row(row: Mapping[str, Any]) -> tuple[Any, ...]:
    figures = [(each["figure"], each["value"]) for each in row["tie_breaks"]]
    return row["place"], row["entrant"], row["points"], tuple(figures)
