"""Asks a bot for its moves, and makes the first legal one where it gives none in time."""

import asyncio
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread

from gyoji_bot.bot import Bot, Document, Turn
from gyoji_bot.words import Said


@dataclass(frozen=True)
class Decision:
    """A move that is legal, and why it is not the bot's own."""

    move: Document
    instead: Said | None = None
    """What came of asking the bot, where the first legal move is made in the place of its own."""


class Thinker:
    """One bot at its seat. Each choice is made in a thread of its own, which nothing can stop: one that takes too long
    goes on thinking, and the bot is not asked again before it is done, so that it never thinks twice at once."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._asked: asyncio.Future[Document] | None = None

    async def decide(self, turn: Turn) -> Decision:
        """Ask the bot; where it takes too long, fails, or names no legal move, the first legal one is made."""
        first = turn.legal_moves[0]
        until = asyncio.get_running_loop().time() + self.bot.think
        if self._asked is not None and not await _is_done(self._asked, until):
            return Decision(first, Said("still thinking"))
        self._asked = _ask(self.bot, turn)
        if not await _is_done(self._asked, until):
            return Decision(first, Said("too late", {"seconds": self.bot.think}))
        failure = self._asked.exception()
        if failure is not None:
            return Decision(first, Said("failed", {"failure": f"{type(failure).__name__}: {failure}"}))
        move = self._asked.result()
        if move not in turn.legal_moves:
            return Decision(first, Said("illegal", {"move": move}))
        return Decision(move)

    def close(self) -> None:
        """Wait for no choice any more."""
        if self._asked is not None:
            self._asked.cancel()


async def _is_done(asked: asyncio.Future[Document], until: float) -> bool:
    """Wait until that time of the loop for an answer; tell whether it is there."""
    await asyncio.wait([asked], timeout=max(0.0, until - asyncio.get_running_loop().time()))
    return asked.done()


def _ask(bot: Bot, turn: Turn) -> asyncio.Future[Document]:
    """Have the bot choose, in a thread that nothing waits for when the program ends."""
    answer: Future[Document] = Future()
    answer.set_running_or_notify_cancel()

    def choose() -> None:
        try:
            answer.set_result(bot.choose(turn))
        except Exception as failure:
            answer.set_exception(failure)

    Thread(target=choose, daemon=True).start()
    return asyncio.wrap_future(answer)
