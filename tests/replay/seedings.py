"""Matches of every policy of randomness, and what can become of one."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from gyoji.games.catalogue import BY_SLUG
from gyoji.match.seeding import Disclosure, Policy
from gyoji.simulation.derivation import beacon_value
from gyoji.simulation.matches import MatchPlan, SimulatedLog, plan_in_group, plan_match, simulate_match

SEED = "5eed"
BEACON = Policy("external", beacon="a beacon", reference="7")
BEACONS: Mapping[tuple[str, str], bytes] = {("a beacon", "7"): beacon_value(SEED, BEACON)}

POLICIES: Mapping[str, Policy] = {
    "server": Policy(),
    "players": Policy("players", "void", 3600),
    "empty": Policy("players", "empty", 6),
    "void": Policy("players", "void", 6),
    "director": Policy("director"),
    "external": BEACON,
}
COURSES: Mapping[str, tuple[str, dict[str, Any]]] = {
    "server": ("server", {}),
    "players": ("players", {}),
    "empty": ("empty", {"silent": (1,)}),
    "void": ("void", {"silent": (1,)}),
    "director": ("director", {}),
    "external": ("external", {}),
    "cancelled among commitments": ("players", {"cancelled_after": 2}),
    "cancelled among reveals": ("players", {"cancelled_after": 5}),
    "cancelled in play": ("players", {"cancelled_after": 20}),
    "cancelled at a checkpoint": ("server", {"cancelled_after": 15}),
    "group": ("server", {}),
    "withheld group": ("server", {"disclosed": False}),
    "withheld void": ("server", {"disclosed": False, "cancelled_after": 9}),
}
"""The policy of each, and in what its table departs from others. Seats that are silent have 6 seconds; the sixth event
of three seats that commit and two that reveal is when those are over."""


def table_of(name: str, slug: str = "catte", disclosure: Disclosure = "public_on_close") -> MatchPlan:
    """The table with three seats at which that happens."""
    policy, departs = COURSES[name]
    at_table = plan_match(BY_SLUG[slug], 3, {}, disclosure, SEED, 0, POLICIES[policy])
    if "group" in name or "withheld" in name:
        at_table = plan_in_group(at_table, SEED, "a group")
    return at_table._replace(**departs)


@cache
def log_of(name: str, slug: str = "catte", disclosure: Disclosure = "public_on_close") -> SimulatedLog:
    """The whole match."""
    return simulate_match(table_of(name, slug, disclosure), 20_000)
