"""Replay files: lines, readers, and that a redacted file is what would have been written for its reader."""

from functools import cache
from hashlib import sha256
from typing import Any

import orjson
import pytest
import rfc8785

from gyoji.audit.audit import audit
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical
from gyoji.log.entries import Entry
from gyoji.log.files import NotAReplay, redact_lines, write_replay
from gyoji.log.redaction import Reader, may_open
from gyoji.log.signatures import Trusted, key_id, public_bytes, signer
from gyoji.messages.verdicts import rules_for
from gyoji.simulation.matches import SimulatedLog, plan_match, simulate_match

SIGNING = signer(bytes(range(32)), "files.example")
SETTINGS: dict[str, tuple[int, dict[str, Any]]] = {
    "tomorrow-never-meows": (3, {"concealed": True}),
    "catte": (3, {}),
    "towai": (3, {"finishes_to_win": 1}),
    "familiars-trouble": (3, {}),
}
EACH = pytest.mark.parametrize("slug", SETTINGS)
READERS: tuple[Reader, ...] = ("full", "public", 0, 1, 2)


@cache
def log_of(slug: str, disclosure: Any = "auditors_only") -> SimulatedLog:
    seats, options = SETTINGS[slug]
    at_table = plan_match(BY_SLUG[slug], seats, options, disclosure, "files", 0)
    named = at_table.beginning._replace(names=("A", "B", "C"), tags=("t",), metadata={"m": 1})
    return simulate_match(at_table._replace(beginning=named), 20_000)


@cache
def file_of(slug: str, reader: Reader, disclosure: str = "auditors_only") -> tuple[bytes, ...]:
    first, *rest = log_of(slug, disclosure).entries
    return tuple(write_replay(first, rest, SIGNING, reader))


def openings(lines: tuple[bytes, ...]) -> list[dict[str, Any]]:
    return [orjson.loads(line)["opening"] for line in lines if line.startswith(b'{"opening"')]


@EACH
@pytest.mark.parametrize("reader", READERS)
def test_every_line_is_canonical_and_ends_with_lf(slug: str, reader: Reader) -> None:
    for line in file_of(slug, reader):
        assert line.endswith(b"\n")
        assert line == rfc8785.dumps(orjson.loads(line)) + b"\n"


@EACH
def test_header_events_and_head(slug: str) -> None:
    first, *_, last = file_of(slug, "full")
    log = log_of(slug)
    header = orjson.loads(first)
    assert list(header) == ["audience", "format", "game", "match", "origin", "rules_digest", "version"]
    assert (header["format"], header["audience"], header["origin"]) == ("gyoji-replay/1", "full", "files.example")
    events = [line[:-1] for line in file_of(slug, "full") if b'"prev"' in line]
    assert events == [entry.body for entry in log.entries]
    ending = orjson.loads(last)
    assert list(ending) == ["file", "head"]
    assert ending["file"] == sha256(b"".join(file_of(slug, "full")[:-1])).hexdigest()
    assert (ending["head"]["seq"], ending["head"]["hash"]) == (log.match.seq, log.match.hash.hex())
    assert ending["head"]["key"] == key_id(public_bytes(SIGNING.private))


@EACH
@pytest.mark.parametrize("reader", READERS)
def test_redacted_it_is_what_would_have_been_written(slug: str, reader: Reader) -> None:
    """Byte for byte, for both disclosures."""
    for disclosure in ("auditors_only", "public_on_close"):
        assert tuple(redact_lines(file_of(slug, "full", disclosure), reader)) == file_of(slug, reader, disclosure)
        again = redact_lines(redact_lines(file_of(slug, "full", disclosure), reader), "public")
        assert tuple(again) == file_of(slug, "public", disclosure)


@EACH
@pytest.mark.parametrize("reader", [0, 1, 2, "public"])
def test_a_reader_has_the_openings_for_it_and_no_other(slug: str, reader: Reader) -> None:
    audiences = {
        (entry.seq, place): secret["for"]
        for entry in log_of(slug).entries
        for place, secret in enumerate(orjson.loads(entry.body)["secret"])
    }
    found = {(opening["seq"], opening.get("index", -1)) for opening in openings(file_of(slug, reader))}
    seat = {reader} if isinstance(reader, int) else set()
    expected = {at for at, audience in audiences.items() if audience == "all" or seat & set(audience)}
    assert found == expected
    everything = {(opening["seq"], opening.get("index", -1)) for opening in openings(file_of(slug, "full"))}
    positions = {(entry.seq, -1) for entry in log_of(slug).entries if entry.position is not None}
    assert everything == set(audiences) | positions


@pytest.mark.parametrize(
    ("reader", "audience", "expected"),
    [
        ("full", [], True),
        ("full", [1], True),
        ("public", [], False),
        ("public", [0, 1], False),
        ("public", "all", True),
        (0, [0], True),
        (0, [0, 1], True),
        (0, [1], False),
        (0, [], False),
        (0, "all", True),
    ],
)
def test_entitled(reader: Reader, audience: Any, expected: bool) -> None:
    assert may_open(reader, audience) == expected


def test_a_file_redacted_for_one_seat_becomes_no_other_ones() -> None:
    others: tuple[Reader, ...] = (1, "full")
    for reader in others:
        with pytest.raises(NotAReplay, match="somebody else"):
            list(redact_lines(file_of("catte", 0), reader))
    assert tuple(redact_lines(file_of("catte", 0), 0)) == file_of("catte", 0)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "ends before its head"),
        ([b"\xff\n"], "line 1 is not a JSON object"),
        ([b"[]\n"], "line 1 is not a JSON object"),
        ([b"{}\n"], "gyoji-replay/1"),
        ([canonical({"format": "gyoji-replay/2"}) + b"\n"], "gyoji-replay/1"),
    ],
)
def test_what_is_no_replay_file(lines: list[bytes], said: str) -> None:
    with pytest.raises(NotAReplay, match=said):
        list(redact_lines(lines, "public"))


def test_a_file_that_ends_early() -> None:
    with pytest.raises(NotAReplay, match="ends before its head"):
        list(redact_lines(file_of("catte", "full")[:-1], "public"))


def test_lines_are_made_as_they_are_taken() -> None:
    first, *rest = log_of("catte").entries
    taken = iter(rest)
    lines = write_replay(first, taken, SIGNING, "public")
    for _line in range(4):
        next(lines)
    assert len(list(taken)) >= len(rest) - 3


def test_a_log_that_has_lost_its_end_is_incomplete() -> None:
    """The head is signed for where the log is said to end, not for where it does."""
    first, *rest = log_of("catte", "public_on_close").entries
    claimed = (rest[-1].seq, rest[-1].hash)
    trusted = (Trusted(SIGNING.key, SIGNING.origin, public_bytes(SIGNING.private), revoked=False),)

    def verdict(entries: list[Entry], says: tuple[int, bytes] | None) -> str:
        lines = list(write_replay(first, entries, SIGNING, "full", says))
        return audit(lambda: lines, rules_for, trusted).verdict

    assert verdict(rest, claimed) == "verified"
    assert verdict(rest[:-3], claimed) == "incomplete"
    assert verdict(rest[:-3], None) == "verified_partial"
    assert verdict(rest, (claimed[0], bytes(32))) == "tampered"
