"""``gyoji audit``: verdicts on replay files, archives, folders, object storage and stores, by many processes."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import chain
from pathlib import Path
from tempfile import SpooledTemporaryFile

import click

from gyoji.bulk.audit_terms import AuditTerms
from gyoji.bulk.audits import audit_lines
from gyoji.bulk.listings import count_replays, list_locations, unpack
from gyoji.bulk.locations import Location
from gyoji.bulk.outcomes import Outcome, outcome_of, unreadable
from gyoji.bulk.reports import open_draft, report_heading
from gyoji.bulk.run import AuditRun
from gyoji.bulk.sources import lines_of_file
from gyoji.bulk.stored_matches import match_places, own_keys
from gyoji.bulk.workers import split_chunks
from gyoji.cli.audit_options import AuditOptions, audit_options
from gyoji.cli.audit_output import AuditOutput, AuditProgress, held_outcomes
from gyoji.cli.stores import bulk_errors, open_with_key
from gyoji.store import open_store, store_key

IN_MEMORY = 1 << 24
"""Bytes of standard input that are kept in memory; more goes to a file that has no name."""
LARGEST_INPUT = 1 << 30
STOPPED = 130
"""Exit status after Ctrl-C, as of every program that a SIGINT ends."""


@click.command()
@audit_options
def audit(options: AuditOptions) -> None:
    """Check replays: bytes, chain, signature, openings, deals, every move, position, score and result.

    PATH is a replay file, a folder of them, a .zip, .tar or .tar.gz archive, the URL of an object, archive or folder in
    a storage (s3://, gs://, https://), or - for standard input. Exit status is that of the worst verdict: 0 verified,
    10 partly, 20 rules, 21 deal, 30 incomplete, 40 tampered, 41 two things signed that cannot both be true, 42 key not
    trusted, 50 rules unknown, 51 no replay file; 1 where nothing is wrong but something could not be read at all; 130
    after Ctrl-C. Files of one match are held against each other as well.

    With --rules: 0 nothing would change, 60 something would, 61 nothing would as far as it could be compared.
    """
    terms = _terms(options)
    report = options.report
    with bulk_errors(), _ended_by_interrupt(), ExitStack() as stack:
        draft = None
        if report is not None:
            heading = report_heading(terms, options.shard)
            draft = stack.enter_context(open_draft(report, heading, resume=options.resume))
        progress = AuditProgress(lambda: _count(options))
        held = held_outcomes(as_json=options.as_json)
        run = stack.enter_context(closing(AuditRun(terms, options.store, draft, options.proofs, held=held)))
        output = AuditOutput(run, progress, as_json=options.as_json)
        with _interruptible(run, output, report):
            _audit(run, output, terms, options)
            if not run.counts and options.shard is None:
                raise click.ClickException(f"there is nothing to {'audit' if terms.version is None else 'compare'}")
            status = output.finish()
    sys.exit(status)


def _terms(options: AuditOptions) -> AuditTerms:
    """Return the terms; what a store signs is trusted in its own matches."""
    terms = options.terms()
    if options.store is None:
        return terms
    with open_with_key(options.store, options.store_key) as kept:
        own = own_keys(kept)
    return terms._replace(own=own, store_key=store_key(options.store, options.store_key or None))


def _count(options: AuditOptions) -> int | None:
    """Count the replays to come, where that is quick."""
    return count_replays(options.paths, options.shard) if options.store is None else None


@contextmanager
def _ended_by_interrupt() -> Iterator[None]:
    """End at a Ctrl-C that comes before anything has been audited."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        sys.exit(STOPPED)


@contextmanager
def _interruptible(run: AuditRun, output: AuditOutput, report: Path | None) -> Iterator[None]:
    """End cleanly at a Ctrl-C; what has been audited is kept."""
    try:
        yield
    except KeyboardInterrupt:
        output.break_off()
        kept = "" if report is None else f"; go on with --report {report} --resume"
        click.echo(f"stopped: {run.counts.total()} judged{kept}", err=True)
        sys.exit(STOPPED)


def _audit(run: AuditRun, output: AuditOutput, terms: AuditTerms, options: AuditOptions) -> None:
    """Audit everything that is asked for, but for what an earlier run has audited."""
    if "-" in options.paths:
        output.add([Location("input", "-")], [_standard_input(terms)])
    found = (place for place in _places(options) if not run.skip(place))
    with closing(options.workers()(terms, split_chunks(found, options.chunk_size()))) as batches:
        for chunk, outcomes in batches:
            output.add(chunk, outcomes)


def _places(options: AuditOptions) -> Iterator[Location]:
    files = (place for path in options.paths if path != "-" for place in list_locations(path))
    found: Iterable[Location] = unpack(files, options.shard)
    if options.store is not None:
        marked = options.report is not None
        found = chain(found, match_places(open_store(options.store), options.store, options.shard, marked=marked))
    return map(_from_elsewhere, found) if options.cluster is not None else iter(found)


def _from_elsewhere(place: Location) -> Location:
    """Return a file as other machines find it."""
    return place._replace(where=str(Path(place.name).absolute())) if place.kind == "file" else place


def _standard_input(terms: AuditTerms) -> Outcome:
    """Audit standard input; it is read twice, so it has to be kept meanwhile."""
    place = Location("input", "-")
    with SpooledTemporaryFile(IN_MEMORY) as kept:
        size = 0
        while piece := sys.stdin.buffer.read(1 << 16):
            size += len(piece)
            if size > LARGEST_INPUT:
                return unreadable(terms, place, f"more than {LARGEST_INPUT} bytes")
            kept.write(piece)
        return outcome_of(terms, audit_lines(terms, "-", lambda: lines_of_file(kept)), place)
