"""The options of ``gyoji audit``: what is audited, by whom, and by which terms."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from gyoji.audit.commitments import Beacons
from gyoji.bulk.audit_terms import AuditTerms, Receipts, receipts_by_match
from gyoji.bulk.cluster import REMOTE, Cluster, has_password
from gyoji.bulk.locations import MOST_SHARDS, SUFFIX, Shard, printable_name, read_shard
from gyoji.bulk.workers import FETCHED, LOCAL, ChunkSize, Processes, Workers, this_process
from gyoji.cli.input_files import BEACONS_OPTION, TRUST_OPTION, read_receipts
from gyoji.cli.options import JSON_OPTION, LANGUAGE_OPTION, PROOFS_OPTION
from gyoji.cli.stores import KEY_OPTION
from gyoji.log.signatures import Trusted
from gyoji.messages.impact import versions
from gyoji.messages.language import Language
from gyoji.store.object_storage import BadPlace, is_url, objects

Command = TypeVar("Command", bound=Callable[..., None])


class AuditOptions(NamedTuple):
    """What is to be audited, by whom, and by which terms."""

    paths: tuple[str, ...]
    jobs: int
    cluster: str | None
    shard: Shard | None
    trusted: tuple[Trusted, ...] | None
    receipts: Receipts | None
    beacons: Beacons | None
    report: Path | None
    resume: bool
    proofs: Path | None
    version: int | None
    store: str | None
    store_key: str | None
    lang: Language
    as_json: bool

    def terms(self) -> AuditTerms:
        """Return the terms of the audit, but for those of a store."""
        with_proofs = self.proofs is not None
        return AuditTerms(self.trusted, self.receipts, None, self.beacons, with_proofs, self.version, lang=self.lang)

    def workers(self) -> Workers:
        """Return the workers that audit."""
        if self.cluster is not None:
            return Cluster(self.cluster, self.store is not None)
        return this_process if self.jobs == 1 else Processes(self.jobs)

    def chunk_size(self) -> ChunkSize:
        """Return how many replays or bytes a worker is given at a time."""
        if self.cluster is not None:
            return REMOTE
        return FETCHED if any(map(is_url, self.paths)) else LOCAL

    def refuse_contradictions(self) -> None:
        """Raise a usage error where options exclude each other."""
        if not self.paths and self.store is None:
            raise click.UsageError("name a PATH, or a --store")
        if "-" in self.paths and self.shard is not None:
            raise click.UsageError("standard input cannot be divided into shards")
        if self.cluster is not None and self.jobs != 1:
            raise click.UsageError("--cluster and --jobs exclude each other")
        if self.cluster is not None and self.store is not None and has_password(self.store):
            raise click.UsageError(
                "--cluster sends no passwords: leave it out of the URL of --store, and give it to the workers"
                " (PGPASSWORD, or a password file)"
            )
        self._refuse_report_within()
        if self.version is not None and self.proofs is not None:
            raise click.UsageError("--rules gives no verdicts that --proofs could prove")
        if self.resume and self.report is None:
            raise click.UsageError("--resume goes on with a --report")

    def _refuse_report_within(self) -> None:
        """Refuse a report in a folder that is audited: it would be taken for a replay the next time."""
        if self.report is not None and self.report.suffix == SUFFIX:
            for path in self.paths:
                if path != "-" and not is_url(path) and Path(path).resolve() in self.report.resolve().parents:
                    named = printable_name(path)
                    raise click.UsageError(f"--report lies in {named}, which is audited: put it elsewhere")


def _paths(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Take paths that are there, ``-``, and URLs of storage that can be opened."""
    for one in given:
        if is_url(one):
            try:
                objects(one)
            except BadPlace as wrong:
                raise click.BadParameter(str(wrong)) from None
        elif one != "-" and not os.access(one, os.F_OK):
            raise click.BadParameter(f"Path {one!r} does not exist.")
    return tuple([one if is_url(one) or one == "-" else _tidy(one) for one in given])


def _tidy(path: str) -> str:
    """Return a path as names begin with it; a file that is called ``-`` is not standard input."""
    tidy = str(Path(path))
    return path if tidy == "-" else tidy


def _shard(_context: click.Context, _parameter: click.Parameter, text: str | None) -> Shard | None:
    shard = None if text is None else read_shard(text)
    if text is not None and shard is None:
        raise click.BadParameter(f"expected NUMBER/OF, such as 3/16, with a NUMBER from 1 to OF, at most {MOST_SHARDS}")
    return shard


def _receipts(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Receipts | None:
    return None if path is None else receipts_by_match(read_receipts(path))


def _regular(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Path | None:
    """Take a file that a report may take the place of: a device such as ``/dev/null`` may not be replaced."""
    if path is not None and path.exists() and not path.is_file():
        raise click.BadParameter(f"{path} is no regular file")
    return path


def _version(_context: click.Context, _parameter: click.Parameter, version: int | None) -> int | None:
    """Take a version that some game has."""
    known = versions()
    if version is None or any(version in of_game for of_game in known.values()):
        return version
    listed = "; ".join(f"{slug} {', '.join(map(str, of_game))}" for slug, of_game in known.items())
    raise click.BadParameter(f"no game has a version {version}; there are {listed}")


def report_option(text: str) -> Callable[[Command], Command]:
    """Return the option that names the report which is written."""
    return click.option("--report", type=click.Path(path_type=Path, dir_okay=False), callback=_regular, help=text)


OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.argument("paths", nargs=-1, metavar="PATH…", callback=_paths),
    click.option("--jobs", default=1, type=click.IntRange(1, 256), show_default=True, help="Processes."),
    click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler, such as tcp://HOST:8786, in place of --jobs."),
    click.option(
        "--shard",
        callback=_shard,
        metavar="NUMBER/OF",
        help="Audit only that part of everything, from 1/16 to 16/16; gyoji verdicts puts the reports together.",
    ),
    TRUST_OPTION,
    click.option(
        "--receipts",
        type=click.Path(path_type=Path, exists=True),
        callback=_receipts,
        metavar="FILE|FOLDER",
        help="Receipts and heads to hold the logs against: a file of them, or a folder of such files (.json, .jsonl).",
    ),
    BEACONS_OPTION,
    report_option("Write the terms, every verdict with all its checks and the summary there, one JSON object a line."),
    click.option("--resume", is_flag=True, help="Go on with the --report of a run that was stopped."),
    PROOFS_OPTION,
    click.option(
        "--rules",
        "version",
        type=click.IntRange(1),
        callback=_version,
        metavar="VERSION",
        help="In place of verdicts, say what would change in each match under that version of the rules of its game.",
    ),
    click.option("--store", metavar="URL", help="Audit every match of that store, trusting its own keys too."),
    KEY_OPTION,
    LANGUAGE_OPTION,
    JSON_OPTION,
)


def audit_options(command: Callable[[AuditOptions], None]) -> Callable[..., None]:
    """Give a command all options of ``gyoji audit``, as one value."""

    @wraps(command)
    def with_options(**given: Any) -> None:
        options = AuditOptions(**given)
        options.refuse_contradictions()
        command(options)

    for option in reversed(OPTIONS):
        with_options = option(with_options)
    return with_options
