"""A standard output that is gone: every command ends with status 1 and one line that says so, and nothing else."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest

from bodies import body
from commands import run
from gyoji.cli.main import main
from gyoji.published_files import CHECKOUT
from gyoji.store import migrate
from gyoji.trust.transparency.notes import Verifier, write_vkey
from operators import OPERATOR, OPERATOR_KEY
from servers import Server, serving
from stored import kept_match

BARE = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]}
"""All that the environment holds: a PYTHONUNBUFFERED, for one, changes how printing fails."""

FULL = "Error: cannot print: No space left on device\n"
NOTE = "note: the log tells the secret of its deals, from which every hand follows\n"
"""What redacting says as well."""

REPLAY = str(CHECKOUT / "replays" / "catte" / "exactly-the-limit.jsonl")

RUNS: Mapping[str, tuple[str, ...]] = {
    "games": (),
    "rules": ("catte",),
    "adjudicate": ("{folder}/position.json",),
    "simulate": ("catte", "--seed", "00" * 32, "--out", "{folder}/games"),
    "replay export": ("{match}", "--store", "{store}"),
    "replay open": ("{folder}/public.jsonl", "--with", REPLAY),
    "replay opening": (REPLAY, "--seq", "1", "--index", "0"),
    "replay redact": (REPLAY, "--for", "public"),
    "replay show": (REPLAY,),
    "audit": (REPLAY,),
    "verdicts": ("{folder}/report",),
    "receipt check": ("{folder}/nothing.json",),
    "proof check": ("{folder}/nothing.json", "--trust", str(CHECKOUT / "replays" / "trust.json")),
    "log erratum": ("--game", "catte", "--version", "1", "--text", "None.", "--store", "{store}"),
    "log proof": ("{folder}/nothing.json", "--key", write_vkey(Verifier("stored.example/log", bytes(32)))),
    "keys create": ("--role", "operator", "--store", "{store}"),
    "keys list": ("--store", "{store}"),
    "keys revoke": ("{key}", "--store", "{store}"),
    "keys signing list": ("--store", "{store}"),
    "keys signing export": ("--store", "{store}"),
    "keys signing rotate": ("--origin", "stored.example", "--store", "{store}"),
    "keys signing revoke": ("{signing}", "--reason", "Lost.", "--store", "{store}"),
    "store migrate": ("--store", "{store}"),
    "store check": ("--store", "{store}"),
    "store backup": ("{folder}/backup", "--store", "{store}"),
    "store restore": ("{folder}/earlier", "--store", "sqlite:///{folder}/restored.db"),
    "store archive": ("--to", "{folder}/far", "--older-than", "0d", "--store", "{store}"),
    "store unarchive": ("{match}", "--from", "{folder}/packs", "--store", "{away}"),
    "store recover": ("--anyway", "--store", "{away}"),
    "conformance": ("--game", "catte"),
    "contract": (),
}
"""Command -> its arguments, for those that need no service."""

SERVED: Mapping[str, tuple[str, ...]] = {
    "log monitor": ("{url}", "--state", "{folder}/state"),
    "log verify": ("{url}",),
    "tournament create": ("--name", "Cup", "--game", "towai", "--seats", "2", "--rounds", "1", "--check-in"),
    "tournament enter": ("{cup}", "Ann", "Ben", "Cho"),
    "tournament registration": ("{cup}", "open"),
    "tournament withdraw": ("{cup}", "e3"),
    "tournament re-enter": ("{cup}", "e3"),
    "tournament present": ("{cup}", "e1"),
    "tournament absent": ("{cup}", "e3"),
    "tournament show": ("{cup}",),
    "tournament pair": ("{cup}",),
    "tournament take-back": ("{cup}", "1", "--once", "k"),
    "tournament rematch": ("{cup}", "1", "1"),
    "tournament no-show": ("{cup}", "1", "1", "{sitter}", "forfeited", "--stand-in", "Zoe"),
    "tournament start": ("{cup}", "1"),
    "tournament pause": ("{cup}", "1"),
    "tournament close-round": ("{cup}", "1"),
    "tournament correct": ("{cup}", "e1", "1", "--reason", "Swept the floor."),
    "tournament announce": ("{cup}", "Dinner at seven."),
    "tournament standings": ("{cup}",),
    "tournament export": ("{cup}",),
    "tournament close": ("{cup}",),
}
"""Command -> its arguments, for those that ask a service; those of a tournament in the order of its course."""

LEFT_OUT = {
    "serve": "prints nothing",
    "webhooks run": "prints nothing",
    "demo": "plays for seconds",
    "tournament simulate": "plays for minutes",
    "store partition": "takes PostgreSQL",
}
"""Commands that are only asked for help here."""


def tree(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command and group, by all its names."""
    yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from tree(inner, (*path, name))


TREE = dict(tree(main))


def test_no_command_is_left_out() -> None:
    printing = {
        name for name, command in TREE.items() if not isinstance(command, click.Group) or command.invoke_without_command
    }
    assert printing == RUNS.keys() | SERVED.keys() | LEFT_OUT.keys()
    assert len(RUNS) + len(SERVED) + len(LEFT_OUT) == len(printing)


def run_with_full_output(*arguments: str, environment: Mapping[str, str] = BARE) -> tuple[int, str]:
    """What a command ends with, and says, where standard output is full."""
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "gyoji", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            timeout=60,
            check=False,
        )
    return ran.returncode, ran.stderr.removeprefix(NOTE)


@pytest.fixture(scope="module")
def argument_values(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What the arguments of commands name."""
    folder = tmp_path_factory.mktemp("places")
    store, away = (f"sqlite:///{folder / name}" for name in ("kept.db", "away.db"))
    for url in (store, away):
        migrate(url)
        match = kept_match(url)
    run("store", "archive", "--to", folder / "packs", "--older-than", "0d", "--store", away)
    (folder / "position.json").write_text(json.dumps({"game": "catte", **body("catte", "adjudications")}), "utf-8")
    (folder / "nothing.json").write_text("{}", "utf-8")
    run("replay", "redact", REPLAY, "--for", "public", "--out", folder / "public.jsonl")
    run("audit", REPLAY, "--report", folder / "report")
    run("store", "backup", folder / "earlier", "--store", store)
    run("keys", "create", "--role", "operator", "--store", store)
    (key,) = json.loads(run("keys", "list", "--store", store, "--json").stdout)["keys"]
    signing = json.loads(run("keys", "signing", "list", "--store", store, "--json").stdout)["keys"][0]
    found = {"match": match, "key": key["id"], "signing": signing["key"]}
    return {"folder": str(folder), "store": store, "away": away, **found}


@pytest.mark.parametrize("command", RUNS)
def test_nothing_can_be_printed(argument_values: Mapping[str, str], command: str) -> None:
    arguments = [argument.format_map(argument_values) for argument in RUNS[command]]
    assert run_with_full_output(*command.split(), *arguments) == (1, FULL)


@pytest.mark.parametrize("command", sorted(TREE.keys() - RUNS.keys() - SERVED.keys()))
def test_no_help_can_be_printed(command: str) -> None:
    assert run_with_full_output(*command.split(), "--help") == (1, FULL)


def test_commands_that_ask_a_service(tmp_path: Path) -> None:
    """What they ask for is done before they tell of it."""
    with serving("--workers", "1") as server:
        url = f"http://127.0.0.1:{server.port}"
        asking = {**BARE, "GYOJI_URL": url, "GYOJI_KEY": OPERATOR_KEY}
        cup = sitter = ""
        for command, texts in SERVED.items():
            if command == "tournament pair":
                path = f"/v1/tournaments/{cup}/entrants/e2/presence"
                assert server.asked("POST", path, {"present": True}, OPERATOR)[0] == 200
            if command == "tournament rematch":
                assert (
                    server.asked("POST", f"/v1/tournaments/{cup}/rounds", {}, {**OPERATOR, "Idempotency-Key": "again"})[
                        0
                    ]
                    == 201
                )
                make_ruling(server, cup, {"kind": "void"})
            if command == "tournament close-round":
                make_ruling(server, cup, {"kind": "result", "winners": [0], "scores": [1, 0]})
            if command == "tournament no-show":
                sitter = table_of(server, cup)["seats"][0]["entrant"]
            arguments = [text.format(url=url, folder=tmp_path, cup=cup, sitter=sitter) for text in texts]
            assert run_with_full_output(*command.split(), *arguments, environment=asking) == (1, FULL), command
            if command == "tournament create":
                cup = json.loads(server.asked("GET", "/v1/tournaments", headers=OPERATOR)[1])["tournaments"][0][
                    "tournament"
                ]
        found = json.loads(server.asked("GET", f"/v1/tournaments/{cup}", headers=OPERATOR)[1])
    assert (found["status"], len(found["entrants"]), len(found["corrections"])) == ("closed", 3, 1)


def table_of(server: Server, cup: str) -> Any:
    """The one table of the first round."""
    (table,) = json.loads(server.asked("GET", f"/v1/tournaments/{cup}/rounds/1", headers=OPERATOR)[1])["tables"]
    return table


def make_ruling(server: Server, cup: str, ruling: Mapping[str, object]) -> None:
    """A referee's ruling on the one match of the first round."""
    table = table_of(server, cup)
    sent = {"ruling": ruling, "reason": "So it is."}
    seq = json.loads(server.asked("GET", f"/v1/matches/{table['match']}", headers=OPERATOR)[1])["seq"]
    headers = {**OPERATOR, "If-Match": f'"{seq}"'}
    status, answer = server.asked("POST", f"/v1/matches/{table['match']}/rulings", sent, headers)
    assert status == 200, answer


WAYS: Mapping[str, tuple[str, str]] = {
    "full": (">/dev/full", FULL),
    "closed": (">&-", "Error: cannot print: Bad file descriptor\n"),
    "closed, and nothing can be read": ("<&- >&-", "Error: cannot print: Bad file descriptor\n"),
    "closed, and nothing can be said": (">&- 2>&-", ""),
    "full, and nothing can be said": (">/dev/full 2>/dev/full", ""),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("arguments", [("games",), ("--version",), ("audit", REPLAY)])
def test_ways_to_be_gone(way: str, arguments: tuple[str, ...]) -> None:
    directed, said = WAYS[way]
    command = ["sh", "-c", f'exec "$@" {directed}', "sh", sys.executable, "-m", "gyoji", *arguments]
    ran = subprocess.run(command, stderr=subprocess.PIPE, text=True, env=BARE, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (1, said)


@pytest.mark.parametrize("unbuffered", [{}, {"PYTHONUNBUFFERED": "1"}])
def test_a_pipe_that_nobody_reads(unbuffered: Mapping[str, str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "gyoji", "rules", "catte"]
    environment = {**BARE, **unbuffered}
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, env=environment, check=False)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (1, "Error: cannot print: Broken pipe\n")


def test_no_file_takes_the_place_of_a_closed_output(tmp_path: Path) -> None:
    """Descriptors are given by number, and children print to the first."""
    probe = (
        "import os, click\n"
        "from gyoji.cli.output import guard_standard_output\n"
        "guard_standard_output()\n"
        f"file = os.open({str(tmp_path / 'store')!r}, os.O_RDWR | os.O_CREAT)\n"
        "assert file > 2, file\n"
        "assert os.system('echo printed 2>/dev/null') != 0\n"
    )
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-c", probe]
    ran = subprocess.run(command, stderr=subprocess.PIPE, text=True, env=BARE, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (tmp_path / "store").read_bytes() == b""


def test_what_is_printed_is_what_was_printed(tmp_path: Path) -> None:
    """Bytes and texts in their order, in the encoding of the surroundings."""
    out = tmp_path / "out"
    with out.open("wb") as file:
        command = [sys.executable, "-m", "gyoji", "rules", "catte", "CAT-3.1", "--lang", "ja"]
        subprocess.run(command, stdout=file, env=BARE, check=True)
    assert out.read_text("utf-8") == run("rules", "catte", "CAT-3.1", "--lang", "ja").stdout
