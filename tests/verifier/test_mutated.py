"""Some hundred files that were changed without and with the key, through both verifiers; ten thousand are in
``tests/slow``."""

from base64 import b64encode
from collections import Counter

from verifier.corpora import BEACONS, TRUST, differences, judged
from verifier.javascript import called, verdicts
from verifier.mutated import bases, mutated


def test_the_files_that_are_changed_are_sound() -> None:
    """What is found in the changed ones comes from the change."""
    files = dict(bases())
    found = verdicts([b"".join(lines) for lines in files.values()], trust=TRUST, beacons=BEACONS)
    assert {told["verdict"] for told in found} == {"verified_partial"}
    assert {judged(lines).verdict for lines in files.values()} == {
        "verified",
        "verified_with_rulings",
        "verified_partial",
    }
    assert len(files) >= 90


def test_no_file_passes_one_verifier_and_is_refused_by_the_other() -> None:
    files = dict(mutated(250, "a few"))
    found = verdicts([b"".join(lines) for lines in files.values()], trust=TRUST, beacons=BEACONS)
    assert differences(files, found) == []
    words = Counter(told["verdict"] for told in found)
    assert {"tampered", "rules_divergence", "deal_divergence", "incomplete", "malformed"} <= words.keys()
    assert 0 < words["verified_partial"] < 70


def test_the_same_seed_makes_the_same_files() -> None:
    assert dict(mutated(40, "again")) == dict(mutated(40, "again"))
    assert dict(mutated(40, "again")) != dict(mutated(40, "anew"))


def test_every_verdict_has_a_reason_for_what_did_not_pass() -> None:
    files = [b64encode(b"".join(lines)).decode() for _name, lines in mutated(60, "reasons")]
    for language in ("en", "ja"):
        for told in called([("verify", [file, {"language": language}]) for file in files]):
            assert all((check["why"] is None) == (check["result"] == "pass") for check in told["checks"])
