"""``gyoji log verify``: reads a whole transparency log, and computes every hash and the signed root anew."""

from collections.abc import Sequence

import click

from gyoji.cli.log_output import VKEY_OPTION, LogVerdict, end, judge, pinned_keys
from gyoji.cli.log_reader import LogReader, log_errors, open_log, with_successors
from gyoji.cli.log_state import match_facts
from gyoji.cli.options import JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.trust_options import TRUST_OPTION
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.trust.transparency.faults import VERDICTS, LogFault
from gyoji.trust.transparency.match_facts import MatchFacts, find_match
from gyoji.trust.transparency.notes import Verifier
from gyoji.trust.transparency.verification import verify_checkpoint, verify_log


@click.command()
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
