"""What ``docs/python.md`` promises of the rules as a library."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tools.python_page import PAGE, PUBLIC, signatures, with_names

ROOT = Path(__file__).resolve().parents[2]
PINNED = Path(__file__).parent / "public_names.txt"
EXAMPLE = re.compile(r"```python\n(.*?)```\n\nIt prints:\n\n```text\n(.*?)```", re.DOTALL)


def test_the_page_lists_the_names_of_today() -> None:
    document = PAGE.read_text("utf-8")
    assert document == with_names(document), "python -m tools.python_page writes it"


def test_no_public_name_and_no_parameter_has_gone() -> None:
    """A line of the file may go, or change but for new parameters with defaults, only as the page says."""
    assert [*signatures()] == PINNED.read_text("utf-8").splitlines()


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_name_can_be_imported(module: str) -> None:
    assert [name for name in PUBLIC[module] if not hasattr(import_module(module), name)] == []


def test_the_example_prints_what_the_page_says() -> None:
    found = EXAMPLE.search(PAGE.read_text("utf-8"))
    assert found is not None
    script, printed = found.groups()
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == printed


def test_a_game_of_another_package_needs_public_names_alone() -> None:
    needed = {
        (node.module, name.name)
        for file in (ROOT / "tests/plugin/lanterns/gyoji_lanterns").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gyoji.")
        for name in node.names
    }
    assert needed
    assert {(module, name) for module, name in needed if name not in PUBLIC.get(module or "", ())} == set()
