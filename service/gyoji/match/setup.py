"""A match is set up by ``match_created``, which anybody may have written; this module reads and checks it.

The rules that a log is checked against come from whoever audits, never from the log.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args

import orjson

from gyoji.games.chance import commitment
from gyoji.games.game import Game
from gyoji.log.canonical import canonical
from gyoji.log.parser import AT, HEX_32, ID, SLUG, is_object, is_text, is_whole
from gyoji.match.clocks import Control, read_control
from gyoji.match.seeding import LONGEST_WAIT, MEMBERS, Disclosure, Policy, read_policy

Part = Literal["options", "move", "event", "state", "view"]


@dataclass(frozen=True, eq=False, slots=True)
class GameVersion:
    """One version of one game, and whether plain data has the published shape of one of its parts.

    The functions of a game take well-formed data only; what a log holds may be anything. Make one value a version and
    keep it: what is read of moves is remembered by it.
    """

    game: Game[Any]
    fits: Callable[[Part, Any], bool]
    ids: frozenset[str]
    """Of the rules that a ruling may cite."""


Rulebook = Callable[[str, int, str], GameVersion | None]
"""(game, version, rules digest) -> the rules; ``None`` for those that are not known. It never guesses."""


class SeedCommitment(NamedTuple):
    """The server's commitment to its secret, made before the first deal."""

    game: str
    version: int
    deal_id: str
    commitment: str

    def is_kept_by(self, secret: bytes) -> bool:
        """Tell whether a secret (64 bytes) is the committed one."""
        return commitment(secret, self.game, self.version, self.deal_id) == self.commitment


def read_seed_commitment(data: Mapping[str, Any]) -> SeedCommitment | None:
    """Read the commitment to the server's secret; ``None`` where ``data`` holds none."""
    found = SeedCommitment(*[data.get(name, "") for name in ("game", "version", "deal_id", "seed_commitment")])
    sound = is_text(found.game, SLUG) and is_whole(found.version, 1, 2**31) and is_text(found.deal_id, ID)
    return found if sound and is_text(found.commitment, HEX_32) else None


class Setup(NamedTuple):
    """A match as it was set up, well-formed and possible."""

    game: Game[Any]
    seats: int
    options: Any
    """The game's frozen options."""
    first: int
    disclosure: Disclosure
    deal_id: str
    is_fork: bool
    policy: Policy
    withheld: str | None
    clock: Control | None = None


def read_setup(game: Game[Any], data: Mapping[str, Any]) -> Setup:
    """Read the setup from ``data`` of a ``match_created`` of a game, which a service has written."""
    return _setup(game, game.read_options(data["options"]), data)


def _setup(game: Game[Any], options: Any, data: Mapping[str, Any]) -> Setup:
    return Setup(
        game,
        data["seats"],
        options,
        data["first"],
        data["disclosure"],
        data["deal_id"],
        "from" in data,
        read_policy(data["randomness"]),
        data.get("withheld_until"),
        read_control(data.get("clock")),
    )


class SetupFlaw(NamedTuple):
    """The first reason why no match of a known game can have been set up like that."""

    verdict: Literal["rules_unknown", "rules_divergence"]
    pointer: str
    """A JSON Pointer into ``data``."""
    expected: Any
    found: Any


PLAIN = frozenset(
    [
        "game",
        "version",
        "rules_digest",
        "seats",
        "options",
        "first",
        "randomness",
        "disclosure",
        "visibility",
        "if_match",
        "deal_id",
        "seed_commitment",
        "names",
        "metadata",
        "tags",
    ]
)
OPTIONAL = frozenset(["from", "withheld_until", "clock"])
Visibility = Literal["private", "public"]
"""Who may watch: whoever has a key or a token for the match, or anybody."""
Precondition = Literal["optional", "required"]
"""Whether every move has to say which position it is meant for."""
POLICIES: Mapping[str, tuple[str, ...]] = {
    "disclosure": get_args(Disclosure),
    "visibility": get_args(Visibility),
    "if_match": get_args(Precondition),
}


def check_setup(data: Mapping[str, Any], rulebook: Rulebook) -> tuple[GameVersion, Setup] | SetupFlaw:
    """Read the setup, with the rules that it names, from ``data`` that anybody may have written. Or return what is
    wrong with it."""
    if data.keys() - OPTIONAL != PLAIN:
        return SetupFlaw("rules_divergence", "", sorted(PLAIN), sorted(data))
    rules = _known(data, rulebook)
    if rules is None:
        return SetupFlaw("rules_unknown", "/rules_digest", None, data["rules_digest"])
    flaw = _policies(data) or _forked(data) or _seated(data, rules) or _personal(data) or _timed(data, rules)
    return flaw or _checked(data, rules)


def _known(data: Mapping[str, Any], rulebook: Rulebook) -> GameVersion | None:
    game, version, digest = data["game"], data["version"], data["rules_digest"]
    if not (is_text(game, SLUG) and is_whole(version, 1) and is_text(digest, HEX_32)):
        return None
    return rulebook(game, version, digest)


def _policies(data: Mapping[str, Any]) -> SetupFlaw | None:
    for name, allowed in POLICIES.items():
        if data[name] not in allowed:
            return SetupFlaw("rules_divergence", f"/{name}", list(allowed), data[name])
    if read_seed_commitment(data) is None:
        return SetupFlaw("rules_divergence", "/seed_commitment", None, data["seed_commitment"])
    if "from" in data and not _is_source(data["from"]):
        return SetupFlaw("rules_divergence", "/from", None, data["from"])
    if not _is_randomness(data["randomness"]) or ("from" in data and data["randomness"] != {"policy": "server"}):
        return SetupFlaw("rules_divergence", "/randomness", None, data["randomness"])
    if not _is_wait(data.get("withheld_until", "group")):
        return SetupFlaw("rules_divergence", "/withheld_until", None, data["withheld_until"])
    return None


def _is_randomness(found: Any) -> bool:
    """Whether that is a policy as the log has it."""
    name = found.get("policy") if isinstance(found, dict) else None
    if not isinstance(name, str) or name not in MEMBERS or not is_object(found, "policy", *MEMBERS[name]):
        return False
    if name == "players":
        return found["missing"] in ("void", "empty") and is_whole(found["within"], 1, LONGEST_WAIT)
    return all(isinstance(found[member], str) and 1 <= len(found[member]) <= 200 for member in MEMBERS[name])


def _is_wait(found: Any) -> bool:
    """What a disclosure may be withheld until: the end of a group, or a time."""
    return is_text(found, AT) or bool(found == "group")


def _is_source(found: Any) -> bool:
    return (
        is_object(found, "match", "seq", "hash")
        and is_text(found["match"], ID)
        and is_whole(found["seq"], 1)
        and is_text(found["hash"], HEX_32)
    )


def _forked(data: Mapping[str, Any]) -> SetupFlaw | None:
    """A fork is of another match, and its shuffles are nobody else's: it is of no group."""
    if "from" in data and data["from"]["match"] == data["deal_id"]:
        return SetupFlaw("rules_divergence", "/from", None, data["from"])
    if "from" in data and data.get("withheld_until") == "group":
        return SetupFlaw("rules_divergence", "/withheld_until", None, "group")
    return None


def _personal(data: Mapping[str, Any]) -> SetupFlaw | None:
    """Names, one a seat, metadata and tags, none of which stands here in the clear; so no verdict repeats it."""
    names, seats = data["names"], {"count": data["seats"]}
    if names is not None and canonical(names) != canonical(seats):
        return SetupFlaw("rules_divergence", "/names", seats, None)
    if data["metadata"] is not None:
        return SetupFlaw("rules_divergence", "/metadata", None, None)
    if not is_object(data["tags"], "count") or not is_whole(data["tags"]["count"]):
        return SetupFlaw("rules_divergence", "/tags", None, None)
    return None


def _seated(data: Mapping[str, Any], rules: GameVersion) -> SetupFlaw | None:
    """Seats, and who begins."""
    game, seats = rules.game, data["seats"]
    if not is_whole(seats, game.min_seats, game.max_seats):
        return SetupFlaw("rules_divergence", "/seats", {"min": game.min_seats, "max": game.max_seats}, seats)
    if not is_whole(data["first"], 0, seats - 1):
        return SetupFlaw("rules_divergence", "/first", {"min": 0, "max": seats - 1}, data["first"])
    return None


def _timed(data: Mapping[str, Any], rules: GameVersion) -> SetupFlaw | None:
    """How time is kept; nobody passes on time-out in a game without a pass."""
    if "clock" not in data:
        return None
    control = read_control(data["clock"])
    is_kept = control is not None and (control.on_expiry != "pass" or rules.game.passes)
    return None if is_kept else SetupFlaw("rules_divergence", "/clock", None, data["clock"])


def _checked(data: Mapping[str, Any], rules: GameVersion) -> tuple[GameVersion, Setup] | SetupFlaw:
    text = canonical(data["options"])
    chosen = _chosen if len(text) <= LONGEST_REMEMBERED else _chosen.__wrapped__
    options, flaw = chosen(rules, data["seats"], text)
    if flaw is not None:
        return SetupFlaw("rules_divergence", flaw[0], flaw[1], data["options"])
    return rules, _setup(rules.game, options, data)


LONGEST_REMEMBERED = 2**14
"""Bytes of options that are remembered; a table's own deck has a few thousand."""


@lru_cache(maxsize=64)
def _chosen(rules: GameVersion, seats: int, text: bytes) -> tuple[Any, tuple[str, Any] | None]:
    """The options in canonical bytes; or why not, as a pointer and what was expected. All have to be there, and none
    may contradict another. Most matches are played by the same few."""
    given = orjson.loads(text)
    if not rules.fits("options", given):
        return None, ("/options", None)
    game = rules.game
    options = game.read_options(given)
    if canonical(game.write_options(options)) != text:
        return None, ("/options", game.write_options(options))
    for finding in game.contradictions(seats, options):
        return None, (finding.pointer, finding.code)
    return options, None
