"""The published files go into wheels, and only there: an editable install reads them from the checkout."""

from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PUBLISHED = {
    "openapi.yaml": "gyoji/published/openapi.yaml",
    "schemas": "gyoji/published/schemas",
    "tests/conformance": "gyoji/published/conformance",
}
"""Place in the checkout -> place in the wheel."""


class Published(BuildHookInterface[BuilderConfig]):
    """Adds the contract, the schemas and the conformance cases to the package."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """``version`` is ``standard`` or ``editable``; copies in an editable install would only grow old."""
        if version == "standard":
            build_data["force_include"].update(PUBLISHED)
