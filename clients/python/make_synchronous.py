"""Makes ``gyoji_client/synchronous.py`` of ``asynchronous.py``: ``python make_synchronous.py`` in this folder."""

import re
from pathlib import Path

PACKAGE = Path(__file__).parent / "gyoji_client"

DOCUMENTATION = (
    '"""The client for programs that wait for each answer. Made of ``asynchronous`` by ``make_synchronous.py``."""'
)

WORDS = (
    (r'^"""The client.*?"""', DOCUMENTATION),
    (r"^import asyncio\n", ""),
    (r"^import json\n", "import json\nimport time\n"),
    (r"asyncio\.sleep", "time.sleep"),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bAsyncGenerator\[(\w+(?:\[[\w, ]+\])?), None\]", r"Generator[\1, None, None]"),
    (r"\bawait ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\baclosing\b", "closing"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\.a(read|close|iter_bytes)\(", r".\1("),
)
"""What is written otherwise, in this order: patterns, and what stands in their place."""


def synchronous(text: str) -> str:
    """Write a module that waits for everything at once."""
    for pattern, word in WORDS:
        text = re.sub(pattern, word, text, flags=re.MULTILINE | re.DOTALL)
    return text


if __name__ == "__main__":
    (PACKAGE / "synchronous.py").write_text(synchronous((PACKAGE / "asynchronous.py").read_text("utf-8")), "utf-8")
