"""What the commands of ``gyoji log`` share: the keys they take, the files they read and write, and their verdicts."""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson

from gyoji.audit.verdicts import EXITS, Word
from gyoji.cli.input_files import read_json
from gyoji.cli.output import write_output
from gyoji.cli.replay_files import lines_of
from gyoji.log.canonical import leaf_hash
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.messages.transparency import extent_phrase, fault_sentence
from gyoji.trust.transparency.faults import VERDICTS, LogFault
from gyoji.trust.transparency.match_facts import MatchExtent, MatchFacts
from gyoji.trust.transparency.notes import Checkpoint, Verifier, read_vkey, write_vkey
from gyoji.trust.transparency.split_views import SplitView


def _keys(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[Verifier, ...]:
    try:
        return tuple([read_vkey(text) for text in texts])
    except ValueError as wrong:
        raise click.BadParameter(str(wrong)) from None


VKEY_OPTION = click.option(
    "--key", "keys", multiple=True, callback=_keys, metavar="VKEY", help="A key that the log may sign with; repeat."
)


def pinned_keys(keys: tuple[Verifier, ...], trusted: tuple[Trusted, ...] | None) -> tuple[Verifier, ...]:
    """Return the keys that were given, by ``--key`` and by ``--trust``."""
    return (*keys, *[Verifier(key.origin, key.public) for key in trusted or () if not key.revoked])


class LogVerdict(NamedTuple):
    """The verdict of a command of ``gyoji log``."""

    word: Word
    fault: LogFault | None
    checkpoint: Checkpoint | None
    match: tuple[str, MatchExtent] | None = None
    """A match that was looked for, and what the log holds of it."""
    restored: tuple[str, ...] = ()
    """When the store of the service was recovered that had gone back, as the log says."""


def judge(work: Callable[[], LogVerdict]) -> LogVerdict:
    """Return the verdict that some work comes to; for a ``LogFault`` the verdict of that fault."""
    try:
        return work()
    except LogFault as fault:
        return LogVerdict(VERDICTS[fault.reason], fault, None)


def end(what: str, verdict: LogVerdict, lang: Language, as_json: bool) -> None:
    """Print the verdict in one line, and exit with its status."""
    fault, checkpoint, match = verdict.fault, verdict.checkpoint, verdict.match
    why = None if fault is None else fault_sentence(fault, lang)
    if as_json:
        document = {
            "log": what,
            "verdict": verdict.word,
            "reason": None if fault is None else fault.reason,
            "why": why,
            "said": None if checkpoint is None else {**checkpoint._asdict(), "root": checkpoint.root.hex()},
            "match": None if match is None else {"match": match[0], "ended": match[1] == "ended"},
            "restored": verdict.restored,
        }
        click.echo(orjson.dumps(document))
    else:
        size = "" if checkpoint is None else f": {checkpoint.origin}, {checkpoint.size} entries"
        extent = "" if match is None else f"; {extent_phrase(match[1], match[0], lang)}"
        restored = "".join([f"; the store was restored, recovered {at}" for at in verdict.restored])
        click.echo(f"{verdict.word:<18} {what}{size}{extent}{restored}{'' if why is None else f': {why}'}")
    sys.exit(EXITS[verdict.word])


STATE = "gyoji-log-state/1"
SPLIT = "gyoji-log-split/1"

STATUSES = {"match_finished": "finished", "match_voided": "voided"}
"""How a match has ended, by the type of the event that says so."""


def match_facts(wanted: str) -> MatchFacts:
    """Return what the log has to hold: for an id that there is such a match, for a replay file what its events say."""
    path = Path(wanted)
    if not path.is_file():
        return MatchFacts(wanted, None, {}, over=False)
    try:
        return read_match_facts(lines_of(path))
    except (ValueError, KeyError, TypeError):
        raise click.ClickException(f"{path} is no replay file; gyoji audit tells more") from None


def read_match_facts(lines: Iterator[bytes]) -> MatchFacts:
    """Read what the log has to hold of a match from the lines of its replay file."""
    match: str = orjson.loads(next(lines, b""))["match"]
    hashes: dict[int, str] = {}
    times: dict[int, str] = {}
    statuses: dict[int, str] = {}
    status = ""
    for line in lines:
        document = orjson.loads(line)
        if "seq" in document:
            seq, kind = document["seq"], document["type"]
            status = STATUSES.get(kind, status)
            hashes[seq], times[seq] = leaf_hash(line.rstrip(b"\n")).hex(), document["at"]
            statuses |= {seq: status} if status else {}
    return MatchFacts(match, hashes[0], hashes, bool(status), times, statuses)


class MonitorState(NamedTuple):
    """The state that a run of the monitor leaves for the next run."""

    keys: tuple[Verifier, ...]
    note: bytes | None


def read_state(path: Path) -> MonitorState:
    """Read the state that the last run has left; empty at the first run."""
    if not path.exists():
        return MonitorState((), None)
    document = read_json(path)
    try:
        if document["format"] != STATE:
            raise ValueError
        return MonitorState(tuple([read_vkey(key) for key in document["keys"]]), document["checkpoint"].encode())
    except (AttributeError, KeyError, TypeError, ValueError):
        raise click.ClickException(f"{path} holds no state of this command") from None


def write_state(path: Path, keys: Sequence[Verifier], note: bytes) -> None:
    """Write the state that the next run begins with."""
    vkeys = [write_vkey(key) for key in keys]
    write_document(path, {"format": STATE, "keys": vkeys, "checkpoint": note.decode()})


def split_document(split: SplitView, pinned: Sequence[Verifier]) -> dict[str, Any]:
    """Return the proof of a split view, so that it stands alone."""
    return {
        "format": SPLIT,
        "keys": [write_vkey(key) for key in pinned],
        "smaller": split.smaller.decode(),
        "larger": split.larger.decode(),
        "proof": [value.hex() for value in split.proof],
    }


def write_document(path: Path, document: dict[str, Any]) -> None:
    """Write a document, whole or not at all."""
    write_output([orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)], path)
