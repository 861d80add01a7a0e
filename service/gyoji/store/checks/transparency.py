"""Checks that the transparency log is still what was signed, and still says of the matches what is stored."""

from collections.abc import Iterator, Sequence

from gyoji.log.canonical import leaf_hash
from gyoji.store.database.port import Database
from gyoji.store.database.statements import PAGE
from gyoji.store.keys import SigningKey
from gyoji.store.transparency.growth import PlacedLeaf, SignedCheckpoint
from gyoji.store.transparency.log import TransparencyLog
from gyoji.trust.transparency.leaves import NoLeaf, read_leaf
from gyoji.trust.transparency.notes import BadNote, Checkpoint, Verifier, checkpoint_text, open_note
from gyoji.trust.transparency.tiles import HEIGHT, WIDTH
from gyoji.trust.transparency.tree import Nodes, root, root_of

SIZE = "SELECT coalesce(max(number) + 1, 0) FROM tree_leaves"
IS_ARCHIVED = "SELECT 1 FROM archived WHERE match = ?"
LEAVES_OF = "SELECT body FROM tree_leaves WHERE match = ? ORDER BY number"
EVENT = "SELECT hash FROM events WHERE match = ? AND seq = ?"
TILES = "SELECT level, number, hash FROM tree_tiles ORDER BY level, number"
UNTOLD = """SELECT match FROM matches WHERE {} NOT EXISTS
(SELECT 1 FROM tree_leaves AS leaf WHERE leaf.match = matches.match AND leaf.kind = ?) AND NOT EXISTS
(SELECT 1 FROM tree_pending AS leaf WHERE leaf.match = matches.match AND leaf.kind = ?) ORDER BY match"""
BEGUN = UNTOLD.format("")
ENDED = UNTOLD.format("status IN ('finished', 'voided') AND")
OTHERWISE = "its log is not what the tree of matches says"

Found = tuple[str | None, str]
"""A match, if it is about one, and what is wrong."""


def transparency_findings(database: Database, log: TransparencyLog, keys: Sequence[SigningKey]) -> Iterator[Found]:
    """Find everything that is wrong with the log. It may grow meanwhile: what is signed later is left alone."""
    last = log.latest()
    hashes: list[bytes] = []
    size = database.query(SIZE)[0][0]
    for low in range(0, size, PAGE):
        for leaf in log.leaves(low, low + PAGE):
            yield from _leaf(database, leaf, len(hashes))
            hashes.append(leaf.hash)
    if last is not None:
        levels = _levels(hashes)
        yield from _tiles(database, levels, last.size)
        yield from _checkpoints(log, last, levels, keys)
    for sql, kind, what in ((BEGUN, "match_created", "beginning"), (ENDED, "match_closed", "end")):
        yield from [(row[0], f"its {what} is not in the tree of matches") for row in database.query(sql, (kind, kind))]


def _leaf(database: Database, leaf: PlacedLeaf, expected: int) -> Iterator[Found]:
    if leaf.number != expected:
        yield None, f"leaves of the tree of matches are missing before {leaf.number}"
    if leaf_hash(leaf.body) != leaf.hash:
        yield None, f"leaf {leaf.number} of the tree of matches does not have its hash"
    try:
        said = read_leaf(leaf.body)
    except NoLeaf:
        yield None, f"leaf {leaf.number} of the tree of matches does not read"
        return
    if "match" in said:
        stored = database.query(EVENT, (said["match"], said.get("seq", 0)))
        if not stored and database.query(IS_ARCHIVED, (said["match"],)):
            return  # whoever looks at its pack calls ``agrees_with_leaves``
        if [row[0].hex() for row in stored] != [said["hash"]]:
            yield said["match"], OTHERWISE


def agrees_with_leaves(database: Database, match: str, hashes: Sequence[bytes]) -> bool:
    """Tell whether the transparency log states of an archived match, whose events have these hashes, what is so. Leaves
    that do not read are found by ``transparency_findings``."""
    for (body,) in database.query(LEAVES_OF, (match,)):
        try:
            said = read_leaf(body)
        except NoLeaf:
            continue
        seq = said.get("seq", 0)
        if not 0 <= seq < len(hashes) or hashes[seq].hex() != said["hash"]:
            return False
    return True


def _levels(hashes: list[bytes]) -> list[list[bytes]]:
    """The hashes of the leaves, of full tiles of leaves, of full tiles of such, and so on."""
    levels = [hashes]
    while len(levels[-1]) >= WIDTH:
        below = levels[-1]
        levels.append([root_of(below[at : at + WIDTH]) for at in range(0, len(below) - WIDTH + 1, WIDTH)])
    return levels


def _nodes(levels: Sequence[Sequence[bytes]]) -> Nodes:
    """The complete subtrees. Between tiles none is kept: there are as many as leaves, and each takes more room."""

    def node(level: int, index: int) -> bytes:
        tiles, height = divmod(level, HEIGHT)
        return root_of(levels[tiles][index << height : (index + 1) << height])

    return node


def _tiles(database: Database, levels: Sequence[Sequence[bytes]], size: int) -> Iterator[Found]:
    """Every full tile of the leaves that were signed has its hash stored."""
    made: list[tuple[int, int, bytes]] = []
    for level, values in enumerate(levels[1:], 1):
        made += [(level, number, value) for number, value in enumerate(values[: size >> HEIGHT * level])]
    stored = [tuple(row) for row in database.query(TILES) if row[1] < size >> HEIGHT * row[0]]
    if stored != made:
        yield None, "the tiles of the tree of matches are not what its leaves make"


def _checkpoints(
    log: TransparencyLog, last: SignedCheckpoint, levels: Sequence[Sequence[bytes]], keys: Sequence[SigningKey]
) -> Iterator[Found]:
    nodes, leaves = _nodes(levels), len(levels[0])
    size = 0
    for expected, signed in enumerate(log.checkpoints()):
        if signed.number > last.number:
            return
        if signed.number != expected or signed.size < size:
            yield None, f"checkpoints of the tree of matches are missing before {signed.number}"
        if signed.size > leaves or root(nodes, signed.size) != signed.root:
            yield None, f"the tree of matches is not what checkpoint {signed.number} has signed"
        if not _is_signed(signed, keys):
            yield None, f"checkpoint {signed.number} of the tree of matches is not signed by its key"
        size = max(size, signed.size)


def _is_signed(signed: SignedCheckpoint, keys: Sequence[SigningKey]) -> bool:
    for key in keys:
        if key.key == signed.key:
            try:
                text = open_note(signed.note.encode(), [Verifier(key.origin, key.public)])
            except BadNote:
                return False
            return text == checkpoint_text(Checkpoint(key.origin, signed.size, signed.root))
    return False
