"""Plays the part of a server that holds no thread for who waits for news, as ``gyoji.app.suspension`` demands."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from socket import MSG_DONTWAIT, MSG_PEEK
from threading import Event, get_ident
from time import monotonic
from typing import TYPE_CHECKING, Any

from gyoji.app.shutdown import STOP
from gyoji.app.suspension import SUSPEND, WAITED, Suspended

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HANG_UP_SECONDS = 0.05


def suspending(application: "WSGIApplication") -> "WSGIApplication":
    """Make an application that is its own server. It goes on with what is suspended on the thread that asks, but pulls
    only when it was woken, or has to look: so whatever the application forgets to wake is never sent."""

    def answered(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        taken: list[Suspended] = []
        begun: list[str] = []

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], object]:
            begun.append(status)
            return start_response(status, headers, exc_info)

        environ[SUSPEND] = taken.append
        body = application(environ, start)
        if not taken:
            return body
        (suspended,) = taken
        assert b"".join(body) == b""
        getattr(body, "close", lambda: None)()
        assert bool(begun) != suspended.is_wait
        going_on = pulled(suspended, lambda: has_hung_up(environ.get("gunicorn.socket")))
        if not suspended.is_wait:
            return going_on
        assert list(going_on) == []
        environ[WAITED] = True
        return application(environ, start_response)

    return answered


def pulled(suspended: Suspended, is_gone: Callable[[], bool]) -> Iterator[bytes]:
    """Go on with a request until its end, or until its caller has gone."""
    woken, thread = Event(), get_ident()
    suspended.subscribe(woken.set)
    try:
        woken.set()
        while not is_gone():
            if not (woken.is_set() or STOP.is_set() or monotonic() >= suspended.look_at):
                woken.wait(max(0.0, min(HANG_UP_SECONDS, suspended.look_at - monotonic())))
                continue
            woken.clear()
            while (piece := suspended.pull()) != b"":
                if piece is None:
                    return
                yield piece
            assert get_ident() == thread
    finally:
        suspended.close()
        suspended.close()


def has_hung_up(sock: Any) -> bool:
    """Tell whether the other end of a socket is closed; of no socket it is not."""
    with suppress(BlockingIOError):
        return sock is not None and sock.recv(1, MSG_PEEK | MSG_DONTWAIT) == b""
    return False
