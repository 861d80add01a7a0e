"""Declares the clients that are made of the contract: by which commands, and what stands in them for an operation."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from yaml import CSafeLoader, load

from generators.commands import Command
from generators.places import CONTRACT
from generators.templates import Mend


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
    mends: tuple[Mend, ...] = ()
    """Faults of its templates."""


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


def capital(name: str) -> str:
    """Spell ``readMatch`` as ``ReadMatch``."""
    return name[0].upper() + name[1:]


def makings() -> str:
    """Name the components NewX otherwise, for Go, where ``NewX`` makes an X."""
    names = load(CONTRACT.read_bytes(), CSafeLoader)["components"]["schemas"]
    new = [name for name in names if name.startswith("New") and name[3:] in names]
    return ",".join(f"{name}={name[3:]}ToMake" for name in new)


def openapi_generator(language: str, folder: str, *options: str, **properties: str) -> Command:
    """Return the command by which openapi-generator makes a client. What is sent to webhooks is left to servers that
    take it; it would be made into calls."""
    made = "models,apis,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"
    given = ",".join(f"{name}={value}" for name, value in properties.items())
    return (
        *("openapi-generator-cli", "generate", "--input-spec", str(CONTRACT), "--generator-name", language),
        *("--output", folder, "--global-property", made, "--template-dir", "templates"),
        *("--additional-properties", given, *options),
    )


KNOWN = (
    "options supplied by user",  # which want neither tests nor documents
    "Skipping generation of Webhooks",
    "writing file",  # the names of some have such words
    "No file (.openapi-generator-ignore) will be evaluated",
    "OpenAPI 3.1 support is still in beta",  # said whatever the contract
    "Failed to get the schema name: null",  # a list in a union, which needs no name
)
"""Warnings of openapi-generator that do no harm."""

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
    Client(
        name="openapi_generator_go",
        generate=openapi_generator(
            "go",
            "gyoji",
            *("--model-name-mappings", f"{makings()},bool=Bool,string=String,int32=Int32,type=Type"),
            *("--parameter-name-mappings", "type=kind"),  # a word of the language
            packageName="gyoji",
            withGoMod="false",
            enumClassPrefix="true",  # two games have a card B3
            useOneOfDiscriminatorLookup="true",
            disallowAdditionalPropertiesIfNotPresent="false",  # answers may have members that are not known yet
        ),
        known=(*KNOWN, "Renamed to model_string", "Renamed to model_int32"),  # said of types in unions
        mends=(
            # A null in the place of a list is left out, also where the member has to be there.
            Mend(
                "go/model_simple.mustache",
                """	if o.{{name}} != nil {
		toSerialize["{{{baseName}}}"] = o.{{name}}
	}
	{{/vendorExtensions.x-golang-is-container}}
""",
                """	{{#required}}
	toSerialize["{{{baseName}}}"] = o.{{name}}
	{{/required}}
	{{^required}}
	if o.{{name}} != nil {
		toSerialize["{{{baseName}}}"] = o.{{name}}
	}
	{{/required}}
	{{/vendorExtensions.x-golang-is-container}}
""",
            ),
        ),
        calls=found(r"^func \(a \*\w+Service\) (\w+)Execute\(", "gyoji/api_*.go"),
        spelled=capital,
        check=(("go", "vet", "./..."), ("go", "build", "-o", "player", ".")),
        play=("./player",),
    ),
)
