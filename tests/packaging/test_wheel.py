"""What a wheel holds: one package, complete in itself."""

import os
import subprocess
import sys
from importlib.metadata import PathDistribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from gyoji import __version__
from gyoji.games.catalogue import BY_SLUG
from gyoji.published_files import CHECKOUT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True)
    with ZipFile(folder / f"gyoji-{__version__}-py3-none-any.whl") as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def files(folder: Path) -> set[str]:
    """Every file below the folder, by its path from there."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_one_name_enters_site_packages(wheel: Path) -> None:
    assert {path.name for path in wheel.iterdir()} == {"gyoji", f"gyoji-{__version__}.dist-info"}


def test_it_holds_the_package_whole(wheel: Path) -> None:
    package = CHECKOUT / "service" / "gyoji"
    checked_out = {name for name in files(package) if "__pycache__" not in name}
    assert checked_out <= files(wheel / "gyoji")
    needed = {f"games/{slug.replace('-', '_')}/rulebook.toml" for slug in BY_SLUG}
    needed |= {"py.typed", "messages/messages.toml", "web/static/page.css", "web/templates/page.html"}
    assert needed <= checked_out


def test_its_metadata_declare_the_games(wheel: Path) -> None:
    (metadata,) = wheel.glob("*.dist-info")
    points = PathDistribution(metadata).entry_points.select(group="gyoji.games")
    assert {point.name: point.value for point in points} == {
        slug: f"{game.package}:GAME" for slug, game in BY_SLUG.items()
    }


def test_it_holds_what_is_published_and_nothing_else(wheel: Path) -> None:
    held = files(wheel / "gyoji" / "published")
    cases = {f"conformance/{name}" for name in ("README.md", "rule-ids.txt", *(f"{slug}.yaml" for slug in BY_SLUG))}
    schemas = {f"schemas/{name}" for name in files(CHECKOUT / "schemas")}
    guides = {f"guides/{path.name}" for path in (CHECKOUT / "docs").glob("*.md")}
    assert held == {"openapi.yaml"} | cases | schemas | guides
    for name in held:
        place = name.replace("conformance/", "tests/conformance/").replace("guides/", "docs/")
        assert (wheel / "gyoji" / "published" / name).read_bytes() == (CHECKOUT / place).read_bytes()


def test_it_reads_its_own_files(wheel: Path) -> None:
    code = (
        "from gyoji import published_files as p; "
        "print(p.contract_file(), p.schemas_folder(), p.conformance_folder(), p.guides_folder())"
    )
    environment = {**os.environ, "PYTHONPATH": str(wheel), "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=wheel, env=environment, check=True, capture_output=True, text=True
    )
    published = wheel / "gyoji" / "published"
    assert done.stdout.split() == [
        str(published / name) for name in ("openapi.yaml", "schemas", "conformance", "guides")
    ]
