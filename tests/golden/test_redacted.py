"""Redacted for each of its readers, every golden replay verifies as far as its reader may know, and no further."""

import json
from pathlib import Path
from typing import Any

import pytest

from golden.logs import EVERY, NAMES, REPLAYS, documents, settings
from gyoji.audit.audit import audit
from gyoji.audit.verdicts import Verdict
from gyoji.log.files import redact_lines
from gyoji.log.redaction import Reader
from gyoji.messages.verdicts import rules_for, verdict_document
from gyoji.trust.trusted_keys import read_trusted_keys

TRUSTED = read_trusted_keys(json.loads((REPLAYS / "trust.json").read_bytes()))
EACH = pytest.mark.parametrize("file", EVERY, ids=NAMES)


def readers(file: Path) -> list[Reader]:
    """Everybody who may be given a redacted file of the match."""
    return ["public", *range(settings(file)["seats"])]


def lines_of(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines(keepends=True)


def judged(lines: list[bytes]) -> Verdict:
    return audit(lambda: lines, rules_for, TRUSTED)


def texts(value: Any) -> set[str]:
    """Every text in a document."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict | list):
        return set[str]().union(*map(texts, value.values() if isinstance(value, dict) else value))
    return set()


def openings(lines: list[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line)["opening"] for line in lines if line.startswith(b'{"opening"')]


@EACH
def test_it_is_the_same_match_and_no_larger(file: Path) -> None:
    """The same events byte for byte, the same signed head, and of the full file's lines none but some of its own."""
    full = lines_of(file)
    for reader in readers(file):
        lines = list(redact_lines(full, reader))
        assert [line for line in lines if b'"prev"' in line] == [line for line in full if b'"prev"' in line]
        assert json.loads(lines[-1])["head"] == documents(file)[-1]["head"]
        assert {*lines[1:-1]} <= {*full[1:-1]}
        assert len(b"".join(lines[1:])) <= len(b"".join(full[1:]))
        assert len(lines[0]) <= len(full[0]) + len('{"seat":0}')


@EACH
def test_it_opens_what_its_reader_may_know_and_nothing_else(file: Path) -> None:
    """Written from the page: openings for the seat and for all, every one of them, and no position."""
    full = lines_of(file)
    audiences = {event["seq"]: [one["for"] for one in event["secret"]] for event in documents(file) if "seq" in event}
    for reader in readers(file):
        kept = openings(list(redact_lines(full, reader)))
        may_know = [
            opening
            for opening in openings(full)
            if "index" in opening
            and (
                audiences[opening["seq"]][opening["index"]] == "all"
                or reader in audiences[opening["seq"]][opening["index"]]
            )
        ]
        assert kept == may_know


@EACH
def test_it_is_verified_as_far_as_it_can_be(file: Path) -> None:
    """Never less than partly, whatever is missing; chain, head, digest and the openings that are there are checked. And
    nothing is said that its reader may not know."""
    full = lines_of(file)
    everything = texts(openings(full))
    for reader in readers(file):
        lines = list(redact_lines(full, reader))
        verdict = judged(lines)
        nothing_hidden = openings(lines) == openings(full)
        assert verdict.first_divergence is None
        assert verdict.verdict == (judged(full).verdict if nothing_hidden else "verified_partial")
        results = {str(checked.check): checked.result for checked in verdict.checks}
        assert {results[check] for check in ("bytes", "chain", "head", "file")} == {"pass"}
        assert "fail" not in results.values()
        said = texts(verdict_document(verdict, "en")) | texts(verdict_document(verdict, "ja"))
        words = {word for text in said for word in text.replace(",", " ").replace(".", " ").split()}
        assert (everything & (said | words)) <= texts([json.loads(line) for line in lines])
