"""The same request gets the same bytes from every worker, however its process hashes strings."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import gyoji
from gyoji.app.adjudication import answer_call
from gyoji.games.catalogue import BY_SLUG, GAMES
from laws import fixed_requests
from laws.strategies import dumped

SERVICE = str(Path(gyoji.__file__).parent.parent)
TESTS = str(Path(fixed_requests.__file__).parent.parent)


def digest_of_another_process(hash_seed: str) -> str:
    """What a process of its own answers to the fixed requests."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join((SERVICE, TESTS))}
    asked = subprocess.run(
        [sys.executable, "-m", "laws.fixed_requests"], env=environment, capture_output=True, text=True, check=True
    )
    return asked.stdout


@pytest.mark.parametrize("hash_seed", ["0", "1", "2", "random"])
def test_the_same_requests_get_the_same_bytes(hash_seed: str) -> None:
    assert digest_of_another_process(hash_seed) == f"{fixed_requests.digest()} {len(GAMES)}"


@pytest.mark.parametrize("slug", BY_SLUG)
def test_the_fixed_requests_have_every_kind_of_answer(slug: str) -> None:
    answers = [
        answer_call(slug, call, dumped(body), "/", "en") for call, body in fixed_requests.requests(BY_SLUG[slug])
    ]
    codes = Counter(answer.body.get("code", "ruling") for answer in answers)
    assert set(codes) == {"ruling", "illegal-move", "impossible-state", "invalid-request"}
