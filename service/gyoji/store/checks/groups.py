"""Checks that groups read, and that their matches were set up and disclosed as their group says."""

from collections.abc import Iterator

from gyoji.games.chance import commitment
from gyoji.store.checks.findings import Finding
from gyoji.store.checks.log import read_document
from gyoji.store.database import statements
from gyoji.store.database.port import Database
from gyoji.store.database.sql import PAGE
from gyoji.store.encryption import Damaged, Encryption
from gyoji.store.groups import Group
from gyoji.store.rows import group_of

SHARED = ("game", "version", "seats", "options", "first", "disclosure")
"""What all matches of a group have in common, as the first event of each says it."""

FIRSTS = """SELECT events.match, body FROM events JOIN matches ON matches.match = events.match
WHERE group_id = ? AND events.seq = 0 ORDER BY events.match"""
DISCLOSURES = """SELECT events.match, body FROM events JOIN matches ON matches.match = events.match
WHERE group_id = ? AND matches.closed AND events.seq = matches.seq ORDER BY events.match"""
"""The events that disclose matches of a group."""
UNGROUPED = "SELECT match FROM matches WHERE group_id IS NOT NULL AND group_id NOT IN (SELECT id FROM groups)"
EARLY = """SELECT match FROM matches, groups WHERE group_id = groups.id AND matches.closed AND (NOT groups.closed OR
EXISTS (SELECT 1 FROM matches AS m WHERE m.group_id = groups.id AND m.status NOT IN ('finished', 'voided')))"""
"""Matches that are disclosed while others still play with the same deals."""


def group_findings(database: Database, encryption: Encryption | None) -> Iterator[Finding]:
    """Find what is wrong with groups, and with their matches as these are set up and disclosed."""
    yield from [Finding(str(row[0]), None, "its group is not there") for row in database.query(UNGROUPED)]
    yield from [Finding(str(row[0]), None, "disclosed before its group") for row in database.query(EARLY)]
    after = ""
    while page := database.query(statements.GROUPS, (after, PAGE)):
        for row in page:
            try:
                group = group_of(row, encryption)
            except (Damaged, TypeError, ValueError):
                yield Finding(None, None, "a group does not read")
                continue
            yield from _matches_of(database, group)
        after = page[-1][0]


def _matches_of(database: Database, group: Group) -> Iterator[Finding]:
    for match, body in database.query(FIRSTS, (group.group,)):
        yield from setup_findings(group, match, body)
    if group.until is not None:
        for match, body in database.query(DISCLOSURES, (group.group,)):
            yield from disclosure_findings(group.until, match, body)


def setup_findings(group: Group, match: str, first: bytes) -> Iterator[Finding]:
    """Find what the first event of a match says otherwise than its group; with the store key also that the match has
    another secret."""
    said = (read_document(first) or {}).get("data", {})
    agreed = {name: getattr(group, name) for name in SHARED}
    if {name: said.get(name) for name in SHARED} != agreed or said.get("deal_id") != group.group:
        yield Finding(match, 0, "it was set up otherwise than its group")
    if group.secret and said.get("seed_commitment") != commitment(group.secret, group.game, group.version, group.group):
        yield Finding(match, 0, "its deals are not those of its group")


def disclosure_findings(until: str, match: str, last: bytes) -> Iterator[Finding]:
    """Find that the last event of a match, which discloses it, is before the time that its group has to wait for."""
    at = (read_document(last) or {}).get("at")
    if isinstance(at, str) and at < until:
        yield Finding(match, None, "disclosed before the time of its group")
