"""``gyoji replay``: told, redacted, exported; and files that are none."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from commands import Gyoji
from gyoji.audit.audit import audit
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical
from gyoji.log.files import write_replay as file_of
from gyoji.log.signatures import Trusted, public_bytes, signer
from gyoji.messages.verdicts import rules_for
from gyoji.published_files import CHECKOUT
from gyoji.simulation.matches import plan_match, simulate_match
from gyoji.store import migrate
from stored import ORIGIN, PRIVATE, kept_match

REPLAYS = CHECKOUT / "replays"
BLUFF = REPLAYS / "tomorrow-never-meows" / "bluff-that-fails.jsonl"
SWAP = REPLAYS / "towai" / "swap-that-feeds-the-combo.jsonl"
EVERY = [*sorted(REPLAYS.glob("*/*.jsonl")), *sorted((CHECKOUT / "tests" / "golden").glob("*/*/*.jsonl"))]


def write_lines(folder: Path, lines: Sequence[bytes]) -> Path:
    """A file of these lines."""
    path = folder / "made.jsonl"
    path.write_bytes(b"".join(lines))
    return path


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


# show


def test_a_seeding_in_words(gyoji: Gyoji) -> None:
    text = gyoji("replay", "show", REPLAYS / "catte" / "dealt-without-a-seats-entropy.jsonl").stdout
    assert "    1  Seat 0 commits to entropy for the deals.\n" in text
    assert "    4  Seat 0 reveals its entropy.\n    5  Seat 2 reveals its entropy.\n" in text
    assert "    6  Dealt without the entropy of seat 1.\n" in text
    void = gyoji("replay", "show", REPLAYS / "tomorrow-never-meows" / "void-for-missing-entropy.jsonl")
    assert "The match is void: the entropy of seats 0, 3 is missing.\n" in void.stdout
    japanese = gyoji(
        "replay", "show", REPLAYS / "tomorrow-never-meows" / "void-for-missing-entropy.jsonl", "--lang", "ja"
    )
    assert "席0、席3のエントロピーがないため、対局は無効になりました。\n" in japanese.stdout
    cancelled = gyoji("replay", "show", REPLAYS / "familiars-trouble" / "cancelled-after-the-deal.jsonl")
    assert "The match is cancelled and void.\n" in cancelled.stdout
    withheld = gyoji("replay", "show", REPLAYS / "towai" / "withheld-until-a-time.jsonl")
    assert "Nothing is disclosed before 2026-01-02T00:00:00.000Z.\n" in withheld.stdout


def test_before_the_deal_there_is_no_position(gyoji: Gyoji) -> None:
    file = REPLAYS / "catte" / "dealt-without-a-seats-entropy.jsonl"
    refused = gyoji("replay", "show", file, "--at", "5")
    assert (refused.exit_code, "no cards are dealt by event 5" in refused.stderr) == (2, True)
    assert gyoji("replay", "show", file, "--at", "6").exit_code == 0


@pytest.mark.parametrize("file", EVERY, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_golden_replay_is_told(gyoji: Gyoji, file: Path) -> None:
    """Every event has its line, every rule that an event cites is named, in both languages alike."""
    events = [orjson.loads(line) for line in lines_of(file) if b'"prev"' in line]
    cited = sorted(re.findall(r'"rule":"([^"]+)"', "".join(json.dumps(e, separators=(",", ":")) for e in events)))
    for lang in ("en", "ja"):
        text = gyoji("replay", "show", file, "--lang", lang).stdout
        numbers = [int(found) for found in re.findall(r"^ *(\d+)(?:  |× )", text, re.MULTILINE)]
        assert numbers == list(range(len(events)))
        assert sorted(re.findall(r"\[([A-Z]{3}-R?[\d.]+)\]", text)) == cited


def test_an_account_in_words(gyoji: Gyoji) -> None:
    text = gyoji("replay", "show", SWAP).stdout
    assert text.splitlines()[0].startswith("TOWAI (towai) · ")
    assert "    2  Seat 0 declares night.\n       Seat 0 plays T5.\n       It becomes day.\n" in text
    assert "Seat 1 passes D5 to seat 0.\n" in text
    assert "Won by: seat" in text
    japanese = gyoji("replay", "show", SWAP, "--lang", "ja").stdout
    assert "席1は席0にD5を渡しました。" in japanese


def test_a_seat_sees_what_it_may_know(gyoji: Gyoji) -> None:
    text = gyoji("replay", "show", SWAP, "--as", "2").stdout
    assert "seat 0: 7 cards" in text
    assert "deck: 39 cards" in text
    assert "Seat 2 chooses T4." in text
    assert "Seat 0 chooses a card." in text
    assert "Seat 1 passes a card to seat 0." in text
    face_down = gyoji("replay", "show", BLUFF, "--as", "0").stdout
    assert "Seat 0 wishes for Fine." in face_down
    assert "Seat 2 wishes for something, face down." in face_down
    assert "wishes for Snow" not in face_down


def test_as_json_it_is_the_feed_of_that_reader(gyoji: Gyoji) -> None:
    said = json.loads(gyoji("replay", "show", SWAP, "--as", "2", "--json").stdout)
    dealt = said["events"][1]["data"]["events"][0]
    assert [isinstance(hand, list) for hand in dealt["hands"]] == [False, False, True]
    assert said["header"]["audience"] == "full"


def test_a_position_after_an_event(gyoji: Gyoji) -> None:
    state = json.loads(gyoji("replay", "show", SWAP, "--at", "3", "--json").stdout)
    assert (state["phase"], state["to_act"], state["table"]["swap"]) == ("swap", [0, 1], [None, None, "T4"])
    assert len(state["seed"]) == 128
    view = json.loads(gyoji("replay", "show", SWAP, "--at", "3", "--as", "0", "--json").stdout)
    assert (view["seed"], view["table"]["swap"]) == (None, [None, None, None])
    assert view["table"]["hands"][2] == {"count": 7}
    table_of_it = gyoji("replay", "show", SWAP, "--at", "3", "--as", "0").stdout
    assert re.search(r"after event 3 · round 1 · swap$", table_of_it, re.MULTILINE)
    assert re.search(r"^> seat 0 +0  [DNT\d ]+$", table_of_it, re.MULTILINE)
    assert re.search(r"^  seat 2 +0  7 cards$", table_of_it, re.MULTILINE)
    assert re.search(r"^  deck +39 cards$", table_of_it, re.MULTILINE)


def test_without_its_secret_a_position_has_no_seed(gyoji: Gyoji, tmp_path: Path) -> None:
    gyoji("simulate", "catte", "--max-plies", "3", "--seed", "0", "--out", tmp_path)
    state = json.loads(gyoji("replay", "show", tmp_path / "catte-00000.jsonl", "--at", "4", "--json").stdout)
    assert (state["ply"], state["seed"]) == (3, None)


@pytest.mark.parametrize("wrong", [("--at", "0"), ("--at", "999"), ("--as", "3"), ("--as", "-1"), ("--lang", "fr")])
def test_what_cannot_be_shown(gyoji: Gyoji, wrong: tuple[str, str]) -> None:
    result = gyoji("replay", "show", SWAP, *wrong)
    assert (result.exit_code, result.stdout) == (2, "")


# redact


@pytest.mark.parametrize("reader", ["public", "0", "2"])
def test_a_redacted_file(gyoji: Gyoji, tmp_path: Path, reader: str) -> None:
    out = tmp_path / "redacted.jsonl"
    assert gyoji("replay", "redact", BLUFF, "--for", reader, "--out", out).exit_code == 0
    assert gyoji("replay", "redact", BLUFF, "--for", reader).stdout_bytes == out.read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["redacted.jsonl"]
    lines = lines_of(out)
    verdict = audit(lambda: lines, rules_for)
    assert verdict.verdict == "verified_partial"
    seat = () if reader == "public" else ("--as", reader)
    told = gyoji("replay", "show", out, *seat).stdout.splitlines()[1:]
    whole = gyoji("replay", "show", BLUFF, *seat).stdout.splitlines()[1:]
    assert (told == whole) == (reader != "public")


def test_a_redacted_file_tells_nobody_else_more(gyoji: Gyoji, tmp_path: Path) -> None:
    out = tmp_path / "redacted.jsonl"
    gyoji("replay", "redact", BLUFF, "--for", "1", "--out", out)
    for command in (("show", out, "--as", "0"), ("show", out, "--at", "3"), ("redact", out, "--for", "0")):
        result = gyoji("replay", *command)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "redacted" in result.stderr
    assert gyoji("replay", "redact", out, "--for", "public").exit_code == 0


def test_whoever_redacts_a_log_that_tells_its_secret_hears_of_it(gyoji: Gyoji, tmp_path: Path) -> None:
    """Every hand follows from the secret; a log that does not tell it hides what it seems to hide."""
    note = "the log tells the secret of its deals"
    told = gyoji("replay", "redact", BLUFF, "--for", "public")
    assert note in told.stderr
    assert b'"server_secret":"' in told.stdout_bytes
    running = tmp_path / "running.jsonl"
    lines = [line for line in lines_of(BLUFF) if b'"type":"seed_disclosed"' not in line]
    running.write_bytes(b"".join(lines))
    assert note not in gyoji("replay", "redact", running, "--for", "public").stderr


@pytest.mark.parametrize(
    "wrong", [(), ("--for", "3"), ("--for", "16"), ("--for", "full"), ("--for", "-1"), ("--for", "")]
)
def test_readers_that_are_none(gyoji: Gyoji, wrong: tuple[str, ...]) -> None:
    result = gyoji("replay", "redact", BLUFF, *wrong)
    assert (result.exit_code, result.stdout) == (2, "")


# export


def test_an_export_audits_with_the_stores_key(gyoji: Gyoji, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    migrate(url)
    match = kept_match(url)
    out = tmp_path / "out.jsonl"
    assert gyoji("replay", "export", match, "--store", url, "--out", out).exit_code == 0
    own = signer(PRIVATE, ORIGIN)
    keys = (Trusted(own.key, ORIGIN, public_bytes(own.private), False),)
    lines = lines_of(out)
    assert audit(lambda: lines, rules_for, keys).verdict == "verified"
    for reader in ("public", "1"):
        exported = gyoji("replay", "export", match, "--for", reader, "--store", url).stdout_bytes
        assert exported == gyoji("replay", "redact", out, "--for", reader).stdout_bytes
    assert gyoji("replay", "export", match, "--for", "3", "--store", url).exit_code == 2
    assert gyoji("replay", "export", "nothing", "--store", url).exit_code == 1


# Files that are none


def _forged(change: Any) -> list[bytes]:
    """The bluff with its deal changed."""
    header, created, *rest = lines_of(BLUFF)
    at = next(at for at, line in enumerate(rest) if b'"dealt"' in line)
    event = orjson.loads(rest[at])
    change(event)
    return [header, created, *rest[:at], canonical(event) + b"\n", *rest[at + 1 :]]


def _set(path: str, value: Any) -> Any:
    def change(event: Any) -> None:
        *steps, last = path.split("/")
        for step in steps:
            event = event[int(step)] if isinstance(event, list) else event[step]
        event[last] = value

    return change


FORGED = [
    _forged(_set("data", {})),
    _forged(_set("data/events", {"a": 1})),
    _forged(_set("data/events", [{"type": "no_such"}])),
    _forged(_set("data/events", [1])),
    _forged(_set("data/events/0/hands", None)),
    _forged(_set("data/events/0/hands", [{"count": "x"}])),
    _forged(_set("data/events/0/type", "trick_won")),
    _forged(_set("actor", {"role": "x"})),
]


@pytest.mark.parametrize("lines", FORGED, ids=range(len(FORGED)))
def test_a_forged_event_makes_no_traceback(gyoji: Gyoji, tmp_path: Path, lines: list[bytes]) -> None:
    """What can be told is; the rest is an error. Which of them is wrong is the audit's to say."""
    path = write_lines(tmp_path, lines)
    for more in ((), ("--as", "1"), ("--at", "5"), ("--json",)):
        result = gyoji("replay", "show", path, *more)
        assert (result.exit_code == 0) or (result.exit_code == 1 and result.stderr.startswith("Error: "))
    assert gyoji("replay", "redact", path, "--for", "0").exit_code == 0


def _damaged() -> dict[str, list[bytes]]:
    header, created, opening, *rest = lines_of(BLUFF)
    return {
        "empty": [],
        "not JSON": [b"{\n"],
        "another format": [header.replace(b"replay/1", b"replay/2"), created, opening, *rest],
        "no event": [header, rest[-1]],
        "not canonical": [header, created.replace(b",", b", ", 1), opening, *rest],
        "an event missing": [header, created, opening, *rest[40:]],
        "an opening of nothing": [header, created, opening.replace(b'"index":0', b'"index":9'), *rest],
        "no head": [header, created, opening, *rest[:-1]],
        "ends inside a line": [header, created, opening, *rest[:-1], rest[-1][:-9]],
        "an endless line": [header, b" " * 3_000_000],
        "deep": [header, b'{"a":' + b"[" * 100 + b"]" * 100 + b"}\n"],
        "binary": [b"\xff\x00\n"],
    }


@pytest.mark.parametrize("kind", _damaged())
@pytest.mark.parametrize("command", [("show",), ("redact", "--for", "public")], ids=["show", "redact"])
def test_a_damaged_file_is_an_error(gyoji: Gyoji, tmp_path: Path, kind: str, command: tuple[str, ...]) -> None:
    name, *more = command
    result = gyoji("replay", name, write_lines(tmp_path, _damaged()[kind]), *more)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: ")


def test_no_file_gives_commands_to_the_terminal(gyoji: Gyoji, tmp_path: Path) -> None:
    setting = plan_match(BY_SLUG["towai"], 2, {}, "public_on_close", "0", 0)
    named = setting._replace(beginning=setting.beginning._replace(names=("\x1b[2Jnasty", None)))
    log = simulate_match(named, 1)
    first, *rest = log.entries
    lines = list(file_of(first, rest, signer(PRIVATE, ORIGIN), "full"))
    text = gyoji("replay", "show", write_lines(tmp_path, lines)).stdout
    assert "nasty" in text
    assert "\x1b" not in text
