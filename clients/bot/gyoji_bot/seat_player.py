"""Plays seats to the end of their matches, however often the line breaks."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass
from random import Random
from typing import Any

from gyoji_bot.bot import Bot, Document, Turn
from gyoji_bot.shared_feed import PAUSE, SharedFeed
from gyoji_bot.thinker import Thinker
from gyoji_bot.words import Said, SaidError
from gyoji_client import (
    AsyncSeat,
    AsyncTurn,
    GyojiError,
    IllegalMove,
    MatchFinished,
    MatchNotRunning,
    Problem,
    StalePosition,
    Unreachable,
)
from gyoji_client.retries import is_repeatable

Say = Callable[[Said], None]

MOVED_ON = (StalePosition, MatchFinished, MatchNotRunning)
"""Refusals of a move whose position is gone."""


@dataclass
class Played:
    """What has become of a seat."""

    match: str
    seat: int | None = None
    moves: int = 0
    """Those that were accepted."""
    fallbacks: int = 0
    """Those of them that were not the bot's own."""
    result: Document | None = None
    """How the match ended; ``None``: it was voided, or the seat given up."""
    failure: GyojiError | SaidError | None = None
    """Why the seat was given up."""


class SeatPlayer:
    """A bot at one seat."""

    def __init__(
        self,
        bot: Bot,
        address: str,
        say: Say,
        seed: str | None = None,
        shared: SharedFeed | None = None,
        **settings: Any,
    ) -> None:
        """``seed``: where the dice of its turns come from; ``shared``: the stream of a key, in the place of one of its
        own; ``settings`` as of ``gyoji_client.AsyncSeat``. ``ValueError`` for what is no address of a seat."""
        self._seat = AsyncSeat(address, **settings)
        self._feed = None if shared is None else shared.of(self._seat)
        self._thinker, self._say, self._seed = Thinker(bot), say, seed
        self._address = address.partition("#")[0]
        """Without the token, so that it can be said."""
        self.played = Played(self._seat.match_id)

    async def play(self) -> Played:
        """Play to the end of the match. What is not answered is asked again; what is refused for good ends it."""
        try:
            while not await self._play_on():
                await asyncio.sleep(PAUSE)
            self.played.result = self._seat.result
        except (GyojiError, SaidError) as failure:
            self.played.failure = failure
            why = failure.said if isinstance(failure, SaidError) else failure
            self._say(Said("left", {"address": self._address, "failure": why}))
        finally:
            self._thinker.close()
            await self._seat.close()
        return self.played

    async def _play_on(self) -> bool:
        """Play until the match is over, or the service does not answer; tell which. Whether a move was made whose
        answer was lost shows in the position from which it then goes on: the next one is decided on that alone."""
        try:
            async with aclosing(self._seat.turns(self._feed)) as coming:
                async for turn in coming:
                    await self._answer(turn)
        except (Unreachable, Problem) as failure:
            if isinstance(failure, Problem) and not is_repeatable(failure):
                raise
            self._say(Said("away", {"address": self._address, "failure": failure}))
            return False
        return True

    async def _answer(self, coming: AsyncTurn) -> None:
        """Make a move, the bot's own or the first legal one. Where the match has moved on meanwhile, there is another
        turn."""
        turn = self._turn(coming)
        decision = await self._thinker.decide(turn)
        try:
            why = None if decision.refused is None else await _why_illegal(coming, decision.refused)
            await coming.play(decision.move)
        except MOVED_ON:
            return
        self.played.moves += 1
        if decision.instead is not None:
            self.played.fallbacks += 1
            facts = {"match": turn.match, "seat": turn.seat, "why": why or decision.instead, "move": decision.move}
            self._say(Said("instead", facts))

    def _turn(self, coming: AsyncTurn) -> Turn:
        match = coming.match
        game, seat = match["game"], match["viewer"]["seat"]
        bot = self._thinker.bot
        if bot.games and game not in bot.games:
            raise SaidError("other game", bot=type(bot).__name__, game=game)
        self.played.seat = seat
        dice = Random() if self._seed is None else Random(f"{self._seed} {seat} {coming.view['ply']}")
        return Turn(game, seat, coming.view, coming.legal_moves, match["match"], coming.seq, dice)


async def _why_illegal(coming: AsyncTurn, move: Document) -> Said | None:
    """Ask the referee which rule a bot's choice breaks, and why; ``None`` where it is legal after all. Raises what says
    that there is nothing to choose any more, or nobody to ask."""
    try:
        await coming.would_be_legal(move)
    except IllegalMove as no:
        return Said("breaks", {"move": move, "rule": no.rule or no.reason, "because": no.because})
    except Problem as no:
        if isinstance(no, MOVED_ON) or is_repeatable(no):
            raise
        return Said("not taken", {"move": move, "detail": no.detail})
    return None
