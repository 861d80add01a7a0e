"""Discloses what was withheld at the end of matches, as soon as that is due.

Of a group nothing is disclosed while one of its matches is still played, or might be added. What is due stays due, so
whoever comes next finishes what was left half done: every log is closed by an append of its own.
"""

from gyoji.app.logs import log_aside
from gyoji.app.match_states import head_of
from gyoji.app.services import Services
from gyoji.match import recorder
from gyoji.store.interface import Conflict, Match, Unavailable
from gyoji.store.records import Group

OVER = ("finished", "voided")

MOST_ATTEMPTS = 100


def settle(services: Services, row: Match) -> None:
    """Close the log of a match that is over, or those of all its group, if that is due."""
    if row.group is not None:
        settle_group(services, row.group)
    elif row.head.status in OVER and (row.withheld_until is None or row.withheld_until <= services.at()):
        _close(services, row)


def settle_afterwards(services: Services, what: Match | str) -> None:
    """Settle a match, or a group by its name, after something was stored. What was stored stands whatever comes of
    this: a failure goes to the log of the process."""
    try:
        settle_group(services, what) if isinstance(what, str) else settle(services, what)
    except Unavailable as failure:  # it stays due: the next call about the group, or the next start, does it
        log_aside("not-settled", failure)


def settle_group(services: Services, name: str) -> None:
    """Close the logs of all matches of a group, if that is due."""
    group = services.store.group(name)
    if group is not None and is_due(services, group):
        for each in services.store.group_members(name):
            row = None if each.closed else services.store.match(each.match)
            if row is not None:
                _close(services, row)


def settle_all(services: Services) -> None:
    """Close every log whose closing is due and was not done."""
    rows = [row for match in services.store.withheld() if (row := services.store.match(match)) is not None]
    for row in {row.group or row.match: row for row in rows}.values():
        settle(services, row)


def is_due(services: Services, group: Group) -> bool:
    """Tell whether the disclosure of a group is due. Whether a match is in play is asked last: every match that ends
    leads here."""
    return (
        group.closed
        and (group.until is None or group.until <= services.at())
        and not services.store.is_in_play(group.group)
    )


def _close(services: Services, row: Match) -> None:
    """Disclose the secret of a match that is over, and of no other; whoever does so first has done it."""
    for _attempt in range(MOST_ATTEMPTS):
        match = services.match_states.latest(row)
        if match.closed or not match.over:
            return
        entries, after = recorder.disclose(match, services.at_after(match), services.salt)
        try:
            services.store.append(row.match, match.seq, entries, head_of(after), None)
        except Conflict:
            row = services.store.match(row.match) or row
            continue
        services.match_states.remember(after)
        services.count_events(len(entries))
        return
