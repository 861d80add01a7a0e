"""Sends requests to a service over HTTP. Redirects are not followed, and nothing but HTTP is spoken."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

import click

from gyoji import __version__
from gyoji.messages.language import Language

SILENT_SECONDS = 60.0
"""Seconds that the service may be silent."""
MOST = 1 << 28
"""Bytes of an answer."""
USER_AGENT = {"User-Agent": f"gyoji/{__version__}"}
EXPECTED = "expected http://HOST or https://HOST, the address of a service"

Headers = Mapping[str, str]


def is_service_url(url: str) -> bool:
    """Tell whether a URL can be that of a service."""
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and bool(parts.netloc) and not parts.query and not parts.fragment


def build_opener(*more: Any) -> OpenerDirector:
    """Return what opens URLs over HTTP, with further handlers."""
    opener = OpenerDirector()
    for handler in (ProxyHandler, HTTPHandler, HTTPSHandler, *more):
        opener.add_handler(handler())
    return opener


def failure_reason(failure: Exception) -> str:
    """Describe why there was no answer: as the operating system does, never in words of the other side."""
    cause = failure.reason if isinstance(failure, URLError) else failure
    return (cause.strerror if isinstance(cause, OSError) else None) or type(cause).__name__


def build_request(url: str, headers: Headers, body: bytes | None = None, method: str = "GET") -> Request:
    """Return a request to the URL of a service, which is ``is_service_url``, or to a path below it."""
    return Request(url, body, {**USER_AGENT, **headers}, method=method)  # noqa: S310 - http or https alone


class Answer(NamedTuple):
    """The answer to a request."""

    status: int
    headers: Headers
    body: bytes

    @property
    def document(self) -> Any:
        """Read the body; an error if it is no JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            raise click.ClickException(f"HTTP status {self.status}, and no JSON with it") from None


class RequestRefused(click.ClickException):
    """The service refused a request; the text is its problem, as a person reads it. Exit status 1."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        super().__init__("\n".join(_problem_lines(problem)))


def _problem_lines(problem: Mapping[str, Any]) -> list[str]:
    """Write title and detail, the reason, and everything that is wrong with what was sent."""
    title, detail = problem.get("title", "refused"), problem.get("detail", "")
    lines = [detail if detail.startswith(title) else f"{title}: {detail}".rstrip(": ")]
    if "because" in problem and problem["because"] not in lines[0]:
        lines.append(f"  {problem['because']}")
    lines += [f"  {error['pointer'] or '/'}: {error['message']}" for error in problem.get("errors", ())]
    return lines + [f"  {fault['why']}" for fault in problem.get("faults", ())]


class Service:
    """A service that requests are sent to, with one key and in one language."""

    def __init__(self, url: str, key: str | None, language: Language) -> None:
        if not is_service_url(url):
            raise click.BadParameter(EXPECTED, param_hint="--url")
        self.language: Language = language
        self.url = url.rstrip("/")
        self._headers: dict[str, str] = {"Accept-Language": language}
        if key is not None:
            self._headers["Authorization"] = f"Bearer {key}"
        self._opener = build_opener()

    def ask(self, method: str, path: str, body: Any = None, headers: Headers | None = None) -> Answer:
        """Send a request with that JSON; return whatever the service answers."""
        own = {**self._headers, **({} if body is None else {"Content-Type": "application/json"}), **(headers or {})}
        data = None if body is None else json.dumps(body).encode()
        request = build_request(f"{self.url}{path}", own, data, method)
        try:
            with self._opener.open(request, timeout=SILENT_SECONDS) as answer:
                return Answer(answer.status, answer.headers, answer.read(MOST))
        except (URLError, OSError, ValueError) as failure:
            raise click.ClickException(f"{self.url} does not answer: {failure_reason(failure)}") from None

    def get(self, path: str, headers: Headers | None = None) -> Answer:
        """Return the document at a path. Raises ``RequestRefused``."""
        return _accepted(self.ask("GET", path, None, headers))

    def post(self, path: str, body: Any = None, headers: Headers | None = None) -> Answer:
        """Post to a path. Raises ``RequestRefused``."""
        return _accepted(self.ask("POST", path, {} if body is None else body, headers))


def _accepted(answer: Answer) -> Answer:
    if answer.status >= 300:
        problem = answer.document
        raise RequestRefused(problem if isinstance(problem, dict) else {"title": f"HTTP status {answer.status}"})
    return answer
