"""The house: what the files at the root say of each other, what no file may say, and how the package is measured."""

import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from gyoji import __version__
from gyoji.cli.main import COMMANDS
from gyoji.published_files import CHECKOUT
from tools import house

MOST = {
    "noqa": 12,
    "functions over 50 lines": 0,
    "an adjudication": 20,  # wanted: 10
    "a stored move": 44,  # wanted: 25
    "an audited event": 14,  # wanted: 12
}
"""The most that may be counted of these; the last three count the modules that are passed. What is counted is printed
by ``python -m tools.house``, the modules too with ``--journeys``. A number is lowered when less is counted, and never
raised."""

GERUNDS: set[str] = set()
"""The modules that are named by a gerund still. Whoever renames one takes it out of here; none comes in."""

NAME_GAMES: set[str] = set()
"""The files outside ``games`` that name a game. Whoever frees one of it takes it out of here; none comes in."""

MAKEFILE = (CHECKOUT / "Makefile").read_text("utf-8")
DOCKERFILE = (CHECKOUT / "Dockerfile").read_text("utf-8")
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/benchmarks.md",
    "docs/bulk-audit.md",
    "docs/games.md",
    "docs/matches.md",
    "docs/operating.md",
    "docs/replays.md",
    "docs/tournaments.md",
    "docs/verify.md",
    "docs/webhooks.md",
    "schemas/README.md",
    "replays/README.md",
)
IGNORED = [
    line.rstrip("/") for line in (CHECKOUT / ".gitignore").read_text("utf-8").splitlines() if line and line[0] != "#"
]

REGISTRY = re.compile(
    r"pypi\.org|pythonhosted\.org|registry\.(?:npmjs|yarnpkg)|proxy\.golang|--(?:extra-)?index-url", re.IGNORECASE
)
ABSOLUTE = re.compile(r"(?<![\w.~-])/(?:work|root|home|Users|opt/wheels)/")


def committed(folder: Path = CHECKOUT) -> Iterator[Path]:
    """Every file that is not ignored."""
    for path in sorted(folder.iterdir()):
        if path.name == ".git" or any(fnmatch(path.name, pattern) for pattern in IGNORED):
            continue
        if path.is_dir():
            yield from committed(path)
        else:
            yield path


def test_no_file_names_a_registry_or_a_place_on_one_machine() -> None:
    named = []
    for path in committed():
        text = path.read_bytes().decode("utf-8", "replace")
        named += [f"{path}: {found.group()}" for pattern in (REGISTRY, ABSOLUTE) for found in pattern.finditer(text)]
    assert named == []


def test_nobody_is_told_to_install_by_a_name_that_no_index_has() -> None:
    asked = re.compile(r"\b(?:pip|pipx|uv|uvx)\b[^\n`]*[ '\"]gyoji(?:\[|\b(?![-/.\w]))")
    told = (
        path for folder in ("docs", "service") for path in committed(CHECKOUT / folder) if path.suffix in (".md", ".py")
    )
    for path in (*told, *(CHECKOUT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md"))):
        assert asked.findall(path.read_text("utf-8")) == [], path


def targets() -> set[str]:
    """What make can be asked for."""
    return set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def spoken(document: str) -> str:
    """The commands of a document: its code blocks and what stands between backticks."""
    text = (CHECKOUT / document).read_text("utf-8")
    return "\n".join(re.findall(r"^```sh.*?^```$|`[^`\n]+`", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_in_documents_exist(document: str) -> None:
    assert set(re.findall(r"\bmake ([a-z-]+)", spoken(document))) <= targets()
    assert set(re.findall(r"(?:^|[`/ ])gyoji ([a-z-]+)", spoken(document), re.MULTILINE)) <= set(COMMANDS)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_in_documents_lead_somewhere(document: str) -> None:
    text = (CHECKOUT / document).read_text("utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if not link.startswith("http")]
    base = (CHECKOUT / document).parent
    assert [link for link in links if not (base / link).exists()] == []


def test_commands_in_the_makefile_exist() -> None:
    assert set(re.findall(r"bin/gyoji ([a-z-]+)", MAKEFILE)) <= set(COMMANDS)
    assert all((CHECKOUT / tool).is_file() for tool in re.findall(r"\btools/[\w.-]+", MAKEFILE))
    assert targets() >= {"serve", "demo", "test", "lint", "bench", "image-check", "contract", "conformance", "clean"}
    made = set(re.findall(r"^([a-z-]+): \$\((?:VENV|BENCH)\)", MAKEFILE, re.MULTILINE))
    assert targets() - {"lock", "clean", "help"} == made


def piped(folder: Path, make: str) -> int:
    """The exit status of the pipeline, run with that script in the place of make."""
    (folder / "make").write_text(f"#!/bin/sh\n{make}\n", "utf-8")
    (folder / "make").chmod(0o755)
    variables = {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder)}
    more = {"PYTHONUNBUFFERED": "1", "LANG": "C.UTF-8", "CI": "true", "GYOJI_STORE": "x", "MAKEFLAGS": "-k"}
    return subprocess.run([CHECKOUT / ".ci" / "run"], env={**variables, **more}, check=False).returncode


def test_the_pipeline_calls_what_people_call_with_nothing_but_a_path_and_a_home(tmp_path: Path) -> None:
    assert piped(tmp_path, 'pwd >> "$HOME/called"; echo "$*" >> "$HOME/called"; cat /proc/$$/environ > "$HOME/$1"') == 0
    assert (tmp_path / "called").read_text("utf-8").splitlines() == [
        line for target in ("lint", "test", "pages") for line in (str(CHECKOUT), target)
    ]
    for target in ("lint", "test", "pages"):
        held = (tmp_path / target).read_text("utf-8").rstrip("\0").split("\0")
        assert sorted(held) == [f"HOME={tmp_path}", f"PATH={tmp_path}:{os.environ['PATH']}"]


@pytest.mark.parametrize(("failing", "called"), [("lint", "lint"), ("test", "lint test"), ("pages", "lint test pages")])
def test_the_pipeline_stops_where_something_is_refused(tmp_path: Path, failing: str, called: str) -> None:
    assert piped(tmp_path, f'echo "$1" >> "$HOME/called"; [ "$1" != {failing} ]') != 0
    assert (tmp_path / "called").read_text("utf-8").split() == called.split()


def test_the_version_is_the_same_everywhere() -> None:
    released = re.findall(r"^## \[(\d[^]]*)\]", (CHECKOUT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert released[0] == __version__
    assert f'image.version="{__version__}"' in DOCKERFILE


def test_the_image_gets_what_it_copies() -> None:
    admitted = {line[1:] for line in (CHECKOUT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] == "!"}
    copied = [line.split()[1:-1] for line in DOCKERFILE.splitlines() if re.match(r"COPY (?!--from)", line)]
    assert admitted == {source for sources in copied for source in sources}
    assert all((CHECKOUT / source).exists() for source in admitted)


@pytest.fixture(scope="module")
def package() -> list[house.Module]:
    """Every module of the package."""
    return house.modules(CHECKOUT)


def must_be(found: Iterable[str], listed: set[str]) -> None:
    """What was found is what is listed: nothing has come, and what has gone is listed no more."""
    assert sorted(set(found) - listed) == [], "this has come, and must not"
    assert sorted(listed - set(found)) == [], "this has gone: take it out of the list"


def test_no_more_modules_are_named_by_a_gerund(package: list[house.Module]) -> None:
    must_be(house.gerunds(package), GERUNDS)


def test_no_more_files_outside_games_name_a_game() -> None:
    must_be(house.named_games(CHECKOUT), NAME_GAMES)


def test_checks_of_the_linter_are_switched_off_no_more_often(package: list[house.Module]) -> None:
    assert house.suppressions(package) <= MOST["noqa"]


def test_functions_are_short(package: list[house.Module]) -> None:
    found = house.long_functions(package)
    assert len(found) <= MOST["functions over 50 lines"], found


def test_a_request_passes_few_modules() -> None:
    found = house.journeys(CHECKOUT)
    assert found.keys() <= MOST.keys()
    assert {name: of.modules for name, of in found.items() if of.most > MOST[name]} == {}


def written(checkout: Path, modules: dict[str, str]) -> Path:
    """A checkout of a package that is made of these modules."""
    for name, text in modules.items():
        path = checkout / "service" / "gyoji" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return checkout


def test_figures_of_a_small_package(tmp_path: Path) -> None:
    game = {
        "games/old_maid/rulebook.toml": "",
        "games/old_maid/rules.py": "def start():\n    import os\n",
        "games/young_maid/rulebook.toml": "",
        "games/young_maid/rules.py": "def start(): ...\n",
    }
    long = "def long():\n" + "    x = 1\n" * 50
    circle = {
        "web/__init__.py": "",
        "web/reading.py": "from gyoji.web.pages import page\n" + long,
        "web/keyring.py": "x = 1  # noqa: X1\n",
        "web/pages/__init__.py": "",
        "web/pages/page.py": '"""A page."""\n\n# why\nfrom gyoji.web import reading\n\nclass OldMaidPage: ...\n',
        "web/words.toml": "old-maid = 1\nscold_maids = 1\n",
        "store/__init__.py": "def long(): ...\n",
    }
    checkout = written(tmp_path, {"__init__.py": "", **game, **circle})
    package = house.modules(checkout)
    assert house.sizes(package)["web"] == house.Size(5, 59, 55)
    assert house.gerunds(package) == ["gyoji.web.reading"]
    assert house.long_functions(package) == {"gyoji.web.reading:long": 51}
    assert house.repeated_names(package, frozenset(["old_maid", "young_maid"])) == {
        "long": ["gyoji.store", "gyoji.web.reading"]
    }
    assert house.suppressions(package) == 1
    assert house.local_imports(package) == ["gyoji.games.old_maid.rules:2"]
    assert house.circles(package) == ["gyoji.web.pages", "gyoji.web.reading"]
    assert house.named_games(checkout) == {"gyoji/web/pages/page.py": 1, "gyoji/web/words.toml": 1}
