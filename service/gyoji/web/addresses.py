"""The addresses that requests come to, and how it is found which of them one came to.

Flask lets a service put its own in place of each of these; what is found is what Flask would find, sooner. But for one
thing: Flask takes any number of slashes at the front of a path for one, and here such a path leads nowhere.
"""

from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any

from flask.ctx import RequestContext
from werkzeug.exceptions import NotFound
from werkzeug.routing import Map, MapAdapter, Rule
from werkzeug.wsgi import get_host

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

MOST_KNOWN = 512
"""Paths of which a process remembers where they lead, at most."""

MOST_NAMES = 64
"""Names of the service that it remembers, at most."""

Known = dict[tuple[str, str, bool], tuple[Rule, dict[str, Any]]]
"""Method, path and whether a WebSocket is asked for -> the address, and what the path says where it is left open."""


class Address(Rule):
    """An address that requests come to. The two functions that would write it out, which nobody has asked for yet, are
    not made for every address at the start."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        def written(_rule: Rule, **values: Any) -> tuple[str, str]:
            return made()(self, **values)

        made = cache(partial(super()._compile_builder, append_unknown))
        return written


class Asked(RequestContext):
    """A request and the address that it came to. A path that leads somewhere is looked up once; one that does not, each
    time anew."""

    known: Known | None = None
    """Where paths lead, as far as that has been asked before."""

    def match_request(self) -> None:
        """Find the address, or what is wrong."""
        request, adapter, known = self.request, self.url_adapter, self.known
        if request.environ.get("PATH_INFO", "").startswith("//"):
            request.routing_exception = NotFound()
            return
        if adapter is None or known is None:
            super().match_request()
            return
        place = adapter.default_method, adapter.path_info, adapter.websocket
        found = known.get(place)
        if found is not None:
            request.url_rule, request.view_args = found[0], found[1].copy()
            return
        super().match_request()
        if request.url_rule is not None and request.view_args is not None:
            if len(known) >= MOST_KNOWN:
                known.clear()
            known[place] = request.url_rule, request.view_args.copy()


def addresses_for(every: Map, environ: "WSGIEnvironment") -> MapAdapter:
    """The addresses as one request may come to them. They are the same under every name of the service, so that its
    ``Host`` is looked at once."""
    scheme: str = environ["wsgi.url_scheme"]
    name = _server_name(scheme, environ.get("HTTP_HOST"), environ["SERVER_NAME"], environ["SERVER_PORT"])
    path, method = _read(environ.get("PATH_INFO", "/")), environ["REQUEST_METHOD"]
    script, query = _read(environ.get("SCRIPT_NAME", "/")), _read(environ.get("QUERY_STRING", ""))
    return MapAdapter(every, name, script, every.default_subdomain, scheme, path, method, query)


@lru_cache(maxsize=MOST_NAMES)
def _server_name(scheme: str, host: str | None, server: str, port: str) -> str:
    """The name that a request calls the service by; ``BadHost`` for one that cannot be a name."""
    environ = {"wsgi.url_scheme": scheme, "SERVER_NAME": server, "SERVER_PORT": port}
    return Map().bind(get_host(environ if host is None else {**environ, "HTTP_HOST": host})).server_name


def _read(text: str) -> str:
    """WSGI hands on every byte as a character."""
    return text if text.isascii() else text.encode("latin1").decode(errors="replace")
