"""The lock files: everything pinned and hashed, and in agreement."""

import json
import re
import tomllib

import pytest

from gyoji.app.settings import SETTINGS
from gyoji.published_files import CHECKOUT
from gyoji.store.object_storage import PACKAGES

LOCKS = ("requirements.lock", "requirements-runtime.lock", "requirements-build.lock")
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))


def pins(lock: str) -> dict[str, tuple[str, set[str]]]:
    """Package -> its version (with the marker, if any) and the hashes of its files."""
    text = (CHECKOUT / lock).read_text("utf-8")
    requirements = re.findall(r"^([a-z0-9-]+)==(.+?) \\\n((?:    --hash=.+\n)+)", text, re.MULTILINE)
    assert len(requirements) == len(re.findall(r"^[^\s#]", text, re.MULTILINE)), "a line is no pinned requirement"
    return {name: (version, set(re.findall("sha256:([0-9a-f]{64})", hashes))) for name, version, hashes in requirements}


def versions(lock: str) -> dict[str, str]:
    """Package -> its version, wherever it is installed."""
    return {name: version.split(" ;")[0] for name, (version, _hashes) in pins(lock).items()}


def names(requirements: list[str]) -> set[str]:
    """The packages that the requirements name, in the spelling of the lock files."""
    return {re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-") for requirement in requirements}


@pytest.mark.parametrize("lock", [*LOCKS, "requirements-clients.lock", "requirements-learners.lock"])
def test_every_requirement_is_pinned_with_hashes(lock: str) -> None:
    assert all(hashes for _version, hashes in pins(lock).values())


def test_the_locks_agree() -> None:
    """What the image is built with is all in the whole; of what it may hold, the packages for object storage are not:
    ``tests/slow/test_image.py`` takes them from its own."""
    whole, runtime, build = map(pins, LOCKS)
    assert build.items() <= whole.items()
    assert {name: whole.get(name, pin) for name, pin in runtime.items()} == runtime
    assert {"s3fs", "gcsfs"} <= runtime.keys() - whole.keys()


@pytest.mark.parametrize(
    ("variable", "lock"), [("GENERATORS", "requirements-clients.lock"), ("LEARNING", "requirements-learners.lock")]
)
def test_the_locks_of_clients_agree_with_the_whole(variable: str, lock: str) -> None:
    asked = re.search(rf"^{variable} := (.*)$", (CHECKOUT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert asked
    whole, more = versions("requirements.lock"), versions(lock)
    assert {*asked[1].split()} <= more.keys()
    assert {name: whole.get(name, version) for name, version in more.items()} == more


def test_packages_of_node_are_pinned_with_hashes() -> None:
    folder = CHECKOUT / "tests" / "generators"
    asked = json.loads((folder / "package.json").read_text("utf-8"))
    locked = json.loads((folder / "package-lock.json").read_text("utf-8"))["packages"]
    top = locked.pop("")
    for kind in ("dependencies", "devDependencies"):
        assert top[kind] == asked[kind]
        assert {name: locked[f"node_modules/{name}"]["version"] for name in asked[kind]} == asked[kind]
    assert all("integrity" in package for package in locked.values() if not package.get("inBundle"))


def test_what_the_project_asks_for_is_locked() -> None:
    project = PROJECT["project"]
    extras = {extra: names(asked) for extra, asked in project["optional-dependencies"].items()}
    dev = extras.pop("dev")
    runtime = names(project["dependencies"]).union(*extras.values())
    assert dev >= {"gyoji"}, "the tests need the others"
    assert (runtime | dev) - {"gyoji", "s3fs", "gcsfs"} <= pins("requirements.lock").keys()
    assert runtime <= pins("requirements-runtime.lock").keys()
    assert not (dev - runtime) & pins("requirements-runtime.lock").keys()
    assert names(PROJECT["build-system"]["requires"]) <= pins("requirements-build.lock").keys()


def test_the_image_can_have_every_extra_and_has_those_that_settings_ask_for() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    locked = re.search(r"^EXTRAS := (.*)$", (CHECKOUT / "Makefile").read_text("utf-8"), re.MULTILINE)
    usual = re.search(r"^ARG EXTRAS=(.*)$", (CHECKOUT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert locked
    assert usual
    assert {*locked[1].split()} == extras.keys() - {"dev", "objects"}
    for kind in ("s3", "gs"):
        assert names(extras[kind]) == names(extras["objects"]) | {PACKAGES[kind]}
    settings = (CHECKOUT / "README.md").read_text("utf-8").split("## Settings")[1]
    kinds = {PACKAGES[kind] for kind in re.findall(r"`(\w+)://", settings) if kind in PACKAGES}
    asked_for = {"postgres", *SETTINGS["server"].choices[1:]} | {
        extra for extra in extras if kinds & names(extras[extra])
    }
    assert {*usual[1].split(",")} == asked_for
