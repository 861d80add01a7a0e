"""The image, as far as it can be made where no engine is: the Dockerfile's own steps, in folders of a test.

The base is the Python that runs the tests. ``make image-check`` has a whole file system of its own, and takes root.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from gyoji.published_files import CHECKOUT
from gyoji.store import migrate
from object_storage import object_storage
from operators import OPERATOR_KEY
from servers import Server
from stored import kept_match

PLACES = re.compile(r"(?<![\w./])/(build|opt/gyoji|wheels|dist)\b")
"""What the builder's steps name; each is a folder of the test."""


class Step(NamedTuple):
    """A line of the Dockerfile, with the lines that it goes on in."""

    word: str
    rest: str


def builder() -> Iterator[Step]:
    """The steps of the stage that builds."""
    text = re.sub(r"^#.*\n", "", (CHECKOUT / "Dockerfile").read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", "")
    stage = text.split("AS builder\n")[1].split("\nFROM ")[0]
    for line in filter(None, stage.splitlines()):
        word, _space, rest = line.partition(" ")
        yield Step(word, rest)


class Image(NamedTuple):
    """What was built so far."""

    folder: Path
    variables: dict[str, str]

    def run(self, command: str, **arguments: str) -> subprocess.CompletedProcess[str]:
        """A step, in the folder that stands for /src."""
        there = PLACES.sub(rf"{self.folder}/\1", command)
        given = {**self.variables, **arguments}
        return subprocess.run(
            ["sh", "-c", there], cwd=self.folder / "src", env=given, capture_output=True, text=True, check=False
        )

    @property
    def programs(self) -> Path:
        """Where the commands of the image are."""
        return self.folder / "opt" / "gyoji" / "bin"


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """The builder's steps, one after the other, with the defaults of its arguments."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GYOJI_", "PYTHON"))}
    own = str(Path(sys.executable).parent)
    made = Image(tmp_path_factory.mktemp("image"), {**kept, "PATH": f"{own}:{kept['PATH']}"})
    (made.folder / "src").mkdir()
    for step in builder():
        if step.word in ("ARG", "ENV"):
            pairs = (pair.partition("=") for pair in step.rest.split())
            made.variables.update({name: value for name, equals, value in pairs if equals})
        elif step.word == "COPY":
            *sources, to = step.rest.split()
            for source in sources:
                _copy(CHECKOUT / source, made.folder / "src" / to)
        elif step.word == "RUN":
            done = made.run(step.rest)
            assert done.returncode == 0, done.stderr
        else:
            assert step == Step("WORKDIR", "/src")
    return made


def _copy(source: Path, to: Path) -> None:
    """What a folder holds, or a file, into a folder."""
    if source.is_dir():
        shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        to.mkdir(exist_ok=True)
        shutil.copy(source, to)


def test_it_has_all_that_a_setting_can_ask_for_and_nothing_of_the_tests(image: Image) -> None:
    code = "import fsspec, gcsfs, granian, psycopg, s3fs, sys, gyoji; print(gyoji.__file__)"
    there = subprocess.run(
        [str(image.programs / "python"), "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert there.stdout.startswith(str(image.folder))
    for absent in ("pip", "pytest", "hatchling", "distributed"):
        command = [str(image.programs / "python"), "-I", "-c", f"import {absent}"]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 1, absent


def test_it_serves_by_granian_with_an_archive_in_object_storage(image: Image, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    migrate(url)
    match = kept_match(url)
    with object_storage() as storage:
        given = {
            **image.variables,
            "GYOJI_STORE": url,
            "GYOJI_ARCHIVE": "s3://club/gyoji",
            "GYOJI_SERVER": "granian",
            "GYOJI_OPERATOR_KEY": OPERATOR_KEY,
            "AWS_ENDPOINT_URL": storage.url,
            "AWS_ACCESS_KEY_ID": "AKIACLUB",
            "AWS_SECRET_ACCESS_KEY": "hush",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [str(image.programs / "gyoji")]
        archived = [*command, "store", "archive", "--older-than", "0d"]
        done = subprocess.run(archived, env=given, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("1 match(es)")
        server = Server(subprocess.Popen([*command, "serve", "--port", "0"], env=given, stderr=subprocess.PIPE))
        authorized = {"Authorization": f"Bearer {OPERATOR_KEY}"}
        status, replay = server.asked("GET", f"/v1/matches/{match}/replay", headers=authorized)
        assert (status, replay.count(b"\n") > 10) == (200, True)
        assert server.stop() == 0
        assert storage.ids == {"AKIACLUB"}


CHOSEN = ("psycopg", "granian", "s3fs", "gcsfs", "distributed")


def installing() -> str:
    """The step that chooses."""
    (found,) = [step.rest for step in builder() if "$EXTRAS" in step.rest]
    return found


@pytest.mark.parametrize("extras", ["", "cluster"])
def test_another_choice_installs_that_alone(image: Image, extras: str, tmp_path: Path) -> None:
    target = f"{tmp_path}/python"
    subprocess.run([image.folder / "build/bin/python", "-m", "venv", "--without-pip", target], check=True)
    done = image.run(installing().replace("/opt/gyoji", target), EXTRAS=extras)
    assert done.returncode == 0, done.stderr
    code = "import importlib.util as u, sys; print(*filter(u.find_spec, sys.argv[1:]))"
    found = subprocess.run(
        [f"{target}/bin/python", "-I", "-c", code, *CHOSEN], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == {"": [], "cluster": ["distributed"]}[extras]


@pytest.mark.parametrize("extras", ["postgres,nonsense", "dev"])
def test_what_there_is_not_ends_the_build(image: Image, extras: str, tmp_path: Path) -> None:
    target = f"{tmp_path}/python"
    subprocess.run([image.folder / "build/bin/python", "-m", "venv", "--without-pip", target], check=True)
    done = image.run(installing().replace("/opt/gyoji", target), EXTRAS=extras)
    assert done.returncode != 0
    assert {"postgres,nonsense": "EXTRAS: there is no nonsense", "dev": "No matching distribution"}[
        extras
    ] in done.stderr
