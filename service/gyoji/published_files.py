"""Where the published files are: the contract, the schemas and the conformance cases.

A wheel carries them inside the package; a checkout has them at its root. Both are the same bytes.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent.parent


def _place(packaged: str, checked_out: str) -> Path:
    inside = PACKAGE / "published" / packaged
    return inside if inside.exists() else CHECKOUT / checked_out


def contract_file() -> Path:
    """``openapi.yaml``."""
    return _place("openapi.yaml", "openapi.yaml")


def schemas_folder() -> Path:
    """``schemas/``: JSON Schema 2020-12, one folder a game."""
    return _place("schemas", "schemas")


def conformance_folder() -> Path:
    """The conformance cases, one file a game."""
    return _place("conformance", "tests/conformance")


@cache
def schema(name: str) -> Any:
    """One published JSON Schema, such as ``matches/moves-request``."""
    return orjson.loads((schemas_folder() / f"{name}.json").read_bytes())


@cache
def rules_digest(slug: str) -> str:
    """The SHA-256 of ``schemas/<game>/rules.json``: the rule data that pins a version of a game."""
    return sha256((schemas_folder() / slug / "rules.json").read_bytes()).hexdigest()


@cache
def rule_ids(slug: str) -> frozenset[str]:
    """The ids of the rules of that version, in the same file."""
    return frozenset(schema(f"{slug}/rules")["rules"])
