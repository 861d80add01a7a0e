"""``gyoji log``: verifies and monitors the transparency log over all matches, and enters errata into it."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click
import orjson

from gyoji.app.clock import current_time
from gyoji.app.signing_keys import current_signer
from gyoji.audit.verdicts import EXITS, Word
from gyoji.cli.errors import store_errors
from gyoji.cli.groups import Group
from gyoji.cli.log_files import SPLIT, STATE, known, seen, split_document, write
from gyoji.cli.log_sources import Remote, Stored, Unreachable
from gyoji.cli.options import JSON_OPTION, LANGUAGE_OPTION, setting_option
from gyoji.cli.store_options import KEY_OPTION, STORE_OPTION, open_keyless, open_with_key
from gyoji.cli.trust_options import TRUST_OPTION, read_json
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.signatures import Trusted
from gyoji.messages.language import Language
from gyoji.messages.transparency import found_sentence, told_phrase
from gyoji.store.interface import Conflict
from gyoji.trust.transparency.leaves import LONGEST_ERRATUM, erratum
from gyoji.trust.transparency.notes import Checkpoint, Verifier, log_name, read_vkey, vkey
from gyoji.trust.transparency.restored_logs import Seam, resumed, seams
from gyoji.trust.transparency.split_views import Split, continued, proven
from gyoji.trust.transparency.verification import (
    JUDGED,
    Known,
    Missing,
    Told,
    Wrong,
    believed,
    counted,
    counted_root,
    found,
)

FILE = click.Path(path_type=Path, dir_okay=False)
EXISTING = click.Path(path_type=Path, exists=True, dir_okay=False)


def _keys(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[Verifier, ...]:
    try:
        return tuple([read_vkey(text) for text in texts])
    except ValueError as wrong:
        raise click.BadParameter(str(wrong)) from None


PINNED_OPTION = click.option(
    "--key", "keys", multiple=True, callback=_keys, metavar="VKEY", help="A key that the log may sign with; repeat."
)


class Verdict(NamedTuple):
    """What a command has found."""

    word: Word
    wrong: Wrong | None
    said: Checkpoint | None
    told: tuple[str, Told] | None = None
    """A match that was looked for, and what the log tells of it."""
    restored: tuple[str, ...] = ()
    """When the store of the service was recovered that had gone back, as the log tells."""


@click.group(cls=Group)
def log() -> None:
    """The log over all matches: verify it, watch it, tell it of an erratum."""


@log.command()
@click.argument("url", required=False)
@click.option("--store", metavar="URL", help="The log in that store, in place of a service's; its keys are trusted.")
@PINNED_OPTION
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
    sought = None if wanted is None else known(wanted)
    pinned = (*keys, *_verifiers(trusted))
    with _source(url, store) as source, _told():
        believing = pinned or source.verifiers()
        verdict = _judged(lambda: _verified(source, believing, sought))
    if verdict.wrong is None and not pinned and store is None:
        verdict = verdict._replace(word=JUDGED["no-key"], wrong=Wrong("no-key"))
    _end(url or str(store), verdict, lang, as_json)


def _verified(source: Remote | Stored, believing: Sequence[Verifier], known: Known | None) -> Verdict:
    note = source.checkpoint()
    said = believed(note, _following(source, note, believing)[0])
    whole = counted(source, said)
    restored = tuple([leaf["at"] for leaf in whole.leaves.get("", ()) if leaf["type"] == "restored"])
    return Verdict("verified", None, said, None if known is None else (known.match, found(whole, known)), restored)


def _following(
    source: Remote | Stored, note: bytes, believing: Sequence[Verifier]
) -> tuple[tuple[Verifier, ...], list[Seam]]:
    """The keys, and where the note is of another log than theirs, those of the logs that follow; and the ends on the
    way to these."""
    is_known = _log_of(note) in [key.name for key in believing]
    found = [] if is_known else seams(source.restorations(), believing)
    return tuple(dict.fromkeys([*believing, *[seam.next for seam in found]])), found


def _log_of(note: bytes) -> str:
    """The log that a note names; whether that has signed it is another question."""
    return note.partition(b"\n")[0].decode("utf-8", "replace")


def _verifiers(trusted: tuple[Trusted, ...] | None) -> tuple[Verifier, ...]:
    return tuple([Verifier(key.origin, key.public) for key in trusted or () if not key.revoked])


@contextmanager
def _source(url: str | None, store: str | None) -> Iterator[Remote | Stored]:
    if store is not None:
        with open_keyless(store) as kept, store_errors():
            yield Stored(kept)
        return
    with _told():
        remote = Remote(str(url))
    yield remote


@contextmanager
def _told() -> Iterator[None]:
    """A service that cannot be read, as an error with exit status 1."""
    try:
        yield
    except Unreachable as failure:
        raise click.ClickException(str(failure)) from None
    except Missing as missing:
        raise click.ClickException(f"there is no log of matches there: no {missing}") from None


def _judged(work: Callable[[], Verdict]) -> Verdict:
    try:
        return work()
    except Wrong as wrong:
        return Verdict(JUDGED[wrong.reason], wrong, None)


def _end(what: str, verdict: Verdict, lang: Language, as_json: bool) -> None:
    """The verdict in one line, and as exit status."""
    why = None if verdict.wrong is None else found_sentence(verdict.wrong, lang)
    said = verdict.said
    facts = None if said is None else {"origin": said.origin, "size": said.size, "root": said.root.hex()}
    if as_json:
        reason = None if verdict.wrong is None else verdict.wrong.reason
        document = {"log": what, "verdict": verdict.word, "reason": reason, "why": why, "said": facts}
        click.echo(orjson.dumps({**document, "match": _told_of(verdict.told), "restored": verdict.restored}))
    else:
        size = "" if said is None else f": {said.origin}, {said.size} entries"
        told = "" if verdict.told is None else f"; {told_phrase(verdict.told[1], verdict.told[0], lang)}"
        restored = "".join([f"; the store was restored, recovered {at}" for at in verdict.restored])
        click.echo(f"{verdict.word:<18} {what}{size}{told}{restored}{'' if why is None else f': {why}'}")
    sys.exit(EXITS[verdict.word])


def _told_of(told: tuple[str, Told] | None) -> dict[str, object] | None:
    return None if told is None else {"match": told[0], "ended": told[1] == "ended"}


@log.command()
@click.argument("url")
@click.option("--state", required=True, type=FILE, help="Where what was seen is kept; made at the first run.")
@click.option("--proof", type=FILE, help="Where the proof of a split goes. Default: the state's name and .split.json.")
@PINNED_OPTION
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
    kept = seen(state)
    with _source(url, None) as source, _told():
        given = (*keys, *_verifiers(trusted))
        pinned = tuple(dict.fromkeys((*given, *kept.keys))) or tuple(source.verifiers())
        revoked = [Verifier(key.origin, key.public) for key in trusted or () if key.revoked]
        believing = tuple([key for key in pinned if key not in revoked])
        note = source.checkpoint()
        split: list[Split] = []
        believing, ends = _following(source, note, believing)
        if kept.note is not None and _log_of(kept.note) != _log_of(note):
            ends = seams(source.restorations(), believing)
        verdict = _judged(lambda: _watched(source, believing, kept.note, note, pinned, ends, split))
    if verdict.wrong is not None and verdict.wrong.reason == "unknown-key" and kept.keys and not given:
        verdict = verdict._replace(wrong=Wrong("new-key"))
    if split:
        write(proof or state.with_name(f"{state.name}.split.json"), split_document(split[0], pinned))
    if verdict.wrong is None or verdict.wrong.reason == "restored":
        write(state, {"format": STATE, "keys": [vkey(key) for key in believing], "checkpoint": note.decode()})
    _end(url, verdict, lang, as_json)


def _watched(
    source: Remote | Stored,
    believing: Sequence[Verifier],
    before: bytes | None,
    note: bytes,
    pinned: Sequence[Verifier],
    ends: Sequence[Seam],
    split: list[Split],
) -> Verdict:
    """What was seen ``before`` was believed then; a key that is revoked since signs nothing new."""
    said = believed(note, believing)
    if before is not None and _log_of(before) != said.origin:
        end = resumed(source, believed(before, pinned), said, ends)
        counted_root(source, said)
        return Verdict("incomplete", Wrong("restored", str(end.told.size)), said)
    found_split = None if before is None else continued(source, before, note, pinned)
    if found_split is not None:
        split.append(found_split)
        raise Wrong("split")
    counted_root(source, said)
    return Verdict("verified", None, said)


@log.command()
@click.argument("file", type=EXISTING)
@PINNED_OPTION
@TRUST_OPTION
@LANGUAGE_OPTION
@JSON_OPTION
def proof(
    file: Path, keys: tuple[Verifier, ...], trusted: tuple[Trusted, ...] | None, lang: Language, as_json: bool
) -> None:
    """Check the proof of a split that `gyoji log monitor` has written, with nothing but the key of the log.

    Exit status: 41 it is proven, 40 or 42 it was not signed by the log, 51 it proves nothing.
    """
    pinned = (*keys, *_verifiers(trusted))
    if not pinned:
        raise click.UsageError("name the log's --key, or a --trust file that has it")
    _end(str(file), _judged(lambda: _proven(read_json(file), pinned)), lang, as_json)


def _proven(document: Any, pinned: Sequence[Verifier]) -> Verdict:
    """Always ``Wrong``: with the log, if the proof holds, or with the proof."""
    try:
        hashes = [bytes.fromhex(value) for value in document["proof"]]
        split = Split(document["smaller"].encode(), document["larger"].encode(), hashes)
        fits = document["format"] == SPLIT
    except (AttributeError, KeyError, TypeError, ValueError):
        fits = False
    raise Wrong("split" if fits and proven(split, pinned) else "no-proof")


@log.command("erratum")
@click.option("--game", required=True, type=click.Choice(list(BY_SLUG)))
@click.option("--version", required=True, type=click.IntRange(1, 10_000), help="The version of the rules.")
@click.option("--text", required=True, help="What was wrong, and since when; everybody can read it for ever.")
@setting_option("origin")
@STORE_OPTION
@KEY_OPTION
def tell(game: str, version: int, text: str, origin: str, store: str, store_key: str | None) -> None:
    """Enter into the log that the rules of a game, as they were released, were wrong."""
    if not 0 < len(text) <= LONGEST_ERRATUM:
        raise click.BadParameter(f"expected 1 to {LONGEST_ERRATUM} characters", param_hint="--text")
    at = current_time()
    with open_with_key(store, store_key) as kept:
        last, name = kept.tree.latest(), log_name(origin, kept.restorations.generation())
        if last is not None and not last.note.startswith(f"{name}\n"):
            raise click.ClickException(f"the log of this store is {last.note.partition(chr(10))[0]}: name its --origin")
        try:
            kept.tree.enter(erratum(game, version, text, at))
        except Conflict:
            raise click.ClickException("that erratum is in the log already") from None
        made = kept.tree.grow(current_signer(kept, name), at)
    click.echo(made.note, nl=False)
