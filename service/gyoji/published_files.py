"""Locates the published files: the contract, the schemas, the conformance cases and the guides.

A wheel carries them inside the package; a checkout has them at its root. Both are the same bytes. A game that another
package installs has its own beside its rules: ``schemas/`` and ``conformance.yaml``.
"""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson

from gyoji.games.catalogue import BY_SLUG, is_own
from gyoji.games.game import Game

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent.parent


def _place(packaged: str, checked_out: str) -> Path:
    inside = PACKAGE / "published" / packaged
    return inside if inside.exists() else CHECKOUT / checked_out


def contract_file() -> Path:
    """Return the path of ``openapi.yaml``."""
    return _place("openapi.yaml", "openapi.yaml")


def schemas_folder() -> Path:
    """Return the folder ``schemas/``: JSON Schema 2020-12, one folder a game."""
    return _place("schemas", "schemas")


def conformance_folder() -> Path:
    """Return the folder of the conformance cases, one file a game."""
    return _place("conformance", "tests/conformance")


def guides_folder() -> Path:
    """Return the folder of the guides, one Markdown file each."""
    return _place("guides", "docs")


def conformance_cases(slug: str) -> bytes:
    """Return the conformance cases of a game, as YAML."""
    game = BY_SLUG[slug]
    return _beside(game, "conformance.yaml") or (conformance_folder() / f"{slug}.yaml").read_bytes()


def published_schema(path: str) -> bytes | None:
    """Return a file of ``schemas/`` by its path there, such as ``replay/event.json``, as it is published; ``None``
    where there is none."""
    name = path.removesuffix(".json")
    return _schema(name) if path.endswith(".json") and name in _schema_names() else None


@cache
def _schema_names() -> frozenset[str]:
    """What a caller names is compared with these, and asked of no file system."""
    own = schemas_folder()
    names = [file.relative_to(own).with_suffix("").as_posix() for file in own.rglob("*.json")]
    for slug, game in BY_SLUG.items():
        if not is_own(game):
            beside = files(game.package).joinpath("schemas").iterdir()
            names += [f"{slug}/{file.name.removesuffix('.json')}" for file in beside]
    return frozenset(names)


@cache
def schema(name: str) -> Any:
    """Read one published JSON Schema, such as ``matches/moves-request``."""
    return orjson.loads(_schema(name))


@cache
def rules_digest(slug: str) -> str:
    """Return the SHA-256 of ``schemas/<game>/rules.json``: the rule data that identifies a version of a game."""
    return sha256(_schema(f"{slug}/rules")).hexdigest()


@cache
def rule_ids(slug: str) -> frozenset[str]:
    """Return the ids of the rules of the version in ``schemas/<game>/rules.json``."""
    return frozenset(schema(f"{slug}/rules")["rules"])


def _schema(name: str) -> bytes:
    slug, _, part = name.partition("/")
    game = BY_SLUG.get(slug)
    beside = None if game is None else _beside(game, f"schemas/{part}.json")
    return beside or (schemas_folder() / f"{name}.json").read_bytes()


def _beside(game: Game[Any], name: str) -> bytes | None:
    """A file beside the rules of a game that another package installs; ``None``: it comes with gyoji."""
    return None if is_own(game) else files(game.package).joinpath(name).read_bytes()
