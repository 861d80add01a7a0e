"""Asks a bot for its moves, and makes the first legal one where it gives none in time."""

import asyncio
import json
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
    refused: Document | None = None
    """The bot's own choice, where it is no legal move: an object, of whatever shape."""


class Thinker:
    """One bot at its seat. Each choice is made in a thread of its own, which nothing can stop: one that takes too long
    goes on thinking, and the bot is not asked again before it is done, so that it never thinks twice at once."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self._asked: asyncio.Future[Document | BaseException] | None = None

    async def decide(self, turn: Turn) -> Decision:
        """Ask the bot; where it takes too long, fails, or names no legal move, the first legal one is made."""
        first = turn.legal_moves[0]
        until = asyncio.get_running_loop().time() + self.bot.think
        if self._asked is not None and not await _is_done(self._asked, until):
            return Decision(first, Said("still thinking"))
        self._asked = _ask(self.bot, turn)
        if not await _is_done(self._asked, until):
            return Decision(first, Said("too late", {"seconds": self.bot.think}))
        move = self._asked.result()
        if isinstance(move, BaseException):
            return Decision(first, Said("failed", {"failure": f"{type(move).__name__}: {move}"}))
        if move not in turn.legal_moves:
            return Decision(first, Said("illegal", {"move": move}), move if _is_document(move) else None)
        return Decision(move)

    def close(self) -> None:
        """Wait for no choice any more."""
        if self._asked is not None:
            self._asked.cancel()


def _is_document(move: object) -> bool:
    """Tell whether something can be sent as JSON."""
    try:
        json.dumps(move, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError):
        return False
    return isinstance(move, dict)


async def _is_done(asked: asyncio.Future[Document | BaseException], until: float) -> bool:
    """Wait until that time of the loop for an answer; tell whether it is there."""
    await asyncio.wait([asked], timeout=max(0.0, until - asyncio.get_running_loop().time()))
    return asked.done()


def _ask(bot: Bot, turn: Turn) -> asyncio.Future[Document | BaseException]:
    """Have the bot choose, in a thread that nothing waits for when the program ends. The answer may be how it failed: a
    future cannot raise everything, ``StopIteration`` for one."""
    answer: Future[Document | BaseException] = Future()
    answer.set_running_or_notify_cancel()

    def choose() -> None:
        try:
            answer.set_result(bot.choose(turn))
        except BaseException as failure:
            answer.set_result(failure)

    Thread(target=choose, daemon=True).start()
    return asyncio.wrap_future(answer)
