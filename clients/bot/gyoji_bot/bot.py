"""What a bot is, and how one is found in a file."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from gyoji_bot.words import SaidError

Document = dict[str, Any]
"""A JSON object of the service, as ``openapi.yaml`` describes it."""


@dataclass(frozen=True)
class Turn:
    """One decision of a seat: all that its player may know."""

    game: str
    seat: int
    view: Document
    """The position: of what is hidden only how many cards there are."""
    legal_moves: Sequence[Document]
    """The moves that may be made, each complete; there is at least one."""
    match: str
    seq: int
    """The number of the last event that the position comes from."""
    random: Random
    """Dice for whoever wants chance: with ``gyoji-bot spar`` they follow from the seed, so that a run can be
    repeated."""


class Bot:
    """A player. Every seat has a bot of its own, made without arguments when it sits down; it may remember what it
    likes."""

    games: Collection[str] = ()
    """The games that it plays; none: any."""
    think: float = 2.0
    """Seconds after which the first legal move is made in its place."""

    def choose(self, turn: Turn) -> Document:
        """Choose one of the legal moves."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(self, turn)")


def load_bot(where: str) -> type[Bot]:
    """Load the bot of a file: ``lowest.py``, or ``bots.py:Lowest`` where there are several. ``SaidError`` where it
    cannot be."""
    place, _, name = where.rpartition(":") if ":" in where else (where, "", "")
    module = _run(Path(place))
    bots = {
        kind.__name__: kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Bot) and kind.__module__ == module.__name__
    }
    if name in bots:
        return bots[name]
    if name or len(bots) != 1:
        found = ", ".join(bots) or "-"
        raise SaidError("no bot", file=place, found=found)
    return next(iter(bots.values()))


def _run(file: Path) -> ModuleType:
    """Run a file as a module of its own."""
    spec = spec_from_file_location(f"gyoji_bot_file_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise SaidError("no file", file=file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
