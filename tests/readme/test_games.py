"""The page on writing a game shows what stands in the files of its example."""

import re

import pytest

from gyoji.games import records
from gyoji.published_files import CHECKOUT

PAGE = (CHECKOUT / "docs" / "games.md").read_text("utf-8")
EXAMPLE = CHECKOUT / "tests" / "plugin" / "lanterns"
ENDINGS = {"python": "py", "toml": "toml", "yaml": "yaml", "js": "mjs"}
FILES = {kind: [path.read_text("utf-8") for path in EXAMPLE.rglob(f"*.{ending}")] for kind, ending in ENDINGS.items()}
BLOCKS = re.findall(r"^```(python|toml|yaml|js)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("kind", "block"), BLOCKS, ids=[block[:20] for _kind, block in BLOCKS])
def test_what_the_page_shows_stands_in_the_example(kind: str, block: str) -> None:
    assert any(block in text for text in FILES[kind])


def test_every_file_that_the_page_lists_is_there_and_no_other() -> None:
    (tree,) = re.findall(r"^```text\n(lanterns/.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    listed = {line.split()[0].rstrip("/") for line in tree.splitlines()[1:]}
    package = EXAMPLE / "gyoji_lanterns"
    files = {path.name for path in package.iterdir() if path.name != "__pycache__"}
    assert listed == {"pyproject.toml", "gyoji_lanterns", *files}


def test_every_mark_that_the_page_names_is_there() -> None:
    table = re.search(r"^\| mark .*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    assert table is not None
    cells = [row.split("|")[1] for row in table[0].splitlines()[2:] if row]
    named = {name for cell in cells for name in re.findall(r"`(\w+)", cell)}
    assert all(hasattr(records, name) for name in named)
