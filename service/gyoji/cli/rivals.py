"""Files of one match whose signed heads cannot both be true."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import blake2b
from tempfile import SpooledTemporaryFile
from typing import Any, NamedTuple

import orjson

from gyoji.cli.audit_sources import UNREADABLE, UNTOLD, Place, Source, sources, spoken
from gyoji.cli.auditing import Terms
from gyoji.log.signatures import Trusted, indexed
from gyoji.log.statements import Contradiction, Statement, contradiction, doubt, excuse
from gyoji.store.object_storage import shown
from gyoji.trust.proofs import proof
from gyoji.trust.receipt_checks import Logged, logged

IN_MEMORY = 1 << 24
"""Bytes of heads that are kept in memory; more of them go to a file that has no name."""
NONE = -1


class Rival(NamedTuple):
    """That another file of the same match says otherwise."""

    seq: int
    """The first event that the two differ in, as far as heads tell of it."""
    pair: Contradiction
    proof: Mapping[str, Any]
    word: str = ""
    """The verdict on the file by itself."""


class Headed(NamedTuple):
    """A file that ends with a head, whoever has signed it."""

    place: Place
    head: Statement
    word: str
    """The verdict on it by itself."""

    @property
    def name(self) -> str:
        """The file, as it is told of."""
        return spoken(self.place.name)


class Heads:
    """The heads of everything that has been audited: a hundred bytes of memory each, and the rest on the disk."""

    def __init__(self, store: str | None = None) -> None:
        self._store = store or ""
        self._kept = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - closed by ``close``
        self._last: dict[int, int] = {}
        """By match, where the last of its heads begins; each tells where the one before it does."""
        self._apart: set[int] = set()
        """The matches whose heads are not all the same."""
        self._end = 0

    def close(self) -> None:
        """Forget them."""
        self._kept.close()

    def add(self, one: Headed) -> None:
        """One more."""
        head = one.head
        named = f"{head.origin}\0{head.match}".encode("utf-8", "surrogatepass")
        key = int.from_bytes(blake2b(named, digest_size=8).digest(), "big")
        before = self._last.get(key, NONE)
        if before != NONE and self._read(before)[1].head[:5] != head[:5]:
            self._apart.add(key)
        self._kept.seek(self._end)
        self._last[key] = self._end
        self._end += self._kept.write(_written(before, one))

    def apart(self) -> Iterator[list[Headed]]:
        """The files of each match that has several heads."""
        for key in sorted(self._apart):
            logs: dict[tuple[str, str], list[Headed]] = {}
            at = self._last[key]
            while at != NONE:
                at, one = self._read(at)
                logs.setdefault((one.head.origin, one.head.match), []).append(one)
            yield from (log[::-1] for log in logs.values())

    def _read(self, at: int) -> tuple[int, Headed]:
        self._kept.seek(at)
        before, word, kind, name, where, origin, match, seq, hashed, key, sig = orjson.loads(self._kept.readline())
        statement = Statement("head", origin, match, seq, bytes.fromhex(hashed), key, sig)
        found = self._store if kind == "match" else _bytes_in(where)
        return before, Headed(Place(kind, _bytes_in(name), found), statement, word)


def _written(before: int, one: Headed) -> bytes:
    place, head = one.place, one.head
    # the URL of a store may hold a password
    found = "" if place.kind == "match" else _bytes_of(place.where)
    named = [before, one.word, place.kind, _bytes_of(place.name), found]
    return orjson.dumps([*named, head.origin, head.match, head.seq, head.hash.hex(), head.key, head.sig]) + b"\n"


def _bytes_of(name: str) -> str:
    """A name of any bytes as a text that can be written down."""
    return name.encode("utf-8", "surrogateescape").decode("latin-1")


def _bytes_in(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


class Found(NamedTuple):
    """What files of one match make of each other."""

    rivals: dict[str, Rival]
    """By name, the replays whose heads, signed by trusted keys, contradict that of another."""
    undecided: tuple[tuple[str, str], ...]
    """Pairs of which the longer would have to be read again, and cannot be."""


def rivals(logs: Iterable[Sequence[Headed]], terms: Terms) -> Found:
    """The files of each match against each other, as far as trusted keys have signed their heads."""
    wider = terms.wider().trusted
    trusted = None if wider is None else indexed(wider)
    found: dict[str, Rival] = {}
    undecided: list[tuple[str, str]] = []
    if trusted is None:
        return Found({}, ())
    for log in logs:
        believed = [one for one in log if doubt(one.head, trusted) is None]
        if len({one.head[:5] for one in believed}) > 1:
            undecided += _compare(believed, terms, trusted, found)
    return Found(found, tuple(undecided))


def _compare(
    log: Sequence[Headed], terms: Terms, trusted: Sequence[Trusted], found: dict[str, Rival]
) -> Iterator[tuple[str, str]]:
    """Every head of one match against every other: two of one place, and what the longer log has in the other's place.
    Many files may have the same head; they are copies."""
    copies: dict[tuple[Any, ...], list[Headed]] = {}
    for one in log:
        copies.setdefault(one.head[:5], []).append(one)
    overruled: set[tuple[Any, ...]] = set()
    for told, files in copies.items():
        others = {head: held for head, held in copies.items() if held[0].head.seq <= files[0].head.seq and head != told}
        wanted = frozenset([held[0].head.seq for held in others.values()])
        reads = _reads(files, terms, wanted) if others else []
        for head, held in others.items():
            (longer, *more), (other, *others_more) = files, held
            says = _contradicts(longer.head, other.head, reads)
            if says and excuse((other.head, longer.head), other.head.seq, trusted) is not None:
                continue
            if says is None:
                yield longer.name, other.name
                yield from [(one.name, other.name) for one in more]
                yield from [(longer.name, one.name) for one in others_more]
            elif says and not overruled.issuperset((told, head)):
                pair = (other.head, longer.head)
                rival = Rival(other.head.seq, pair, _proof(longer, pair, terms) if terms.with_proofs else {})
                for one in (*([] if told in overruled else files), *([] if head in overruled else held)):
                    found[one.name] = rival._replace(word=one.word)
                overruled |= {told, head}


def _reads(files: Sequence[Headed], terms: Terms, wanted: frozenset[int]) -> list[Logged]:
    """What these copies have in those places, up to the first that is whole."""
    found: list[Logged] = []
    for one in files:
        read = _read_again(one, terms, wanted)
        if read is not None:
            found.append(read)
            if all(map(read.is_tied_at, wanted)):
                break
    return found


def _contradicts(longer: Statement, other: Statement, reads: Sequence[Logged]) -> bool | None:
    """Whether the two cannot both be true; ``None`` where the longer log would have to be read and cannot be."""
    if contradiction(other, longer):
        return True
    if not reads:
        return None
    seq, hashed = other.seq, other.hash
    return any(read.is_tied_at(seq) and read.hashes.get(seq, hashed) != hashed for read in reads)


def _read_again(one: Headed, terms: Terms, wanted: frozenset[int]) -> Logged | None:
    """What a file has in those places, if it is still the one that has been audited."""
    try:
        with closing(_lines(one, terms)) as opened:
            for source in opened:
                read = None if source.lines is None else logged(source.lines(), wanted)
                if read is not None and read.head is not None and read.head[:5] == one.head[:5]:
                    return read
    except (*UNREADABLE, *UNTOLD):
        pass
    return None


def _proof(longer: Headed, pair: Contradiction, terms: Terms) -> Mapping[str, Any]:
    if pair[0].seq == pair[1].seq:
        return proof(pair, ())
    try:
        with closing(_lines(longer, terms)) as opened:
            for source in opened:
                return {} if source.lines is None else proof(pair, source.lines())
    except (*UNREADABLE, *UNTOLD):
        pass
    return {}


def _lines(one: Headed, terms: Terms) -> Generator[Source, None, None]:
    place = one.place
    if place.kind == "member":
        place = Place("archive", shown(place.where), place.where)
    return (source for source in sources(place, terms.store_key) if source.name == one.place.name)
