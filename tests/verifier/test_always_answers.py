"""Whatever happens while a file is read is a verdict; what this machine lacks is none, and no fault of the file."""

import copy
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gyoji.published_files import CHECKOUT
from replay.tampering import SIGNING, Event, Lines, Parts, cut_at_lf, sealed, taken_apart, word
from verifier.corpora import TRUST
from verifier.javascript import MODULE, NODE, command, failed, verdict

FORK = CHECKOUT / "tests" / "golden" / "forks" / "towai" / "fork-in-the-middle-of-a-swap.jsonl"
GOLDEN = CHECKOUT / "replays" / "towai" / "two-seats.jsonl"
KEYS = CHECKOUT / "replays" / "trust.json"
REFEREE = {"role": "referee", "key": "0123456789abcdef"}
BOX = 60
"""Cards of TOWAI, all of which lie on the table."""


# Piles that the game has not got


def beginning(cards: int) -> Parts:
    """A fork of TOWAI whose first position is open, with so many cards on the play pile."""
    parts = copy.deepcopy(taken_apart(tuple(cut_at_lf(FORK.read_bytes()))))
    del parts.events[2:]
    dealt = parts.events[1]
    table = dealt.data["position"]["table"]
    table |= {"hands": [["D3"], ["D3"], ["D3"]], "deck": [], "discard": [], "pile": ["D3"] * cards}
    dealt.data["position"] |= {"phase": "follow", "to_act": [0]}
    dealt.document["secret"] = []
    dealt.openings.clear()
    parts.header["origin"] = SIGNING.origin
    return parts


def then(parts: Parts, kind: str, actor: dict[str, Any], data: dict[str, Any]) -> None:
    """One more event, a second after the one before it."""
    last = parts.events[-1].document
    seq = last["seq"] + 1
    document = {**last, "seq": seq, "type": kind, "actor": actor, "data": data, "secret": []}
    document["position"] = "ab" * 32 if seq % 16 == 0 else None
    parts.events.append(Event(document, []))


def discarded(parts: Parts) -> None:
    """The whole play pile goes away."""
    pile = parts.events[1].data["position"]["table"]["pile"]
    told = {"type": "pile_discarded", "rule": "TOW-5.3", "cards": pile}
    data = {"move": {"type": "pass", "seat": 0}, "events": [told]}
    then(parts, "move_played", {"role": "seat", "seat": 0}, data)


def reformed(parts: Parts) -> None:
    """All but its top card is the deck again."""
    pile = parts.events[1].data["position"]["table"]["pile"][1:]
    told = {"type": "deck_reformed", "count": len(pile), "deck": pile}
    data = {"move": {"type": "pass", "seat": 0}, "events": [told]}
    then(parts, "move_played", {"role": "seat", "seat": 0}, data)


def taken_back(parts: Parts) -> None:
    """A thousand events, each of which a ruling goes back to."""
    for to in [None] * 1_000 + [*range(2, 1_002)]:
        ruling = {"kind": "note"} if to is None else {"kind": "take_back", "to": to}
        then(parts, "ruling_made", REFEREE, {"ruling": ruling, "rule": None, "reason": None})


def with_pile(cards: int, more: Callable[[Parts], None]) -> Lines:
    """The fork with so many cards on its play pile, and what is done with them."""
    parts = beginning(cards)
    more(parts)
    return sealed(parts)


@pytest.mark.parametrize("more", [discarded, reformed, taken_back])
@pytest.mark.parametrize("cards", [BOX - 3 + 1, 9_000, 150_000])
def test_more_cards_than_the_game_has(more: Callable[[Parts], None], cards: int, tmp_path: Path) -> None:
    """They are counted before anything is done with them, and never kept: 300 MB are enough."""
    lines = with_pile(cards, more)
    file, keys = tmp_path / "piles.jsonl", tmp_path / "keys.json"
    file.write_bytes(b"".join(lines))
    keys.write_text(json.dumps(TRUST), "utf-8")
    done = command(file, "--trust", keys, "--json", heap=300)
    assert done.returncode == 20, done.stderr
    told = json.loads(done.stdout)
    assert (told["verdict"], told["first_divergence"]["seq"], failed(told)) == ("rules_divergence", 1, {"moves"})
    assert word(lines) == "rules_divergence"


@pytest.mark.parametrize("count", [999, 200_000])
def test_hidden_piles_count_as_well(count: int) -> None:
    parts = beginning(BOX - 3)
    parts.events[1].data["position"]["table"]["deck"] = {"count": count}
    parts.events[1].document["secret"] = [{"for": [], "commit": "ab" * 32}]
    told = verdict(b"".join(sealed(parts)), trust=TRUST)
    assert (told["verdict"], told["first_divergence"]["seq"], failed(told)) == ("rules_divergence", 1, {"moves"})


def test_a_hidden_pile_of_an_open_position_is_none() -> None:
    """Nothing stands for what is hidden there."""
    for hand in ({"count": 1}, [None]):
        parts = beginning(BOX - 3)
        parts.events[1].data["position"]["table"]["hands"][0] = hand
        told = verdict(b"".join(sealed(parts)), trust=TRUST)
        assert (told["verdict"], told["first_divergence"]["seq"], failed(told)) == ("rules_divergence", 1, {"moves"})


# A fault of the verifier


TIRED = """
const { digest } = SubtleCrypto.prototype;
let made = 0;
SubtleCrypto.prototype.digest = function (...given) {
  if ((made += 1) > 60) throw new RangeError("no more of that");
  return digest.apply(this, given);
};
"""
"""An exception in the middle of a file."""


@pytest.mark.parametrize(("language", "said"), [("en", "broke the verifier"), ("ja", "異常終了しました")])
def test_what_breaks_the_verifier_is_a_verdict(language: str, said: str) -> None:
    done = command(GOLDEN, "--trust", KEYS, "--json", "--lang", language, first=TIRED)
    assert (done.returncode, done.stderr) == (51, "")
    told = json.loads(done.stdout)
    assert (told["verdict"], failed(told)) == ("malformed", {"bytes"})
    (why,) = [check["why"] for check in told["checks"] if check["result"] == "fail"]
    assert said in why
    assert "RangeError" in why
    assert {check["result"] for check in told["checks"]} == {"fail", "not_checkable"}


def test_what_was_found_before_is_said_all_the_same(tmp_path: Path) -> None:
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(GOLDEN.read_bytes().replace(b'"seq":3,', b'"seq":1,', 1))
    done = command(changed, "--json", first=TIRED)
    assert done.returncode == 40
    told = json.loads(done.stdout)
    assert (told["verdict"], failed(told)) == ("tampered", {"chain", "bytes"})


# A machine that cannot verify


NO_CRYPTO = "Object.defineProperty(globalThis, 'crypto', { value: undefined });"
NO_ED25519 = """
const { importKey } = SubtleCrypto.prototype;
SubtleCrypto.prototype.importKey = function (...given) {
  if (given[2].name === "Ed25519") throw new DOMException("unheard of", "NotSupportedError");
  return importKey.apply(this, given);
};
"""


@pytest.mark.parametrize(
    ("lacking", "language", "said"),
    [
        (NO_CRYPTO, "en", "this machine has no WebCrypto"),
        (NO_CRYPTO, "ja", "WebCrypto がありません"),
        (NO_ED25519, "en", "this machine cannot check Ed25519 signatures"),
        (NO_ED25519, "ja", "Ed25519 の署名を確認できません"),
    ],
)
def test_a_machine_that_cannot_verify_says_nothing_of_a_file(lacking: str, language: str, said: str) -> None:
    done = command(GOLDEN, "--trust", KEYS, "--lang", language, first=lacking)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_keys_no_signature_has_to_be_checked() -> None:
    done = command(GOLDEN, "--json", first=NO_ED25519)
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (10, "verified_partial")


def test_nowhere_to_print() -> None:
    """Whoever reads the verdicts has gone: no trace of a program, and a status that is no verdict."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([NODE, MODULE, GOLDEN], stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60)
    os.close(writing)
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.parametrize(("language", "said"), [("en", "cannot be read"), ("ja", "読み取れません")])
def test_what_cannot_be_read_is_said_in_both_languages(language: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text("{", "utf-8")
    for arguments in (("nowhere.jsonl",), (GOLDEN, "--trust", "keys.json"), (GOLDEN, "--receipts", "nowhere")):
        done = command(*arguments, "--lang", language, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
