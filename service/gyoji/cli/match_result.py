"""Derives the result of a match from its public events, a referee's points and results among them."""

from collections.abc import Mapping
from typing import Any

from gyoji.games.game import Game, replaced
from gyoji.match.result import Result, winners_among

Document = Mapping[str, Any]


class ResultSoFar:
    """The result of one match, to which its events are applied one after another."""

    def __init__(self, game: Game[Any], seats: int) -> None:
        self._game = game
        self._adjustments = (0,) * seats
        self._result: Result | None = None

    def apply(self, document: Document) -> Result | None:
        """Apply an event; return the result, if this event brings one about, or another one."""
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
        self._adjustments = replaced(self._adjustments, seat, self._adjustments[seat] + points)
        result = self._result
        if result is not None:
            scores = replaced(result.scores, seat, result.scores[seat] + points)
            stays = result.by == "ruling"
            winners = result.winners if stays else winners_among(self._game, scores, result.forfeited)
            self._result = result._replace(scores=scores, winners=winners)
