"""Figures about the package: its size, its names, its imports, and the modules that a request passes.

usage: python -m tools.house [--journeys] [--json] [--checkout FOLDER]

Nothing here names a room (a folder of the package) but ``games``, so that two layouts can be compared. The modules that
a request passes are traced: see ``tools/journeys.py``.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from tools.journeys import Journey, games, without_game

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGE = "gyoji"
ROOT = "(none)"
"""The row of the modules that lie in the package itself."""
LONGEST = 50
"""Lines that a function may have."""
NO_GERUNDS = frozenset(["keyring", "scoring", "seeding"])
"""Names of modules that end like a gerund and are nouns: a key ring, and what the field calls scoring and seeding."""
VENDORED = ("__pycache__", "lean-qr", "swagger-ui")
"""Folders with files that nobody writes by hand here."""
MIGRATIONS = "migrations"
"""Where modules are named by their number, and each defines the same two functions."""
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITION = (*FUNCTION, ast.ClassDef)


class Module(NamedTuple):
    """A module of the package."""

    name: str
    """Its dotted name."""
    path: Path
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The folder of the package that the module lies in."""
        parts = self.name.split(".")
        return parts[1] if len(parts) > 2 or (len(parts) == 2 and self.is_package) else ROOT

    @property
    def is_package(self) -> bool:
        """Whether the module is the ``__init__`` of a folder."""
        return self.path.stem == "__init__"

    @property
    def is_migration(self) -> bool:
        """Whether the module lies among the migrations of a store."""
        return MIGRATIONS in self.path.parts


class Size(NamedTuple):
    """How large some modules are."""

    files: int = 0
    lines: int = 0
    """All lines, as ``wc -l`` counts them."""
    code: int = 0
    """Lines without blank lines, comments, docstrings and other strings that stand alone."""

    def plus(self, other: "Size") -> "Size":
        """The size of both together."""
        return Size(self.files + other.files, self.lines + other.lines, self.code + other.code)


def modules(checkout: Path) -> list[Module]:
    """Read every module of the package."""
    service = checkout / "service"
    return [_module(service, path) for path in sorted((service / PACKAGE).rglob("*.py"))]


def _module(service: Path, path: Path) -> Module:
    parts = path.relative_to(service).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text("utf-8")
    return Module(name, path, text, ast.parse(text))


def sizes(package: Iterable[Module]) -> dict[str, Size]:
    """Add up the size of each room."""
    found: dict[str, Size] = defaultdict(Size)
    for module in package:
        found[module.room] = found[module.room].plus(Size(1, module.text.count("\n"), lines_of_code(module)))
    return dict(sorted(found.items()))


NO_CODE = (
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
)


def lines_of_code(module: Module) -> int:
    """Count the lines that hold code."""
    code = set[int]()
    for token in tokenize.generate_tokens(StringIO(module.text).readline):
        if token.type not in NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            code.difference_update(_lines(node))
    return len(code)


def _lines(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def long_functions(package: Iterable[Module]) -> dict[str, int]:
    """Find the functions that are too long, with their lines from ``def`` to the end."""
    return {
        f"{module.name}:{node.name}": len(_lines(node))
        for module in package
        for node in ast.walk(module.tree)
        if isinstance(node, FUNCTION) and len(_lines(node)) > LONGEST
    }


def repeated_names(package: Iterable[Module], games: frozenset[str]) -> dict[str, list[str]]:
    """Find the names of functions and classes that two modules or more define at their top level.

    A name that every game defines in the same module of its folder counts as defined once: a game is made of them.
    """
    defined: dict[str, set[str]] = defaultdict(set)
    for module in package:
        if not module.is_migration:
            for node in module.tree.body:
                if isinstance(node, DEFINITION):
                    defined[node.name].add(without_game(module.name, games))
    return {name: sorted(places) for name, places in sorted(defined.items()) if len(places) > 1}


def named_modules(package: Iterable[Module]) -> list[Module]:
    """The modules whose names somebody chose: no ``__init__`` and no migration."""
    return [module for module in package if not module.is_package and not module.is_migration]


def gerunds(package: Iterable[Module]) -> list[str]:
    """Find the modules whose names end with a gerund."""
    found = []
    for module in named_modules(package):
        word = module.path.stem.rpartition("_")[2]
        if word.endswith("ing") and word not in NO_GERUNDS:
            found.append(module.name)
    return found


def suppressions(package: Iterable[Module]) -> int:
    """Count the comments that switch a check of the linter off."""
    return sum(len(re.findall(r"# noqa\b", module.text)) for module in package)


def local_imports(package: Iterable[Module]) -> list[str]:
    """Find the import statements inside functions, each as ``module:line``."""
    found = set()
    for module in package:
        for function in ast.walk(module.tree):
            if isinstance(function, FUNCTION):
                inside = (node for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom))
                found |= {(module.name, node.lineno) for node in inside}
    return [f"{name}:{line}" for name, line in sorted(found)]


def circles(package: Iterable[Module]) -> list[str]:
    """Find the modules and folders that import a neighbour in the same folder which imports them, also in turn."""
    modules = list(package)
    names = {module.name for module in modules}
    imports: dict[str, set[str]] = defaultdict(set)
    for module in modules:
        for imported in _imported(module, names):
            one, other = _neighbours(module.name, imported)
            if one != other:
                imports[one].add(other)
    return sorted(name for name in list(imports) if name in _reached(name, imports))


def _imported(module: Module, names: set[str]) -> Iterator[str]:
    """The modules of the package that a module imports."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module in names:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in names else node.module


def _neighbours(importing: str, imported: str) -> tuple[str, str]:
    """The two that lie in one folder: the modules themselves, or the folders around them. The same name twice where one
    of the modules is a folder around the other."""
    one, other = importing.split("."), imported.split(".")
    shared = next((at for at, (mine, its) in enumerate(zip(one, other, strict=False)) if mine != its), None)
    if shared is None:
        return importing, importing
    return ".".join(one[: shared + 1]), ".".join(other[: shared + 1])


def _reached(name: str, imports: Mapping[str, set[str]]) -> set[str]:
    """What a module imports, directly or by others."""
    found, waiting = set[str](), [name]
    while waiting:
        more = imports.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return found


def named_games(checkout: Path) -> dict[str, int]:
    """Find the files outside ``games`` that name a game, with the number of lines which do.

    A game is named by its slug, its Python name, or an identifier made of it, be it ``CatteState`` or ``CATTE``.
    """
    service = checkout / "service"
    pattern = re.compile("|".join(map(_spellings, sorted(games(checkout)))))
    found = {}
    for path in sorted((service / PACKAGE).rglob("*")):
        place = path.relative_to(service)
        if path.is_dir() or place.parts[1] == "games" or any(part in VENDORED for part in place.parts):
            continue
        lines = path.read_text("utf-8").splitlines()
        named = sum(1 for line in lines if pattern.search(line))
        if named or pattern.search(str(place)):
            found[str(place)] = named
    return found


def _spellings(game: str) -> str:
    """A regular expression for the ways to write the name of a game in code."""
    words = game.split("_")
    lower, upper = "[-_]?".join(words), "_".join(words).upper()
    title = "".join(word.title() for word in words)
    return rf"(?<![A-Za-z])(?:{lower}|{upper}|{title})(?![a-z])"


def journeys(checkout: Path) -> dict[str, Journey]:
    """Trace what is done most often, in a process of its own."""
    command = [sys.executable, "-m", "tools.journeys", str(checkout)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if done.returncode:
        failure = "\n".join(line for line in done.stderr.splitlines() if not line.startswith("{"))  # log lines
        raise RuntimeError(f"python -m tools.journeys: {failure}")
    return {name: Journey(**found) for name, found in json.loads(done.stdout).items()}


def figures(checkout: Path) -> dict[str, Any]:
    """Everything that is measured, as plain data."""
    package = modules(checkout)
    return {
        "rooms": {room: size._asdict() for room, size in sizes(package).items()},
        "modules": len(named_modules(package)),
        "gerunds": gerunds(package),
        "long_functions": long_functions(package),
        "repeated_names": repeated_names(package, games(checkout)),
        "noqa": suppressions(package),
        "circles": circles(package),
        "named_games": named_games(checkout),
        "local_imports": local_imports(package),
        "journeys": {name: journey._asdict() for name, journey in journeys(checkout).items()},
    }


def table(found: Mapping[str, Any]) -> Iterator[str]:
    """The figures as lines of text."""
    yield f"{'room':14} {'files':>6} {'lines':>8} {'code':>8}"
    total = Size()
    for room, size in found["rooms"].items():
        total = total.plus(Size(**size))
        yield f"{room:14} {size['files']:6} {size['lines']:8,} {size['code']:8,}"
    yield f"{'all':14} {total.files:6} {total.lines:8,} {total.code:8,}"
    yield ""
    public = [name for name in found["repeated_names"] if name[0] != "_"]
    for label, figure in (
        (f"modules named by a gerund, of {found['modules']}", len(found["gerunds"])),
        (f"functions over {LONGEST} lines", len(found["long_functions"])),
        ("names defined more than once", len(found["repeated_names"])),
        ("  of these without a leading underscore", len(public)),
        ("noqa", found["noqa"]),
        ("modules and folders in import circles", len(found["circles"])),
        ("files outside games that name a game", len(found["named_games"])),
        ("  lines of these that do", sum(found["named_games"].values())),
        ("imports inside functions", len(found["local_imports"])),
    ):
        yield f"{label:42} {figure:6}"
    yield ""
    yield f"{'modules that are passed by':28} {'median':>6} {'most':>6} {'steps':>6}"
    for name, journey in found["journeys"].items():
        yield f"{name:28} {journey['median']:6} {journey['most']:6} {journey['steps']:6}"


def passed(found: Mapping[str, Any]) -> Iterator[str]:
    """The modules of each journey, with the percentage of the steps that pass them."""
    for name, journey in found["journeys"].items():
        rooms = Counter(module.split(".")[0] for module in journey["modules"])
        yield ""
        yield f"{name} ({', '.join(f'{room} {count}' for room, count in rooms.most_common())}):"
        yield from (f"{share:5} % {module}" for module, share in journey["modules"].items())
        yield f"    left out, as few steps pass them: {', '.join(journey['few'])}"


def main(arguments: list[str]) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tools.house", description="Print figures about the package.")
    parser.add_argument("--journeys", action="store_true", help="print the modules of each journey too")
    parser.add_argument("--json", action="store_true", help="print everything that was found, as JSON")
    parser.add_argument("--checkout", type=Path, default=CHECKOUT, help="another checkout to measure")
    asked = parser.parse_args(arguments)
    found = figures(asked.checkout.resolve())
    lines = [json.dumps(found)] if asked.json else [*table(found), *(passed(found) if asked.journeys else ())]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
