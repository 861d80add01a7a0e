"""The published check vectors: this package computes them, and so does the verifier that shares no code with it."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gyoji.games import chance
from gyoji.log.statements import statement_of_head, statement_of_receipt
from gyoji.published_files import CHECKOUT
from verifier.javascript import called

Doc = dict[str, Any]
VECTORS: Doc = json.loads((CHECKOUT / "docs" / "vectors" / "replay-v1.json").read_text("utf-8"))
DEAL_V1 = CHECKOUT / "docs" / "vectors" / "deal-v1.json"
DEAL: Doc = json.loads(DEAL_V1.read_text("utf-8"))
ZERO = "0" * 64
Call = tuple[str, list[Any]]


def test_this_package_computes_every_one() -> None:
    done = subprocess.run([sys.executable, "-m", "tools.vectors", "check"], cwd=CHECKOUT, check=False)
    assert done.returncode == 0


def test_those_of_deal_v1_are_the_ones_that_the_rules_are_tested_with() -> None:
    assert DEAL_V1.read_bytes() == Path(CHECKOUT / "tests/games/vectors/deal-v1.json").read_bytes()


def calls() -> list[tuple[str, Call, Any]]:
    """Name, call of the other verifier, and the value in the file."""
    found: list[tuple[str, Call, Any]] = []
    for given in VECTORS["lp"]:
        fields = [chance.u32(field).hex() if isinstance(field, int) else field for field in given["fields"]]
        raw = [{"hex": f} if isinstance(g, int) else f for f, g in zip(fields, given["fields"], strict=True)]
        found.append(("lp", ("lp", raw), given["bytes"]))
    found += [("canonical", ("canonical", [given["document"]]), given["text"]) for given in VECTORS["canonical"]]
    found += [("leaf hash", ("leafHash", [given["line"]]), given["hash"]) for given in VECTORS["chain"]]
    for given in VECTORS["openings"]:
        found.append(("opening", ("secretCommitment", [given["salt"], given["payload"]]), given["commit"]))
    for given in VECTORS["positions"]:
        found.append(("position", ("positionCommitment", [given["salt"], given["state"]]), given["position"]))
    for given in VECTORS["player_commitments"]:
        arguments = [given["deal_id"], given["seat"], given["entropy"]]
        found.append(("player commitment", ("playerCommitment", arguments), given["commit"]))
    return [*found, *calls_of_deals(), *calls_of_signatures()]


def calls_of_deals() -> list[tuple[str, Call, Any]]:
    given = VECTORS["seed_commitment"]
    arguments = [given["deal_id"], given["game"], given["version"], given["secret"]]
    found: list[tuple[str, Call, Any]] = [("seed commitment", ("commitment", arguments), given["commitment"])]
    for given in VECTORS["roots"]:
        arguments = [given[name] for name in ("deal_id", "game", "version", "secret", "entropies", "shared")]
        found.append((f"root {given['policy']}", ("seed", arguments), given["seed"]))
    for given in VECTORS["branches"]:
        names = ("deal_id", "game", "version", "secret", "entropies", "shared", "match", "seq")
        found.append((f"branch {given['policy']}", ("branchSeed", [given[name] for name in names]), given["seed"]))
    for given in VECTORS["shuffles"]:
        arguments = [given[name] for name in ("seed", "label", "k", "n")]
        found.append((f"shuffle {given['label']}", ("shuffle", arguments), given["order"]))
    for given in VECTORS["deals"]:
        arguments = [given[name] for name in ("game", "seats", "options", "seed")]
        found.append((f"deal {given['game']}", ("deal", arguments), given["hands_dealt"]))
    return found


def calls_of_signatures() -> list[tuple[str, Call, Any]]:
    public = VECTORS["key"]["public"]
    found: list[tuple[str, Call, Any]] = [("key id", ("keyId", [public]), VECTORS["key"]["key"])]
    for name in ("head", "receipt"):
        given = VECTORS[name]
        arguments = [given[member] for member in ("origin", "match", "seq", "hash")]
        found.append((f"{name} message", (f"{name}Message", arguments), given["message"]))
        found.append((f"{name} signature", ("isSigned", [public, given["sig"], given["message"]]), True))
        forged = given["sig"][:-1] + ("0" if given["sig"][-1] != "0" else "1")
        found.append((f"{name} forged", ("isSigned", [public, forged, given["message"]]), False))
    return found


def calls_of_deal_v1() -> list[tuple[str, Call, Any]]:
    """The vectors as the design has them."""
    ids = [DEAL["deal_id"], DEAL["game"], DEAL["version"], DEAL["server_secret"]]
    found: list[tuple[str, Call, Any]] = [("deal/v1 commitment", ("commitment", ids), DEAL["commitment"])]
    for case in ("no_entropy", "with_entropy"):
        given = DEAL[case]
        arguments = [*ids, given["player_entropy"], given["beacon"]]
        found.append((f"deal/v1 root {case}", ("seed", arguments), given["seed"]))
    given = DEAL["with_entropy"]
    for seat, entropy in enumerate(given["player_entropy"]):
        arguments = [DEAL["deal_id"], seat, entropy]
        expected = given["player_commitments"][seat]
        found.append((f"deal/v1 seat {seat}", ("playerCommitment", arguments), expected))
    for given in DEAL["shuffles"]:
        arguments = [DEAL[given["seed"]]["seed"], given["label"], given["k"], given["n"]]
        found.append((f"deal/v1 shuffle {given['label']}/{given['k']}", ("shuffle", arguments), given["order"]))
    return found


@pytest.fixture(scope="module")
def computed() -> list[tuple[str, Any, Any]]:
    """Name, value computed by the other verifier, value in the file."""
    asked = [*calls(), *calls_of_deal_v1()]
    answers = called([call for _name, call, _expected in asked])
    return [(name, answer, expected) for (name, _call, expected), answer in zip(asked, answers, strict=True)]


def test_the_other_verifier_computes_every_one(computed: list[tuple[str, Any, Any]]) -> None:
    assert [name for name, answer, expected in computed if answer != expected] == []
    assert len(computed) == 60


def test_there_are_vectors_of_every_construction_that_the_page_describes() -> None:
    page = (CHECKOUT / "docs" / "verify.md").read_text("utf-8")
    named = set(re.findall(r"`vectors\.(\w+)`", page))
    assert named == VECTORS.keys() - {"format", "note"}


def test_the_documents_that_are_signed_are_read_as_statements() -> None:
    """By this package as well: what they say is what was signed."""
    head, receipt = VECTORS["head"], VECTORS["receipt"]
    for told in (
        statement_of_head(head["origin"], head["document"]),
        statement_of_receipt(receipt["origin"], receipt["document"]),
    ):
        assert told is not None
        assert (told.match, told.seq, told.hash.hex()) == (head["match"], head["seq"], head["hash"])


def test_the_chain_is_one() -> None:
    lines = [json.loads(event["line"]) for event in VECTORS["chain"]]
    assert [line["prev"] for line in lines] == [ZERO, *[event["hash"] for event in VECTORS["chain"]][:-1]]
