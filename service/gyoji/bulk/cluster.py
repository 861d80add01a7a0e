"""Audits on a Dask cluster, whose workers have this release of gyoji and read the replays by themselves.

Chunks are the tasks. One that dies with its worker is given to another; one that no worker survives is audited replay
by replay, and what kills a worker even so is reported as unreadable. No secret is sent: a worker that is to read a
store has its own GYOJI_STORE_KEY (or GYOJI_STORE_KEY_FILE).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from importlib import import_module
from os import environ, getenv
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from gyoji import __version__
from gyoji.access.variables import InvalidVariable, read_secret
from gyoji.bulk.audit_terms import AuditTerms, rules_digests
from gyoji.bulk.locations import BulkError, Location, MissingExtra
from gyoji.bulk.outcomes import Outcome, outcomes_of, unreadable
from gyoji.bulk.workers import Batches, ChunkSize, ordered_outcomes
from gyoji.store import store_key
from gyoji.store.deadlines import within
from gyoji.store.interface import Unavailable

if TYPE_CHECKING:
    from distributed import Client, Future

REMOTE = ChunkSize(100, 1 << 22)
EXTRA = "--cluster needs the extra cluster: pip install '.[cluster]' in a checkout"
ANSWER_SECONDS = 15
"""Seconds within which the cluster has to answer, and to have a worker."""
LOOKS_APART = 30.0
"""Seconds between two looks at whether the scheduler is there still, while a chunk is waited for: a process that is
stopped keeps its connections."""
FEWEST_WAITING = 64
"""Chunks that are given out even to a small cluster, which may grow."""
STORE_KEY = "GYOJI_STORE_KEY"


class WorkerState(NamedTuple):
    """The answer of a worker to what it is asked at the start."""

    version: str
    rules: Mapping[str, str]
    has_store_key: bool


class Cluster(NamedTuple):
    """The workers of the scheduler at an address."""

    address: str
    reads_store: bool = False

    def __call__(self, terms: AuditTerms, chunks: Iterable[Sequence[Location]]) -> Batches:
        """Audit the chunks and give back the outcomes in their order."""
        sent = terms._replace(store_key=None)
        with _client(self.address) as client:
            slots = _count_slots(client, self.reads_store)
            # a task, and not data that has been put there: if the worker that holds it dies, it is made again
            kept = client.submit(_identity, sent, pure=False)
            yield from ordered_outcomes(
                lambda chunk: _Task(client, kept, sent, chunk), chunks, max(FEWEST_WAITING, 3 * slots)
            )


def has_password(url: str) -> bool:
    """Tell whether the URL of a store, which goes to the workers, holds a password."""
    parts = urlsplit(url)
    return parts.password is not None or "password" in parse_qs(parts.query)


def _identity(terms: AuditTerms) -> AuditTerms:
    return terms


def _distributed() -> Any:
    """Import Dask, which is an extra, and slow to import."""
    try:
        return import_module("distributed")
    except ImportError:
        raise MissingExtra(EXTRA) from None


@contextmanager
def _client(address: str) -> Iterator["Client"]:
    try:
        client: Client = _distributed().Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except (OSError, ValueError):
        raise BulkError(f"no Dask scheduler answers at {address}") from None
    try:
        yield client
    finally:
        client.close()  # type: ignore[no-untyped-call]


def _count_slots(client: "Client", reads_store: bool) -> int:
    """Count the tasks that the cluster works on at a time; refuse one whose workers cannot do the work."""
    try:
        client.wait_for_workers(1, timeout=ANSWER_SECONDS)
    except TimeoutError:
        raise BulkError(f"the cluster has had no worker for {ANSWER_SECONDS} seconds") from None
    here = WorkerState(__version__, rules_digests(), True)
    try:
        slots, answers = within(ANSWER_SECONDS, lambda: (_slots(client), client.run(_probe())))
    except TimeoutError:
        raise BulkError(f"the workers of the cluster have not answered for {ANSWER_SECONDS} seconds") from None
    for worker, answer in answers.items():
        found = None if answer is None else WorkerState(*answer)
        if found is None or found.version != here.version:
            has = "no gyoji" if found is None else f"gyoji {found.version}"
            raise BulkError(f"worker {worker} has {has}, and this is {here.version}: install the same there")
        if dict(found.rules) != dict(here.rules):
            raise BulkError(f"worker {worker} has gyoji {here.version} with other rules than this one")
        if reads_store and not found.has_store_key:
            raise BulkError(f"no key is sent over the cluster: worker {worker} needs its own {STORE_KEY}")
    return slots


def _slots(client: "Client") -> int:
    return sum(client.nthreads().values())  # type: ignore[no-untyped-call]


def _probe() -> Callable[[], tuple[str, dict[str, str], bool] | None]:
    """Return a question that is sent whole, so that a worker without gyoji, or with an old one, can answer it.

    What it refers to is sent too: ``getenv``, and not an environment that holds secrets.
    """

    def probe() -> tuple[str, dict[str, str], bool] | None:
        try:
            version = import_module("gyoji").__version__
        except ImportError:
            return None
        try:
            games, digest = import_module("gyoji.games.catalogue").GAMES, import_module("gyoji.published_files")
            digests = {game.slug: digest.rules_digest(game.slug) for game in games}
        except (ImportError, OSError):
            digests = {}
        return version, digests, any(getenv(f"GYOJI_STORE_KEY{end}") for end in ("", "_FILE"))

    return probe


class _Task:
    """A chunk that has been submitted to the cluster."""

    def __init__(
        self, client: "Client", kept: "Future[AuditTerms]", terms: AuditTerms, chunk: Sequence[Location]
    ) -> None:
        self._client, self._kept, self._terms, self._chunk = client, kept, terms, chunk
        self._future = self._submit(chunk)

    def _submit(self, chunk: Sequence[Location]) -> "Future[list[Outcome] | str]":
        return self._client.submit(_on_worker, self._kept, list(chunk), __version__, pure=False)

    def result(self) -> list[Outcome]:
        """Wait for the outcomes of the chunk."""
        try:
            return _receive(self._client, self._future)
        except _distributed().KilledWorker:
            return [self._by_itself(place) for place in self._chunk]

    def _by_itself(self, place: Location) -> Outcome:
        try:
            return _receive(self._client, self._submit([place]))[0]
        except _distributed().KilledWorker:
            return unreadable(self._terms, place, "every worker that read it was killed")


def _receive(client: "Client", future: "Future[list[Outcome] | str]") -> list[Outcome]:
    try:
        answer = _wait(client, future)
    except (CancelledError, SilentScheduler):
        raise BulkError(
            "the scheduler does not answer any more; what was judged before is in the report's .part, if there is one:"
            " go on with --resume"
        ) from None
    if isinstance(answer, str):
        raise BulkError(f"a worker that came later has gyoji {answer}, and this is {__version__}")
    return answer


class SilentScheduler(Exception):
    """The scheduler accepted the connection, and does not answer."""


def _wait(client: "Client", future: "Future[list[Outcome] | str]") -> list[Outcome] | str:
    """Wait for what the task comes to, however long it takes, as long as the scheduler answers."""
    scheduler: Any = client.scheduler
    while True:
        try:
            return future.result(timeout=LOOKS_APART)
        except TimeoutError:
            if future.status == "error":  # it is the task's own; of one that is done the outcome may still be to come
                raise
        try:
            client.sync(scheduler.identity, callback_timeout=ANSWER_SECONDS)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError):
            raise SilentScheduler from None


def _on_worker(terms: AuditTerms, chunk: Sequence[Location], version: str) -> list[Outcome] | str:
    """Audit a chunk on a worker; give back the version of gyoji there, if that is another one."""
    if version != __version__:
        return __version__
    url = next((place.where for place in chunk if place.kind == "match"), None)
    if url is None:
        return outcomes_of(terms, chunk)
    try:
        return outcomes_of(terms._replace(store_key=store_key(url, read_secret(STORE_KEY, environ))), chunk)
    except (Unavailable, InvalidVariable) as failure:
        return [unreadable(terms, place, str(failure)) for place in chunk]
