"""Files of one match whose signed heads cannot both be true."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from gyoji.cli.auditing import UNREADABLE, UNTOLD, Place, Source, Terms, sources, spoken
from gyoji.replay.proofs import proof
from gyoji.replay.reading import LIMITS, OverLimits, Unreadable, document, header
from gyoji.replay.receiving import logged
from gyoji.replay.statements import Contradiction, Statement, contradiction, doubt, of_head


class Rival(NamedTuple):
    """That another file of the same match says otherwise."""

    seq: int
    """The first event that the two differ in, as far as heads tell of it."""
    pair: Contradiction
    proof: Mapping[str, Any]


class Headed(NamedTuple):
    """A file that ends with a head."""

    name: str
    place: Place
    head: Statement


def rivals(files: Sequence[Place], matches: Sequence[Place], terms: Terms) -> dict[str, Rival]:
    """By name, the replays whose heads, signed by trusted keys, contradict that of another.

    ``matches`` are those of a store; of these only the ones are read that there is a file of.
    """
    if terms.trusted is None:
        return {}
    heads = [one for place in files for one in _headed(place, terms)]
    told = {one.head.match for one in heads}
    heads += [one for place in matches if place.name in told for one in _headed(place, terms)]
    logs: dict[tuple[str, str], list[Headed]] = {}
    for one in heads:
        logs.setdefault((one.head.origin, one.head.match), []).append(one)
    found: dict[str, Rival] = {}
    for log in logs.values():
        if len({(one.head.seq, one.head.hash) for one in log}) > 1:
            _compare([one for one in log if doubt(one.head, terms.trusted) is None], terms, found)
    return found


def _headed(place: Place, terms: Terms) -> Iterator[Headed]:
    """The replays at a place that end with a head, whoever has signed it; the others are the audit's to speak of."""
    try:
        for source in sources(place, terms.store_key):
            head = None if source.lines is None else _head(source.lines())
            if head is not None:
                yield Headed(source.name, place, head)
    except (*UNREADABLE, *UNTOLD):
        return


def _head(lines: Iterable[bytes]) -> Statement | None:
    lines = iter(lines)
    first = header(next(lines, b""), LIMITS)
    last = deque(lines, maxlen=1)
    if first is None or not last:
        return None
    try:
        return of_head(first["origin"], document(last[0]).get("head"))
    except (Unreadable, OverLimits):
        return None


def _compare(log: Sequence[Headed], terms: Terms, found: dict[str, Rival]) -> None:
    """Every file of one match against every other: heads of one place, and what the longer has in the other's place."""
    for longer in log:
        others = [one for one in log if one.head.seq <= longer.head.seq]
        with closing(_lines(longer, terms)) as opened:
            for source in opened:
                for other, pair in _contradicting(longer, others, source):
                    lines = () if source.lines is None else source.lines()
                    rival = Rival(other.head.seq, pair, proof(pair, lines) if terms.with_proofs else {})
                    for one in (longer, other):
                        found.setdefault(spoken(one.name), rival)


def _lines(one: Headed, terms: Terms) -> Generator[Source, None, None]:
    return (source for source in sources(one.place, terms.store_key) if source.name == one.name)


def _contradicting(longer: Headed, others: Sequence[Headed], source: Source) -> Iterator[tuple[Headed, Contradiction]]:
    """The others that the file contradicts, of which ``source`` are the lines."""
    log = None if source.lines is None else logged(source.lines(), frozenset([one.head.seq for one in others]))
    for other in others:
        seq, hashed = other.head.seq, other.head.hash
        is_tied = log is not None and log.is_tied_at(seq)
        if contradiction(other.head, longer.head) or (
            is_tied and log is not None and log.hashes.get(seq, hashed) != hashed
        ):
            yield other, (other.head, longer.head)
