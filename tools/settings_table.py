"""``python -m tools.settings_table`` writes the README's table of settings, as ``gyoji.app.settings`` declares them."""

import re
from pathlib import Path

from gyoji.app.settings import SETTINGS, Setting

README = Path(__file__).resolve().parent.parent / "README.md"
HEAD = "| option | variable | default | |\n|---|---|---|---|\n"
LITERAL = re.compile(r"[\w+]+://[\w@/]*|--[a-z-]+|X-Forwarded-For|GET /v1/keys|gyoji [a-z]+ [a-z]+")
"""What is set as code in a help text."""
TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")


def _as_code(found: re.Match[str]) -> str:
    return f"`{found[0]}`"


def row(setting: Setting) -> str:
    """Return the line of one setting."""
    if setting.default is None:
        default = "none"
    elif setting.kind == "flag":
        default = f"`{setting.name}`"
    else:
        default = f"`{'on' if setting.default is True else setting.default}`"
    more = f" ([more]({setting.guide}))" if setting.guide else ""
    return f"| `{setting.option}` | `{setting.variable}` | {default} | {LITERAL.sub(_as_code, setting.help)}{more} |\n"


def table() -> str:
    """Return the whole table."""
    return HEAD + "".join(map(row, SETTINGS.values()))


def with_table(document: str) -> str:
    """Return the document with the table of today in the place of its own."""
    written, tables = TABLE.subn(lambda _found: table(), document)
    if tables != 1:
        raise ValueError("expected one table of settings")
    return written


if __name__ == "__main__":
    README.write_text(with_table(README.read_text("utf-8")), "utf-8")
