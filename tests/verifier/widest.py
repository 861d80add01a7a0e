"""Files at the bounds: the widest table, and numbers and names as large as are read, and larger."""

from collections.abc import Callable

import orjson

from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical
from gyoji.log.redaction import Reader
from gyoji.simulation.matches import plan_match, simulate_match
from replay.tampering import Parts, file_of, forged
from replay.test_audit_tampering import WHOLE
from verifier.corpora import Judged


def widest() -> Judged:
    """Each with the key, but for numbers that cannot be signed."""
    entries = simulate_match(
        plan_match(BY_SLUG["towai"], 6, {"finishes_to_win": 1}, "public_on_close", "widest", 0), 20_000
    ).entries
    readers: tuple[Reader, ...] = ("full", "public", 0, 5)
    files = {f"six seats for {reader}": file_of(entries, reader) for reader in readers}
    files |= {f"origin of {length}": forged(WHOLE, _named("x" * length)) for length in (0, 1, 200, 201, 4000)}
    files |= {f"audience {seat}": forged(WHOLE, _for_seat(seat)) for seat in (5, 6, 15, 16, 2**53)}
    files |= {f"secret for {seat}": forged(WHOLE, _secret_for(seat)) for seat in (5, 6, 15, 16, 2**53 - 1)}
    files |= {f"version {number}": forged(WHOLE, _of_version(number)) for number in (2, 2**31, 2**32, 2**53 - 1)}
    files |= {f"last event {seq}": forged(WHOLE, _last(seq)) for seq in (2**31 - 1, 2**31, 2**32 - 1)}
    for seq in (2**32, 2**53 - 1):
        files[f"an event {seq}"] = (*WHOLE[:-1], canonical({**orjson.loads(WHOLE[-2]), "seq": seq}) + b"\n", WHOLE[-1])
    for match in ("", "m", "0E0C6C2E-8D3C-4BB2-8A8E-8B2D8A0D4E5F"):
        files[f"an event of {match!r}"] = forged(WHOLE, _saying(match=match))
    for at in ("2026-99-01T00:00:00.000Z", "2026-19-39T29:59:69.999Z", "٢026-01-01T00:00:00.000Z"):
        files[f"an event at {at}"] = forged(WHOLE, _saying(at=at))
    files["rules and randomness of a later release"] = forged(WHOLE, _later_release)
    files["a fork with entropy"] = forged(WHOLE, _fork_with_entropy)
    return files


def _saying(**changed: object) -> Callable[[Parts], object]:
    return lambda parts: parts.events[-1].document.update(changed)


def _named(origin: str) -> Callable[[Parts], object]:
    return lambda parts: parts.header.update(origin=origin)


def _for_seat(seat: int) -> Callable[[Parts], object]:
    return lambda parts: parts.header.update(audience={"seat": seat})


def _secret_for(seat: int) -> Callable[[Parts], object]:
    return lambda parts: parts.events[1].document["secret"][0].update({"for": [seat]})


def _of_version(version: int) -> Callable[[Parts], object]:
    def change(parts: Parts) -> None:
        parts.header["version"] = parts.events[0].data["version"] = version

    return change


def _last(seq: int) -> Callable[[Parts], object]:
    def change(parts: Parts) -> None:
        parts.events[-1].document["seq"] = seq
        for opening in parts.events[-1].openings:
            opening["seq"] = seq

    return change


def _later_release(parts: Parts) -> None:
    parts.header["rules_digest"] = parts.events[0].data["rules_digest"] = "ab" * 32
    parts.events[0].data["randomness"] = {"policy": "moon"}


def _fork_with_entropy(parts: Parts) -> None:
    parts.events[0].data["from"] = {"match": parts.header["match"], "seq": 3, "hash": "ab" * 32}
    parts.events[0].data["randomness"] = {"policy": "director"}
