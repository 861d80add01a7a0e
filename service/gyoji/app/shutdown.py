"""Tells a worker to stop.

In a module of its own, since both the server and the handlers need it and the server is not always gunicorn.
"""

from threading import Event

STOP = Event()
"""Set as soon as the process is told to stop; streams end then, whatever they wait for."""
