"""``gyoji log monitor``: checks that a transparency log has only grown since the last run."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from gyoji.cli.input_files import TRUST_OPTION
from gyoji.cli.log_reader import LogReader, log_errors, log_of, open_log, with_successors
from gyoji.cli.log_verdicts import (
    VKEY_OPTION,
    LogVerdict,
    end,
    judge,
    pinned_keys,
    read_state,
    split_document,
    write_document,
    write_state,
)
from gyoji.cli.options import FILE_TYPE, JSON_OPTION, LANGUAGE_OPTION
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.trust.transparency.faults import LogFault
from gyoji.trust.transparency.notes import Verifier
from gyoji.trust.transparency.restored_logs import Succession, check_succession, read_successions
from gyoji.trust.transparency.split_views import SplitView, find_split_view
from gyoji.trust.transparency.verification import verify_checkpoint, verify_root


@click.command()
@click.argument("url")
@click.option("--state", required=True, type=FILE_TYPE, help="Where what was seen is kept; made at the first run.")
@click.option(
    "--proof", type=FILE_TYPE, help="Where the proof of a split goes. Default: the state's name and .split.json."
)
@VKEY_OPTION
@TRUST_OPTION
@LANGUAGE_OPTION
@JSON_OPTION
def monitor(
    url: str,
    state: Path,
    proof: Path | None,
    keys: tuple[Verifier, ...],
    trusted: tuple[Trusted, ...] | None,
    lang: Language,
    as_json: bool,
) -> None:
    """See whether the log of the service at URL has only grown since the last run; to be run again and again.

    The keys are those that are given and those of the last run, but for such as --trust says are revoked; at a first
    run without any, those that the log itself names. Where the store of the service was restored, the log that follows
    is followed, if a key that is believed has signed it. Exit status: 0 it has only grown, 30 it shows less than
    before, or was restored (said once), 40 not what it signed, 41 a split view (the proof is written), 42 signed by
    another key, 51 no checkpoint, 1 the service could not be read.
    """
    kept = read_state(state)
    given = pinned_keys(keys, trusted)
    with open_log(url, None) as log, log_errors():
        pinned = tuple(dict.fromkeys((*given, *kept.keys))) or tuple(log.verifiers())
        revoked = [Verifier(key.origin, key.public) for key in trusted or () if key.revoked]
        look = _look(log, [key for key in pinned if key not in revoked], kept.note)
        split: list[SplitView] = []
        verdict = judge(lambda: _compare(log, look, kept.note, pinned, split))
    if verdict.fault is not None and verdict.fault.reason == "unknown-key" and kept.keys and not given:
        verdict = verdict._replace(fault=LogFault("new-key"))
    if split:
        write_document(proof or state.with_name(f"{state.name}.split.json"), split_document(split[0], pinned))
    if verdict.fault is None or verdict.fault.reason == "restored":
        write_state(state, look.believed, look.note)
    end(url, verdict, lang, as_json)


class _Look(NamedTuple):
    """The note of a log that one run sees, the keys that it believes, and the successions on the way there."""

    note: bytes
    believed: Sequence[Verifier]
    successions: Sequence[Succession]


def _look(log: LogReader, keys: Sequence[Verifier], before: bytes | None) -> _Look:
    note = log.checkpoint()
    believed, successions = with_successors(log, note, keys)
    if before is not None and log_of(before) != log_of(note):
        successions = read_successions(log.restorations(), believed)
    return _Look(note, believed, successions)


def _compare(
    log: LogReader, look: _Look, before: bytes | None, pinned: Sequence[Verifier], split: list[SplitView]
) -> LogVerdict:
    """Compare the log with what was seen ``before``, which was believed then: a key that is revoked since signs nothing
    new."""
    checkpoint = verify_checkpoint(look.note, look.believed)
    if before is not None and log_of(before) != checkpoint.origin:
        first = check_succession(log, verify_checkpoint(before, pinned), checkpoint, look.successions)
        verify_root(log, checkpoint)
        return LogVerdict("incomplete", LogFault("restored", str(first.end.size)), checkpoint)
    found = None if before is None else find_split_view(log, before, look.note, pinned)
    if found is not None:
        split.append(found)
        raise LogFault("split")
    verify_root(log, checkpoint)
    return LogVerdict("verified", None, checkpoint)
