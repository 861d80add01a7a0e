"""The tree over all matches in a store: in order, without a gap, signed only after it was read back."""

from contextlib import closing
from pathlib import Path

import orjson
import pytest
from sqlalchemy import text

from gyoji.log.canonical import leaf_hash
from gyoji.log.signatures import Signer, public_bytes, signer
from gyoji.store import backup, check_store, open_store, restore
from gyoji.store.checks.transparency import _levels, _nodes
from gyoji.store.database.statements import ADD_PENDING_LEAF, Step
from gyoji.store.interface import Conflict, SigningKey, Store
from gyoji.store.schema.migrator import transaction
from gyoji.store.transparency.growth import TreeDamaged, pending_row
from gyoji.store.urls import parse_url
from gyoji.trust.transparency.leaves import erratum_leaf
from gyoji.trust.transparency.notes import Verifier, open_note, read_checkpoint
from gyoji.trust.transparency.tiles import WIDTH
from gyoji.trust.transparency.tree import EMPTY, root, root_of
from store.databases import empty_database
from store.logs import CREATED, KEY, appended, created, ended, made_log, made_match, move_request, recovered
from store.races import let_grow, processes

SIGNING = signer(bytes(range(32)), "club.example/log")
AT = "2026-01-01T00:00:01.000Z"


def add_signing_key(store: Store, signing: Signer = SIGNING) -> None:
    """The key among those of the store, so that what it signs can be checked."""
    private = signing.private.private_bytes_raw()
    store.add_signing_key(SigningKey(signing.key, signing.origin, public_bytes(signing.private), private, CREATED))


def add_pending(store: Store, low: int, high: int) -> None:
    """Errata of these numbers, all at once."""
    leaves = [erratum_leaf("catte", 1, f"number {number:04}", CREATED) for number in range(low, high)]
    store._database.write([Step(ADD_PENDING_LEAF, [pending_row(leaf) for leaf in leaves], Conflict)])


def change(url: str, sql: str, **put: object) -> None:
    """Change what is stored behind the store's back."""
    with transaction(parse_url(url)) as connection:
        connection.execute(text(sql), put)


def whats(url: str) -> set[str]:
    """What is found to be wrong."""
    return {finding.what for finding in check_store(url, KEY)}


def bodies(store: Store) -> list[bytes]:
    """The leaves, in order."""
    return [leaf.body for leaf in store.transparency_log.leaves(0, 10_000)]


def test_an_empty_tree_is_signed_too(store: Store) -> None:
    made = store.transparency_log.grow(SIGNING, AT)
    assert (made.number, made.size, made.root, made.at) == (0, 0, EMPTY, AT)
    assert store.transparency_log.latest() == made
    assert store.transparency_log.grow(SIGNING, AT) == made


def test_beginning_and_end_of_a_match_are_entered_and_nothing_between(store: Store, url: str) -> None:
    add_signing_key(store)
    match, entries = created(store, 2)
    assert store.has_new_leaves
    store.has_new_leaves = False
    last = appended(store, match, entries[-1])
    assert not store.has_new_leaves
    over = ended(store, match, last, closed=True)
    assert store.has_new_leaves
    made = store.transparency_log.grow(SIGNING, AT)
    assert [orjson.loads(body) for body in bodies(store)] == [
        {"v": 1, "type": "match_created", "match": match, "hash": entries[0].hash.hex(), "at": CREATED},
        {
            "v": 1,
            "type": "match_closed",
            "match": match,
            "seq": over.seq,
            "hash": over.hash.hex(),
            "at": CREATED,
            "status": "finished",
        },
    ]
    assert made.root == root_of([leaf_hash(body) for body in bodies(store)])
    said = read_checkpoint(open_note(made.note.encode(), [Verifier(SIGNING.origin, public_bytes(SIGNING.private))]))
    assert said == ("club.example/log", 2, made.root)
    assert store.transparency_log.pending_since() is None
    found = store.transparency_log.last_leaf(match, "match_closed", 2)
    assert found is not None
    assert found.number == 1
    assert store.transparency_log.last_leaf(match, "match_closed", 1) is None
    assert check_store(url, KEY) == []


def test_an_imported_match_is_entered_with_its_end(store: Store) -> None:
    entries = made_log("m1", 2)
    made = made_match(entries[-1], "m1")
    store.create(made._replace(imported=True, head=made.head._replace(status="finished", closed=True)), entries)
    store.transparency_log.grow(SIGNING, AT)
    assert [orjson.loads(body)["type"] for body in bodies(store)] == ["match_created", "match_closed"]


def test_what_was_not_stored_is_not_entered(store: Store) -> None:
    match, entries = created(store)
    with pytest.raises(Conflict):
        store.append(match, 5, [entries[0]], made_match(entries[0], match).head._replace(status="finished"), None)
    with pytest.raises(Conflict):
        store.create(made_match(entries[0], match), entries)
    store.append(match, 0, made_log(match, 2)[1:], made_match(entries[0], match).head, move_request(match, "k"))
    assert store.transparency_log.grow(SIGNING, AT).size == 1


def test_tiles_fill_and_every_earlier_checkpoint_begins_the_later_ones(store: Store, url: str) -> None:
    add_signing_key(store)
    roots, low = {}, 0
    for high in (1, 255, 256, 257, 512, 599, 600):
        add_pending(store, low, high)
        roots[high], low = store.transparency_log.grow(SIGNING, AT).root, high
    last = store.transparency_log.grow(SIGNING, AT)
    hashes = [leaf_hash(body) for body in bodies(store)]
    assert len(hashes) == last.size == 600
    assert {size: root_of(hashes[:size]) for size in roots} == roots
    assert store.transparency_log.hashes(1, 0, 9) == [root_of(hashes[:256]), root_of(hashes[256:512])]
    assert [signed.size for signed in store.transparency_log.checkpoints()] == [1, 255, 256, 257, 512, 599, 600]
    assert check_store(url, KEY) == []
    with pytest.raises(Conflict):
        store.transparency_log.enter(erratum_leaf("catte", 1, "number 0000", CREATED))


def test_another_key_signs_the_same_tree_again(store: Store, url: str) -> None:
    add_signing_key(store)
    created(store, 2)
    first = store.transparency_log.grow(SIGNING, AT)
    change(url, "UPDATE signing_keys SET until = :at", at=AT)
    other = signer(bytes(32), SIGNING.origin)
    add_signing_key(store, other)
    second = store.transparency_log.grow(other, AT)
    assert (second.number, second.size, second.root) == (1, first.size, first.root)
    assert second.note != first.note
    assert check_store(url, KEY) == []


def test_what_waits_outlives_the_process(store: Store, url: str) -> None:
    match, _ = created(store, 2)
    store.close()
    with closing(open_store(url, KEY)) as again:
        assert again.transparency_log.pending_since() == CREATED
        assert again.transparency_log.grow(SIGNING, AT).size == 1
        assert again.transparency_log.last_leaf(match, "match_created", 1) is not None


def test_dying_between_order_and_signature_loses_nothing(store: Store) -> None:
    """The two transactions of a growth are apart: leaves that are in order and not signed are signed by the next."""
    created(store, 2)
    before = store.transparency_log.grow(SIGNING, AT)
    created(store, 2)

    class Died(Exception):
        """The process, in the middle."""

    class Dying(Signer):
        @property
        def key(self) -> str:
            raise Died

    with pytest.raises(Died):
        store.transparency_log.grow(Dying(*SIGNING), AT)
    assert store.transparency_log.latest() == before
    assert len(bodies(store)) == 2
    assert store.transparency_log.pending_since() is None
    created(store, 2)
    assert store.transparency_log.grow(SIGNING, AT).size == 3


def test_two_processes_and_more_let_it_grow_at_once(store: Store, url: str) -> None:
    add_signing_key(store)
    with processes(3) as pool:
        sizes = pool.starmap(let_grow, [(url, number) for number in range(3)])
    assert min(sizes) >= 8
    last = store.transparency_log.grow(SIGNING, AT)
    assert last.size == 3 * 8
    assert [leaf.number for leaf in store.transparency_log.leaves(0, 100)] == list(range(24))
    assert len(set(bodies(store))) == 24
    assert check_store(url, KEY) == []


DAMAGE = [
    ("UPDATE tree_leaves SET body = :body WHERE number = 1", "a leaf of the tree of matches is not what was entered"),
    ("UPDATE tree_leaves SET hash = :body WHERE number = 1", "a leaf of the tree of matches is not what was entered"),
    ("DELETE FROM tree_leaves WHERE number = 0", "a leaf of the tree of matches is not what was entered"),
    ("DELETE FROM tree_leaves WHERE number = 2", "does not continue its last checkpoint"),
    ("UPDATE tree_checkpoints SET root = :body", "is not what was signed"),
    ("UPDATE tree_checkpoints SET note = 'x'", "is not what was signed"),
    ("UPDATE tree_checkpoints SET size = 2", "is not what was signed"),
]


@pytest.mark.parametrize(("sql", "what"), DAMAGE)
def test_nothing_is_signed_over_what_was_changed(store: Store, url: str, sql: str, what: str) -> None:
    add_signing_key(store)
    for _ in range(3):
        created(store, 2)
    before = store.transparency_log.grow(SIGNING, AT)
    change(url, sql, **({"body": b"h" * 32} if ":body" in sql else {}))
    assert whats(url) != set()
    if "number = 2" not in sql:
        created(store, 2)
    with pytest.raises(TreeDamaged, match=what):
        store.transparency_log.grow(signer(bytes(32), SIGNING.origin) if "number = 2" in sql else SIGNING, AT)
    latest = store.transparency_log.latest()
    assert latest is not None
    assert latest.number == before.number


def test_a_leaf_that_was_replaced_with_its_hash_is_noticed(store: Store, url: str) -> None:
    """Whoever rewrites bytes and hash alike meets the root that was signed."""
    for _ in range(3):
        created(store, 2)
    store.transparency_log.grow(SIGNING, AT)
    body = erratum_leaf("catte", 1, "never was", CREATED).body
    change(url, "UPDATE tree_leaves SET body = :body, hash = :hash WHERE number = 1", body=body, hash=leaf_hash(body))
    created(store, 2)
    with pytest.raises(TreeDamaged, match="does not continue"):
        store.transparency_log.grow(SIGNING, AT)


def test_what_the_check_finds(store: Store, url: str) -> None:
    add_signing_key(store)
    match, entries = created(store, 2)
    add_pending(store, 0, 256)
    store.transparency_log.grow(SIGNING, AT)
    assert whats(url) == set()
    change(url, "UPDATE tree_tiles SET hash = :hash", hash=b"h" * 32)
    assert whats(url) == {"the tiles of the tree of matches are not what its leaves make"}
    change(url, "DELETE FROM tree_tiles")
    assert whats(url) == {"the tiles of the tree of matches are not what its leaves make"}
    change(url, "DELETE FROM signing_keys")
    assert "checkpoint 0 of the tree of matches is not signed by its key" in whats(url)
    change(url, "DELETE FROM tree_leaves WHERE match = :match", match=match)
    assert "its beginning is not in the tree of matches" in whats(url)
    ended(store, match, entries[-1], closed=True)
    change(url, "DELETE FROM tree_pending")
    assert "its end is not in the tree of matches" in whats(url)


def test_a_log_that_was_rewritten_is_not_what_the_tree_says(store: Store, url: str) -> None:
    add_signing_key(store)
    match, _ = created(store, 2)
    store.transparency_log.grow(SIGNING, AT)
    (other,) = made_log(match, 1)
    change(url, "UPDATE events SET body = :body, hash = :hash, openings = NULL", body=other.body, hash=b"h" * 32)
    assert "its log is not what the tree of matches says" in whats(url)


def test_the_tree_is_backed_up_and_restored(store: Store, url: str, kind: str, tmp_path: Path) -> None:
    add_signing_key(store)
    created(store, 2)
    last = store.transparency_log.grow(SIGNING, AT)
    created(store, 2)
    backup(url, tmp_path / "b")
    (tmp_path / "other").mkdir()
    with empty_database("postgresql" if kind == "sqlite" else "sqlite", tmp_path / "other") as there:
        restore(tmp_path / "b", there)
        assert check_store(there, KEY) == []
        with closing(open_store(there, KEY)) as copy:
            assert copy.transparency_log.latest() == last
            recovered(there)
            store.transparency_log.grow(SIGNING, AT)
            assert copy.transparency_log.leaves(0, 2) == store.transparency_log.leaves(0, 2)


@pytest.mark.parametrize("size", [1, WIDTH - 1, WIDTH, WIDTH * WIDTH + WIDTH + 5])
def test_roots_are_made_of_tiles(size: int) -> None:
    leaves = [leaf_hash(str(number).encode()) for number in range(size)]
    nodes = _nodes(_levels(leaves))
    for earlier in {1, size // 3 + 1, WIDTH, WIDTH + 1, size - 1, size}:
        if 0 < earlier <= size:
            assert root(nodes, earlier) == root_of(leaves[:earlier])
