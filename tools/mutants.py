"""Tests the rules by mutation: how many small faults do the conformance cases and the short laws notice?

usage: python tools/mutants.py [GAME...]

mutmut knows the source layouts ``src`` and flat, so the tree is laid out that way in ``build/mutants`` first. Mutants
that are known to change nothing are listed with the reason in ``equivalent-mutants.toml`` beside this file; the others
that survive are printed.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAGES = ROOT / "build" / "mutants"
GAMES = ("catte", "familiars_trouble", "tomorrow_never_meows", "towai")
RULES = ("rules.py", "scores.py", "rounds.py", "exchange.py", "draws.py", "legality.py", "swap.py")
"""``rules.py``, ``scores.py`` and the modules that were split off ``rules.py``."""
TESTS = ("tests/conformance/test_engine.py", "tests/laws/test_shapes.py")
FLOOR = 0.85
EQUIVALENT = Path(__file__).with_name("equivalent-mutants.toml")
SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = [{only}]
also_copy = ["src", "tests", "schemas", "openapi.yaml", "pyproject.toml"]
pytest_add_cli_args = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
pytest_add_cli_args_test_selection = [{tests}]
"""


def laid_out(game: str) -> Path:
    """Copy what the mutants of a game need, in a layout that mutmut reads."""
    stage = STAGES / game
    shutil.rmtree(stage, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "service" / "gyoji", stage / "src" / "gyoji", ignore=ignored)
    for folder in ("tests", "schemas"):
        shutil.copytree(ROOT / folder, stage / folder, ignore=ignored)
    shutil.copy(ROOT / "openapi.yaml", stage)
    settings = SETTINGS.format(only=_quoted([f"src/gyoji/games/{game}/{name}" for name in RULES]), tests=_quoted(TESTS))
    (stage / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8") + settings, "utf-8")
    return stage


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def mutmut(stage: Path, *arguments: str) -> str:
    """Run a command of mutmut; return what it prints."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=stage, check=True, capture_output=True, text=True).stdout


def outcomes(stage: Path) -> dict[str, str]:
    """Read what became of each mutant."""
    return dict(re.findall(r"^\s+(\S+): (.+)$", mutmut(stage, "results", "--all", "true"), re.MULTILINE))


def change(stage: Path, mutant: str) -> str:
    """Return the lines that the mutant takes out and puts in."""
    shown = mutmut(stage, "show", mutant).splitlines()
    return "\n".join(line for line in shown if re.match(r"[-+](?![-+]{2} )", line))


def equivalents() -> list[tuple[re.Pattern[str], str]]:
    """Read the patterns of changes that change nothing, and why."""
    listed = tomllib.loads(EQUIVALENT.read_text("utf-8"))["equivalent"]
    return [(re.compile(entry["change"], re.MULTILINE | re.DOTALL), entry["module"]) for entry in listed]


def report(game: str) -> int:
    """Run the mutants of a game; print the share that is noticed and what is left. The number of modules too low."""
    stage = laid_out(game)
    subprocess.run([sys.executable, "-m", "mutmut", "run"], cwd=stage, check=True, stdout=subprocess.DEVNULL)
    by_module: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant, outcome in outcomes(stage).items():
        module = mutant.rsplit(".", 1)[0].removeprefix("gyoji.games.")
        by_module[module][_judged(stage, module, mutant, outcome)] += 1
    for module, counted in sorted(by_module.items()):
        print(f"{module:40} {_share(counted):6.1%} killed  {dict(counted)}", flush=True)
    return sum(_share(counted) < FLOOR for counted in by_module.values())


def _share(counted: Counter[str]) -> float:
    return 1 - (counted["survived"] + counted["equivalent"]) / counted.total()


def _judged(stage: Path, module: str, mutant: str, outcome: str) -> str:
    if outcome != "survived":
        return outcome
    changed = change(stage, mutant)
    if any(where in module and pattern.search(changed) for pattern, where in equivalents()):
        return "equivalent"
    print(f"{mutant}\n{changed}\n", flush=True)
    return outcome


def main() -> int:
    """Test each game in its turn; return 1 where a module is below the floor."""
    return 1 if sum([report(game) for game in sys.argv[1:] or GAMES]) else 0


if __name__ == "__main__":
    raise SystemExit(main())
