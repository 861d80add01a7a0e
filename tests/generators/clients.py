"""Declares the clients that are made of the contract: by which commands, and what stands in them for an operation."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from generators.commands import Command
from generators.places import CONTRACT


@dataclass(frozen=True)
class Client:
    """A generator, the client that it makes, and the program that plays with it."""

    name: str
    """The generator's, and that of the folder with the player."""
    generate: Command
    calls: Callable[[Path], set[str]]
    """The names of the calls that the client has, given its workplace."""
    check: tuple[Command, ...]
    """What checks its types and compiles it, the strictest way."""
    play: Command
    """What plays; URL, key and seed are added to it."""
    spelled: Callable[[str], str] = str
    """How an operation's id is spelled as the name of a call."""
    known: tuple[str, ...] = ()
    """What stands in warnings that are known, and do no harm."""


def found(pattern: str, *files: str) -> Callable[[Path], set[str]]:
    """Return what finds the names that a pattern has in some files of a workplace."""

    def names(place: Path) -> set[str]:
        sources = [source for each in files for source in place.glob(each)]
        return {name for source in sources for name in re.findall(pattern, source.read_text("utf-8"), re.MULTILINE)}

    return names


def snake(name: str) -> str:
    """Spell ``readMatch`` as ``read_match``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def modules(place: Path) -> set[str]:
    """List the operations that have a module of their own, with a call in it."""
    sources = place.glob("generated/api/*/*.py")
    return {source.stem for source in sources if "\ndef sync_detailed(" in source.read_text("utf-8")}


CLIENTS = (
    Client(
        name="openapi_typescript",
        # Without the option a member with a default has to be sent.
        generate=("openapi-typescript", str(CONTRACT), "--default-non-nullable=false", "--output", "contract.ts"),
        calls=found(r'^        (?:get|post|put|delete): operations\["(\w+)"\];$', "contract.ts"),
        check=(("tsc", "--project", "."),),
        play=("node", "dist/player.js"),
    ),
    Client(
        name="hey_api",
        generate=("openapi-ts",),
        calls=found(r"^export const (\w+) = <", "client/sdk.gen.ts"),
        check=(("tsc", "--project", "."),),
        play=("node", "dist/player.js"),
    ),
    Client(
        name="openapi_python_client",
        generate=(
            *("openapi-python-client", "generate", "--path", str(CONTRACT), "--config", "config.yaml"),
            *("--meta", "none", "--output-path", "generated", "--fail-on-warning"),
        ),
        calls=modules,
        spelled=snake,
        check=(("mypy", "--strict", "generated", "player.py"),),
        play=("python", "player.py"),
    ),
)
