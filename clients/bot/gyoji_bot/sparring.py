"""Has a bot play whole matches against others, on a server of its own that adjudicates and audits every one."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gyoji.api.bodies import body_errors
from gyoji.games.catalogue import BY_SLUG
from gyoji.simulation.seeded_groups import keep_groups, seeded_group
from gyoji.simulation.server import NotStarted, local_server
from gyoji_bot.bot import Bot, Document
from gyoji_bot.comparison import Comparison, Game, compare
from gyoji_bot.seat_player import Played, Say, SeatPlayer
from gyoji_bot.words import SaidError
from gyoji_client import AsyncGyoji, AsyncMatch

THREADS = 8
"""Of the server: more than there are moves under way at once."""


@dataclass(frozen=True)
class Setting:
    """What is played."""

    game: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)


def setting_of(bot: type[Bot], game: str | None, seats: int | None, options: Mapping[str, Any]) -> Setting:
    """Return what a bot is to play: its only game, where none is named. ``SaidError`` where that cannot be set up."""
    played = [slug for slug in BY_SLUG if slug in bot.games or not bot.games]
    chosen = played[0] if game is None and len(played) == 1 else game
    if chosen not in played:
        raise SaidError("which game", games=", ".join(played))
    rules = BY_SLUG[chosen]
    count = rules.min_seats if seats is None else seats
    wrong = [place for place, _code in body_errors(rules.slug, "states", {"seats": count, "options": options})]
    if not wrong:
        wrong = [found.pointer for found in rules.contradictions(count, rules.read_options(options))]
    if wrong:
        raise SaidError("no setting", game=rules.slug, places=", ".join(wrong))
    return Setting(rules.slug, count, options)


@dataclass
class Bout:
    """The matches against one opponent."""

    opponent: str
    games: list[Game] = field(default_factory=list)
    matches: int = 0
    """All that were played and audited, those without the bot too."""
    fallbacks: int = 0
    """Moves of the bot that were not its own: it was late, failed, or named no legal move."""
    unsound: dict[str, str] = field(default_factory=dict)
    """Matches whose audit did not say ``verified``, each with what it said."""

    @property
    def found(self) -> Comparison:
        """Return what the matches say."""
        return compare(self.games)


async def spar(
    bot: type[Bot],
    opponents: Mapping[str, type[Bot]],
    setting: Setting,
    games: int,
    seed: str,
    at_once: int,
    say: Say,
) -> list[Bout]:
    """Play so many matches against each opponent, and audit each. All are met with the same deals; the bot sits at
    every seat in turn.

    The same seed gives the same matches, as long as the bot takes its dice from ``turn.random`` and is never late.
    """
    game = BY_SLUG[setting.game]
    groups = [seeded_group(game, setting.seats, setting.options, seed, index) for index in range(games)]
    places = asyncio.Semaphore(at_once)

    async def play(ring: Ring, index: int) -> list[Bout]:
        async with places:
            return await ring.play_deal(groups[index].group, index, bot, opponents)

    try:
        with local_server(THREADS) as server:
            keep_groups(server.store, groups)
            async with AsyncGyoji(f"http://127.0.0.1:{server.port}", server.key) as gyoji:
                ring = Ring(gyoji, setting, seed, say)
                deals = await asyncio.gather(*[play(ring, index) for index in range(games)])
    except NotStarted as failure:
        raise SaidError("no server", failure=failure) from None
    return [_joined(name, [bouts[at] for bouts in deals]) for at, name in enumerate(opponents)]


def _joined(opponent: str, bouts: Sequence[Bout]) -> Bout:
    return Bout(
        opponent,
        [game for bout in bouts for game in bout.games],
        sum([bout.matches for bout in bouts]),
        sum([bout.fallbacks for bout in bouts]),
        {match: verdict for bout in bouts for match, verdict in bout.unsound.items()},
    )


class Ring:
    """Where the matches take place."""

    def __init__(self, gyoji: AsyncGyoji, setting: Setting, seed: str, say: Say) -> None:
        self._gyoji, self._setting, self._seed, self._say = gyoji, setting, seed, say
        self._is_cooperative = BY_SLUG[setting.game].cooperative

    async def play_deal(self, group: str, index: int, bot: type[Bot], opponents: Mapping[str, type[Bot]]) -> list[Bout]:
        """Play one deal against each opponent, then have all its matches disclosed and audited."""
        seat = index % self._setting.seats
        bouts = {name: Bout(name) for name in opponents}
        matches: list[tuple[Bout, AsyncMatch]] = []
        for name, bout in bouts.items():
            table = [opponents[name]] * self._setting.seats
            baseline = None
            if self._is_cooperative:
                match, result, _played = await self._play(group, index, table)
                matches.append((bout, match))
                baseline = result["scores"][seat]
            table[seat] = bot
            match, result, played = await self._play(group, index, table)
            matches.append((bout, match))
            bout.games.append(Game(seat, result["scores"], result["winners"], baseline))
            bout.fallbacks += played[seat].fallbacks
        await self._gyoji.service.send(f"/v1/groups/{group}/close", once=False)
        for bout, match in matches:
            bout.matches += 1
            verdict = (await match.audit())["verdict"]
            if verdict != "verified":
                bout.unsound[match.id] = verdict
        return [*bouts.values()]

    async def _play(
        self, group: str, index: int, table: Sequence[type[Bot]]
    ) -> tuple[AsyncMatch, Document, Sequence[Played]]:
        """Play one match to its end, a bot for each seat; return it with its result, and what has become of each
        seat."""
        names = [{"name": bot.__name__} for bot in table]
        match = await self._gyoji.matches.create(self._setting.game, names, group=group)
        seats = zip(table, match.seats, strict=True)
        players = [SeatPlayer(bot(), seat.address, self._say, f"{self._seed} {index}") for bot, seat in seats]
        played = await asyncio.gather(*[player.play() for player in players])
        for each in played:
            if each.result is None:
                raise SaidError("lost", match=match.id, failure=each.failure)
        return match, (await match.read())["result"], played
