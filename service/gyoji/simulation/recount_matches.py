"""Reads how a match ended from the lines of its replay file alone: the part of ``recount`` that reads matches.

It shares no code with the rest of ``gyoji``.
"""

import json
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Document = Mapping[str, Any]


class MatchEnd(NamedTuple):
    """The end of a match: who won, and with which scores."""

    scores: tuple[int, ...]
    """By seat, with what referees have given and taken."""
    given: tuple[int, ...]
    """By seat, what of that a referee gave or took; nothing where a ruling set the scores."""
    winners: tuple[int, ...]
    forfeited: tuple[int, ...] = ()
    by_ruling: bool = False


def read_match_end(lines: Iterable[bytes], cooperative: Container[str]) -> MatchEnd | None:
    """Read the result from the lines of a replay file; ``None`` while the match runs, or if it is void.

    ``cooperative`` are the games, by slug, in which all win or lose together.
    """
    first, *events = [found for found in map(json.loads, lines) if "type" in found]
    together, seats = first["data"]["game"] in cooperative, first["data"]["seats"]
    given, result = [0] * seats, None
    for event in events:
        data = event["data"]
        if event["type"] == "match_finished":
            result = _finish(data, given, together)
        elif event["type"] == "match_voided":
            result = None
        elif event["type"] == "ruling_made":
            result = _rule(data["ruling"], given, result, together)
    return None if result is None else result._replace(given=(0,) * seats if result.by_ruling else tuple(given))


def _finish(data: Document, given: Sequence[int], together: bool) -> MatchEnd:
    if data["outcome"] is None:
        result = data["result"]
        scores, winners, forfeited = [tuple(result[name]) for name in ("scores", "winners", "forfeited")]
        return MatchEnd(scores, (), winners, forfeited, result["by"] == "ruling")
    scores = tuple([score + more for score, more in zip(data["outcome"]["scores"], given, strict=True)])
    return MatchEnd(scores, (), _best(scores, (), together))


def _rule(ruling: Document, given: list[int], result: MatchEnd | None, together: bool) -> MatchEnd | None:
    kind = ruling["kind"]
    if kind == "take_back":
        return None
    if kind == "points":
        given[ruling["seat"]] += ruling["points"]
        return None if result is None else _with_points(result, ruling["seat"], ruling["points"], together)
    if kind == "result" and result is not None:
        scores = result.scores if ruling["scores"] is None else tuple(ruling["scores"])
        return MatchEnd(scores, (), tuple(ruling["winners"]), (), by_ruling=True)
    return result


def _with_points(result: MatchEnd, seat: int, points: int, together: bool) -> MatchEnd:
    scores = tuple([score + points * (each == seat) for each, score in enumerate(result.scores)])
    winners = result.winners if result.by_ruling else _best(scores, result.forfeited, together)
    return result._replace(scores=scores, winners=winners)


def _best(scores: Sequence[int], forfeited: Sequence[int], together: bool) -> tuple[int, ...]:
    """Return the winners: the highest score wins, of those who have not forfeited; who plays together wins and loses
    together."""
    if together:
        return () if forfeited else tuple(range(len(scores)))
    left = [score for seat, score in enumerate(scores) if seat not in forfeited]
    return tuple([seat for seat, score in enumerate(scores) if seat not in forfeited and score == max(left)])
