"""Has the contract looked at by linters, by the rules at the root of the checkout."""

from generators.commands import Command, run
from generators.places import CONTRACT
from gyoji.published_files import CHECKOUT

LINTERS: dict[str, Command] = {
    "redocly": ("redocly", "lint", "--config", str(CHECKOUT / "redocly.yaml"), str(CONTRACT)),
    "spectral": (
        *("spectral", "lint", "--ruleset", str(CHECKOUT / ".spectral.yaml"), "--fail-severity", "hint"),
        str(CONTRACT),
    ),
}


def lint(name: str) -> str:
    """Have one linter look at the contract; say that it found nothing."""
    run(LINTERS[name], CHECKOUT, {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"})
    return "nothing found"
