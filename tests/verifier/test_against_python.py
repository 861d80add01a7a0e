"""Two verifiers that share no code, on the same files: the same word, as far as the second one can know."""

import random
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

from gyoji.audit.verdicts import CHECKS, EXITS
from gyoji.log.parser import LIMITS
from replay.tampering import SHORT, SIGNING, STRANGER, entries_of, file_of
from verifier import corpora
from verifier.corpora import BEACONS, TRUST, Judged, differences, trust
from verifier.javascript import called, failed, result, verdicts
from verifier.widest import widest

CORPORA: dict[str, Callable[[], Judged]] = {
    "changed without the key": corpora.changed,
    "cut off": lambda: corpora.cut_off(401),
    "bits": lambda: corpora.bits(80, random.Random(21)),
    "at the limits": corpora.at_the_limits,
    "the widest": widest,
    "forged deals": corpora.forged_deals,
    "entropy of others": corpora.seeded,
    "cheats with entropy": corpora.cheats,
}


@pytest.mark.parametrize("name", CORPORA)
def test_both_say_the_same(name: str) -> None:
    """Of a file in which one bit was turned the word is never a milder one."""
    files = CORPORA[name]()
    found = verdicts([b"".join(lines) for lines in files.values()], trust=TRUST, beacons=BEACONS)
    assert differences(files, found) == []
    if name == "bits":
        assert {told["verdict"] for told in found} <= {"tampered", "malformed", "key_untrusted"}


def test_both_have_the_same_checks_exits_and_limits() -> None:
    (constants,) = called([("constants", [])])
    assert constants["checks"] == list(CHECKS)
    assert constants["exits"] == EXITS
    limits = constants["limits"]
    assert limits.pop("file") == 64 * 2**20
    assert limits == LIMITS._asdict()


def test_what_only_the_rules_of_play_forbid_is_not_said_to_be_right() -> None:
    files = corpora.wrong_by_the_rules()
    found = verdicts([b"".join(lines) for lines in files.values()], trust=TRUST)
    assert {told["verdict"] for told in found} <= {"rules_divergence", "verified_partial"}
    assert all(result(told, check) != "pass" for told in found for check in ("moves", "scores", "result", "positions"))
    unseen = {name for name, told in zip(files, found, strict=True) if told["verdict"] == "verified_partial"}
    assert unseen == {"the points of a round", "the winner of a trick", "an event more"}


@pytest.mark.parametrize("slug", SHORT)
def test_honest_matches(slug: str) -> None:
    entries = entries_of(slug)
    readers = ("full", "public", 0, 1)
    ends = range(1, len(entries), 23)
    files = [file_of(entries, reader) for reader in readers]  # type: ignore[arg-type]
    files += [file_of(entries[:end], readers[end % 4]) for end in ends]  # type: ignore[arg-type]
    found = verdicts([b"".join(lines) for lines in files], trust=TRUST)
    assert {told["verdict"] for told in found} == {"verified_partial"}
    assert {check for told in found for check in failed(told)} == set()
    whole, *redacted = found[:4]
    assert [result(whole, check) for check in CHECKS[:7]] == ["pass"] * 7
    assert {result(told, "shuffles") for told in redacted} == {"not_checkable"}
    assert {result(told, "commitment") for told in redacted} == {"pass"}


KEYS: list[tuple[Any, str]] = [
    ({"keys": []}, "key_untrusted"),
    (trust(STRANGER), "key_untrusted"),
    (trust(SIGNING, "2026-02-01T00:00:00.000Z"), "key_untrusted"),
    (trust(SIGNING._replace(origin="there.example")), "key_untrusted"),
    ({"keys": [*trust(STRANGER)["keys"], *TRUST["keys"]]}, "verified_partial"),
    (None, "verified_partial"),
]


def test_keys_come_from_the_reader() -> None:
    file = b64encode(b"".join(file_of(entries_of("towai")))).decode()
    found = called([("verify", [file, {"trust": keys}]) for keys, _word in KEYS])
    for told, (keys, word) in zip(found, KEYS, strict=True):
        assert told["verdict"] == word
        assert result(told, "head") == {"key_untrusted": "fail"}.get(word, "not_checkable" if keys is None else "pass")


def test_a_key_under_the_name_of_another_is_not_trusted() -> None:
    (stranger,) = trust(STRANGER)["keys"]
    keys = {"keys": [{**stranger, "key": SIGNING.key}]}
    (told,) = verdicts([b"".join(file_of(entries_of("towai")))], trust=keys)
    assert told["verdict"] == "key_untrusted"
