"""Finds files of one match whose signed heads cannot both be true."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from gyoji.bulk.audit_terms import AuditTerms
from gyoji.bulk.heads import HeadedFile
from gyoji.bulk.locations import Location
from gyoji.bulk.sources import UNREADABLE, Source, open_sources
from gyoji.bulk.stored_matches import DAMAGED_EVENT
from gyoji.log.signatures import Trusted, indexed
from gyoji.log.statements import Contradiction, Statement, contradiction, excusing_restoration, why_doubted
from gyoji.store.object_storage import shown
from gyoji.trust.log_excerpts import LogExcerpt, read_excerpt
from gyoji.trust.proofs import make_proof

Head = tuple[Any, ...]
"""A head without its key and signature: many files may have the same."""


class ContradictingFile(NamedTuple):
    """A file of the same match whose signed head contradicts that of another file."""

    seq: int
    """The first event that the two differ in, as far as heads tell of it."""
    pair: Contradiction
    proof: Mapping[str, Any]
    label: str = ""
    """The verdict on the file by itself."""


class Comparison(NamedTuple):
    """The result of comparing the files of each match."""

    rivals: dict[str, ContradictingFile]
    """By name, the replays whose heads, signed by trusted keys, contradict that of another."""
    undecided: tuple[tuple[str, str], ...]
    """Pairs of which the longer would have to be read again, and cannot be."""


def compare_heads(logs: Iterable[Sequence[HeadedFile]], terms: AuditTerms) -> Comparison:
    """Compare the files of each match with each other, as far as trusted keys have signed their heads."""
    trusted = terms.for_stored_matches().trusted
    if trusted is None:
        return Comparison({}, ())
    known = indexed(trusted)
    rivals: dict[str, ContradictingFile] = {}
    undecided: list[tuple[str, str]] = []
    for log in logs:
        believed = [one for one in log if why_doubted(one.head, known) is None]
        if len({one.head[:5] for one in believed}) > 1:
            undecided += _compare(believed, terms, known, rivals)
    return Comparison(rivals, tuple(undecided))


def _compare(
    log: Sequence[HeadedFile], terms: AuditTerms, trusted: Sequence[Trusted], rivals: dict[str, ContradictingFile]
) -> Iterator[tuple[str, str]]:
    """Compare every head of one match with every other: two of one place, and what the longer log has in the other's
    place. Adds to ``rivals`` and gives back the pairs that are undecided."""
    copies: dict[Head, list[HeadedFile]] = {}
    for one in log:
        copies.setdefault(one.head[:5], []).append(one)
    overruled: set[Head] = set()
    for head, files in copies.items():
        others = {
            other: held for other, held in copies.items() if held[0].head.seq <= files[0].head.seq and other != head
        }
        wanted = frozenset([held[0].head.seq for held in others.values()])
        reads = _read_copies(files, terms, wanted) if others else []
        for other, held in others.items():
            longer, shorter = files[0], held[0]
            differs = _contradicts(longer.head, shorter.head, reads)
            if differs and excusing_restoration((shorter.head, longer.head), shorter.head.seq, trusted) is not None:
                continue
            if differs is None:
                yield from _undecided(files, held)
            elif differs and not overruled.issuperset((head, other)):
                pair = (shorter.head, longer.head)
                rival = ContradictingFile(
                    shorter.head.seq, pair, _proof(longer, pair, terms) if terms.with_proofs else {}
                )
                for one in (*([] if head in overruled else files), *([] if other in overruled else held)):
                    rivals[one.name] = rival._replace(label=one.label)
                overruled |= {head, other}


def _undecided(files: Sequence[HeadedFile], others: Sequence[HeadedFile]) -> Iterator[tuple[str, str]]:
    """Pair every copy of either head with the first copy of the other."""
    (longer, *more), (other, *others_more) = files, others
    yield longer.name, other.name
    yield from [(one.name, other.name) for one in more]
    yield from [(longer.name, one.name) for one in others_more]


def _read_copies(files: Sequence[HeadedFile], terms: AuditTerms, wanted: frozenset[int]) -> list[LogExcerpt]:
    """Read what these copies have in those places, up to the first that is whole."""
    found: list[LogExcerpt] = []
    for one in files:
        read = _read_again(one, terms, wanted)
        if read is not None:
            found.append(read)
            if all(map(read.is_chained_at, wanted)):
                break
    return found


def _contradicts(longer: Statement, other: Statement, reads: Sequence[LogExcerpt]) -> bool | None:
    """Tell whether the two cannot both be true; ``None`` where the longer log would have to be read and cannot be."""
    if contradiction(other, longer):
        return True
    if not reads:
        return None
    seq, hashed = other.seq, other.hash
    return any(read.is_chained_at(seq) and read.hashes.get(seq, hashed) != hashed for read in reads)


def _read_again(one: HeadedFile, terms: AuditTerms, wanted: frozenset[int]) -> LogExcerpt | None:
    """Read what a file has in those places, if it is still the one that has been audited."""
    try:
        with closing(_open(one, terms)) as opened:
            for source in opened:
                read = None if source.lines is None else read_excerpt(source.lines(), wanted)
                if read is not None and read.head is not None and read.head[:5] == one.head[:5]:
                    return read
    except (*UNREADABLE, *DAMAGED_EVENT):
        pass
    return None


def _proof(longer: HeadedFile, pair: Contradiction, terms: AuditTerms) -> Mapping[str, Any]:
    if pair[0].seq == pair[1].seq:
        return make_proof(pair, ())
    try:
        with closing(_open(longer, terms)) as opened:
            for source in opened:
                return {} if source.lines is None else make_proof(pair, source.lines())
    except (*UNREADABLE, *DAMAGED_EVENT):
        pass
    return {}


def _open(one: HeadedFile, terms: AuditTerms) -> Generator[Source, None, None]:
    place = one.place
    if place.kind == "member":
        place = Location("archive", shown(place.where), place.where)
    return (source for source in open_sources(place, terms.store_key) if source.name == one.place.name)
