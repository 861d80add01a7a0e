"""The files of ``gyoji log``: replay files that are looked for, what a monitor has seen, and the proof of a split."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson

from gyoji.cli.output import write_output
from gyoji.cli.replay_files import lines_of
from gyoji.cli.trust_options import read_json
from gyoji.log.canonical import leaf_hash
from gyoji.trust.transparency.match_facts import MatchFacts
from gyoji.trust.transparency.notes import Verifier, read_vkey, write_vkey
from gyoji.trust.transparency.split_views import SplitView

STATE = "gyoji-log-state/1"
SPLIT = "gyoji-log-split/1"

STATUSES = {"match_finished": "finished", "match_voided": "voided"}
"""How a match has ended, by the type of the event that says so."""


def match_facts(wanted: str) -> MatchFacts:
    """Return what the log has to hold: of an id that there is such a match, of a replay file what its events say."""
    path = Path(wanted)
    if not path.is_file():
        return MatchFacts(wanted, None, {}, over=False)
    try:
        return facts_of(lines_of(path))
    except (ValueError, KeyError, TypeError):
        raise click.ClickException(f"{path} is no replay file; gyoji audit tells more") from None


def facts_of(lines: Iterator[bytes]) -> MatchFacts:
    """Read the same from the lines of a replay file."""
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
    """What the last run of a monitor has left."""

    keys: tuple[Verifier, ...]
    note: bytes | None


def read_state(path: Path) -> MonitorState:
    """Read what the last run has left; nothing at the first."""
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
    """Write what the next run begins with."""
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
