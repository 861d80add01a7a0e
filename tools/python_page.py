"""``python -m tools.python_page`` writes the names of ``docs/python.md``, from the docstrings of what is public."""

import ast
import re
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "python.md"
HEAD = "## The names\n"

PUBLIC: Mapping[str, tuple[str, ...]] = {
    "gyoji.games.catalogue": ("GAMES", "BY_SLUG", "BY_VERSION", "GROUP"),
    "gyoji.games.game": (
        "Game",
        "Position",
        "Accepted",
        "IllegalMove",
        "Infraction",
        "Finding",
        "Chance",
        "Pile",
        "NotRecorded",
        "Reason",
        "FindingCode",
        "DEALT",
        "FINISHED",
        "Card",
        "Move",
        "Event",
        "Line",
        "Seat",
        "Seats",
        "Points",
        "Scores",
        "RoundNumber",
        "RuleId",
        "accepted",
        "chance_of_piles",
        "clockwise",
        "deal_hands",
        "hands_without",
        "hidden_pile",
        "highest",
        "join_piles",
        "out_of_order_infraction",
        "pass_of",
        "remove_card",
        "replace_at",
    ),
    "gyoji.games.chance": ("deal_v1", "shuffled", "SeedMissing", "StreamExhausted"),
    "gyoji.games.records": (
        "Within",
        "Among",
        "Like",
        "Called",
        "Most",
        "Exactly",
        "Least",
        "Keys",
        "SEAT",
        "BY_SEAT",
        "DISTINCT",
        "HIDEABLE",
        "UNCOVERED",
        "KnownTo",
        "Knower",
        "NOBODY",
        "OWN",
        "BOTH",
        "EACH",
        "MAX_INTEGER",
        "MOST_SEATS",
    ),
    "gyoji.games.declared": ("Records",),
    "gyoji.games.questions": ("Questions", "Permission", "Facts", "Hand", "Value"),
    "gyoji.games.tricks": (
        "TrickCard",
        "follows",
        "led_values",
        "plays_following",
        "same_suit",
        "single_card_tricks",
        "trick_with",
    ),
    "gyoji.games.card_counts": ("Pile", "miscounted", "unsorted"),
    "gyoji.games.interned": ("intern_values", "plays", "cards_played"),
    "gyoji.games.unseen": ("Shown", "deal_unseen", "with_table", "cards_of"),
}
"""What other packages may import, by module; the test of this page holds the same names, and what they take."""

LITERAL = re.compile(r"``(.+?)``", re.DOTALL)


def names() -> str:
    """Return the part of the page that lists all names."""
    return HEAD + "".join(f"\n### `{module}`\n\n{_about(module)}\n{''.join(_entries(module))}" for module in PUBLIC)


def with_names(document: str) -> str:
    """Return the page with the names of today in the place of its own."""
    before, head, _names = document.partition(HEAD)
    if not head:
        raise ValueError(f"expected the heading {HEAD.strip()!r}")
    return before + names()


def signatures() -> Iterator[str]:
    """Return each public name with what it takes, as it is pinned: ``gyoji.games.game.clockwise(first, seats)``."""
    for module, public in PUBLIC.items():
        found = _definitions(module)
        for name in public:
            yield f"{module}.{name}{_taken(found[name][0])}"


def _entries(module: str) -> Iterator[str]:
    found = _definitions(module)
    for name in PUBLIC[module]:
        node, told = found[name]
        yield f"\n#### `{_title(name, node)}`\n\n{_prose(told or _kind(node))}\n{''.join(_members(node))}"


def _definitions(module: str) -> Mapping[str, tuple[ast.stmt, str]]:
    """Return, by name, what a module defines, and what is said of it."""
    return dict(_defined(_source(module).body))


def _defined(body: list[ast.stmt]) -> Iterator[tuple[str, tuple[ast.stmt, str]]]:
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, (node, ast.get_docstring(node) or "")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield ast.unparse(target), (node, _string(after))


def _source(module: str) -> ast.Module:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ValueError(f"there is no {module}")
    return ast.parse(Path(spec.origin).with_suffix(".py").read_text("utf-8"))


def _string(node: ast.stmt | None) -> str:
    """Return the string that documents what stands before it."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return node.value.value
    return ""


def _about(module: str) -> str:
    return _prose(ast.get_docstring(_source(module)) or "")


def _title(name: str, node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef):
        returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        return f"{name}({ast.unparse(node.args)}){returned}"
    if isinstance(node, ast.ClassDef):
        return f"class {name}{_taken(node)}"
    return name


def _taken(node: ast.stmt) -> str:
    """Return the parameters of a function or a class, by name; those with a default have ``=``."""
    if isinstance(node, ast.FunctionDef):
        return _listed(node.args)
    if isinstance(node, ast.ClassDef):
        made = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
        if made is not None:
            return _listed(made.args)
        fields = [
            _with_default(ast.unparse(one.target), one.value) for one in node.body if isinstance(one, ast.AnnAssign)
        ]
        return f"({', '.join(fields)})" if fields else ""
    return ""


def _with_default(name: str, default: ast.expr | None) -> str:
    return name if default is None else f"{name}="


def _listed(given: ast.arguments) -> str:
    plain = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(plain) - len(given.defaults)), *given.defaults]
    names = [_with_default(one.arg, default) for one, default in zip(plain, defaults, strict=True)]
    if given.vararg:
        names.append(f"*{given.vararg.arg}")
    elif given.kwonlyargs:
        names.append("*")
    names += [_with_default(one.arg, default) for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return f"({', '.join(name for name in names if name != 'self')})"


def _members(node: ast.stmt) -> Iterator[str]:
    """List the public fields and methods of a class, each with what is said of it."""
    if not isinstance(node, ast.ClassDef):
        return
    listed = [(name, one, told) for name, (one, told) in _defined(node.body) if not name.startswith("_")]
    if listed:
        yield "\n"
    for name, one, told in listed:
        said = f": {' '.join(_prose(told).split())}" if told else ""
        yield f"* `{_member(name, one)}`{said}\n"


def _member(name: str, node: ast.stmt) -> str:
    """Return how a field or a method is shown; a property is a field."""
    if isinstance(node, ast.AnnAssign):
        return f"{name}: {ast.unparse(node.annotation)}"
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        return f"{name}: {ast.unparse(node.returns)}" if node.returns else name
    return _title(name, node).replace("self, ", "").replace("(self)", "()")


def _kind(node: ast.stmt) -> str:
    """Return what an alias or a constant stands for, where nothing else is said of it."""
    value = getattr(node, "value", None)
    return f"``{ast.unparse(value)}``" if value is not None else ""


def _prose(text: str) -> str:
    """Return a docstring as Markdown: paragraphs on a line each, code between single marks."""
    paragraphs = re.split(r"\n\s*\n", text.strip())
    return "\n\n".join(
        part if part.startswith("    ") else LITERAL.sub(r"`\1`", " ".join(part.split())) for part in paragraphs
    )


if __name__ == "__main__":
    PAGE.write_text(with_names(PAGE.read_text("utf-8")), "utf-8")
