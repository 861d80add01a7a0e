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
        *("--output", folder, "--global-property", made),
        *("--additional-properties", given, *options),
    )


KNOWN = (
    "options supplied by user",  # which want neither tests nor documents
    "Skipping generation of Webhooks",
    "writing file",  # the names of some have such words
    "No file (.openapi-generator-ignore) will be evaluated",
    "No .openapi-generator-ignore file found",
    "OpenAPI 3.1 support is still in beta",  # said whatever the contract
    "Failed to get the schema name: null",  # a list in a union, which needs no name
)
"""Warnings of openapi-generator that do no harm."""

PYTHON_FAULTS = ("name-defined", "arg-type", "return-value")
"""What mypy finds in what openapi-generator makes for Python, by its own settings."""

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
            *("--template-dir", "templates"),  # what is mended below
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
    Client(
        name="openapi_generator_python",
        generate=openapi_generator(
            "python",
            ".",
            *("--template-dir", "templates"),  # what is mended below
            *("--parameter-name-mappings", "as=as_,from=from_"),  # words of the language
            *("--model-name-mappings", "as=AsSeat,from=FromEvent,schema=SchemaFile"),
            packageName="gyoji_client",
            disallowAdditionalPropertiesIfNotPresent="false",  # answers may have members that are not known yet
        ),
        known=(*KNOWN, "Codegen property is null"),  # metadata may be anything
        mends=(
            # Words in lists of lists are read and written as objects are, which they cannot be.
            Mend(
                "python/model_enum.mustache",
                """        return cls(json.loads(json_str))
""",
                """        return cls(json.loads(json_str))

    @classmethod
    def from_dict(cls, obj: {{vendorExtensions.x-py-enum-type}}) -> Self:
        \"\"\"Create an instance of {{classname}} from its value\"\"\"
        return cls(obj)

    def to_dict(self) -> {{vendorExtensions.x-py-enum-type}}:
        \"\"\"Return the value\"\"\"
        return self.value
""",
            ),
        ),
        calls=found(r"^    def ([a-z]\w*)\(", "gyoji_client/api/*.py"),
        spelled=snake,
        # What is generated holds by its own settings, but for lists that it annotates without importing their name (no
        # one evaluates that) and those that it gives two types; the player holds by all of mypy's.
        check=(
            ("mypy", *(f"--disable-error-code={each}" for each in PYTHON_FAULTS), "-p", "gyoji_client"),
            ("mypy", "--strict", "--follow-imports=silent", "player.py"),
        ),
        play=("python", "player.py"),
    ),
    Client(
        name="openapi_generator_typescript",
        generate=openapi_generator("typescript-fetch", "client", importFileExtension=".js"),
        known=KNOWN,
        calls=found(r"^    async (\w+)\(", "client/apis/*.ts"),
        check=(("tsc", "--project", "."),),
        play=("node", "dist/player.js"),
    ),
    Client(
        name="openapi_generator_java",
        generate=openapi_generator(
            "java",
            "client",
            *("--library", "native", "--generate-alias-as-model"),
            invokerPackage="gyoji",
            apiPackage="gyoji.api",
            modelPackage="gyoji.model",
            openApiNullable="false",
            containerDefaultToNull="true",
            useOneOfDiscriminatorLookup="true",
        ),
        known=(*KNOWN, "Ignoring complex example on request body"),
        calls=found(r"^  public [\w<>\[\], ]+ (\w+)\(", "client/src/main/java/gyoji/api/*.java"),
        # It stands on Jackson, which the generator's own archive has.
        check=(
            ("sh", "-c", "find client/src/main javax -name '*.java' >sources && javac -nowarn -d classes @sources"),
            ("javac", "-Xlint:all", "-Werror", "-d", "classes", "Player.java"),
        ),
        play=("java", "Player"),
    ),
)
