"""Splits a move in a stored match into its parts: a driver that takes turns, and the section that runs it.

usage: python -m benchmarks.parts.moves URL FOLDER turns       (an empty store; a folder for a database more)
"""

import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any, NamedTuple, TypeVar

import orjson

from benchmarks import postgres, servers
from benchmarks.appends import AT, GAME, create_match, head_at, time_statements
from benchmarks.effort import Effort
from benchmarks.in_process import OPERATOR, ask, service_in_process
from benchmarks.in_process import ServiceInProcess as Service
from benchmarks.load import CONNECTIONS, run_load
from benchmarks.parts.calls import FLASK, TIMES, WHOLE, beyond, flask_alone, log_to_nowhere, time_logging
from benchmarks.random_games import SEATS
from benchmarks.splits import Split, least_of_each, make_split
from benchmarks.stored_moves import PlayedSlice, run_players
from benchmarks.surroundings import progress
from benchmarks.turns import answer_turns, keep_drivers
from benchmarks.workplace import memory_folder
from gyoji.api.bodies import body_errors, parse_json
from gyoji.app.metrics import shared
from gyoji.app.request_record import RequestRecord
from gyoji.app.settings import Settings
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted, Move
from gyoji.log.entries import Entry
from gyoji.log.redaction import project_event
from gyoji.log.signatures import Signer, signer
from gyoji.match.events.move import played
from gyoji.match.recorder import record
from gyoji.match.state import MatchState
from gyoji.store import migrate, open_store
from gyoji.store.encryption import Encryption
from gyoji.store.interface import Store
from gyoji.store.rows import event_rows
from gyoji.trust.receipts import make_receipt

OVER_HTTP = "move in a stored match over HTTP, µs of the service's CPU (G8, G9)"
OF_ALL = "the same, µs of all the machine's cores: what the moves a second follow from (G8, G9)"
IN_PROCESS = "append in one process, µs (G7)"
CONSTANT = "gunicorn and Flask: a constant answer"
MADE, SEALED = "event made: public part, commitments, chain", "what is hidden, encrypted"
APPENDED, BARE = "transaction of the store", "its two statements alone"
MOVES = 40
NAMES = ("mine", "alone")

Found = TypeVar("Found")


class Database(NamedTuple):
    """A database that moves are stored in."""

    name: str
    mine: str
    """The URL of the service's store."""
    alone: str
    """The URL of a store for the parts."""
    process: int | None
    """Of PostgreSQL; what SQLite does, the service does."""


def split_moves(effort: Effort) -> list[Split]:
    """Split a move on SQLite on a memory file system, and on PostgreSQL on the disk; what cannot be measured here is
    left out."""
    if shutil.which("wrk") is None or not (servers.PROC / "self" / "stat").exists():
        return []
    found: list[Split] = []
    with memory_folder() as folder:
        mine, alone = (f"sqlite:///{Path(folder) / name}.db" for name in NAMES)
        found += _on(Database("SQLite", mine, alone, None), effort)
    if find_spec("psycopg") is not None:
        try:
            with postgres.running_cluster() as (server, process):
                mine, alone = (f"postgresql+psycopg://{postgres.create_database(server, name)}" for name in NAMES)
                found += _on(Database("PostgreSQL", mine, alone, process), effort)
        except postgres.NoPostgres as why:
            progress(f"parts of a move on PostgreSQL are left out: {why}")
    return sorted(found, key=lambda split: (OVER_HTTP, OF_ALL, IN_PROCESS).index(split.whole))


def _on(database: Database, effort: Effort) -> Iterator[Split]:
    """Measure under load and alone, by turns."""
    over_http, of_all, in_process = [], [], []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(memory_folder()))
        command = [sys.executable, "-m", "benchmarks.parts.moves", database.alone, str(folder)]
        alone = stack.enter_context(keep_drivers({"moves": (command, None)}))["moves"]
        play = stack.enter_context(run_players(folder, database.mine, effort.stored, effort.repeats))
        constant = _constant(stack, folder, effort.stored)
        for repeat in range(effort.repeats):
            progress(f"parts of a move on {database.name}, repeat {repeat + 1} of {effort.repeats}")
            pieces, answer, before = dict(alone()), constant(), _used(database)
            slice_ = play()
            of_all.append(_core_shares(database, slice_, (_used(database) - before) / slice_.moves * 1e6))
            bare = pieces.pop(BARE)
            over_http.append({"": slice_.cost, CONSTANT: answer, **pieces})
            whole = pieces[MADE] + pieces[SEALED] + pieces[APPENDED]
            in_process.append({"": whole, MADE: pieces[MADE], SEALED: pieces[SEALED], BARE: bare})
    yield make_split(OVER_HTTP, database.name, over_http)
    yield make_split(OF_ALL, database.name, of_all)
    if database.process is None:
        yield make_split(IN_PROCESS, database.name, in_process)


def _used(database: Database) -> float:
    """Return the seconds of processor time that the database has taken."""
    return 0.0 if database.process is None else servers.cpu_seconds(database.process)


def _core_shares(database: Database, slice_: PlayedSlice, stored: float) -> dict[str, float]:
    """Share out the cores; the rest is waiting, and whatever else goes on on the machine."""
    whole = (os.cpu_count() or 1) / slice_.rate * 1e6
    parts = {"the service": slice_.cost, "wrk, which asks": slice_.asking}
    return {"": whole, **parts, **({} if database.process is None else {"PostgreSQL": stored})}


def _constant(stack: ExitStack, folder: Path, seconds: float) -> Callable[[], float]:
    """Measure what a constant answer costs, under the same load."""
    port = servers.spare_port()
    server = stack.enter_context(servers.run_server(servers.echo_command(port), port, folder / "constant.log"))
    servers.wait_until_answering(server, "/constant")

    def cost() -> float:
        before = servers.cpu_seconds(server.process.pid)
        load = run_load(port, "/constant", None, seconds, CONNECTIONS)
        return (servers.cpu_seconds(server.process.pid) - before) / load.requests * 1e6

    return cost


class Laps:
    """The seconds that each named part took."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    def of(self, name: str, call: Callable[[], Found]) -> Found:
        """Time a call; return what it gives."""
        begun = thread_time()
        found = call()
        self.spent[name] += thread_time() - begun
        return found


class MoveTools(NamedTuple):
    """What a move is made with."""

    store: Store
    encryption: Encryption
    signing: Signer
    rng: Random


def time_states(here: MoveTools, laps: Laps) -> Iterator[MatchState]:
    """Play random matches move by move, each part timed; give back the states."""
    while True:
        latest = create_match(here.store, here.rng)
        while not latest.over:
            latest = after_move(here, latest, here.rng.choice(GAME.legal_moves(latest.state)), laps)
            yield latest


def after_move(here: MoveTools, latest: MatchState, move: Move, laps: Laps) -> MatchState:
    """Make one move as the service does, part by part."""
    body, seat, match = orjson.dumps({"move": move}), move["seat"], latest.match
    laps.of("move read, its shape", lambda: body_errors(GAME.slug, "moves", parse_json(body)))
    laps.of("match read from the store", lambda: here.store.match(match))
    chance = deal_v1(latest.state.seed)
    ruling = laps.of("rules: the ruling", lambda: GAME.adjudicate(latest.state, move, chance))
    if not isinstance(ruling, Accepted):
        raise RuntimeError("a listed move was refused")
    actor = {"role": "seat", "seat": seat}
    entries, after = laps.of(
        MADE, lambda: record(latest, played(latest, move, actor, ruling, AT), AT, lambda: here.rng.randbytes(32))
    )
    laps.of(SEALED, lambda: event_rows(match, entries, here.encryption))
    laps.of(APPENDED, lambda: here.store.append(match, latest.seq, entries, head_at(after), None))
    event = orjson.loads(entries[0].body)
    laps.of("receipt signed", lambda: make_receipt(here.signing, match, entries[0], seat, event))
    laps.of("answer: events, view, legal list", lambda: _answer(after, entries[0], seat, event))
    laps.of("line of the log, counters", lambda: time_logging(RequestRecord("POST", "0" * 32)))
    return after


def _answer(latest: MatchState, entry: Entry, seat: int, event: Mapping[str, Any]) -> bytes:
    state = latest.state
    legal = [move for move in GAME.legal_moves(state) if move["seat"] == seat]
    told = {
        "events": project_event(seat, entry, event)["data"]["events"],
        "view": GAME.view(state, seat),
        "legal_moves": legal,
    }
    return orjson.dumps({**told, "scores": state.scores, "outcome": state.outcome})


def time_requests(here: Service, rng: Random) -> Iterator[float]:
    """Time one move after the other in stored matches, in seconds, through the whole application, without a server."""
    while True:
        match = ask(here, "POST", "/v1/matches", {"game": GAME.slug, "seats": SEATS}).document
        path, tokens = match["links"]["moves"], [seat["token"] for seat in match["seats"]]
        while (state := _state(here, match["match"])).outcome is None:
            move = rng.choice(GAME.legal_moves(state))
            yield ask(here, "POST", path, {"move": move}, tokens[move["seat"]]).took


def _state(here: Service, match: str) -> Any:
    row = here.services.store.match(match)
    if row is None:
        raise RuntimeError("a match that was made is not there")
    return here.services.match_states.latest(row).state


def time_whole(
    coming: Iterator[MatchState], laps: Laps, bare: Iterator[float], moves: Iterator[float]
) -> dict[str, float]:
    """Time a move, in microseconds: the parts, and what the application takes beyond them and Flask."""

    def once() -> dict[str, float]:
        application, statements = (sum(islice(spent, MOVES)) / MOVES * 1e6 for spent in (moves, bare))
        return {**time_pieces(coming, laps), WHOLE: application, FLASK: flask_alone(), BARE: statements}

    found = least_of_each(once, TIMES)
    statements = found.pop(BARE)
    return {**beyond(found), BARE: statements}


def time_pieces(coming: Iterator[MatchState], laps: Laps) -> dict[str, float]:
    """Time the parts, in microseconds a move. Encryption is a part of the transaction, and taken off it."""
    laps.spent.clear()
    for _standing in islice(coming, MOVES):
        pass
    found = {name: spent / MOVES * 1e6 for name, spent in laps.spent.items()}
    found[APPENDED] -= found[SEALED]
    return found


if __name__ == "__main__":
    address, place, _turns = sys.argv[1:]
    source = Random(1)
    key = source.randbytes(32)
    migrate(address)
    service = Settings(store=address, store_key=key.hex(), operator_key=OPERATOR, webhooks=False)
    with shared(), log_to_nowhere(), closing(open_store(address, key)) as kept, service_in_process(service) as serving:
        timing = Laps()
        stream = time_states(MoveTools(kept, Encryption(key), signer(source.randbytes(32), "bench"), source), timing)
        alone = time_statements(Path(place) / "bare.db")
        moves = time_requests(serving, source)
        answer_turns(lambda: time_whole(stream, timing, alone, moves))
