"""Checks that the archive still holds what was put there, pack by pack: each is read once, as a whole."""

from collections.abc import Iterator
from hashlib import sha256

from gyoji.store.archive.packs import BadPack, Part, read_index
from gyoji.store.archive.reader import unpack_checked
from gyoji.store.checks.transparency import OTHERWISE, agrees_with_leaves
from gyoji.store.database.port import Database, paged
from gyoji.store.database.statements import Row
from gyoji.store.object_storage import Gone, Objects
from gyoji.store.records import Unavailable

COUNT = "SELECT count(*) FROM archived"
NAMES = "SELECT name FROM archive_packs"
PACKS = """SELECT name, digest FROM archive_packs AS p WHERE name > ?
AND EXISTS (SELECT 1 FROM archived WHERE pack = p.name) ORDER BY name LIMIT ?"""
IN_PACK = """SELECT a.match, a.start, a.length, a.digest, m.seq, m.hash, a.body, a.hash, a.openings
FROM archived AS a JOIN matches AS m ON m.match = a.match WHERE a.pack = ? ORDER BY a.start"""
UNMARKED = """SELECT match FROM matches WHERE archived AND match NOT IN (SELECT match FROM archived)
UNION SELECT match FROM archived WHERE match NOT IN (SELECT match FROM matches WHERE archived)"""
TWICE = "SELECT match FROM archived WHERE EXISTS (SELECT 1 FROM events WHERE events.match = archived.match)"

Found = tuple[str | None, str | list[Row]]
"""A match, if it is about one, and what is wrong; or the match and its events, which are still to be checked."""


def archive_findings(database: Database, place: Objects | None) -> Iterator[Found]:
    """Find what is wrong with the archive; give back the rows of every match whose part is what was put there."""
    yield from [(row[0], "its row and the list of what is archived differ") for row in database.query(UNMARKED)]
    yield from [(row[0], "it is archived, and has events in the database") for row in database.query(TWICE)]
    if place is None:
        matches = database.query(COUNT)[0][0]
        if matches:
            yield None, f"{matches} match(es) are archived, and GYOJI_ARCHIVE does not say where: not looked at"
        return
    held = {each.name for each in place.held()}
    for name, digest in paged(database, PACKS, ""):
        yield from _pack(database, place, name, digest)
    for name in sorted(held - {row[0] for row in database.query(NAMES)}):
        yield None, f"the archive holds {name}, which is no pack of this store"


def _pack(database: Database, place: Objects, name: str, digest: bytes) -> Iterator[Found]:
    try:
        content = place.read(name)
    except Gone:
        yield None, f"pack {name} is not in the archive"
        content = b""
    except Unavailable as failure:
        yield None, f"pack {name}: {failure}"
        return
    index: dict[str, Part] = {}
    try:
        index = {part.match: part for part in read_index(content)}
    except BadPack as wrong:
        yield None, f"pack {name}: {wrong}"
    if sha256(content).digest() != digest:
        yield None, f"pack {name} is not what was put there"
    for match, start, length, known, seq, head, *first in database.query(IN_PACK, (name,)):
        try:
            rows = unpack_checked(content[start : start + length], known, seq, head)
        except Unavailable as failure:
            yield match, str(failure)
            continue
        if index and index.get(match) != Part(match, start, length, known, seq, head):
            yield match, "the index of its pack says otherwise"
        if rows[0][1:] != tuple(first):
            yield match, "its first event, in the list of what is archived, is another"
        if not agrees_with_leaves(database, match, [row[2] for row in rows]):
            yield match, OTHERWISE
        yield match, rows
