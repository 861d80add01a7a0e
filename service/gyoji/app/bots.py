"""Plays the seats that bots have in stored matches: in a process beside the workers, from the view of each seat alone.

A bot's move is recorded as any seat's. It is due where the log says so and nowhere else: after a crash, a take-back or
a pause the process that plays looks at the match as it is. After each move it turns to whatever match comes next, so
that a long one keeps no other waiting. Where several servers share a store each has such a process; of two moves that
are made at once the store takes one.
"""

from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from random import Random, SystemRandom
from threading import Event
from typing import Any

from gyoji.app.logs import log_aside, log_unreadable
from gyoji.app.match_states import RecentCache
from gyoji.app.matches.appends import Written, store_written
from gyoji.app.metrics import meters
from gyoji.app.positions import own_moves, view_of
from gyoji.app.services import Services
from gyoji.app.settings import Settings
from gyoji.app.transparency_log import grow_afterwards
from gyoji.games.game import Game, IllegalMove, Move, Seat
from gyoji.match import recorder
from gyoji.match.state import MatchState
from gyoji.players.lookahead import ListedMoveRefused
from gyoji.players.players import PLAYERS
from gyoji.store.database.appends import ALL, NumberedAppend
from gyoji.store.interface import AppendOptions, Conflict, Match, Unavailable

LOOK = 0.5
"""Seconds between two looks whether it is time to stop, where nothing happens."""

PAUSE = 1.0
"""Seconds after which a store is asked again that does not answer."""

News = Sequence[NumberedAppend]


def play_bots(settings: Settings, stop: Event) -> None:
    """Play the bots of all matches until ``stop`` is set. ``Unavailable`` where the store is not of this release."""
    services = Services(settings)
    services.observe_store, services.count_events = meters().asked_store, meters().stored_events
    services.store.check()
    try:
        Bots(services, stop).run()
    finally:
        services.store.close()


class Bots:
    """The bots of all matches of a store."""

    def __init__(self, services: Services, stop: Event) -> None:
        self._services, self._stop = services, stop
        self._without: RecentCache[str, bool] = RecentCache()
        """Whether matches never have bots: in those of a tournament one may play on for somebody who has left."""

    def run(self) -> None:
        """Play until it is time to stop. What happens while the store does not answer is looked at afterwards."""
        well = True
        while not self._stop.is_set():
            try:
                self._play_on()
                well = True
            except Unavailable as failure:
                if well:
                    log_aside("bots-not-played", failure)
                well = False
                self._stop.wait(PAUSE)

    def _play_on(self) -> None:
        """Play whatever is due, and then whatever comes to be due, until the appends have to be followed anew."""
        news: SimpleQueue[News] = SimpleQueue()
        followed = self._services.store.appends.follow([ALL], news.put)
        try:
            self._look_at(self._services.store.with_bots())
            while not self._stop.is_set():
                with suppress(Empty):
                    appends = news.get(timeout=LOOK)
                    if not appends:
                        return
                    self._look_at([append.match for append in appends])
                if self._services.begin_growth():
                    grow_afterwards(self._services)
        finally:
            followed.leave()

    def _look_at(self, matches: Sequence[str]) -> None:
        """Make one move in each of these matches; the store tells of it, and so of the next. A match that fails keeps
        no other waiting, and the log tells of it. Raises ``Unavailable`` where the store does not answer."""
        for match in dict.fromkeys(matches):
            if self._stop.is_set():
                return
            try:
                self.move(match)
            except Unavailable as failure:
                if failure.cause != "damaged":
                    raise
                log_unreadable(match)
            except Exception as failure:
                log_aside("bot-failed", failure)

    def move(self, match: str) -> bool:
        """Make the move of one bot of a match; tell whether it was any bot's turn."""
        while not self._stop.is_set() and not self._without.get(match):
            row = self._services.store.match(match)
            if row is None:
                return False
            if not any(seat.bot for seat in row.seats):
                self._without.keep(match, row.tournament is None)
                return False
            state = self._services.match_states.latest(row)
            seat = _to_move(row, state)
            if seat is None:
                return False
            with suppress(Conflict):
                self._move(row, state, seat)
                return True
        return False

    def _move(self, row: Match, match: MatchState, seat: Seat) -> None:
        """Make the move of a seat. Raises ``Conflict`` where the match has moved on, or the seat is the bot's no
        more."""
        services = self._services
        move = choose(match.game, match.state, seat, row.seats[seat].bot or "", SystemRandom())
        written = _recorded(services, match, move)
        store_written(services, row, match, written, None, AppendOptions(expected_seats=row.seats))


def _to_move(row: Match, match: MatchState) -> Seat | None:
    """Return the first seat of a bot that may move now."""
    waiting = match.state.to_act if match.status == "playing" else ()
    return next((seat for seat in waiting if row.seats[seat].bot is not None), None)


def choose(game: Game[Any], state: Any, seat: Seat, player: str, dice: Random) -> Move:
    """Choose the move of a seat, by its view. Where the player fails it is the first legal one, and the log says so."""
    legal = own_moves(game, state, seat)
    try:
        return PLAYERS[player](game, view_of(game, state, seat), seat, legal, dice)
    except Exception as failure:
        log_aside("bot-failed", failure)
        return legal[0]


def _recorded(services: Services, match: MatchState, move: Move) -> Written:
    """Record a move as the seat's own."""
    actor = {"role": "seat", "seat": move["seat"]}
    found = recorder.play(match, move, actor, services.at_after(match), services.salt)
    if isinstance(found, IllegalMove):
        raise ListedMoveRefused(f"{match.game.slug}: {found.infraction.reason}")
    return found
