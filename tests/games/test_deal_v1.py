"""deal/v1: every step against the published check vectors; the shuffle is fair, and says when it cannot go on."""

import hmac
import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha512
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from gyoji.games import chance
from gyoji.games.chance import SeedMissing, StreamExhausted, deal_v1

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "deal-v1.json").read_text("utf-8"))
SECRET = bytes.fromhex(VECTORS["server_secret"])
SEED = VECTORS["no_entropy"]["seed"]

CHI_SQUARE_119 = 173.617
"""What chi-square with 119 degrees of freedom exceeds in one of 1,000 cases."""


def test_fields_are_prefixed_with_their_length() -> None:
    assert chance.length_prefixed("行", b"", b"ab", chance.u32(258)) == (
        b"\0\0\0\3\xe8\xa1\x8c" + b"\0\0\0\0" + b"\0\0\0\2ab" + b"\0\0\0\4\0\0\1\2"
    )


def test_the_server_commits_to_its_secret() -> None:
    found = chance.commitment(SECRET, VECTORS["game"], VECTORS["version"], VECTORS["deal_id"])
    assert found == VECTORS["commitment"]


def test_seats_commit_to_their_entropy() -> None:
    given = VECTORS["with_entropy"]
    found = [
        chance.player_commitment(VECTORS["deal_id"], seat, bytes.fromhex(entropy))
        for seat, entropy in enumerate(given["player_entropy"])
    ]
    assert found == given["player_commitments"]


@pytest.mark.parametrize("case", ["no_entropy", "with_entropy"])
def test_the_seed_comes_from_all_contributions(case: str) -> None:
    given = VECTORS[case]
    entropies = [bytes.fromhex(entropy) for entropy in given["player_entropy"]]
    beacon = bytes.fromhex(given["beacon"])
    seed = chance.root(SECRET, entropies, beacon, VECTORS["game"], VECTORS["version"], VECTORS["deal_id"])
    assert seed == given["seed"]


@pytest.mark.parametrize("case", VECTORS["shuffles"], ids=lambda case: f"{case['label']}/{case['k']}")
def test_shuffles(case: dict[str, Any]) -> None:
    pile = [str(index) for index in range(case["n"])]
    seed = VECTORS[case["seed"]]["seed"]
    assert [int(card) for card in chance.shuffled(seed, case["label"], case["k"], pile)] == case["order"]
    assert deal_v1(seed)(case["label"], case["k"], pile) == chance.shuffled(seed, case["label"], case["k"], pile)


def _stream(label: str, k: int, n: int) -> Iterator[int]:
    """The words of the stream, made here once more from RFC 5869."""
    info, block = chance.length_prefixed("deal/v1/shuffle", label, chance.u32(k), chance.u32(n)), b""
    for counter in range(1, 256):
        block = hmac.new(bytes.fromhex(SEED), block + info + bytes([counter]), sha512).digest()
        for at in range(0, 64, 2):
            yield int.from_bytes(block[at : at + 2], "big")


def test_a_word_that_would_favour_some_cards_is_read_over() -> None:
    """The vectors say that shuffle deck/69 rejects one word; without that, its order would be another."""
    case = next(case for case in VECTORS["shuffles"] if case["k"] == 69)
    words, rejected = _stream(case["label"], case["k"], case["n"]), 0
    order, careless = list(range(case["n"])), list(range(case["n"]))
    for i, word in zip(range(case["n"], 1, -1), _stream(case["label"], case["k"], case["n"]), strict=False):
        careless[i - 1], careless[word % i] = careless[word % i], careless[i - 1]
    for i in range(case["n"], 1, -1):
        word = next(words)
        while word >= 65536 - 65536 % i:
            word, rejected = next(words), rejected + 1
        order[i - 1], order[word % i] = order[word % i], order[i - 1]
    assert rejected == 1
    assert order == case["order"]
    assert careless != case["order"]


@pytest.mark.parametrize("n", range(2, 121))
def test_where_words_begin_to_be_read_over(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    """The last 65,536 mod n words of two bytes would favour the first cards: from the very first of them on they are
    read over, and the one before them is not."""
    bound, pile = 65536 - 65536 % n, [str(index) for index in range(n)]

    def order(*words: int) -> tuple[str, ...]:
        monkeypatch.setattr(chance, "_stream", lambda _key, _info: iter([*words, *[0] * n]))
        return chance.shuffled(SEED, "deck", 0, pile)

    assert order(bound - 1) == order(n - 1)
    assert order(bound - 1) != order(0)
    for word in range(bound, 65536):
        assert order(word, n - 1) == order(n - 1)


def test_a_stream_that_runs_out_is_an_error() -> None:
    """16,320 bytes are 8,160 words: too few for a pile of 8,162 cards."""
    assert len(list(_stream("deck", 0, 8162))) == 8160
    with pytest.raises(StreamExhausted):
        chance.shuffled(SEED, "deck", 0, [""] * 8162)


def test_one_card_and_none_need_no_stream() -> None:
    assert chance.shuffled(SEED, "deck", 0, ["only"]) == ("only",)
    assert chance.shuffled(SEED, "deck", 0, []) == ()


def test_without_a_seed_nothing_is_shuffled() -> None:
    with pytest.raises(SeedMissing):
        deal_v1(None)("deck", 0, ["a", "b"])


def test_seed_label_number_and_size_each_make_another_order() -> None:
    pile = [str(index) for index in range(60)]
    other = VECTORS["with_entropy"]["seed"]
    orders = {
        chance.shuffled(SEED, "deck", 0, pile),
        chance.shuffled(other, "deck", 0, pile),
        chance.shuffled(SEED, "reform", 0, pile),
        chance.shuffled(SEED, "deck", 1, pile),
        (*chance.shuffled(SEED, "deck", 0, pile[:59]), "59"),
    }
    assert len(orders) == 5


def test_the_seed_of_a_branch() -> None:
    """HKDF-Extract (RFC 5869) under the branch's own salt; other than the root, and another for every event."""
    match, deal, secret = "0b" * 16, "0d" * 16, bytes(range(64))

    def field(part: bytes) -> bytes:
        return len(part).to_bytes(4, "big") + part

    name = [b"deal/v1/branch", b"towai", bytes([0, 0, 0, 1]), deal.encode(), match.encode(), bytes([0, 0, 1, 2])]
    salt = sha512(b"".join(map(field, name))).digest()
    ikm = b"".join(map(field, [secret, b"\x01" * 32, b"", b"\x02" * 16]))
    given = (secret, [b"\x01" * 32, b""], b"\x02" * 16, "towai", 1, deal)

    def branch(seq: int) -> str:
        return chance.branch_root(*given, match=match, seq=seq)

    seed = branch(258)
    assert seed == hmac.new(salt, ikm, sha512).hexdigest()
    assert len({seed, chance.root(*given), branch(259)}) == 3


def test_every_order_of_five_cards_is_as_likely() -> None:
    """60,000 shuffles, 500 expected of each of the 120 orders: the chi-square of 999 out of 1,000 fair shuffles."""
    counted = Counter(chance.shuffled(SEED, "deck", k, "abcde") for k in range(60_000))
    assert set(counted) == set(permutations("abcde"))
    assert sum((count - 500) ** 2 / 500 for count in counted.values()) < CHI_SQUARE_119
