"""The result of a match as its public events tell it, whoever reads them."""

from collections.abc import Mapping
from typing import Any

from gyoji.games.game import Game, replaced
from gyoji.match.state import Result, among

Document = Mapping[str, Any]


class Reckoning:
    """The events of one match, heard one after another; a referee's points and results among them."""

    def __init__(self, game: Game[Any], seats: int) -> None:
        self._game = game
        self._adjustments = (0,) * seats
        self._result: Result | None = None

    def heard(self, document: Document) -> Result | None:
        """The result, if this event tells it, or makes it another one."""
        before = self._result
        if document["type"] == "match_finished":
            self._finished(document["data"])
        elif document["type"] == "ruling_made":
            self._ruled(document["data"]["ruling"])
        return None if self._result == before else self._result

    def _finished(self, data: Document) -> None:
        if data["outcome"] is None:
            told = data["result"]
            self._result = Result(told["by"], *[tuple(told[name]) for name in ("scores", "winners", "forfeited")])
        else:
            scores = tuple(map(sum, zip(data["outcome"]["scores"], self._adjustments, strict=True)))
            self._result = Result("play", scores, self._game.winners(scores))

    def _ruled(self, ruling: Document) -> None:
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
            winners = result.winners if stays else among(self._game, scores, result.forfeited)
            self._result = result._replace(scores=scores, winners=winners)
