"""``gyoji audit --rules``: which matches would come out otherwise under another version of the rules."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import click
import orjson

from gyoji.cli.auditing import Judged
from gyoji.replay.impact import Impact
from gyoji.wire.impact import impact_document, impact_lines, versions
from gyoji.wire.language import Language

CHANGES = 60
"""The exit status where something would change."""
NOT_COMPARED = 61
"""Where nothing would of what could be compared, and not everything could."""


def known_version(_context: click.Context, _parameter: click.Parameter, version: int | None) -> int | None:
    """The version, if any game has it; else a usage error that names those there are."""
    known = versions()
    if version is None or any(version in of_game for of_game in known.values()):
        return version
    listed = "; ".join(f"{slug} {', '.join(map(str, of_game))}" for slug, of_game in known.items())
    raise click.BadParameter(f"no game has a version {version}; there are {listed}")


RULES_OPTION = click.option(
    "--rules",
    "version",
    type=click.IntRange(1),
    callback=known_version,
    metavar="VERSION",
    help="In place of verdicts, say what would change in each match under that version of the rules of its game.",
)


def report_impact(heard: Iterable[Judged], write: Callable[[bytes], Any], lang: Language, *, as_json: bool) -> int:
    """Print what would change in each match, and the summary; the exit status."""
    seen: Counter[str] = Counter()
    for one in heard:
        seen[_word(one)] += 1
        document = orjson.dumps(_told(one, lang))
        write(document + b"\n")
        if as_json:
            click.echo(document)
        elif _word(one) != "same":
            click.echo(_line(one, lang))
    if not seen:
        raise click.ClickException("there is nothing to compare")
    _sum_up(seen, as_json=as_json)
    return _status(seen)


def _word(one: Judged) -> str:
    impact = one.impact
    if impact is None:
        return "unreadable"
    return "changes" if impact.is_change else "same" if impact.left is None else "not_compared"


def _told(one: Judged, lang: Language) -> dict[str, Any]:
    if one.impact is None:
        return {"replay": one.name, "verdict": None, "failure": one.failure}
    told = {"verdict": one.verdict.verdict, "match": one.verdict.match} if one.verdict else {}
    return {"replay": one.name, **told, **impact_document(one.impact, lang)}


def _line(one: Judged, lang: Language) -> str:
    word = _word(one).replace("_", " ")
    if one.impact is None:
        return f"{word:<12} {one.name}: {one.failure}"
    return f"{word:<12} {one.name}: {_said(one.impact, lang)}"


def _said(impact: Impact, lang: Language) -> str:
    return ("; " if lang == "en" else "。").join(impact_lines(impact, lang))


def _sum_up(seen: Counter[str], *, as_json: bool) -> None:
    if as_json:
        click.echo(orjson.dumps({"summary": {"compared": seen.total(), "impact": dict(seen)}}))
        return
    counts = ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in sorted(seen.items()))
    click.echo(f"{seen.total()} compared: {counts}")


def _status(seen: Counter[str]) -> int:
    if seen["changes"]:
        return CHANGES
    if seen["unreadable"]:
        return 1
    return NOT_COMPARED if seen["not_compared"] else 0
