"""The files that the second implementation is tried on: what ``gyoji simulate`` writes, redactions, golden replays."""

import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from flask import Flask
from flask.testing import FlaskClient

from commands import run
from gyoji.games.catalogue import BY_SLUG
from gyoji.games.chance import deal_v1
from gyoji.games.game import Accepted
from gyoji.log.files import redact_lines
from replay.independent import faults
from replay.independent_file import Doc, Entry, Replay, taken_apart
from replay.independent_secrets import FIELDS
from replay.independent_seeding import branch_of, seed_of
from replay.independent_writer import forged, trust_in

ROOT = Path(__file__).parent.parent.parent
DIGESTS = {game: sha256((ROOT / "schemas" / game / "rules.json").read_bytes()).hexdigest() for game in FIELDS}

OWN_DECK = [f"{colour}{number}" for number in range(99, 85, -1) for colour in "KBW"]
OWN_ERRANDS = [
    {"id": f"{level}-{name}", "level": level, "requires": {"red": red, "blue": 1, "green": 0}, "points": level}
    for level, name, red in [(3, "z", 2), (1, "b", 1), (3, "a", 9), (1, "a", 3), (1, "c", 2)]
]
"""Two levels only: the shuffle of the missing one counts all the same."""


class Case(NamedTuple):
    """What ``gyoji simulate`` is asked for."""

    game: str
    seats: int
    seed: str
    options: Doc
    disclosure: str = "public_on_close"
    max_plies: int = 20000
    randomness: str = "server"


CASES = {
    "tomorrow, 3 seats": Case("tomorrow-never-meows", 3, "1", {"wishes": "basic"}),
    "tomorrow, 4 seats, 4 rounds": Case("tomorrow-never-meows", 4, "2", {"rounds": 4}, "auditors_only"),
    "tomorrow, concealed": Case("tomorrow-never-meows", 3, "3", {"concealed": True}, "auditors_only"),
    "tomorrow, bluffs": Case("tomorrow-never-meows", 4, "4", {"concealed": True, "bluff_scoring": "per_trick"}),
    "catte, 3 seats": Case("catte", 3, "5", {"bust_bonus": "forfeit"}),
    "catte, 4 seats, own deck": Case("catte", 4, "6", {"deck": OWN_DECK}, "auditors_only"),
    "towai, 2 seats": Case("towai", 2, "7", {"reform": "discard"}),
    "towai, 3 seats": Case("towai", 3, "8", {"first_card": "any"}, "auditors_only"),
    "towai, 4 seats": Case("towai", 4, "3", {"finishes_to_win": 1}),
    "towai, 5 seats": Case("towai", 5, "5", {"finishes_to_win": 1}, "auditors_only"),
    "towai, 6 seats": Case("towai", 6, "3", {"finishes_to_win": 1}),
    "towai, still running": Case("towai", 6, "c", {}, max_plies=150),
    "towai, entropy of all seats": Case("towai", 3, "10", {"finishes_to_win": 1}, randomness="players"),
    "catte, for auditors, entropy of all seats": Case("catte", 3, "11", {}, "auditors_only", randomness="players"),
    "tomorrow, director": Case("tomorrow-never-meows", 3, "12", {}, randomness="director"),
    "catte, beacon": Case("catte", 3, "13", {}, randomness="external"),
    "towai, entropy, still running": Case("towai", 3, "14", {}, max_plies=20, randomness="players"),
    "familiars": Case("familiars-trouble", 3, "d", {}, "auditors_only"),
    "familiars, own errands": Case("familiars-trouble", 3, "e", {"errands": OWN_ERRANDS, "opening": [2, 0, 1]}),
    "familiars, beginners": Case("familiars-trouble", 3, "f", {"hand_exchange": False, "opening": [4, 2, 0]}),
}


FOLDERS = [ROOT / "replays", ROOT / "tests/golden/forks", ROOT / "tests/golden/partial"]
GOLDEN = {str(path.relative_to(ROOT)): path for folder in FOLDERS for path in sorted(folder.rglob("*.jsonl"))}
FILES = [*CASES, *GOLDEN]


@cache
def written(name: str) -> tuple[bytes, Doc]:
    """A golden replay, or the file of a case; and the document of its key."""
    if name in GOLDEN:
        return GOLDEN[name].read_bytes(), _trust(ROOT / "replays")
    case = CASES[name]
    with TemporaryDirectory() as folder:
        asked = ["--seats", str(case.seats), "--seed", case.seed, "--options", json.dumps(case.options)]
        asked += [
            "--randomness",
            case.randomness,
            "--disclosure",
            case.disclosure,
            "--max-plies",
            str(case.max_plies),
            "--out",
            folder,
        ]
        assert run("simulate", case.game, *asked).exit_code == 0
        return (Path(folder) / f"{case.game}-00000.jsonl").read_bytes(), _trust(Path(folder))


def _trust(folder: Path) -> Doc:
    document: Doc = json.loads((folder / "trust.json").read_text("utf-8"))
    return document


def states(app: Flask, file: bytes) -> tuple[dict[int, Doc], list[Doc]]:
    """The state after every event that has a position, as the stateless calls play the match, and all their events."""
    replay = taken_apart(file)
    if replay.deal is None:
        return {}, []
    state = begun(app, replay, replay.deal)
    found, events = {replay.deal.seq: state}, list[Doc]()
    moves: list[Doc] = []
    for entry in replay.entries[replay.deal.seq + 1 :]:
        known, doc = entry.known, entry.doc
        kind = known["ruling"]["kind"] if doc["type"] == "ruling_made" else ""
        is_apart = kind in {"take_back", "accept"}
        if moves and (is_apart or doc["position"] is not None) and "move" not in known:
            state, events, moves = *_played(app, state, events, moves), []
        if kind == "take_back":
            is_new = known["position"]["shuffles"] != state["shuffles"]
            seed = branch_of(replay, entry.seq) if is_new else bytes.fromhex(state["seed"])
            state = {**known["position"], "seed": None if seed is None else seed.hex()}
        elif kind == "accept":
            state, events, moves = *_played(app, state, events, moves), []
            state, events = _let_stand(state, events, known["move"])
        elif "move" in known:
            moves.append(known["move"])
            if doc["position"] is not None:
                state, events, moves = *_played(app, state, events, moves), []
        found[entry.seq] = state
    return (found, _played(app, state, events, moves)[1]) if moves else (found, events)


def _played(app: Flask, state: Doc, events: list[Doc], moves: list[Doc]) -> tuple[Doc, list[Doc]]:
    if not moves:
        return state, events
    answer = asked(app, f"{state['game']}/adjudications", {"state": state, "moves": moves})
    return answer["state"], [*events, *answer["events"]]


def _let_stand(state: Doc, events: list[Doc], move: Doc) -> tuple[Doc, list[Doc]]:
    """No stateless call lets a move stand that the rules forbid."""
    game = BY_SLUG[state["game"]]
    found = game.irregular(game.read_state(state), move, deal_v1(state["seed"]))
    assert isinstance(found, Accepted)
    plain: Doc = json.loads(json.dumps({"state": game.write_state(found.state), "events": found.events}))
    return plain["state"], [*events, *plain["events"]]


def begun(app: Flask, replay: Replay, deal: Entry) -> Doc:
    """The state after the first deal; a fork's begins with the cards that it took over and a seed of its own."""
    created, root, taken_over = replay.created, seed_of(replay), deal.known.get("position")
    assert root is not None
    seed = root.hex()
    if taken_over is not None:
        return {**taken_over, "seed": seed}
    body = {name: created[name] for name in ("seats", "options", "first", "version")} | {"seed": seed}
    state: Doc = asked(app, f"{created['game']}/states", body)["state"]
    return state


def asked(app: Flask, call: str, body: Doc) -> Doc:
    response = FlaskClient(app, app.response_class).post(f"/v1/games/{call}", json=body)
    answer: Doc = response.get_json()
    assert response.status_code == 200, answer
    return answer


def redactions(file: bytes) -> list[bytes]:
    """For the public, and for every seat."""
    lines = file.splitlines(keepends=True)
    seats = [b"".join(redact_lines(lines, seat)) for seat in range(taken_apart(file).created["seats"])]
    return [b"".join(redact_lines(lines, "public")), *seats]


def tried(file: bytes, change: Callable[[Replay], None], **trust: Any) -> set[str]:
    """The checks that fail after the change."""
    changed = forged(file, change)
    origin = taken_apart(file).header["origin"]
    return {fault.check for fault in faults(changed, trust_in(origin, **trust), DIGESTS)}
