"""The lock files: everything pinned and hashed, and in agreement."""

import re
import tomllib

import pytest

from gyoji.wire.published import CHECKOUT

LOCKS = ("requirements.lock", "requirements-runtime.lock", "requirements-build.lock")
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))


def pins(lock: str) -> dict[str, tuple[str, set[str]]]:
    """Package -> its version (with the marker, if any) and the hashes of its files."""
    text = (CHECKOUT / lock).read_text("utf-8")
    requirements = re.findall(r"^([a-z0-9-]+)==(.+?) \\\n((?:    --hash=.+\n)+)", text, re.MULTILINE)
    assert len(requirements) == len(re.findall(r"^[^\s#]", text, re.MULTILINE)), "a line is no pinned requirement"
    return {name: (version, set(re.findall("sha256:([0-9a-f]{64})", hashes))) for name, version, hashes in requirements}


def names(requirements: list[str]) -> set[str]:
    """The packages that the requirements name, in the spelling of the lock files."""
    return {re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-") for requirement in requirements}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_pinned_with_hashes(lock: str) -> None:
    assert all(hashes for _version, hashes in pins(lock).values())


@pytest.mark.parametrize("lock", LOCKS[1:])
def test_the_small_locks_are_parts_of_the_whole(lock: str) -> None:
    assert pins(lock).items() <= pins(LOCKS[0]).items()


def test_what_the_project_asks_for_is_locked() -> None:
    project = PROJECT["project"]
    extras = {extra: names(asked) for extra, asked in project["optional-dependencies"].items()}
    assert extras["dev"] >= {"gyoji"}, "the tests need every extra"
    runtime, dev = names(project["dependencies"]) | extras["postgres"], extras["dev"] - {"gyoji"}
    assert runtime | dev <= pins("requirements.lock").keys()
    assert runtime <= pins("requirements-runtime.lock").keys()
    assert not (dev - runtime) & pins("requirements-runtime.lock").keys()
    assert names(PROJECT["build-system"]["requires"]) <= pins("requirements-build.lock").keys()
