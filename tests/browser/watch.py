"""What happens in the pages of a test: every request is noted, and whatever must never happen is a fault."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Request, WebError

VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => {
  const where = `${event.sourceFile}:${event.lineNumber}`;
  console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI} ${where}`);
});
"""

NO_REQUEST = ("data:", "blob:", "about:")
"""Addresses of what a page holds already."""


class Asked(NamedTuple):
    """A request of a page."""

    method: str
    url: str
    kind: str
    """``document``, ``stylesheet``, ``script``, ``fetch``, …"""


class Watch:
    """Watches contexts of a browser. Faults are: requests to another host, errors in the console, violations of the
    policy, errors of scripts, dialogs."""

    def __init__(self, origin: str) -> None:
        self.asked: list[Asked] = []
        self.faults: list[str] = []
        self._origin = origin
        self._expected: list[str] = []

    def over(self, context: BrowserContext) -> None:
        """Watch all pages of a context, also those that are not open yet."""
        context.add_init_script(VIOLATIONS)
        context.on("request", self._note)
        context.on("console", self._hear)
        context.on("weberror", self._catch)
        context.on("dialog", self._refuse)

    def expect(self, pattern: str) -> None:
        """Faults that match are none in this test: where a refusal of the server is what it is about."""
        self._expected.append(pattern)

    def since(self, mark: int) -> Sequence[Asked]:
        """What was asked for after the first ``mark`` requests."""
        return self.asked[mark:]

    def unexpected(self) -> Sequence[str]:
        """The faults."""
        return [fault for fault in self.faults if not any(re.search(known, fault) for known in self._expected)]

    def _note(self, request: Request) -> None:
        self.asked.append(Asked(request.method, request.url, request.resource_type))
        if not request.url.startswith((f"{self._origin}/", *NO_REQUEST)):
            self.faults.append(f"a request left the server: {request.url}")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text} ({message.location.get('url')})")

    def _catch(self, error: WebError) -> None:
        self.faults.append(f"script: {error.error.stack or error.error.message}")

    def _refuse(self, dialog: Dialog) -> None:
        self.faults.append(f"dialog: {dialog.message}")
        dialog.dismiss()
