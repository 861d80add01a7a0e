"""One game after another at a table: what both kinds of PettingZoo environments are shells of."""

from array import array
from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

from gyoji.games.chance import deal_v1
from gyoji.games.game import IllegalMove, Infraction, Move, Seat
from gyoji_env.replay import Deal, replay_file, seed_of
from gyoji_env.table import Table


class Episode:
    """The game that is under way at a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._dice = Random()
        self.nothing = (0.0,) * table.seats
        self.begin(None)

    def begin(self, seed: int | None) -> None:
        """Begin a new game. The same seed gives the same deals, in this game and in those that follow without one.

        The cards come from a secret as in a match that is stored, so that what is played can be audited as one is.
        """
        if seed is not None:
            self._dice = Random(seed)
        game, dice = self.table.game, self._dice
        self.deal = Deal(str(UUID(bytes=dice.randbytes(16), version=4)), dice.randbytes(64))
        self.seed = seed_of(self.table, self.deal)
        self._chance = deal_v1(self.seed)
        self.moves: list[Move] = []
        self.state = game.start(self.table.seats, self.table.options, self.table.first, self.seed, self._chance).state
        self._legal: Sequence[Move] | None = None

    def legal(self, seat: Seat) -> Sequence[Move]:
        """Return the moves that a seat may make now."""
        if seat not in self.acting:
            return ()
        if self._legal is None:
            self._legal = self.table.game.legal_moves(self.state)
        if len(self.state.to_act) == 1:
            return self._legal
        return [move for move in self._legal if move["seat"] == seat]

    @property
    def acting(self) -> tuple[Seat, ...]:
        """The seats that act now: those that choose at the same time, else the first that is to act."""
        to_act: tuple[Seat, ...] = self.state.to_act
        return to_act if len(to_act) == 1 or self.table.game.simultaneous(self.state) else to_act[:1]

    def refusal(self, seat: Seat, action: int) -> Infraction | None:
        """Ask the referee about a seat's action; return why it is refused."""
        move = self.table.numbering.moves[seat][action]
        ruling = self.table.game.adjudicate(self.state, move, self._chance)
        return ruling.infraction if isinstance(ruling, IllegalMove) else None

    def play(self, seat: Seat, action: int) -> Infraction | None:
        """Have a seat act: the referee rules on its move. Where it is refused nothing changes, and what is returned
        says why."""
        move = self.table.numbering.moves[seat][action]
        ruling = self.table.game.adjudicate(self.state, move, self._chance)
        if isinstance(ruling, IllegalMove):
            return ruling.infraction
        self.moves.append(move)
        self.state = ruling.state
        self._legal = None
        return None

    def rewards_since(self, before: Any) -> tuple[float, ...]:
        """Return by seat what is to be rewarded since an earlier position of this game."""
        (_name, value, at_the_end, _zero_sum), now = self.table.reward, self.state
        if at_the_end:
            return self.nothing if now.outcome is None else value(now.scores, now.outcome["winners"])
        if now.scores == before.scores:
            return self.nothing
        gains = zip(value(now.scores, ()), value(before.scores, ()), strict=True)
        return tuple([later - earlier for later, earlier in gains])

    def row(self, seat: Seat) -> "array[float]":
        """Return what the seat may know, in numbers."""
        return self.table.encoding.observe(self.table.game, self.state, seat)

    def mask(self, seat: Seat, more: int) -> bytearray:
        """Return 1 for each action that the seat may take, 0 for all others. ``more``: whether there is one behind the
        moves, to wait, which is what a seat may do that does not act."""
        size = self.table.numbering.size
        mask = bytearray(size + more)
        legal = self.legal(seat)
        for action in self.table.numbering.actions(legal):
            mask[action] = 1
        if more and not legal:
            mask[size] = 1
        return mask

    def view(self, seat: Seat) -> dict[str, Any]:
        """Return what the seat may know, as the JSON that its token is shown."""
        return self.table.game.view(self.state, seat)

    def replay(self) -> bytes:
        """Return the game so far as a replay file."""
        return replay_file(self.table, self.deal, self.moves)
