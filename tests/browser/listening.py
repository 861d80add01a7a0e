"""Everything that reaches a page: the bodies of all answers, streams as they come."""

from base64 import b64decode
from typing import Any

from playwright.sync_api import Page, Response


class Heard:
    """Listens to one page from before it is opened."""

    def __init__(self, page: Page) -> None:
        self._responses: list[Response] = []
        self._streamed: list[bytes] = []
        self._session = page.context.new_cdp_session(page)
        self._session.send("Network.enable")
        self._session.on("Network.responseReceived", self._begin)
        self._session.on("Network.dataReceived", self._receive)
        page.on("response", self._keep)

    def _begin(self, event: Any) -> None:
        """The content of a stream is handed over piece by piece, beginning with what has come already."""
        if event["response"]["mimeType"] == "text/event-stream":
            answer = self._session.send("Network.streamResourceContent", {"requestId": event["requestId"]})
            self._streamed.append(b64decode(answer["bufferedData"]))

    def _keep(self, response: Response) -> None:
        self._responses.append(response)

    def _receive(self, event: Any) -> None:
        self._streamed.append(b64decode(event.get("data", "")))

    @property
    def streams(self) -> str:
        """What has come by streams so far."""
        return b"".join(self._streamed).decode()

    def bodies(self) -> dict[str, str]:
        """The answers that have come as a whole, by address; what came by streams under its own name."""
        whole = [one for one in self._responses if "event-stream" not in one.headers.get("content-type", "")]
        found: dict[str, str] = {"streams": self.streams}
        for response in whole:
            found[response.url] = found.get(response.url, "") + response.body().decode("utf-8", "replace")
        return found
