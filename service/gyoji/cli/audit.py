"""``gyoji audit``: verdicts on replay files, archives, folders, object storage and stores, by many processes."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import NamedTuple

import click

from gyoji.audit.beacons import Beacons
from gyoji.cli.audit_cluster import FAR, Cluster, refuse_password
from gyoji.cli.audit_hearing import Hearing
from gyoji.cli.audit_pace import Pace
from gyoji.cli.audit_places import PATHS_ARGUMENT, SHARD_OPTION, Shard, how_many, matches, places, unpacked
from gyoji.cli.audit_reports import Draft, drafted, heading, regular
from gyoji.cli.audit_sources import SUFFIX, Place, pieces_of, spoken
from gyoji.cli.audit_words import Told, tell
from gyoji.cli.audit_workers import FETCHED, HERE, Load, Processes, Workers, alone, chunks
from gyoji.cli.auditing import Judged, Receipts, Terms, judged, sorted_receipts
from gyoji.cli.beacons import BEACONS_OPTION
from gyoji.cli.impact import RULES_OPTION
from gyoji.cli.printing import JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.receipts import receipts_at
from gyoji.cli.storing import KEY_OPTION, opened
from gyoji.cli.trust import TRUST_OPTION, own_keys
from gyoji.cli.writing import PROOFS
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.store import open_store
from gyoji.store import store_key as key_of
from gyoji.store.object_storage import is_url

IN_MEMORY = 1 << 24
"""Bytes of standard input that are kept in memory; more goes to a file that has no name."""
LARGEST_INPUT = 1 << 30
STOPPED = 130
"""Exit status after Ctrl-C, as of every program that a SIGINT ends."""


def _receipts(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Receipts | None:
    return None if path is None else sorted_receipts(receipts_at(path))


class Asked(NamedTuple):
    """What is to be audited, and by whom."""

    paths: tuple[str, ...]
    store: str | None
    shard: Shard | None
    jobs: int
    cluster: str | None

    def workers(self) -> Workers:
        """Who does the work."""
        if self.cluster is not None:
            return Cluster(self.cluster, self.store is not None)
        return alone if self.jobs == 1 else Processes(self.jobs)

    def load(self) -> Load:
        """How much is given out at a time."""
        if self.cluster is not None:
            return FAR
        return FETCHED if any(map(is_url, self.paths)) else HERE


@click.command()
@PATHS_ARGUMENT
@click.option("--jobs", default=1, type=click.IntRange(1, 256), show_default=True, help="Processes.")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, such as tcp://HOST:8786, in place of --jobs.")
@SHARD_OPTION
@TRUST_OPTION
@click.option(
    "--receipts",
    type=click.Path(path_type=Path, exists=True),
    callback=_receipts,
    metavar="FILE|FOLDER",
    help="Receipts and heads to hold the logs against: a file of them, or a folder of such files (.json, .jsonl).",
)
@BEACONS_OPTION
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=regular,
    help="Write the terms, every verdict with all its checks and the summary there, one JSON object a line.",
)
@click.option("--resume", is_flag=True, help="Go on with the --report of a run that was stopped.")
@PROOFS
@RULES_OPTION
@click.option("--store", metavar="URL", help="Audit every match of that store, trusting its own keys too.")
@KEY_OPTION
@LANGUAGE_OPTION
@JSON_OPTION
def audit(
    paths: tuple[str, ...],
    jobs: int,
    cluster: str | None,
    shard: Shard | None,
    trusted: tuple[Trusted, ...] | None,
    receipts: Receipts | None,
    beacons: Beacons | None,
    report: Path | None,
    resume: bool,
    proofs: Path | None,
    version: int | None,
    store: str | None,
    store_key: str | None,
    lang: Language,
    as_json: bool,
) -> None:
    """Check replays: bytes, chain, signature, openings, deals, every move, position, score and result.

    PATH is a replay file, a folder of them, a .zip, .tar or .tar.gz archive, the URL of an object, archive or folder in
    a storage (s3://, gs://, https://), or - for standard input. Exit status is that of the worst verdict: 0 verified,
    10 partly, 20 rules, 21 deal, 30 incomplete, 40 tampered, 41 two things signed that cannot both be true, 42 key not
    trusted, 50 rules unknown, 51 no replay file; 1 where nothing is wrong but something could not be read at all; 130
    after Ctrl-C. Files of one match are held against each other as well.

    With --rules: 0 nothing would change, 60 something would, 61 nothing would as far as it could be compared.
    """
    _refuse(paths, store, shard, cluster, jobs)
    _refuse_within(paths, report)
    if version is not None and proofs is not None:
        raise click.UsageError("--rules gives no verdicts that --proofs could prove")
    if resume and report is None:
        raise click.UsageError("--resume goes on with a --report")
    terms = Terms(trusted, receipts, None, beacons, proofs is not None, version, lang=lang)
    if store is not None:
        terms = _with_store(terms, store, store_key)
    asked = Asked(paths, store, shard, jobs, cluster)
    with _ended_by_interrupt(), ExitStack() as stack:
        draft = None
        if report is not None:
            draft = stack.enter_context(drafted(report, heading(terms, shard), resume=resume))
        pace = Pace(lambda: None if store is not None else how_many(paths, shard))
        hearing = stack.enter_context(closing(Hearing(terms, store, draft, proofs, pace, as_json=as_json)))
        with _interruptible(hearing, report):
            _hear(hearing, terms, asked, draft)
            if not hearing.seen and shard is None:
                raise click.ClickException(f"there is nothing to {'audit' if version is None else 'compare'}")
            status = hearing.end(report)
    sys.exit(status)


def _refuse(paths: tuple[str, ...], store: str | None, shard: Shard | None, cluster: str | None, jobs: int) -> None:
    if not paths and store is None:
        raise click.UsageError("name a PATH, or a --store")
    if "-" in paths and shard is not None:
        raise click.UsageError("standard input cannot be divided into shards")
    if cluster is not None and jobs != 1:
        raise click.UsageError("--cluster and --jobs exclude each other")
    if cluster is not None and store is not None:
        refuse_password(store)


def _refuse_within(paths: tuple[str, ...], report: Path | None) -> None:
    """A report in a folder that is audited would be taken for a replay the next time."""
    if report is not None and report.suffix == SUFFIX:
        for path in paths:
            if path != "-" and not is_url(path) and Path(path).resolve() in report.resolve().parents:
                raise click.UsageError(f"--report lies in {spoken(path)}, which is audited: put it elsewhere")


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """Ctrl-C before anything has been judged."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        sys.exit(STOPPED)


@contextmanager
def _interruptible(hearing: Hearing, report: Path | None) -> Iterator[None]:
    """Ctrl-C ends it cleanly; what has been judged is kept."""
    try:
        yield
    except KeyboardInterrupt:
        hearing.break_off()
        kept = "" if report is None else f"; go on with --report {report} --resume"
        click.echo(f"stopped: {hearing.seen.total()} judged{kept}", err=True)
        sys.exit(STOPPED)


def _hear(hearing: Hearing, terms: Terms, asked: Asked, draft: Draft | None) -> None:
    """Everything that is asked for, but for what an earlier run has judged."""
    if "-" in asked.paths:
        hearing.hear([Place("input", "-")], [_standard_input(terms)])
    found = (place for place in _places(asked, marked=draft is not None) if not hearing.knows(place))
    with closing(asked.workers()(terms, chunks(found, asked.load()))) as heard:
        for chunk, batch in heard:
            hearing.hear(chunk, batch)


def _places(asked: Asked, *, marked: bool) -> Iterator[Place]:
    files = (place for path in asked.paths if path != "-" for place in places(path))
    found: Iterable[Place] = unpacked(files, asked.shard)
    if asked.store is not None:
        found = chain(found, matches(open_store(asked.store), asked.store, asked.shard, marked=marked))
    return map(_from_afar, found) if asked.cluster is not None else iter(found)


def _from_afar(place: Place) -> Place:
    """A file as other machines find it."""
    return place._replace(where=str(Path(place.name).absolute())) if place.kind == "file" else place


def _standard_input(terms: Terms) -> Told:
    """What comes in is read twice, so it has to be kept meanwhile."""
    place = Place("input", "-")
    with SpooledTemporaryFile(IN_MEMORY) as kept:
        size = 0
        while piece := sys.stdin.buffer.read(1 << 16):
            size += len(piece)
            if size > LARGEST_INPUT:
                return tell(terms, Judged("-", None, f"more than {LARGEST_INPUT} bytes"), place)
            kept.write(piece)
        return tell(terms, judged(terms, "-", lambda: pieces_of(kept)), place)


def _with_store(terms: Terms, url: str, configured: str | None) -> Terms:
    """The terms by which what a store signs is trusted in its own matches."""
    with opened(url, configured) as kept:
        own = own_keys(kept)
    return terms._replace(own=own, store_key=key_of(url, configured or None))
