"""``gyoji audit``: verdicts on replay files, archives, folders and stores."""

import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from secrets import token_hex
from tempfile import SpooledTemporaryFile
from typing import Any

import click
import orjson

from gyoji.cli.auditing import Judged, Place, Terms, audited, judged, pieces_of, places
from gyoji.cli.beacons import BEACONS_OPTION
from gyoji.cli.impact import RULES_OPTION, report_impact
from gyoji.cli.printing import JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.receipts import receipts_at
from gyoji.cli.rivals import Rival, rivals
from gyoji.cli.storing import KEY_OPTION, opened, progress
from gyoji.cli.trust import TRUST_OPTION, own_keys
from gyoji.replay.beacons import Beacons
from gyoji.replay.canonical import canonical
from gyoji.replay.signatures import Trusted
from gyoji.replay.verdicts import EXITS, Verdict, overruled, worst
from gyoji.store import store_key as key_of
from gyoji.wire.language import Language
from gyoji.wire.verdicts import reason, ruled, verdict_document

CHUNK = 16
"""Replays that a process takes at a time."""
IN_MEMORY = 1 << 24
"""Bytes of standard input that are kept in memory; more goes to a file that has no name."""
LARGEST_INPUT = 1 << 30


def _receipts(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> tuple[Any, ...] | None:
    return None if path is None else tuple(receipts_at(path))


@click.command()
@click.argument("paths", nargs=-1, metavar="PATH…", type=click.Path(path_type=Path, exists=True, allow_dash=True))
@click.option("--jobs", default=1, type=click.IntRange(1, 256), show_default=True, help="Processes.")
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
    help="Write every verdict with all its checks there, one JSON object a line.",
)
@click.option(
    "--proofs",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write a proof of every equivocation there, for gyoji proof check.",
)
@RULES_OPTION
@click.option("--store", metavar="URL", help="Audit every match of that store, trusting its own keys too.")
@KEY_OPTION
@LANGUAGE_OPTION
@JSON_OPTION
def audit(
    paths: tuple[Path, ...],
    jobs: int,
    trusted: tuple[Trusted, ...] | None,
    receipts: tuple[Any, ...] | None,
    beacons: Beacons | None,
    report: Path | None,
    proofs: Path | None,
    version: int | None,
    store: str | None,
    store_key: str | None,
    lang: Language,
    as_json: bool,
) -> None:
    """Check replays: bytes, chain, signature, openings, deals, every move, position, score and result.

    PATH is a replay file, a folder of them, a .zip, .tar or .tar.gz archive, or - for standard input. Exit status is
    that of the worst verdict: 0 verified, 10 partly, 20 rules, 21 deal, 30 incomplete, 40 tampered, 41 two
    things signed that cannot both be true, 42 key not trusted, 50 rules unknown, 51 no replay file; 1 where nothing is
    wrong but something could not be read at all. Files of one match are held against each other as well.

    With --rules: 0 nothing would change, 60 something would, 61 nothing would as far as it could be compared.
    """
    if not paths and store is None:
        raise click.UsageError("name a PATH, or a --store")
    if version is not None and proofs is not None:
        raise click.UsageError("--rules gives no verdicts that --proofs could prove")
    terms = Terms(trusted, receipts, None, beacons, proofs is not None, version)
    found = [place for path in paths if str(path) != "-" for place in places(path)]
    stored: list[Place] = []
    wider = terms
    if store is not None:
        wider, stored = _stored(terms, store, store_key)
    heard: Iterable[Judged] = chain(_audited(terms, found, jobs), _audited(wider, stored, jobs) if stored else ())
    if Path("-") in paths:
        heard = chain(_standard_input(terms), heard)
    if version is not None:
        with _written(report) as write:
            status = report_impact(heard, write, lang, as_json=as_json)
        sys.exit(status)
    # one file has nothing to be held against
    apart = rivals(found, stored, wider) if len(found) + len(stored) > 1 or any(_holds_many(found)) else {}
    seen: Counter[str] = Counter()
    with _written(report) as write:
        for one in (_against(one, apart) for one in heard):
            if one.proof is not None and proofs is not None:
                _prove(proofs, one.proof)
            seen[one.verdict.verdict if one.verdict else "unreadable"] += 1
            document = orjson.dumps(_told(one, lang))
            write(document + b"\n")
            click.echo(document if as_json else _line(one, lang))
    _end(seen, as_json)


def _holds_many(found: Sequence[Place]) -> Iterator[bool]:
    return (place.kind == "archive" for place in found)


def _against(one: Judged, apart: Mapping[str, Rival]) -> Judged:
    """What was said of a replay, and what another of the same match makes of it."""
    rival = apart.get(one.name)
    if rival is None or one.verdict is None:
        return one
    return one._replace(verdict=overruled(one.verdict, rival.seq, rival.pair), proof=one.proof or rival.proof or None)


def _prove(folder: Path, found: Mapping[str, Any]) -> None:
    """Write a proof down, under a name that tells the match and the place."""
    first = found["statements"][0]
    file = folder / f"equivocation-{first['match']}-{first['seq']}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(canonical(dict(found)) + b"\n")
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from None


@contextmanager
def _written(report: Path | None) -> Iterator[Callable[[bytes], Any]]:
    """Where the report goes: all of it, or no file."""
    if report is None:
        yield len
        return
    draft = report.with_name(f"{report.name}.{token_hex(4)}.part")
    try:
        with draft.open("wb") as file:
            yield file.write
        draft.replace(report)
    except OSError as error:
        raise click.ClickException(f"cannot write {report}: {error.strerror}") from None
    finally:
        draft.unlink(missing_ok=True)


def _end(seen: Counter[str], as_json: bool) -> None:
    """The summary, and the exit status."""
    if not seen:
        raise click.ClickException("there is nothing to audit")
    summary = {"audited": seen.total(), "verdicts": dict(seen)}
    if as_json:
        click.echo(orjson.dumps({"summary": summary}))
    else:
        counts = ", ".join(f"{count} {name}" for name, count in sorted(seen.items()))
        click.echo(f"{seen.total()} audited: {counts}")
    status = EXITS[worst({word for word in EXITS if seen[word]})]
    # what could not be read may be anything; a verdict that something is wrong says more than that
    sys.exit(1 if seen["unreadable"] and status <= EXITS["verified_partial"] else status)


def _told(one: Judged, lang: Language) -> dict[str, Any]:
    if one.verdict is None:
        return {"replay": one.name, "verdict": None, "failure": one.failure}
    return {"replay": one.name, **verdict_document(one.verdict, lang)}


def _line(one: Judged, lang: Language) -> str:
    if one.verdict is None:
        return f"{'unreadable':<18} {one.name}: {one.failure}"
    lines = [f"{one.verdict.verdict:<18} {one.name}{_because(one.verdict, lang)}"]
    return "\n".join([*lines, *[f"    {ruled(ruling, lang)}" for ruling in one.verdict.rulings]])


def _because(judged: Verdict, lang: Language) -> str:
    """The reason that a reader looks for first: of what failed, else of what could not be checked."""
    first = judged.first_divergence
    by_check = {checked.check: checked for checked in judged.checks}
    if first is not None:
        place = "" if first.seq is None else f"event {first.seq}, "
        cited = "" if first.rule is None else f" [{first.rule}]"
        why = by_check[first.check].why
        return f": {place}{first.check}{cited}: {reason(why, lang) if why else ''}"
    if judged.verdict == "verified_partial":
        why = next(checked.why for checked in judged.checks if checked.result == "not_checkable" and checked.why)
        return f": {reason(why, lang)}"
    return ""


def _audited(terms: Terms, found: Sequence[Place], jobs: int) -> Iterator[Judged]:
    """The verdicts in the order of the places."""
    with progress("Auditing") as told:
        done = 0
        for chunk, judged in _in_turn(terms, found, jobs):
            done += len(chunk)
            told(done, len(found))
            yield from judged


def _in_turn(terms: Terms, found: Sequence[Place], jobs: int) -> Iterator[tuple[Sequence[Place], list[Judged]]]:
    chunks = [found[at : at + CHUNK] for at in range(0, len(found), CHUNK)]
    if jobs == 1 or len(found) == 1:
        for chunk in chunks:
            yield chunk, audited(terms, chunk)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        waiting: deque[tuple[Sequence[Place], Future[list[Judged]]]] = deque()
        for chunk in chunks:
            waiting.append((chunk, pool.submit(audited, terms, chunk)))
            if len(waiting) > 4 * jobs:  # enough that nobody is idle, and no more
                first, judged = waiting.popleft()
                yield first, judged.result()
        for first, judged in waiting:
            yield first, judged.result()


def _standard_input(terms: Terms) -> Iterator[Judged]:
    """What comes in is read twice, so it has to be kept meanwhile."""
    with SpooledTemporaryFile(IN_MEMORY) as kept:
        size = 0
        while piece := sys.stdin.buffer.read(1 << 16):
            size += len(piece)
            if size > LARGEST_INPUT:
                yield Judged("-", None, f"more than {LARGEST_INPUT} bytes")
                return
            kept.write(piece)
        yield judged(terms, "-", lambda: pieces_of(kept))


def _stored(terms: Terms, url: str, configured: str | None) -> tuple[Terms, list[Place]]:
    """Every match of a store, and the terms by which what it signs is trusted."""
    with opened(url, configured) as kept:
        own = own_keys(kept)
        found = [Place("match", match, url) for match in kept.every_match()]
        key = key_of(url, configured or None)
    return terms._replace(trusted=(*(terms.trusted or ()), *own), store_key=key), found
