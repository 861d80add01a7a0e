"""Plays many seats in one process: each by a stream of its own, or all by the one stream of a key."""

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx

from gyoji_bot.bot import Bot
from gyoji_bot.seat_player import Played, Say, SeatPlayer
from gyoji_bot.shared_feed import SharedFeed
from gyoji_bot.words import SaidError
from gyoji_client import AsyncGyoji, Problem
from gyoji_client.answers import TIMEOUT


async def play_seats(
    bot: type[Bot], addresses: Sequence[str], say: Say, key: str | None = None, language: str = "en"
) -> list[Played]:
    """Play seats to the end of their matches, each by a bot of its own. With a key, that of whoever has made the
    matches, they are followed by its one stream, and share a few connections. ``SaidError`` for what is no seat."""
    if key is None:
        return await asyncio.gather(*[player.play() for player in _players(bot, addresses, say, None, None, language)])
    async with httpx.AsyncClient(timeout=TIMEOUT) as http:
        feeds = {
            url: SharedFeed(AsyncGyoji(url, key, language=language, http=http), say)
            for url in dict.fromkeys(address.rpartition("/matches/")[0] for address in addresses)
        }
        players = _players(bot, addresses, say, feeds, http, language)
        playing = asyncio.gather(*[player.play() for player in players])
        following: asyncio.Future[Any] = asyncio.gather(*[feed.run() for feed in feeds.values()])
        both: list[asyncio.Future[Any]] = [playing, following]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                await following
            return await playing
        except Problem as refused:
            raise SaidError("no stream", failure=refused, address=", ".join(feeds)) from None
        finally:
            for each in both:
                each.cancel()
            await asyncio.gather(*both, return_exceptions=True)


def _players(
    bot: type[Bot],
    addresses: Sequence[str],
    say: Say,
    feeds: dict[str, SharedFeed] | None,
    http: httpx.AsyncClient | None,
    language: str,
) -> list[SeatPlayer]:
    try:
        return [
            SeatPlayer(
                bot(),
                address,
                say,
                shared=None if feeds is None else feeds[address.rpartition("/matches/")[0]],
                language=language,
                http=http,
            )
            for address in addresses
        ]
    except ValueError:
        raise SaidError("no seat") from None
