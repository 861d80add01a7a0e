"""The page on webhooks: its receiver is told what the page says; its tables and numbers are those of the code."""

import os
import re
import subprocess
from pathlib import Path

from gyoji.api.operations.webhooks import WEBHOOKS
from gyoji.api.webhook_words import FAULTS, MOST_WEBHOOKS, REASONS, TEST, TYPES
from gyoji.app.webhooks import lanes
from gyoji.app.webhooks.deliverer import MOST_FAILING_WEBHOOKS, MOST_LANES, MOST_LANES_OF_WEBHOOK
from gyoji.app.webhooks.http_sender import TIME
from gyoji.app.webhooks.lanes import FIRST, HOLD_SECONDS, LONGEST, MOST_ATTEMPTS, SLOW, pause
from gyoji.published_files import CHECKOUT
from operators import OPERATOR_KEY
from readme.test_sealed import commands
from servers import serving
from web.webhooks.receivers import closed_port

PAGE = (CHECKOUT / "docs" / "webhooks.md").read_text("utf-8")
DAY = 24 * 60 * 60


def block(kind: str) -> str:
    """The one block of that kind."""
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_example_runs(tmp_path: Path) -> None:
    folder, port = tmp_path / "bin", closed_port()
    folder.mkdir()
    (tmp_path / "receiver.py").write_text(block("python"), "utf-8")
    environment = {**os.environ, "PATH": commands(folder), "GYOJI_OPERATOR_KEY": OPERATOR_KEY}
    with serving("--workers", "1", environment={"GYOJI_WEBHOOKS_TO": "anywhere"}) as server:
        script = block("sh").replace("8000", str(server.port)).replace("8001", str(port))
        command = ["sh", "-euc", script]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
    assert done.stdout == block("text")


def test_all_types_and_faults_are_explained() -> None:
    rows = re.findall(r"^\| (`[^|]*) \|", PAGE, re.MULTILINE)
    named = {word for row in rows for word in re.findall(r"`([a-z_.-]+)`", row)}
    assert {*TYPES, TEST, *FAULTS} <= named
    assert all(f"`{reason}`" in PAGE for reason in REASONS)


def test_the_calls_are_those_of_the_contract() -> None:
    listed = set(re.findall(r"`(GET|POST|DELETE) (/v1/webhooks[^`]*)`", PAGE))
    assert {(each.method.upper(), each.path) for each in WEBHOOKS} == listed


def test_the_numbers_are_those_of_the_code() -> None:
    pauses = [pause(at, 0.0) for at in range(1, MOST_ATTEMPTS)]
    assert (FIRST, pauses[1:3], LONGEST / 3600) == (5, [10, 20], 12)
    assert "after 5 seconds, then after 10, 20 and so on up to 12 hours" in PAGE.replace("\n  ", " ")
    assert f"{MOST_ATTEMPTS} times in all" in PAGE
    assert 2.5 * DAY < sum(pauses) < 3.5 * DAY
    assert lanes.DISABLED_AFTER == 5 * DAY
    assert lanes.KEPT_SECONDS == 30 * DAY
    assert f"an account has at most {MOST_WEBHOOKS}." in PAGE.lower()
    assert f"within {TIME:.0f} seconds" in PAGE
    assert HOLD_SECONDS == 120
    assert f"{MOST_LANES} matches are told of at a time" in PAGE
    assert f"{MOST_LANES_OF_WEBHOOK} of each webhook" in PAGE
    assert f"took more than {SLOW:.0f} seconds, gets one" in PAGE
    assert f"such of an account {MOST_FAILING_WEBHOOKS} together" in PAGE.replace("\n ", "")
