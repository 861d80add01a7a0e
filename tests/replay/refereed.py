"""Matches are played at random and ruled on, each step compared with the fold."""

from collections.abc import Mapping, Sequence
from itertools import count
from random import Random
from typing import Any

import orjson

from gyoji.games.catalogue import BY_SLUG
from gyoji.games.game import IllegalMove, Move
from gyoji.log.entries import Entry
from gyoji.log.times import later
from gyoji.match.clocks import Control
from gyoji.match.events.kind import Refusal
from gyoji.match.fold import apply_entries, apply_entry, replay_log
from gyoji.match.recorder import begin, cancel, claim, contribute, disclose, play, rule
from gyoji.match.rulings.kind import Kind, Ruling
from gyoji.match.state import MatchState
from gyoji.simulation.derivation import timestamp
from gyoji.simulation.matches import plan_match

REFEREE = {"role": "referee", "key": "0123456789abcdef"}
SEATS: Mapping[str, int] = {"tomorrow-never-meows": 3, "catte": 4, "towai": 3, "familiars-trouble": 3}
BANKED = Control(10_000, 60_000, 2_000, "default")
"""Ten seconds a move, a minute beside that, and two seconds more for each move."""
UNBANKED = Control(10_000, None, 0, "referee")

Document = dict[str, Any]


class Match:
    """A match under way. Its secret is withheld unless that is asked otherwise, so that it can be ruled on to the end
    and after it."""

    def __init__(self, slug: str, options: Mapping[str, Any] | None = None, number: int = 0, **begins: Any) -> None:
        self.game = BY_SLUG[slug]
        at_table = plan_match(self.game, SEATS[slug], options or {}, "public_on_close", "refereed", number)
        beginning = at_table.beginning._replace(**{"withheld_until": "group", **begins})
        self.choices = Random(f"refereed {slug} {number}")
        self._salts = count()
        self.entries: list[Entry] = []
        first, self.current = begin(beginning, timestamp(0), self.salt)
        self.entries += first
        self.check()

    def salt(self) -> bytes:
        return next(self._salts).to_bytes(32, "big")

    @property
    def seq(self) -> int:
        return self.current.seq

    @property
    def now(self) -> str:
        """A second for every event; after one that came late a second later."""
        due, last = timestamp(self.seq + 1), self.current.at
        return due if due > last else later(last, 1) or last

    def check(self) -> None:
        """The fold over the whole log stands where recording stood."""
        assert replay_log(self.game, self.current.secret, self.entries) == self.current

    def add(self, step: tuple[tuple[Entry, ...], MatchState]) -> list[Document]:
        """What has been written down; the fold over it stands at the same place."""
        entries, after = step
        assert apply_entries(self.current, entries) == after
        self.entries += entries
        self.current = after
        return [orjson.loads(entry.body) for entry in entries]

    def legal(self) -> Sequence[Move]:
        return self.game.legal_moves(self.current.state)

    def move(self, move: Move, at: str | None = None) -> list[Document]:
        step = play(self.current, move, {"role": "seat", "seat": move["seat"]}, at or self.now, self.salt)
        assert not isinstance(step, IllegalMove)
        return self.add(step)

    def play(self, plies: int = 100_000) -> "Match":
        """So many random moves, or to the end."""
        for _ply in range(plies):
            if self.current.over:
                break
            self.move(self.choices.choice(self.legal()))
        return self

    def after(self, seq: int) -> MatchState:
        """Where the match stood after that event."""
        return replay_log(self.game, self.current.secret, self.entries[: seq + 1])

    def course(self) -> list[MatchState]:
        """Where it stood after every event."""
        found = [replay_log(self.game, self.current.secret, self.entries[:1])]
        for entry in self.entries[1:]:
            found.append(apply_entry(found[-1], entry))
        return found

    def asked(
        self, kind: Kind, at: str | None = None, **members: Any
    ) -> tuple[tuple[Entry, ...], MatchState] | Refusal:
        """What comes of a ruling, which is not written down."""
        ruling = Ruling(kind, **{"by": REFEREE, "reason": "because", **members})
        target = None if ruling.to is None or not 0 < ruling.to <= self.seq else self.after(ruling.to)
        return rule(self.current, ruling, at or self.now, self.salt, target)

    def rule(self, kind: Kind, at: str | None = None, **members: Any) -> list[Document]:
        step = self.asked(kind, at, **members)
        assert not isinstance(step, Refusal), step
        return self.add(step)

    def refusal(self, kind: Kind, at: str | None = None, **members: Any) -> Refusal:
        step = self.asked(kind, at, **members)
        assert isinstance(step, Refusal)
        return step

    def claim(self, at: str) -> list[Document] | Refusal:
        step = claim(self.current, at, self.salt)
        return step if isinstance(step, Refusal) else self.add(step)

    def contribute(self, seat: int | None, sent: Mapping[str, str]) -> list[Document]:
        """One more contribution to the seed; ``None``: for all seats."""
        step = contribute(self.current, seat, sent, self.now, self.salt)
        assert not isinstance(step, str), step
        return self.add(step)

    def cancel(self) -> list[Document]:
        return self.add(cancel(self.current, self.now, self.salt))

    def close(self) -> list[Document]:
        return self.add(disclose(self.current, self.now, self.salt))


def types(documents: Sequence[Document]) -> list[str]:
    return [document["type"] for document in documents]


def until(match: Match, is_there: Any, most: int = 3_000) -> Match:
    """Play on until the match is such."""
    for _ply in range(most):
        if is_there(match.current):
            return match
        match.play(1)
    raise AssertionError("it never came to that")
