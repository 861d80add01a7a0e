"""Writes the golden replays from what ``golden.toml`` demands of each, or searches for them.

usage: python -m tools.golden write            every file that is not there yet; one that is there stays as it is
       python -m tools.golden check [PATH...]  make these (or all) anew and compare them byte for byte
       python -m tools.golden search PATH...   the number of the shortest match that shows what these are named for

PATH is like towai/two-seats. A file that has been released is never made anew: a new one gets another name.
"""

import sys
import tomllib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from gyoji.audit.commitments import beacons_document
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical
from gyoji.log.redaction import project_event
from gyoji.log.signatures import signer
from gyoji.match.clocks import read_control
from gyoji.match.events.match_created import ForkOrigin, MatchDraft
from gyoji.match.fold import replay_log
from gyoji.match.seeding import read_policy
from gyoji.simulation.derivation import beacon_policy, beacon_value, derive_origin, derive_signing_key
from gyoji.simulation.matches import (
    MatchPlan,
    SimulatedLog,
    plan_in_group,
    plan_match,
    simulate_match,
    trust_document,
    write_replay_file,
)
from tools.golden_course import Undone, ruled_on
from tools.golden_shows import logs

ROOT = Path(__file__).resolve().parent.parent
REPLAYS = ROOT / "replays"
FORKS = ROOT / "tests" / "golden" / "forks"
"""Forks have a folder of their own: where they begin is another match's, so by themselves they are never verified."""
PARTIAL = ROOT / "tests" / "golden" / "partial"
"""So have matches that wait for a public beacon, or whose secret is still withheld."""
BEACONS = ROOT / "tests" / "golden" / "beacons.json"
DIGESTS = ROOT / "tests" / "golden" / "digests.txt"
SERVED = {"policy": "server"}
MOST_PLIES = 2_000
NUMBERS = 1_000_000
"""How many numbers each entry has to itself."""
ENOUGH = 12
"""Of so many matches that show it the shortest is taken."""
LONGEST_SEARCH = 8_000


class Golden(NamedTuple):
    """One golden replay as ``golden.toml`` has it."""

    path: str
    place: int
    settings: Mapping[str, Any]

    @property
    def file(self) -> Path:
        """Return the path of the file."""
        return self.folder / f"{self.path}.jsonl"

    @property
    def folder(self) -> Path:
        """Return the folder of forks, of files that are never verified by themselves, or of all others."""
        if "fork" in self.settings:
            return FORKS
        return PARTIAL if self.is_external or not self.settings.get("disclosed", True) else REPLAYS

    @property
    def is_external(self) -> bool:
        """Tell whether it waits for a public beacon."""
        return bool(self.settings.get("randomness", {}).get("policy") == "external")


def listed() -> tuple[str, dict[str, Golden]]:
    """Read the seed, and every golden replay by its path."""
    document = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    goldens = {}
    for place, settings in enumerate(document["replay"], 1):
        path = f"{settings['game']}/{settings['name']}"
        goldens[path] = Golden(path, place, settings)
    return document["seed"], goldens


def made(goldens: Mapping[str, Golden], seed: str, golden: Golden, index: int) -> SimulatedLog:
    """Make the match with that number, set up as the entry demands."""
    settings = golden.settings
    if "fork" in settings:
        at_table = _forked(goldens, seed, golden, index)
    else:
        at_table = plan_match(
            BY_SLUG[settings["game"]],
            settings["seats"],
            settings.get("options", {}),
            settings.get("disclosure", "public_on_close"),
            seed,
            index,
            beacon_policy(seed, index) if golden.is_external else read_policy(settings.get("randomness", SERVED)),
        )
    if "group" in settings:
        at_table = plan_in_group(at_table, seed, settings["group"])
    beginning = at_table.beginning._replace(**_more(settings))
    if "acts" in settings:
        return ruled_on(at_table._replace(beginning=beginning), settings["acts"], MOST_PLIES)
    return simulate_match(at_table._replace(beginning=beginning, **_course(settings)), MOST_PLIES)


def _more(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ``simulate`` leaves at its default."""
    plain = ("first", "metadata", "visibility", "if_match", "withheld_until")
    found = {name: settings[name] for name in plain if name in settings}
    if "clock" in settings:
        found["clock"] = read_control({"bank_ms": None, "increment_ms": 0, **settings["clock"]})
    return found | {name: tuple(settings[name]) for name in ("names", "tags") if name in settings}


def _course(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the course of what ``simulate`` does not let happen."""
    found = {name: settings[name] for name in ("cancelled_after", "disclosed") if name in settings}
    return found | {name: tuple(settings[name]) for name in ("operated", "silent") if name in settings}


def _forked(goldens: Mapping[str, Golden], seed: str, golden: Golden, index: int) -> MatchPlan:
    """Make a match that goes on from the middle of another one."""
    parent = goldens[f"{golden.settings['game']}/{golden.settings['fork']['of']}"]
    log = made(goldens, seed, parent, parent.settings["index"])
    until = log.entries[: golden.settings["fork"]["seq"] + 1]
    match = replay_log(log.match.game, log.match.secret, until)
    source = ForkOrigin(match.match, match.seq, match.hash.hex(), match.state)
    state, game = match.state, match.game
    own = plan_match(game, state.seats, game.write_options(state.options), "public_on_close", seed, index)
    beginning: MatchDraft = own.beginning._replace(source=source)
    return own._replace(beginning=beginning)


def shows(golden: Golden, log: SimulatedLog) -> bool:
    """Tell whether the match is over and shows what its file is named for."""
    if not log.match.over:
        return False
    asked = golden.settings.get("asks", golden.settings["name"].replace("-", "_"))
    questions = import_module(f"tools.golden_shows.{golden.settings['game'].replace('-', '_')}")
    question = getattr(questions, asked, None) or getattr(logs, asked)
    answer: bool = question([project_event("full", entry) for entry in log.entries])
    return answer


def searched(goldens: Mapping[str, Golden], seed: str, golden: Golden) -> int | None:
    """Find the number of the shortest match that shows what an entry asks for."""
    found: list[tuple[int, int]] = []
    first = golden.place * NUMBERS
    for index in range(first, first + LONGEST_SEARCH):
        log = _tried(goldens, seed, golden, index)
        if log is not None and shows(golden, log):
            found.append((len(log.entries), index))
        if len(found) == ENOUGH:
            break
    return min(found)[1] if found else None


def _tried(goldens: Mapping[str, Golden], seed: str, golden: Golden, index: int) -> SimulatedLog | None:
    try:
        return made(goldens, seed, golden, index)
    except Undone:
        return None


def bytes_of(goldens: Mapping[str, Golden], seed: str, golden: Golden) -> bytes:
    """Return the bytes of the file."""
    log = made(goldens, seed, golden, golden.settings["index"])
    if not shows(golden, log):
        raise SystemExit(f"{golden.path}: match {golden.settings['index']} does not show it")
    return write_replay_file(log, signer(derive_signing_key(seed), derive_origin(seed)))


def _write(goldens: Mapping[str, Golden], seed: str) -> None:
    REPLAYS.joinpath("trust.json").write_bytes(
        canonical(trust_document(signer(derive_signing_key(seed), derive_origin(seed)))) + b"\n"
    )
    for golden in goldens.values():
        if not golden.file.exists():
            golden.file.parent.mkdir(parents=True, exist_ok=True)
            golden.file.write_bytes(bytes_of(goldens, seed, golden))
    policies = [beacon_policy(seed, golden.settings["index"]) for golden in goldens.values() if golden.is_external]
    values = {(policy.beacon, policy.reference): beacon_value(seed, policy) for policy in policies}
    BEACONS.write_bytes(canonical(beacons_document(values)) + b"\n")
    digests = [f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(ROOT).as_posix()}" for file in _files()]
    DIGESTS.write_text("\n".join(digests) + "\n", "utf-8")


def _files() -> list[Path]:
    replays, forks, partial = [sorted(folder.glob("*/*.jsonl")) for folder in (REPLAYS, FORKS, PARTIAL)]
    return [*replays, REPLAYS / "trust.json", *forks, *partial, BEACONS]


def _check(goldens: Mapping[str, Golden], seed: str, paths: Iterable[str]) -> None:
    wrong = [path for path in paths if goldens[path].file.read_bytes() != bytes_of(goldens, seed, goldens[path])]
    if wrong:
        raise SystemExit(f"made anew they differ: {', '.join(wrong)}")


def main(arguments: list[str]) -> None:
    """Run one of the three uses."""
    seed, goldens = listed()
    match arguments:
        case ["write"]:
            _write(goldens, seed)
        case ["check", *paths]:
            _check(goldens, seed, paths or goldens)
        case ["search", *paths]:
            for path in paths:
                print(path, searched(goldens, seed, goldens[path]))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
