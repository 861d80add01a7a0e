"""Traces the modules of the package that a request passes, in the running service.

usage: python -m tools.journeys CHECKOUT

Prints a JSON document for ``tools/house.py``. Three journeys are traced, with every game that the service offers:

* an adjudication: a move in a position that the caller sends, by HTTP;
* a stored move: a move in a match that is kept in SQLite, by HTTP;
* an audited event: what the audit of a golden replay does between two rulings of the referee.

A module counts for a journey if one of its functions runs; what runs when a module is imported does not count. The
first steps, which fill caches, are left out.
"""

import json
import os
import re
import secrets
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, NamedTuple

APPLICATION, LOGGING = "create_app", "configure_logs"
"""The functions that make the application and set up its log, in whichever modules they stand."""
RULING = "adjudicate"
"""The function of a game that rules on a move. An audit calls it once for each event that is a move."""
OPERATOR = "the-operator-key-of-the-traced-service"
SEED = "5e" * 64
WARMING, TRACED = 4, 12
"""Moves that are made before the tracing begins, and that are traced, with each game."""
REPLAYS = 6
"""Golden replays of each game that are audited."""
FEW = 10
"""Percent of the steps. A module that fewer pass is left out: it serves what happens now and then, such as a key that
is looked up again every two seconds."""
SHORTEST, FIRST = 20, 3
"""Moves that such a replay has at least, and the first of them, which are left out."""
MOVES = (b'"type":"move_played"', b'"type":"choice_made"')
"""How the events that are moves are written."""
OTHERS = (b'"type":"ruling_made"', b'"type":"clock_expired"')
"""How those are written that change a position without a move."""

Passed = frozenset[str]
"""The modules that one step of a journey passes."""


class Journey(NamedTuple):
    """How many modules the steps of a journey pass, without those that only a few steps pass.

    Modules of several games that have the same name are one: ``games.*.rules``.
    """

    median: int
    """Half of the steps pass no more modules than these."""
    most: int
    """No step passes more."""
    steps: int
    """How many were traced."""
    modules: dict[str, int]
    """Module, without the name of the package -> the percentage of the steps that pass it."""
    few: dict[str, int]
    """The same of the modules that are left out."""


Call = tuple[str, str]
"""A function that was called: its module, without the name of the package, and its own name."""


class Trace:
    """The functions of the package that are called while it is traced, by this thread and by those that it starts."""

    def __init__(self, package: Path) -> None:
        self._package = package
        self._modules: dict[str, str | None] = {}
        self.calls: list[Call] = []
        """The calls, in their order."""

    @contextmanager
    def running(self) -> Iterator[None]:
        """Trace what is called in the block."""
        self.calls = []
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            code = frame.f_code
            if code.co_filename not in self._modules:
                self._modules[code.co_filename] = self._module(Path(code.co_filename))
            module = self._modules[code.co_filename]
            if module is not None and code.co_name != "<module>":
                self.calls.append((module, code.co_name))

    def _module(self, path: Path) -> str | None:
        """Return the module that lies there; ``None`` if it is none of the package."""
        if not path.is_relative_to(self._package):
            return None
        parts = path.relative_to(self._package).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Service:
    """The service in this process, asked without a socket."""

    def __init__(self, package: Path) -> None:
        _found(package, LOGGING)()
        self._client = _found(package, APPLICATION)().test_client()
        self._trace = Trace(package)

    def ask(self, method: str, path: str, body: Any = None, bearer: str | None = None) -> Any:
        """Return the document that answers a request, which has to be granted."""
        headers = {} if bearer is None else {"Authorization": f"Bearer {bearer}"}
        sent = {"data": body, "content_type": "application/jsonl"} if isinstance(body, bytes) else {"json": body}
        answer = self._client.open(path, method=method, headers=headers, **({} if body is None else sent))
        if answer.status_code not in (200, 201):
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json

    def trace(self, *request: Any) -> tuple[Any, list[Call]]:
        """Return the document that answers a request, and the calls that lead to it."""
        with self._trace.running():
            answer = self.ask(*request)
        return answer, self._trace.calls


def _found(package: Path, name: str) -> Callable[..., Any]:
    """Find the function of the package that has that name, in whichever module it stands."""
    for path in sorted(package.rglob("*.py")):
        if re.search(rf"^def {name}\b", path.read_text("utf-8"), re.MULTILINE):
            module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
            function: Callable[..., Any] = getattr(import_module(module), name)
            return function
    raise RuntimeError(f"no module of {package} defines {name}: tools/journeys.py has to be told its new name")


def adjudications(service: Service, game: str, seats: int) -> Iterator[Passed]:
    """Trace moves in positions that the caller sends."""
    at = service.ask("POST", f"/v1/games/{game}/states", {"seats": seats, "seed": SEED})
    for _move in range(WARMING + TRACED):
        body = {"state": at["state"], "move": at["legal_moves"][0]}
        at, calls = service.trace("POST", f"/v1/games/{game}/adjudications", body)
        yield modules_of(calls)
        if at["outcome"] is not None:
            break


def stored_moves(service: Service, game: str, seats: int) -> Iterator[Passed]:
    """Trace moves in a stored match, each by the token of its seat."""
    made = service.ask("POST", "/v1/matches", {"game": game, "seats": seats}, OPERATOR)
    match, tokens = f"/v1/matches/{made['match']}", [seat["token"] for seat in made["seats"]]
    for _move in range(WARMING + TRACED):
        token, move = _legal(service, match, tokens)
        answer, calls = service.trace("POST", f"{match}/moves", {"move": move}, token)
        yield modules_of(calls)
        if answer["outcome"] is not None:
            break


def _legal(service: Service, match: str, tokens: Sequence[str]) -> tuple[str, Any]:
    """Return a legal move in the match, and the token of the seat that may make it."""
    for token in tokens:
        moves = service.ask("GET", match, None, token)["legal_moves"]
        if moves:
            return token, moves[0]
    raise RuntimeError(f"{match}: nobody may move")


class Audit(NamedTuple):
    """The trace of an audit."""

    around: list[Call]
    """What is called before the first ruling on a move and after the last."""
    moves: list[list[Call]]
    """What is called from the ruling on a move to the next."""


def audited(service: Service, replay: Path) -> Audit:
    """Trace the audit of a replay in which nothing but moves changes the position."""
    body = replay.read_bytes()
    _verdict, calls = service.trace("POST", "/v1/audits", body)
    at = [index for index, (module, name) in enumerate(calls) if name == RULING and module.startswith("games.")]
    if len(at) != moves_in(body):
        raise RuntimeError(f"{replay}: {RULING} is called {len(at)} times, which is not once for each move")
    return Audit(calls[: at[0]] + calls[at[-1] :], [calls[begin:end] for begin, end in pairwise(at)])


def audited_events(audits: Sequence[Audit]) -> Iterator[Passed]:
    """Return the modules that each event passes, in a steady state.

    Lines are also looked at before the first event is judged: a module that is called there once for each move or more,
    in all of the audits, counts for every event.
    """
    repeated = [
        {
            module
            for module, count in Counter(module for module, _name in audit.around).items()
            if count > len(audit.moves)
        }
        for audit in audits
    ]
    always = frozenset.intersection(*map(frozenset, repeated))
    for audit in audits:
        yield from (modules_of(calls) | always for calls in audit.moves[FIRST:])


def plain_replays(checkout: Path) -> Iterator[Path]:
    """List the first golden replays of each game that are long enough, without a ruling and an expired clock."""
    for folder in sorted(checkout.glob("replays/*/")):
        yield from islice(filter(_is_plain, sorted(folder.glob("*.jsonl"))), REPLAYS)


def _is_plain(replay: Path) -> bool:
    body = replay.read_bytes()
    return moves_in(body) >= SHORTEST and not any(other in body for other in OTHERS)


def moves_in(replay: bytes) -> int:
    """Count the events of a replay that are moves."""
    return sum(map(replay.count, MOVES))


def modules_of(calls: Iterable[Call]) -> Passed:
    """Return the modules that calls lead to."""
    return frozenset(module for module, _name in calls)


def games(checkout: Path) -> frozenset[str]:
    """Return the Python names of the games: the folders of the room ``games`` that have a rulebook."""
    folder = checkout / "service" / "gyoji" / "games"
    return frozenset(path.parent.name for path in folder.glob("*/rulebook.toml"))


def without_game(module: str, games: frozenset[str]) -> str:
    """Return the name of a module without that of its game: ``games.catte.rules`` is ``games.*.rules``."""
    return ".".join("*" if part in games else part for part in module.split("."))


def journey(steps: Iterable[Passed], games: frozenset[str]) -> Journey:
    """Count the modules that the steps pass."""
    merged = [frozenset(without_game(module, games) for module in step) for step in steps]
    passing = Counter(module for step in merged for module in step)
    shares = {module: round(100 * count / len(merged)) for module, count in passing.items()}
    ordered = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    modules = {module: share for module, share in ordered if share >= FEW}
    few = {module: share for module, share in ordered if share < FEW}
    counts = [len(step & modules.keys()) for step in merged]
    return Journey(int(median(counts)), max(counts), len(counts), modules, few)


def journeys(checkout: Path) -> dict[str, Journey]:
    """Trace the three journeys in a service on an empty store."""
    service = Service(checkout / "service" / "gyoji")
    played = [(game["game"], game["seats"]["min"]) for game in service.ask("GET", "/v1/games")["games"]]
    replays = [*plain_replays(checkout)]
    audited(service, replays[0])  # what is only imported or cached by the first audit is not counted
    traced: dict[str, Iterable[Passed]] = {
        "an adjudication": _warm(adjudications, service, played),
        "a stored move": _warm(stored_moves, service, played),
        "an audited event": audited_events([audited(service, replay) for replay in replays]),
    }
    return {name: journey(steps, games(checkout)) for name, steps in traced.items()}


Play = Callable[[Service, str, int], Iterator[Passed]]


def _warm(play: Play, service: Service, played: Iterable[tuple[str, int]]) -> list[Passed]:
    """Return the steps with every game, without the first of each."""
    return [step for game, seats in played for step in [*play(service, game, seats)][WARMING:]]


DECKS = Random(0)
"""Deals the same cards each time: with other cards a move passes other modules."""


def _bytes(nbytes: int | None = None) -> bytes:
    """Stand in for ``secrets.token_bytes``."""
    return DECKS.randbytes(32 if nbytes is None else nbytes)


def main(checkout: Path) -> None:
    """Trace the service of a checkout on a store of its own."""
    service = str(checkout / "service")
    sys.path.insert(0, service)
    with TemporaryDirectory() as folder:
        for name in [name for name in os.environ if name.startswith("GYOJI_")]:
            del os.environ[name]
        os.environ["PYTHONPATH"] = service
        os.environ["GYOJI_STORE"] = f"sqlite:///{folder}/gyoji.db"
        os.environ["GYOJI_STORE_KEY"] = "5e" * 32
        os.environ["GYOJI_OPERATOR_KEY"] = OPERATOR
        secrets.token_bytes = _bytes  # before any module of the package binds the name
        migrate = [sys.executable, "-m", "gyoji", "store", "migrate"]
        subprocess.run(migrate, check=True, capture_output=True, cwd=folder)
        found = journeys(checkout)
    sys.stdout.write(json.dumps({name: journey._asdict() for name, journey in found.items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
