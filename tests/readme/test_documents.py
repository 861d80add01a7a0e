"""The worked example of the replay format, and what the documents say in numbers."""

import re
import subprocess
import sys

import pytest

from gyoji.access.keys import MEANINGS, PREFIXES
from gyoji.access.variables import SECRETS
from gyoji.api.operations import ROWS
from gyoji.api.parameters import LONGEST_WAIT, MOST_EVENTS
from gyoji.api.rights import Scope
from gyoji.app.matches.feeds import HEARTBEAT
from gyoji.app.metrics import Meters
from gyoji.app.requests import MAX_BODY, MAX_REPLAY
from gyoji.audit.verdicts import EXITS, SEVEREST_FIRST
from gyoji.messages.language import messages
from gyoji.published_files import CHECKOUT
from gyoji.store.database.sqlite import DURABILITY
from gyoji.web.gunicorn_worker import REQUEST_SECONDS
from gyoji.web.server import GRACE
from gyoji.web.start import BIND_SECONDS

MATCHES, REPLAYS, OPERATING = (
    (CHECKOUT / "docs" / f"{name}.md").read_text("utf-8") for name in ("matches", "replays", "operating")
)


CONTRIBUTING = (CHECKOUT / "CONTRIBUTING.md").read_text("utf-8")
CODE = {
    path.relative_to(CHECKOUT).as_posix(): path.read_text("utf-8")
    for folder in ("service", "tests", "tools")
    for path in sorted((CHECKOUT / folder).rglob("*"))
    if path.suffix in (".py", ".mjs", ".toml", ".yaml") and "__pycache__" not in path.parts
}
"""The texts that newcomers are sent to, by their paths."""


def blocks(document: str, kind: str) -> list[str]:
    """The text of every block of that kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)


def test_the_worked_example_prints_what_the_page_says() -> None:
    (program,), (printed,) = blocks(REPLAYS, "python"), blocks(REPLAYS, "text")
    assert set(re.findall(r"^import (\w+)$", program, re.MULTILINE)) <= {"hashlib", "hmac", "json"}
    command = [sys.executable, "-I", "-c", program]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    assert done.stdout == printed


def test_the_worked_example_notices_a_changed_card() -> None:
    """It is a check and not only a recital."""
    (program,) = blocks(REPLAYS, "python")
    golden = (CHECKOUT / "replays" / "towai" / "two-seats.jsonl").read_bytes()
    read = 'with open(FILE, "rb") as file:\n    lines = file.read().splitlines()\n'
    assert read in program
    changed = golden.replace(b'"card":"T2"', b'"card":"T3"', 1)
    assert changed != golden
    patched = program.replace(read, f"lines = {changed!r}.splitlines()\n")
    done = subprocess.run([sys.executable, "-I", "-c", patched], cwd=CHECKOUT, capture_output=True, check=False)
    assert b"AssertionError" in done.stderr


def test_the_verdicts_and_their_exit_statuses() -> None:
    listed = re.findall(r"^\| `([a-z_]+)` \| (\d+) \|", REPLAYS, re.MULTILINE)
    assert {verdict: int(status) for verdict, status in listed} == EXITS
    order = re.search(r"the first of: ([a-z_,\s]+)\.", REPLAYS)
    assert order
    assert tuple(re.split(r",\s+", order[1])) == SEVEREST_FIRST[:10]


def test_the_metrics_are_those_that_are_counted() -> None:
    listed = dict(re.findall(r"^\| `(gyoji_[a-z_]+)` \|([^|]*)\|", OPERATING, re.MULTILINE))
    counted = {}
    for metric in Meters().registry._collector_to_names:
        counted[metric.describe()[0].name] = metric._labelnames  # type: ignore[attr-defined]
    assert {
        name.removesuffix("_total"): tuple(re.findall(r"`(\w+)`", labels)) for name, labels in listed.items()
    } == counted


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (OPERATING, f"body of a request | {MAX_BODY // 1024} KiB; of a replay file {MAX_REPLAY // 1024**2} MiB"),
        (OPERATING, f"within | {REQUEST_SECONDS} seconds"),
        (OPERATING, f"other requests get {GRACE} seconds"),
        (OPERATING, f"it is waited for, {BIND_SECONDS:.0f} seconds at most"),
        (OPERATING, "`journal_mode={}, synchronous={}`".format(*DURABILITY)),
        (MATCHES, f"{MOST_EVENTS} at most"),
        (MATCHES, f"waits up to {LONGEST_WAIT} seconds"),
        (MATCHES, f"every {HEARTBEAT:.0f} seconds"),
    ],
)
def test_the_numbers_are_those_of_the_code(document: str, said: str) -> None:
    assert said in document


def test_codes_prefixes_and_scopes_exist() -> None:
    table = MATCHES[MATCHES.index("## Errors") :]
    named = {
        code for line in re.findall(r"^\| \d.*$", table, re.MULTILINE) for code in re.findall(r"`([a-z-]+)`", line)
    }
    codes = {name for name in named if "-" in name or name in ("forbidden", "unauthenticated", "unavailable")}
    assert codes - {"not-found"} <= messages()["problem"].keys() | {"Retry-After"}
    assert all(f"`{prefix}`" in MATCHES for prefix in PREFIXES.values())
    scopes = set(re.findall(r"`(\w+:\w+)`", MATCHES + OPERATING))
    assert scopes <= {scope.value for scope in MEANINGS}


def test_what_each_scope_amounts_to_is_said_of_every_scope_and_every_call() -> None:
    """In order, one row a scope; its calls are those that no key may make without it."""
    table = OPERATING[OPERATING.index("### What each scope amounts to") :]
    rows = re.findall(r"^\| `(\w+:\w+)` \| (.+) \| (.+) \|(?: (`.*`))? \|$", table, re.MULTILINE)
    assert [scope for scope, *_rest in rows] == [scope.value for scope in Scope]
    for scope, *_said, calls in rows:
        opened = [
            operation.name
            for operation in ROWS
            if operation.published
            for rights in [operation.rights]
            if scope in [allowed.get("operator") for allowed in (rights.alone or {}, rights.match or {})]
        ]
        assert re.findall(r"`(\w+)`", calls) == sorted(opened), scope


def test_the_variables_that_files_can_stand_for() -> None:
    section = OPERATING[OPERATING.index("## Secrets in files") :].split("\n## ")[0]
    assert set(re.findall(r"`(GYOJI_\w+)_FILE`", section)) == set(SECRETS)


def test_the_files_that_newcomers_are_sent_to_exist() -> None:
    places = set(re.findall(r"`((?:service|tests|tools|docs|benchmarks)/[\w./-]*)`", CONTRIBUTING))
    assert len(places) > 60
    assert [place for place in sorted(places) if not (CHECKOUT / place).exists()] == []


def test_the_names_that_newcomers_are_sent_to_stand_where_it_is_said() -> None:
    said = re.findall(r"`([A-Za-z_]\w+)` (?:in|of) `([\w./-]+\.(?:py|mjs|toml))`", CONTRIBUTING)
    assert len(said) > 30
    missing = [
        (name, place)
        for name, place in said
        if not any(re.search(rf"\b{name}\b", text) for path, text in CODE.items() if f"/{path}".endswith(f"/{place}"))
    ]
    assert missing == []


def test_the_constants_that_newcomers_are_sent_to_exist() -> None:
    names = set(re.findall(r"`([A-Z][A-Z_]{2,})`", CONTRIBUTING)) - {"PATH", "HOME"}
    assert len(names) > 20
    code = "\n".join(CODE.values())
    assert [name for name in sorted(names) if not re.search(rf"\b{name}\b", code)] == []
