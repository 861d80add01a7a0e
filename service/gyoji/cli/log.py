"""``gyoji log``: verifies and monitors the transparency log, checks proofs against it, and enters errata into it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from gyoji.app.clock import current_time
from gyoji.app.signing_keys import current_signer
from gyoji.cli.groups import Group
from gyoji.cli.input_files import TRUST_OPTION, read_json
from gyoji.cli.log_monitor import monitor
from gyoji.cli.log_reader import LogReader, log_errors, open_log, with_successors
from gyoji.cli.log_verdicts import SPLIT, VKEY_OPTION, LogVerdict, end, judge, match_facts, pinned_keys
from gyoji.cli.options import EXISTING_FILE, JSON_OPTION, LANGUAGE_OPTION, setting_option
from gyoji.cli.stores import KEY_OPTION, STORE_OPTION, open_with_key
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.store.interface import Conflict
from gyoji.trust.transparency.faults import VERDICTS, LogFault
from gyoji.trust.transparency.leaves import LONGEST_ERRATUM, erratum_leaf
from gyoji.trust.transparency.match_facts import MatchFacts, find_match
from gyoji.trust.transparency.notes import Verifier, log_name
from gyoji.trust.transparency.split_views import SplitView, is_proven
from gyoji.trust.transparency.verification import verify_checkpoint, verify_log


@click.group(cls=Group)
def log() -> None:
    """The transparency log over all matches: verify it, watch it, enter an erratum."""


log.add_command(monitor)


@log.command()
@click.argument("url", required=False)
@click.option("--store", metavar="URL", help="The log in that store, in place of a service's; its keys are trusted.")
@VKEY_OPTION
@TRUST_OPTION
@click.option("--match", "wanted", metavar="ID|FILE", help="A match, or its replay file, that has to be in the log.")
@LANGUAGE_OPTION
@JSON_OPTION
def verify(
    url: str | None,
    store: str | None,
    keys: tuple[Verifier, ...],
    trusted: tuple[Trusted, ...] | None,
    wanted: str | None,
    lang: Language,
    as_json: bool,
) -> None:
    """Read the whole log of the service at URL, and compute every hash and the signed root anew.

    Exit status: 0 verified, 10 no key was given to check the signature with, 30 something is missing, 40 something is
    not what was signed, 41 two things that cannot both be true, 42 signed by another key, 51 no checkpoint, 1 the
    service could not be read.
    """
    if (url is None) == (store is None):
        raise click.UsageError("name a URL, or a --store")
    facts = None if wanted is None else match_facts(wanted)
    pinned = pinned_keys(keys, trusted)
    with open_log(url, store) as log, log_errors():
        believed = pinned or log.verifiers()
        verdict = judge(lambda: _verify(log, believed, facts))
    if verdict.fault is None and not pinned and store is None:
        verdict = verdict._replace(word=VERDICTS["no-key"], fault=LogFault("no-key"))
    end(url or str(store), verdict, lang, as_json)


def _verify(log: LogReader, believed: Sequence[Verifier], facts: MatchFacts | None) -> LogVerdict:
    note = log.checkpoint()
    checkpoint = verify_checkpoint(note, with_successors(log, note, believed)[0])
    whole = verify_log(log, checkpoint)
    restored = tuple([leaf["at"] for leaf in whole.leaves.get("", ()) if leaf["type"] == "restored"])
    match = None if facts is None else (facts.match, find_match(whole, facts))
    return LogVerdict("verified", None, checkpoint, match, restored)


@log.command("proof")
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


@log.command("erratum")
@click.option("--game", required=True, type=click.Choice(list(BY_SLUG)))
@click.option("--version", required=True, type=click.IntRange(1, 10_000), help="The version of the rules.")
@click.option("--text", required=True, help="What was wrong, and since when; everybody can read it for ever.")
@setting_option("origin")
@STORE_OPTION
@KEY_OPTION
def enter_erratum(game: str, version: int, text: str, origin: str, store: str, store_key: str | None) -> None:
    """Enter into the log that the rules of a game, as they were released, were wrong."""
    if not 0 < len(text) <= LONGEST_ERRATUM:
        raise click.BadParameter(f"expected 1 to {LONGEST_ERRATUM} characters", param_hint="--text")
    at = current_time()
    with open_with_key(store, store_key) as kept:
        last, name = kept.transparency_log.latest(), log_name(origin, kept.restorations.generation())
        if last is not None and not last.note.startswith(f"{name}\n"):
            raise click.ClickException(f"the log of this store is {last.note.partition(chr(10))[0]}: name its --origin")
        try:
            kept.transparency_log.enter(erratum_leaf(game, version, text, at))
        except Conflict:
            raise click.ClickException("that erratum is in the log already") from None
        made = kept.transparency_log.grow(current_signer(kept, name), at)
    click.echo(made.note, nl=False)
