"""The published files go into wheels, and only there: an editable install reads them from the checkout."""

from pathlib import Path
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PUBLISHED = (
    (".", "openapi.yaml", "."),
    ("schemas", "**/*.json", "schemas"),
    ("schemas", "README.md", "schemas"),
    ("tests/conformance", "*.yaml", "conformance"),
    ("tests/conformance", "README.md", "conformance"),
    ("tests/conformance", "rule-ids.txt", "conformance"),
)
"""(folder of the checkout, files in it, folder under ``gyoji/published``)."""


class Published(BuildHookInterface[BuilderConfig]):
    """Adds the contract, the schemas and the conformance cases to the package."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """``version`` is ``standard`` or ``editable``; copies in an editable install would only grow old."""
        if version == "standard":
            build_data["force_include"].update(published(Path(self.root)))


def published(root: Path) -> dict[str, str]:
    """Every published file: its place on the disk -> its place in the wheel."""
    return {
        str(path): (Path("gyoji/published") / into / path.relative_to(root / folder)).as_posix()
        for folder, pattern, into in PUBLISHED
        for path in sorted((root / folder).glob(pattern))
    }
