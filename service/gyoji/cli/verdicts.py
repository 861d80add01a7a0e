"""``gyoji verdicts``: the reports of several audits as one, such as those of all shards."""

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
import orjson

from gyoji.bulk.locations import printable_name
from gyoji.bulk.merge import ReportMerge
from gyoji.bulk.outcomes import Document, label_in, outcome_line
from gyoji.cli.audit_options import report_option
from gyoji.cli.options import JSON_OPTION, LANGUAGE_OPTION
from gyoji.cli.stores import bulk_errors
from gyoji.messages.language import Language
from gyoji.names import printable

FINE = ("verified", "verified_with_rulings", "same")
"""Of these only the number is printed."""
MOST_NAMES = 20
"""So many names are printed in a line: nobody reads a million."""


@click.command()
@click.argument("reports", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@report_option("Write them as one report there.")
@LANGUAGE_OPTION
@JSON_OPTION
def verdicts(reports: tuple[Path, ...], report: Path | None, lang: Language, as_json: bool) -> None:
    """Merge the REPORTS of gyoji audit: counts, what is not verified, and the exit status of the worst verdict.

    They have to be by the same terms. Shards and ends of reports that are missing are named, and so is what stands in
    two of them (it counts once, by its worse verdict). Files of one match that lay in different shards are held against
    each other; where one is longer than another it is read again for that. Exit status as of gyoji audit; 1 if nothing
    is wrong but something is missing.
    """

    def show(document: Document) -> None:
        if as_json:
            click.echo(orjson.dumps(document))
        elif label_in(document) not in FINE:
            # anybody may have written the report
            click.echo("\n".join(map(printable, _line(document, lang).split("\n"))))

    with bulk_errors(), closing(ReportMerge(reports, lang)) as merge:
        merge.compare()
        if report is not None:
            merge.write(report, show)
        else:
            for document in merge.replays():
                show(document)
    if as_json:
        click.echo(orjson.dumps({"summary": merge.document()}))
    else:
        _print_summary(merge)
    sys.exit(merge.status())


def _print_summary(merge: ReportMerge) -> None:
    click.echo(merge.summary()[1])
    for label, names in (
        ("missing shards", merge.missing),
        ("unfinished or damaged reports", list(map(printable_name, merge.unfinished))),
        ("twice", merge.twice),
    ):
        if names:
            click.echo(f"{label}: {_some(names)}")
    for one, other in merge.undecided:
        click.echo(f"not held against each other, as one cannot be read again: {printable(one)}, {printable(other)}")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(map(printable, names[:MOST_NAMES])) + more


def _line(document: Document, lang: Language) -> str:
    if "changes" not in document:
        return outcome_line(document, lang)
    whys = [one["why"] for one in document["illegal"]]
    left = [document["not_compared"]["why"]] if document["not_compared"] else []
    return f"{label_in(document).replace('_', ' '):<12} {document['replay']}: {'; '.join([*whys, *left])}"
