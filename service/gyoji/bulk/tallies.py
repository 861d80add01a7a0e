"""Counts verdicts, and turns the counts into the summary of an audit and its exit status."""

from collections import Counter
from typing import Any

from gyoji.audit.verdicts import EXITS, worst
from gyoji.bulk.impact import impact_status, impact_summary
from gyoji.bulk.outcomes import UNREADABLE


def summary_of(counts: Counter[str], version: int | None) -> tuple[dict[str, Any], str]:
    """Return how many there are of each label, as a document and for people.

    ``version``: the version of the rules that was asked about, if the labels are those of ``--rules``.
    """
    some = Counter({label: counts[label] for label in sorted(counts) if counts[label]})
    if version is not None:
        return impact_summary(some)
    parts = ", ".join(f"{count} {label}" for label, count in some.items())
    document = {"audited": some.total(), "verdicts": dict(some)}
    return document, f"{some.total()} audited: {parts}" if some else "0 audited"


def status_of(counts: Counter[str], version: int | None, *, is_whole: bool) -> int:
    """Return the exit status; ``is_whole``: nothing is missing, and everything has been compared with everything."""
    if version is not None:
        return impact_status(counts) or (0 if is_whole else 1)
    status = EXITS[worst({word for word in EXITS if counts[word] > 0})]
    # what could not be read may be anything; a verdict that something is wrong says more than that
    return 1 if (counts[UNREADABLE] or not is_whole) and status <= EXITS["verified_partial"] else status
