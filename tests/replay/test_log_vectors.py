"""The vectors that docs/log.md publishes for programs of others; they were made without this package."""

from typing import Any

import orjson

from gyoji.log.signatures import public_bytes, signer
from gyoji.published_files import CHECKOUT
from gyoji.trust.transparency.leaves import read_leaf
from gyoji.trust.transparency.notes import (
    Checkpoint,
    Verifier,
    checkpoint_text,
    open_note,
    read_checkpoint,
    read_vkey,
    sign_note,
    write_vkey,
)
from gyoji.trust.transparency.tiles import leaf_hashes, read_bundle, tile_path, write_bundle
from gyoji.trust.transparency.tree import (
    consistency_proof,
    inclusion_proof,
    nodes_of,
    root,
    verify_consistency,
)
from replay.inclusion import verify_inclusion

VECTORS: dict[str, Any] = orjson.loads((CHECKOUT / "docs" / "vectors" / "log-v1.json").read_bytes())
ENTRIES = [entry.encode() for entry in VECTORS["entries"]]
NODES = nodes_of(leaf_hashes(ENTRIES))
ROOTS = [bytes.fromhex(value) for value in VECTORS["roots"]]


def test_entries_hashes_and_roots() -> None:
    assert [read_leaf(entry)["type"] for entry in ENTRIES].count("erratum") == 1
    assert [value.hex() for value in leaf_hashes(ENTRIES)] == VECTORS["hashes"]
    assert [root(NODES, size) for size in range(len(ENTRIES) + 1)] == ROOTS
    assert write_bundle(ENTRIES).hex() == VECTORS["bundle"]
    assert read_bundle(bytes.fromhex(VECTORS["bundle"])) == ENTRIES
    assert {number: tile_path(int(number)) for number in VECTORS["places"]} == VECTORS["places"]


def test_the_checkpoint() -> None:
    signing = signer(bytes.fromhex(VECTORS["private"]), VECTORS["origin"])
    said = Checkpoint(VECTORS["origin"], len(ENTRIES), ROOTS[-1])
    assert sign_note(checkpoint_text(said), signing) == VECTORS["checkpoint"]
    assert write_vkey(Verifier(signing.origin, public_bytes(signing.private))) == VECTORS["vkey"]
    assert read_checkpoint(open_note(VECTORS["checkpoint"].encode(), [read_vkey(VECTORS["vkey"])])) == said


def test_the_proofs() -> None:
    for told in VECTORS["inclusion"]:
        proof = inclusion_proof(NODES, told["index"], told["size"])
        assert [value.hex() for value in proof] == told["proof"]
        leaf = bytes.fromhex(VECTORS["hashes"][told["index"]])
        assert verify_inclusion(ROOTS[told["size"]], told["size"], told["index"], leaf, proof)
    for told in VECTORS["consistency"]:
        first, second = told["from"], told["to"]
        proof = consistency_proof(NODES, first, second)
        assert [value.hex() for value in proof] == told["proof"]
        assert verify_consistency(first, ROOTS[first], second, ROOTS[second], proof)
