"""What the commands that judge a transparency log share: the keys they take, and how they give their verdict."""

import sys
from collections.abc import Callable
from typing import NamedTuple

import click
import orjson

from gyoji.audit.verdicts import EXITS, Word
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.messages.transparency import extent_phrase, fault_sentence
from gyoji.trust.transparency.faults import VERDICTS, LogFault
from gyoji.trust.transparency.match_facts import MatchExtent
from gyoji.trust.transparency.notes import Checkpoint, Verifier, read_vkey


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
    """The verdict of a command on a log."""

    word: Word
    fault: LogFault | None
    checkpoint: Checkpoint | None
    match: tuple[str, MatchExtent] | None = None
    """A match that was looked for, and what the log holds of it."""
    restored: tuple[str, ...] = ()
    """When the store of the service was recovered that had gone back, as the log says."""


def judge(work: Callable[[], LogVerdict]) -> LogVerdict:
    """Return the verdict that some work comes to; that of the fault that it finds, if it finds one."""
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
