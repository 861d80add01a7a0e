"""Follows all matches of a key by one stream, for many seats."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from gyoji_bot.bot import Document
from gyoji_bot.words import Said
from gyoji_client import AsyncGyoji, AsyncSeat, FeedReset, Problem, Unreachable
from gyoji_client.retries import is_repeatable

PAUSE = 5.0
"""Seconds after which a service is asked again that did not answer, however often the client asked."""

SILENCE = 60.0
"""Seconds without an event after which a seat looks whether there are any that the stream does not have."""


class SharedFeed:
    """The stream of a key, for all seats of its matches: each waits here in the place of a stream of its own."""

    def __init__(self, gyoji: AsyncGyoji, say: Callable[[Said], None]) -> None:
        self._gyoji, self._say = gyoji, say
        self._is_there = asyncio.Event()
        self._waiting: dict[str, list[asyncio.Queue[Document | None]]] = defaultdict(list)
        """By match: who is told; of ``None`` that the stream has begun anew, and something may be missing."""

    async def run(self) -> None:
        """Follow until cancelled, however often the stream breaks. ``Problem`` where the key does not open it."""
        while True:
            try:
                async with aclosing(self._gyoji.matches.feed(self._is_there.set)) as events:
                    async for event in events:
                        for queue in self._waiting.get(event["match"], ()):
                            queue.put_nowait(event)
            except (FeedReset, Unreachable, Problem) as failure:
                if isinstance(failure, Problem) and not is_repeatable(failure):
                    raise
                self._say(Said("away", {"address": self._gyoji.service.url, "failure": failure}))
            self._is_there.clear()
            for queue in [queue for queues in self._waiting.values() for queue in queues]:
                queue.put_nowait(None)
            await asyncio.sleep(PAUSE)

    def of(self, seat: AsyncSeat) -> Callable[[int | None], AsyncGenerator[Document, None]]:
        """Return the feed of a seat's match."""

        async def follow(after: int | None) -> AsyncGenerator[Document, None]:
            told: asyncio.Queue[Document | None] = asyncio.Queue()
            self._waiting[seat.match_id].append(told)
            try:
                await self._is_there.wait()
                last = -1 if after is None else after
                async for event in _missed(seat, last):  # before the stream was there
                    last = event["seq"]
                    yield event
                async for event in _told(seat, told, last):
                    yield event
            finally:
                self._waiting[seat.match_id].remove(told)

        return follow


async def _told(seat: AsyncSeat, told: asyncio.Queue[Document | None], last: int) -> AsyncGenerator[Document, None]:
    """Give the events behind that number as they are told; where the stream turns out not to have those of the match,
    by the seat's own."""
    while True:
        try:
            event = await asyncio.wait_for(told.get(), SILENCE)
        except TimeoutError:
            if [missed async for missed in _missed(seat, last)]:
                break
            continue
        if event is None:
            raise FeedReset("the stream has begun anew")
        if event["seq"] > last:
            last = event["seq"]
            yield event
    async with aclosing(seat.feed(last)) as own:
        async for event in own:
            yield event


async def _missed(seat: AsyncSeat, after: int) -> AsyncGenerator[Document, None]:
    """Read the events behind that number that there are now, page by page."""
    behind: int | None = None if after < 0 else after
    while True:
        page = await seat.service.ask(f"{seat.path}/events", {"after": behind})
        for event in page["events"]:
            yield event
        behind = page["next"]
        if behind is None:
            return
