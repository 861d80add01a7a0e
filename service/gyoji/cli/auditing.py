"""What ``gyoji audit`` audits: files, archives of them, and the matches of a store. Runs in processes of its own."""

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from gyoji.cli.trust import signing_key
from gyoji.replay.audit import audit
from gyoji.replay.beacons import Beacons
from gyoji.replay.files import written
from gyoji.replay.impact import Impact, Left, impact
from gyoji.replay.proofs import proof
from gyoji.replay.reading import cut
from gyoji.replay.signatures import Signer, Trusted
from gyoji.replay.verdicts import Verdict, Why
from gyoji.store import open_store
from gyoji.store.interface import Head, Store, Unavailable
from gyoji.wire.impact import rules_of
from gyoji.wire.verdicts import rules_for

PIECE = 1 << 16
LARGEST_MEMBER = 1 << 26
"""Bytes of a file within an archive; it is held in memory, as an archive cannot be read twice at little cost."""
MOST_MEMBERS = 1_000_000
SUFFIX = ".jsonl"
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")

UNREADABLE = (
    OSError,
    EOFError,
    NotImplementedError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    tarfile.TarError,
    Unavailable,
)
"""What reading raises where there is no file, or an archive that is broken or packed in a way not known here."""


class Place(NamedTuple):
    """Where replays are: one file, an archive of them, or a match of a store (``where`` is its URL)."""

    kind: Literal["file", "archive", "match"]
    name: str
    where: str = ""


class Judged(NamedTuple):
    """One replay and the verdict on it, or why it could not be read."""

    name: str
    verdict: Verdict | None
    failure: str | None = None
    proof: Mapping[str, Any] | None = None
    """Of ``equivocation``, if it was asked for: the proof that stands alone."""
    impact: Impact | None = None
    """What another version of the rules would change, if that was asked for."""


Lines = Callable[[], Iterable[bytes]]
"""Gives the lines of a file from the start each time it is called."""


class Source(NamedTuple):
    """One replay at a place, as long as the place is open; or why it could not be read."""

    name: str
    lines: Lines | None
    failure: str | None = None


class Terms(NamedTuple):
    """What an audit goes by, beside the rules."""

    trusted: tuple[Trusted, ...] | None
    receipts: tuple[Any, ...] | None
    store_key: bytes | None = None
    beacons: Beacons | None = None
    with_proofs: bool = False
    version: int | None = None
    """Another version of the rules, to say what would change under it."""


def places(path: Path) -> Iterator[Place]:
    """The replays at a path; in a folder every ``.jsonl`` file and every archive, in the order of their names."""
    if path.is_dir():
        for inner in sorted(path.rglob("*")):
            if inner.is_file() and (inner.suffix == SUFFIX or _is_archive(inner)):
                yield _place(inner)
    else:
        yield _place(path)


def _place(path: Path) -> Place:
    return Place("archive" if _is_archive(path) else "file", str(path))


def _is_archive(path: Path) -> bool:
    return path.name.endswith(ARCHIVES)


def audited(terms: Terms, chunk: Sequence[Place]) -> list[Judged]:
    """The verdicts on everything in the places."""
    judged: list[Judged] = []
    for place in chunk:
        try:
            judged.extend([_judged(terms, place.kind, source) for source in sources(place, terms.store_key)])
        except UNREADABLE as failure:
            judged.append(Judged(spoken(place.name), None, _said(failure)))
    return judged


def _judged(terms: Terms, kind: str, source: Source) -> Judged:
    name = spoken(source.name)
    if source.lines is None:
        return Judged(name, None, source.failure)
    try:
        return judged(terms, name, source.lines)
    except UNTOLD:
        if kind != "match":
            raise
        return Judged(name, None, "an event in the store cannot be read; see gyoji store check")


def judged(terms: Terms, name: str, lines: Lines) -> Judged:
    """The verdict on the lines of one file; with the proof of ``equivocation`` if it was asked for."""
    found = audit(lines, rules_for, terms.trusted, terms.receipts, beacons=terms.beacons)
    if terms.version is not None:
        return Judged(name, found, impact=_compared(lines, found, terms.version))
    if found.contradiction is None or not terms.with_proofs:
        return Judged(name, found)
    return Judged(name, found, None, proof(found.contradiction, lines()))


SOUND = ("verified", "verified_with_rulings", "verified_partial")
"""Of what the audit finds wrong nothing can be compared."""


def _compared(lines: Lines, found: Verdict, version: int) -> Impact:
    if found.verdict not in SOUND:
        return Impact(left=Left(0, Why("unsound", {"verdict": found.verdict})))
    return impact(lines, rules_for, lambda game: rules_of(game, version))


def sources(place: Place, store_key: bytes | None = None) -> Iterator[Source]:
    """The replays at a place, one after another. Raises one of ``UNREADABLE``."""
    if place.kind == "file":
        return _file(place)
    return _archive(place) if place.kind == "archive" else _match(place, store_key)


def _said(failure: BaseException) -> str:
    """In one line, without the path, which the line begins with anyway."""
    if isinstance(failure, OSError) and failure.strerror:
        return failure.strerror
    return "an archive that is damaged, encrypted or none" if not isinstance(failure, Unavailable) else str(failure)


def spoken(name: str) -> str:
    """A name that can be printed: archives and folders may hold any bytes as names."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join([letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text])


def pieces_of(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file from its beginning."""
    file.seek(0)
    return cut(iter(lambda: file.read(PIECE), b""))


def _file(place: Place) -> Iterator[Source]:
    with Path(place.name).open("rb") as file:
        yield Source(place.name, lambda: pieces_of(file))


def _archive(place: Place) -> Iterator[Source]:
    for number, (name, member) in enumerate(_members(place.name)):
        if number >= MOST_MEMBERS:
            yield Source(place.name, None, f"more than {MOST_MEMBERS} files")
            return
        whole = f"{place.name}:{name}"
        body = member.read(LARGEST_MEMBER + 1)
        if len(body) > LARGEST_MEMBER:
            yield Source(whole, None, f"larger than {LARGEST_MEMBER} bytes")
        else:
            yield Source(whole, lambda body=body: cut((body,)))  # type: ignore[misc]


def _members(archive: str) -> Iterator[tuple[str, IO[bytes]]]:
    """The replay files in an archive, one after another; nothing is unpacked to the disk."""
    if archive.endswith(".zip"):
        with zipfile.ZipFile(archive) as zipped:
            for entry in zipped.infolist():
                if entry.flag_bits & 1:
                    raise zipfile.BadZipFile("encrypted")
                if entry.filename.endswith(SUFFIX) and not entry.is_dir():
                    with zipped.open(entry) as member:
                        yield entry.filename, member
    else:
        with tarfile.open(archive) as tarred:
            for found in tarred:
                inner = tarred.extractfile(found) if found.isfile() and found.name.endswith(SUFFIX) else None
                if inner is not None:
                    with inner:
                        yield found.name, inner


def _match(place: Place, store_key: bytes | None) -> Iterator[Source]:
    with closing(open_store(place.where, store_key)) as store:
        lines = match_lines(store, place.name)
        failure = None if lines else "the store has no such match, or no signing key"
        yield Source(place.name, lines, failure)


UNTOLD = (ValueError, KeyError, TypeError, StopIteration)
"""What a line makes the words stumble over that no service wrote."""


def match_lines(store: Store, match: str) -> Callable[[], Iterator[bytes]] | None:
    """Gives the full file of a stored match as it stands now; ``None`` if the store has no such match, or no key."""
    head, signing = store.head(match), signing_key(store)
    return None if head is None or signing is None else lambda: _lines(store, match, head, signing)


def _lines(store: Store, match: str, head: Head, signing: Signer) -> Iterator[bytes]:
    entries = store.entries(match, -1, head.seq)
    return written(next(entries), entries, signing, "full", head[:2])
