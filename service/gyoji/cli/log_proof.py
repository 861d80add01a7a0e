"""``gyoji log proof``: checks the proof of a split view, with nothing but the key of the log."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from gyoji.cli.log_output import VKEY_OPTION, LogVerdict, end, judge, pinned_keys
from gyoji.cli.log_state import SPLIT
from gyoji.cli.options import EXISTING_FILE, JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.trust_options import TRUST_OPTION, read_json
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.trust.transparency.faults import LogFault
from gyoji.trust.transparency.notes import Verifier
from gyoji.trust.transparency.split_views import SplitView, is_proven


@click.command("proof")
@click.argument("file", type=EXISTING_FILE)
@VKEY_OPTION
@TRUST_OPTION
@LANGUAGE_OPTION
@JSON_OPTION
def check_split_proof(
    file: Path, keys: tuple[Verifier, ...], trusted: tuple[Trusted, ...] | None, lang: Language, as_json: bool
) -> None:
    """Check the proof of a split that `gyoji log monitor` has written, with nothing but the key of the log.

    Exit status: 41 it is proven, 40 or 42 it was not signed by the log, 51 it proves nothing.
    """
    pinned = pinned_keys(keys, trusted)
    if not pinned:
        raise click.UsageError("name the log's --key, or a --trust file that has it")
    document = read_json(file)
    end(str(file), judge(lambda: _check(document, pinned)), lang, as_json)


def _check(document: Any, pinned: Sequence[Verifier]) -> LogVerdict:
    """Always raise ``LogFault``: of the log, if the proof holds, or of the proof."""
    try:
        hashes = [bytes.fromhex(value) for value in document["proof"]]
        split = SplitView(document["smaller"].encode(), document["larger"].encode(), hashes)
        fits = document["format"] == SPLIT
    except (AttributeError, KeyError, TypeError, ValueError):
        fits = False
    raise LogFault("split" if fits and is_proven(split, pinned) else "no-proof")
