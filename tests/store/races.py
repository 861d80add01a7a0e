"""Work for processes that race each other; what they import must not take long."""

from collections import Counter
from multiprocessing import get_context
from multiprocessing.pool import Pool

from gyoji.log.signatures import signer
from gyoji.store import migrate, open_store
from gyoji.store.interface import Conflict, IdempotencyRecord, KeyTaken, SigningKey, Store, Unavailable
from store import logs
from store.logs import CREATED, KEY, head_at, made_entry, move_request


def processes(count: int) -> Pool:
    """Processes that share nothing with this one."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["store.races"])
    return context.Pool(count)


def played_on(store: Store, match: str, name: str, moves: int) -> Counter[str]:
    """Append so many moves to the match, each at the head as it is read; how often others were first."""
    met: Counter[str] = Counter()
    while met["stored"] < moves:
        head = store.head(match)
        assert head is not None
        entry = made_entry(match, head.seq + 1, head.hash)
        try:
            store.append(match, head.seq, [entry], head_at(entry), move_request(match, f"{name}-{met['stored']}"))
            met["stored"] += 1
        except Conflict:
            met["conflict"] += 1
    return met


def play(url: str, matches: list[str], name: str, moves: int) -> Counter[str]:
    """Append so many moves to each match, in a process of one's own."""
    store = open_store(url, KEY)
    try:
        return sum((played_on(store, match, name, moves) for match in matches), Counter())
    finally:
        store.close()


def make_key(url: str, number: int) -> str:
    """Be the first to make the service's signing key, or not."""
    store = open_store(url, KEY)
    try:
        store.add_signing_key(SigningKey(f"{number:016x}", "club.example", b"P" * 32, b"K" * 32, CREATED))
    except Conflict:
        return "conflict"
    finally:
        store.close()
    return "made"


def create(url: str, number: int) -> str:
    """Create a match under a key that all use."""
    store = open_store(url, KEY)
    try:
        logs.created(store, request=IdempotencyRecord("owner:club", "k", bytes(32)))
    except KeyTaken:
        return "taken"
    finally:
        store.close()
    return "created"


def start(url: str) -> str:
    """Make the schema, as every process of a service does that starts."""
    try:
        migrate(url)
    except Unavailable as failure:
        return str(failure)
    return "ready"


def let_grow(url: str, number: int) -> int:
    """Create matches and let the tree over all of them grow meanwhile; the size it had at last."""
    store = open_store(url, KEY)
    signing = signer(bytes(range(32)), "club.example/log")
    try:
        sizes = []
        for _ in range(8):
            logs.created(store, 2)
            sizes.append(store.transparency_log.grow(signing, f"2026-01-01T00:00:{number:02}.000Z").size)
        assert sizes == sorted(sizes)
        return sizes[-1]
    finally:
        store.close()
