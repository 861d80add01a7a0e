"""The Merkle tree: vectors of the Certificate Transparency implementations, the RFC's own words, and wrong proofs."""

from collections.abc import Iterator

import pytest

from gyoji.log.canonical import leaf_hash
from gyoji.trust.transparency.tiles import (
    NoBundle,
    leaf_hashes,
    read_bundle,
    read_tile,
    read_tile_path,
    tile_path,
    tile_width,
    write_bundle,
)
from gyoji.trust.transparency.tree import (
    EMPTY,
    consistency_proof,
    full_consistency_proof,
    inclusion_proof,
    node_hash,
    nodes_of,
    root,
    root_of,
    roots_of_proof,
    verify_consistency,
)
from replay.inclusion import verify_inclusion

ENTRIES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
INCLUSION = {
    (0, 1): [],
    (0, 2): ["96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"],
    (1, 2): ["6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
    (2, 3): ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    (1, 5): [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
    (0, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (5, 8): [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
}
CONSISTENCY = {
    (1, 1): [],
    (1, 8): [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ],
    (2, 5): [
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ],
    (6, 8): [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ],
}
MOST = 300
LEAVES = [leaf_hash(number.to_bytes(2, "big")) for number in range(MOST)]
NODES = nodes_of(LEAVES)
PAIRS = [(0, 1), (0, 2), (1, 2), (2, 3), (5, 8), (6, 7), (0, 255), (254, 255), (255, 256), (256, 257), (130, 300)]


def plain_root(leaves: list[bytes]) -> bytes:
    """MTH as section 2.1.1 says it."""
    if not leaves:
        return EMPTY
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(plain_root(leaves[:split]), plain_root(leaves[split:]))


def flipped(proof: list[bytes]) -> Iterator[list[bytes]]:
    """The proof with one bit flipped, for every bit."""
    for place, value in enumerate(proof):
        for bit in range(256):
            wrong = (int.from_bytes(value, "big") ^ 1 << bit).to_bytes(32, "big")
            yield [*proof[:place], wrong, *proof[place + 1 :]]


def misshapen(proof: list[bytes]) -> Iterator[list[bytes]]:
    """Proofs that are too short, too long, out of order, or of hashes that are none."""
    yield [*proof, LEAVES[0]]
    yield [LEAVES[0], *proof]
    if proof:
        yield proof[:-1]
        yield proof[1:]
        yield [*proof[:-1], proof[-1][:-1]]
        yield [*proof[:-1], proof[-1] + b"\x00"]
    if len(proof) > 1:
        yield proof[::-1]


def test_the_roots_of_the_vectors() -> None:
    hashes = leaf_hashes(ENTRIES)
    assert [root_of(hashes[:size]).hex() for size in range(9)] == ROOTS


@pytest.mark.parametrize(("index", "size"), INCLUSION)
def test_the_inclusion_proofs_of_the_vectors(index: int, size: int) -> None:
    hashes = leaf_hashes(ENTRIES)
    proof = inclusion_proof(nodes_of(hashes), index, size)
    assert [value.hex() for value in proof] == INCLUSION[index, size]
    assert verify_inclusion(bytes.fromhex(ROOTS[size]), size, index, hashes[index], proof)


@pytest.mark.parametrize(("first", "second"), CONSISTENCY)
def test_the_consistency_proofs_of_the_vectors(first: int, second: int) -> None:
    proof = consistency_proof(nodes_of(leaf_hashes(ENTRIES)), first, second)
    assert [value.hex() for value in proof] == CONSISTENCY[first, second]
    assert verify_consistency(first, bytes.fromhex(ROOTS[first]), second, bytes.fromhex(ROOTS[second]), proof)


def test_every_size_has_the_root_that_the_definition_gives() -> None:
    assert all(root(NODES, size) == plain_root(LEAVES[:size]) for size in range(MOST + 1))


def test_every_leaf_of_every_size_is_proven_there_and_nowhere_else() -> None:
    for size in range(1, MOST + 1):
        tree = root(NODES, size)
        for index in range(0, size, 1 + size // 40):
            proof = inclusion_proof(NODES, index, size)
            assert verify_inclusion(tree, size, index, LEAVES[index], proof)
            assert not verify_inclusion(tree, size, index, LEAVES[index - 1], proof) or size == 1
            assert not verify_inclusion(tree, size, (index + 1) % size, LEAVES[index], proof) or size == 1
            assert not verify_inclusion(tree, size, index + size, LEAVES[index], proof)


def test_every_size_begins_every_larger_one_and_no_other_tree_does() -> None:
    roots = [root(NODES, size) for size in range(MOST + 1)]
    for second in range(1, MOST + 1):
        for first in range(1, second + 1, 1 + second // 40):
            proof = consistency_proof(NODES, first, second)
            assert verify_consistency(first, roots[first], second, roots[second], proof)
            assert not verify_consistency(first, LEAVES[7], second, roots[second], proof)
            assert not verify_consistency(first, roots[first], second, LEAVES[7], proof)
            if first < second:
                assert not verify_consistency(second, roots[second], first, roots[first], proof)
                assert roots_of_proof(first, second, full_consistency_proof(NODES, first, second)) == (
                    roots[first],
                    roots[second],
                )


@pytest.mark.parametrize(("index", "size"), PAIRS)
def test_no_changed_inclusion_proof_is_taken(index: int, size: int) -> None:
    tree, proof = root(NODES, size), inclusion_proof(NODES, index, size)
    for wrong in (*flipped(proof), *misshapen(proof)):
        assert not verify_inclusion(tree, size, index, LEAVES[index], wrong)


@pytest.mark.parametrize(("first", "second"), [(low or 1, high) for low, high in PAIRS])
def test_no_changed_consistency_proof_is_taken(first: int, second: int) -> None:
    before, after, proof = root(NODES, first), root(NODES, second), consistency_proof(NODES, first, second)
    for wrong in (*flipped(proof), *misshapen(proof)):
        assert not verify_consistency(first, before, second, after, wrong)


def test_a_proof_for_another_size_is_not_taken() -> None:
    tree, proof = root(NODES, 7), inclusion_proof(NODES, 6, 7)
    assert verify_inclusion(tree, 7, 6, LEAVES[6], proof)
    assert not verify_inclusion(tree, 8, 6, LEAVES[6], proof)
    # the same hashes are a proof for every size that has that last leaf alone on the right; the root is what differs
    assert not verify_inclusion(root(NODES, 11), 11, 10, LEAVES[6], proof)
    assert not verify_inclusion(tree, 7, -1, LEAVES[6], proof)


def test_from_the_empty_tree_and_to_itself_there_is_nothing_to_prove() -> None:
    assert consistency_proof(NODES, 0, 5) == consistency_proof(NODES, 5, 5) == []
    assert verify_consistency(0, EMPTY, 5, root(NODES, 5), [])
    assert verify_consistency(0, EMPTY, 0, EMPTY, [])
    assert not verify_consistency(0, root(NODES, 1), 5, root(NODES, 5), [])
    assert not verify_consistency(0, EMPTY, 0, LEAVES[0], [])
    assert not verify_consistency(0, EMPTY, 5, root(NODES, 5), [LEAVES[0]])
    assert not verify_consistency(5, root(NODES, 5), 5, root(NODES, 5), [LEAVES[0]])


@pytest.mark.parametrize(("low", "high"), [(5, 5), (-1, 5), (0, 0)])
def test_there_is_no_proof_of_what_is_not_there(low: int, high: int) -> None:
    with pytest.raises(ValueError, match="no such leaf"):
        inclusion_proof(NODES, low, high)
    with pytest.raises(ValueError, match="the smaller one"):
        consistency_proof(NODES, high + 1, high)


def test_two_trees_that_part_are_told_by_a_few_hashes() -> None:
    other = nodes_of([*LEAVES[:3], LEAVES[299], *LEAVES[4:299]])
    for first in (4, 100, 128, 255, 256):
        proof = full_consistency_proof(NODES, first, 290)
        assert len(proof) <= 10
        assert roots_of_proof(first, 290, proof) == (root(NODES, first), root(NODES, 290))
        assert root(other, first) != root(NODES, first)
    assert roots_of_proof(4, 4, [LEAVES[0]]) is None
    assert roots_of_proof(0, 4, [LEAVES[0]]) is None
    assert roots_of_proof(3, 4, []) is None


def test_the_tiles_of_a_tree_of_70000_leaves() -> None:
    widths = [[tile_width(level, number, 70_000) for number in range(275)] for level in range(4)]
    assert widths[0] == [256] * 273 + [112, 0]
    assert widths[1] == [256, 17] + [0] * 273
    assert widths[2] == [1] + [0] * 274
    assert widths[3] == [0] * 275
    assert tile_width(0, 0, 0) == 0
    assert [tile_width(level, 0, 256) for level in range(3)] == [256, 1, 0]


@pytest.mark.parametrize(
    ("index", "width", "place"),
    [(0, 256, "000"), (1_234_067, 256, "x001/x234/067"), (273, 112, "273.p/112"), (1000, 1, "x001/000.p/1")],
)
def test_where_a_tile_lies(index: int, width: int, place: str) -> None:
    assert tile_path(index, width) == place
    assert read_tile_path(place) == (index, width)


@pytest.mark.parametrize(
    "place",
    [
        "",
        "0",
        "00",
        "0000",
        "x000/001",
        "001/002",
        "x001",
        "273.p/0",
        "273.p/256",
        "273.p/012",
        "273.p",
        "000/",
        "/000",
        "٠٠٠",
        "x999/" * 6 + "000",
    ],
)
def test_a_place_is_written_in_one_way(place: str) -> None:
    assert read_tile_path(place) is None


def test_bundles() -> None:
    entries = [b"", b"a", b"b" * 300]
    assert write_bundle(entries)[:5].hex() == "0000000161"
    assert read_bundle(write_bundle(entries)) == entries
    assert read_bundle(b"") == []
    for end in (1, 3, 6, len(write_bundle(entries)) - 1):
        with pytest.raises(NoBundle):
            read_bundle(write_bundle(entries)[:end])
    with pytest.raises(OverflowError):
        write_bundle([b"c" * 65_536])


def test_the_hashes_of_a_tile() -> None:
    assert read_tile(b"".join(LEAVES[:3])) == LEAVES[:3]
    assert len(read_tile(b"x" * 33)[1]) == 1
