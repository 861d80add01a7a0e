"""A transparency log that lies is found out: every lie with its verdict."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from gyoji.log.canonical import ZERO, canonical, leaf_hash
from gyoji.log.entries import Entry
from gyoji.log.signatures import Signer, public_bytes, signer
from gyoji.trust.transparency.faults import VERDICTS, LogFault
from gyoji.trust.transparency.leaves import closing_leaf, creation_leaf, erratum_leaf
from gyoji.trust.transparency.match_facts import MatchFacts, find_match
from gyoji.trust.transparency.notes import Checkpoint, Verifier, checkpoint_text, sign_note
from gyoji.trust.transparency.split_views import SplitView, find_split_view, is_proven, is_split_view
from gyoji.trust.transparency.tiles import Tile, read_tile, tile_width, write_bundle
from gyoji.trust.transparency.tree import EMPTY, root_of
from gyoji.trust.transparency.verification import NotInLog, verify_checkpoint, verify_log, verify_root

AT = "2026-01-01T00:00:00.000Z"
OWN = signer(bytes(range(32)), "club.example/log")
OTHER = signer(bytes(32), "club.example/log")
KEYS = (Verifier(OWN.origin, public_bytes(OWN.private)),)


def event(match: str, seq: int) -> Entry:
    """An event of a match."""
    body = canonical({"match": match, "seq": seq, "at": AT, "prev": ZERO.hex()})
    return Entry(seq, body, leaf_hash(body))


def matches(count: int) -> list[bytes]:
    """The leaves of matches that have begun and ended, one after the other."""
    return [
        leaf.body
        for number in range(count // 2 + 1)
        for leaf in (creation_leaf(event(f"m{number}", 0)), closing_leaf(event(f"m{number}", 9), "finished"))
    ][:count]


@dataclass(frozen=True)
class Shown:
    """A log as it shows itself: the leaves it serves, and the checkpoint that it signs over others, or the same."""

    leaves: list[bytes]
    over: list[bytes] | None = None
    signing: Signer = OWN
    tiles: dict[Tile, bytes] = field(default_factory=dict)
    bundles: dict[int, bytes] = field(default_factory=dict)

    def checkpoint(self) -> bytes:
        """The signed note."""
        hashes = [leaf_hash(body) for body in (self.leaves if self.over is None else self.over)]
        said = Checkpoint("club.example/log", len(hashes), root_of(hashes))
        return sign_note(checkpoint_text(said), self.signing).encode()

    def tile(self, tile: Tile) -> bytes:
        """The hashes of a tile."""
        if tile in self.tiles:
            return self.tiles[tile]
        if tile.width != tile_width(tile.level, tile.number, len(self.leaves)):
            raise NotInLog(str(tile))
        hashes = [leaf_hash(body) for body in self.leaves]
        for _level in range(tile.level):
            hashes = [root_of(hashes[at : at + 256]) for at in range(0, len(hashes) - 255, 256)]
        return b"".join(hashes[256 * tile.number : 256 * tile.number + tile.width])

    def leaves_of(self, number: int, width: int) -> bytes:
        """A bundle."""
        part = self.leaves[256 * number : 256 * number + width]
        if len(part) < width:
            raise NotInLog(f"entries/{number}")
        return self.bundles.get(number, write_bundle(part))


@dataclass(frozen=True)
class Served:
    """``Shown`` as ``Log`` has it."""

    shown: Shown

    def checkpoint(self) -> bytes:
        """The signed note."""
        return self.shown.checkpoint()

    def tile(self, tile: Tile) -> bytes:
        """The hashes of a tile."""
        return self.shown.tile(tile)

    def leaves(self, number: int, width: int) -> bytes:
        """A bundle."""
        return self.shown.leaves_of(number, width)


def verdict(work: Callable[[], object]) -> tuple[str, str]:
    """The reason and the verdict."""
    with pytest.raises(LogFault) as caught:
        work()
    return caught.value.reason, VERDICTS[caught.value.reason]


def read(shown: Shown) -> object:
    """The whole log, as ``gyoji log verify`` reads it."""
    log = Served(shown)
    return verify_log(log, verify_checkpoint(log.checkpoint(), KEYS))


TRUE = matches(300)


@pytest.mark.parametrize("count", [0, 1, 2, 255, 256, 257, 300, 513])
def test_an_honest_log(count: int) -> None:
    log = Served(Shown(matches(count)))
    said = verify_checkpoint(log.checkpoint(), KEYS)
    whole = verify_log(log, said)
    verify_root(log, said)
    assert whole.root == said.root
    assert sum(len(told) for told in whole.leaves.values()) == count


CUT = write_bundle(TRUE[:256])[:-1]
SWAPPED = [*TRUE[:10], TRUE[11], TRUE[10], *TRUE[12:]]
CHANGED = [*TRUE[:10], creation_leaf(event("elsewhere", 0)).body, *TRUE[11:]]
TWICE = [*TRUE, creation_leaf(event("m1", 5)).body]
ENDED_TWICE = [*TRUE, closing_leaf(Entry(9, event("m1", 9).body, b"h" * 32), "voided").body]

LIES = [
    ("truncated, signed over more", Shown(TRUE[:299], over=TRUE), "nothing-there", "incomplete"),
    ("truncated to whole tiles", Shown(TRUE[:256], over=TRUE), "nothing-there", "incomplete"),
    ("rewritten leaf", Shown(CHANGED, over=TRUE), "wrong-root", "tampered"),
    ("reordered leaves", Shown(SWAPPED, over=TRUE), "wrong-root", "tampered"),
    ("foreign key", Shown(TRUE, signing=OTHER), "unknown-key", "key_untrusted"),
    ("another log's name", Shown(TRUE, signing=OWN._replace(origin="x/log")), "unknown-key", "key_untrusted"),
    ("bundle cut", Shown(TRUE, bundles={0: CUT}), "nothing-there", "incomplete"),
    ("bundle of another length", Shown(TRUE, bundles={0: write_bundle(TRUE[:255])}), "nothing-there", "incomplete"),
    ("leaf tile", Shown(TRUE, tiles={Tile(0, 1, 44): bytes(44 * 32)}), "wrong-tile", "tampered"),
    ("upper tile", Shown(TRUE, tiles={Tile(1, 0, 1): bytes(32)}), "wrong-tile", "tampered"),
    ("tile cut", Shown(TRUE, tiles={Tile(1, 0, 1): bytes(31)}), "nothing-there", "incomplete"),
    ("no leaf", Shown([*TRUE, b"{}"]), "wrong-leaf", "tampered"),
    ("leaf not canonical", Shown([*TRUE, TRUE[0].replace(b":", b": ")]), "wrong-leaf", "tampered"),
    ("leaf at no time", Shown([*TRUE, TRUE[0].replace(b"2026-01-01T", b"2026-01-32T")]), "wrong-leaf", "tampered"),
    ("leaf with more in it", Shown([TRUE[0].replace(b"}", b',"w":1}')]), "wrong-leaf", "tampered"),
    ("two beginnings", Shown(TWICE), "contradicting-leaves", "equivocation"),
    ("two ends", Shown(ENDED_TWICE), "contradicting-leaves", "equivocation"),
]


@pytest.mark.parametrize(("lie", "shown", "reason", "word"), LIES, ids=[lie[0] for lie in LIES])
def test_a_lying_log(lie: str, shown: Shown, reason: str, word: str) -> None:
    assert verdict(lambda: read(shown)) == (reason, word)


def test_notes_that_are_not_to_be_believed() -> None:
    note = Shown(TRUE).checkpoint()
    assert verdict(lambda: verify_checkpoint(note[:-2] + b"\n", KEYS))[0] == "malformed-checkpoint"
    assert verdict(lambda: verify_checkpoint(note.replace(b"\n300\n", b"\n301\n"), KEYS)) == (
        "wrong-signature",
        "tampered",
    )
    assert (
        verdict(lambda: verify_checkpoint(sign_note("no checkpoint\n", OWN).encode(), KEYS))[0]
        == "malformed-checkpoint"
    )
    other = sign_note(checkpoint_text(Checkpoint("elsewhere/log", 0, EMPTY)), OWN).encode()
    assert verdict(lambda: verify_checkpoint(other, KEYS)) == ("wrong-origin", "tampered")


FIRST, LAST = event("m3", 0), event("m3", 9)
WHOLE = MatchFacts(
    "m3",
    FIRST.hash.hex(),
    {0: FIRST.hash.hex(), 9: LAST.hash.hex()},
    over=True,
    times={0: AT, 9: AT},
    statuses={9: "finished"},
)


def test_a_match_is_found() -> None:
    log = Served(Shown(TRUE))
    whole = verify_log(log, verify_checkpoint(log.checkpoint(), KEYS))
    find_match(whole, WHOLE)
    find_match(whole, MatchFacts("m3", None, {}, over=False))


MISFITS = [
    (replace_with, reason, word)
    for replace_with, reason, word in (
        ({"match": "m999"}, "no-creation", "incomplete"),
        ({"first": "0" * 64}, "other-creation", "tampered"),
        ({"hashes": {0: FIRST.hash.hex(), 9: "0" * 64}}, "other-closing", "tampered"),
        ({"hashes": {0: FIRST.hash.hex()}, "over": False}, "short-file", "incomplete"),
        ({"times": {0: "2026-01-01T00:00:00.001Z", 9: AT}}, "other-creation", "tampered"),
        ({"times": {0: AT, 9: "2026-01-01T00:00:00.001Z"}}, "other-closing", "tampered"),
        ({"statuses": {9: "voided"}}, "other-closing", "tampered"),
    )
]


@pytest.mark.parametrize(("change", "reason", "word"), MISFITS)
def test_a_match_that_is_not_what_the_log_says(change: dict[str, object], reason: str, word: str) -> None:
    log = Served(Shown(TRUE))
    whole = verify_log(log, verify_checkpoint(log.checkpoint(), KEYS))
    assert verdict(lambda: find_match(whole, WHOLE._replace(**change))) == (reason, word)  # type: ignore[arg-type]


def test_a_match_whose_end_was_left_out() -> None:
    log = Served(Shown(TRUE[:7]))
    whole = verify_log(log, verify_checkpoint(log.checkpoint(), KEYS))
    assert verdict(lambda: find_match(whole, WHOLE)) == ("no-closing", "incomplete")


@pytest.mark.parametrize(
    ("before", "after"), [(0, 5), (1, 300), (5, 5), (255, 300), (256, 300), (300, 513), (257, 513)]
)
def test_a_log_that_only_grows(before: int, after: int) -> None:
    every = matches(513)
    old = Shown(every[:before]).checkpoint()
    log = Served(Shown(every[:after]))
    assert find_split_view(log, old, log.checkpoint(), KEYS) is None


@pytest.mark.parametrize(("before", "after"), [(11, 300), (16, 300), (255, 300), (256, 300), (257, 300), (300, 300)])
def test_a_split_view_is_proven_by_a_few_hashes(before: int, after: int) -> None:
    """What was seen earlier has another leaf 10 than the log that is shown now."""
    old = Shown(CHANGED[:before]).checkpoint()
    log = Served(Shown(TRUE[:after]))
    split = find_split_view(log, old, log.checkpoint(), KEYS)
    assert split is not None
    assert len(split.proof) <= 10
    assert is_proven(split, KEYS)
    for wrong in (split._replace(smaller=split.larger), split._replace(proof=[*split.proof, EMPTY])):
        assert not is_proven(wrong, KEYS) or (before == after and wrong.smaller == split.smaller)
    assert verdict(lambda: is_proven(split, (Verifier(OTHER.origin, public_bytes(OTHER.private)),)))[0] == "unknown-key"


def test_two_checkpoints_of_a_log_that_only_grew_prove_nothing() -> None:
    old, log = Shown(TRUE[:100]).checkpoint(), Served(Shown(TRUE))
    honest = read_tile(log.tile(Tile(0, 0)))
    assert not is_proven(SplitView(old, log.checkpoint(), honest[:9]), KEYS)
    assert not is_proven(SplitView(log.checkpoint(), old, []), KEYS)
    assert not is_proven(SplitView(old, old, []), KEYS)
    assert is_split_view(Checkpoint("a", 0, honest[0]), Checkpoint("a", 5, honest[1]), [])
    assert not is_split_view(Checkpoint("a", 5, honest[0]), Checkpoint("b", 5, honest[1]), [])


def test_a_stale_checkpoint() -> None:
    log = Served(Shown(TRUE[:100]))
    assert verdict(lambda: find_split_view(log, Shown(TRUE).checkpoint(), log.checkpoint(), KEYS)) == (
        "stale",
        "incomplete",
    )


def test_a_log_that_shows_less_and_still_has_the_rest_proves_the_split_itself() -> None:
    log = Served(replace(Shown(TRUE), over=CHANGED[:100]))
    split = find_split_view(log, Shown(TRUE).checkpoint(), log.checkpoint(), KEYS)
    assert split is not None
    assert is_proven(split, KEYS)


def test_tiles_that_do_not_lead_to_what_was_signed() -> None:
    log = Served(Shown(CHANGED, over=TRUE))
    old = Shown(TRUE[:100]).checkpoint()
    assert verdict(lambda: find_split_view(log, old, log.checkpoint(), KEYS)) == ("wrong-root", "tampered")
    assert verdict(lambda: verify_root(log, verify_checkpoint(log.checkpoint(), KEYS))) == ("wrong-root", "tampered")
    short = Served(Shown(TRUE[:256], over=TRUE))
    assert verdict(lambda: find_split_view(short, old, short.checkpoint(), KEYS)) == ("nothing-there", "incomplete")


def test_an_erratum_is_of_no_match() -> None:
    log = Served(Shown([erratum_leaf("catte", 1, "Rule 3 was read wrongly.", AT).body]))
    assert [leaf["text"] for leaf in verify_log(log, verify_checkpoint(log.checkpoint(), KEYS)).leaves[""]] == [
        "Rule 3 was read wrongly."
    ]
