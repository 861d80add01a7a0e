"""Runs gunicorn's master: the address, the workers, the processes beside them, logs in one shape."""

import logging.config
import os
from typing import Any

from flask import Flask
from gunicorn import util
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger

from gyoji.app.bots import play_bots
from gyoji.app.child_process import ChildProcess, Task
from gyoji.app.logs import configure_logs
from gyoji.app.metrics import forget, shared
from gyoji.app.preparation import prepare_store
from gyoji.app.settings import Settings, WrongSetting
from gyoji.app.shutdown import let_stop_signals_through, stop_signals_held
from gyoji.app.webhooks.process import deliver
from gyoji.web.app import create_app
from gyoji.web.gunicorn_worker import Worker
from gyoji.web.start import inherits_sockets, listen, without_garbage_collection, write_address
from gyoji.web.worker_places import CROWDS

MOST_CONNECTIONS = 20_000
"""Connections that a worker has open at most; past that new ones wait to be let in."""

WEBHOOKS = Task("webhooks", "Delivering to webhooks", deliver)
BOTS = Task("bots", "Playing bots", play_bots)

GRACE = 30
"""Seconds that open requests get to finish when the service stops."""


class JsonLogger(Logger):
    """Writes gunicorn's own log lines in the shape of the request lines."""

    def setup(self, cfg: Any) -> None:
        """Send gunicorn's error log through our formatter; requests are logged by the application."""
        self.loglevel = getattr(logging, cfg.loglevel.upper())
        configure_logs()
        handler = {"class": "gyoji.app.logs.LineHandler", "formatter": "json"}
        logging.config.dictConfig(
            {
                "version": 1,
                "disable_existing_loggers": False,
                "formatters": {"json": {"()": "gyoji.app.logs.formatter"}},
                "handlers": {"stderr": handler},
                "loggers": {
                    "gunicorn.error": {"handlers": ["stderr"], "level": cfg.loglevel.upper(), "propagate": False}
                },
            }
        )


class Master(Arbiter):
    """gunicorn's master, which tends two more processes than its workers: one delivers to webhooks, one plays bots."""

    def __init__(self, app: "Server") -> None:
        super().__init__(app)
        tasks = [WEBHOOKS] if app.service.webhooks else []
        tasks += [BOTS] if app.service.players else []
        self.children = [ChildProcess(task, app.service, app.life[0], self._let_go) for task in tasks]

    def spawn_worker(self) -> Any:
        """Fork a worker, which a signal to stop reaches when it has handlers of its own."""
        with stop_signals_held():
            return super().spawn_worker()

    def manage_workers(self) -> None:
        """Manage the workers and the processes beside them. Called at the start, when workers listen, and about once a
        second."""
        super().manage_workers()
        for child in self.children:
            child.tend()

    def stop(self, graceful: bool = True) -> None:
        """Stop the workers and the processes beside them."""
        for child in self.children:
            child.stop()
        super().stop(graceful)
        for child in self.children:
            child.join()

    def _let_go(self, name: str) -> None:
        """Close what a process beside the workers must not keep: it listens to nobody, and only the master keeps the
        end of the pipe that is written to."""
        util._setproctitle(f"{name} [{self.proc_name}]")  # noqa: SLF001 - as gunicorn names its own
        for listener in self.LISTENERS:
            listener.close()
        for worker in self.WORKERS.values():
            worker.tmp.close()
        os.close(self.app.life[1])


class Server(BaseApplication):
    """gunicorn with settings given in code; it reads no configuration file and no arguments."""

    def __init__(self, address: tuple[str, int], settings: dict[str, Any], service: Settings) -> None:
        self.address = address
        self.settings = {"bind": [write_address(*address)], **settings}
        self.service = service
        self.life = os.pipe()
        """A pipe: its ends for reading and for writing. Nothing is ever written; it is closed when the master dies."""
        super().__init__()

    def load_config(self) -> None:
        """Put our settings into gunicorn's."""
        for name, value in self.settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """Make the application, once before the workers are forked; the garbage collector leaves what they share alone.
        When it is ready the address is taken."""
        with without_garbage_collection():
            prepare_store(self.service)
            application = create_app(self.service)
            if not inherits_sockets():
                self._take(listen(*self.address).detach())
        return application

    def run(self) -> None:
        """Serve until stopped."""
        Master(self).run()

    def _take(self, descriptor: int) -> None:
        """Have gunicorn listen there; in its settings too, so that it finds no change when it reads them again."""
        self.settings["bind"] = [f"fd://{descriptor}"]
        self.cfg.set("bind", self.settings["bind"])


def count_from_now(_master: Arbiter, worker: Any) -> None:
    """Have the master count from now on the seconds in which a worker has to say that it lives: gunicorn counts only
    from the first time that it does, and so would wait for ever for one that hangs before."""
    worker.notify()


def heed_signals(_worker: Any) -> None:
    """Let the signals through that tell a worker to stop: it has handlers for them by now."""
    let_stop_signals_through()


def forget_worker(master: Arbiter, worker: Any) -> None:
    """Let go of what was counted of a worker that has ended."""
    forget(master, worker)
    CROWDS.free(worker.slot)


def worker_of(server: str) -> type[Any]:
    """Choose the class of the workers. ``WrongSetting`` where a package that it needs is not installed."""
    if server == "gunicorn":
        return Worker
    try:
        from gyoji.web.granian_worker import GranianWorker
    except ImportError:
        raise WrongSetting(
            "GYOJI_SERVER: granian is not installed; it is the extra granian: pip install '.[granian]' in a checkout"
        ) from None
    return GranianWorker


@shared()
def serve(settings: Settings) -> None:
    """Serve until stopped. SIGTERM lets open requests finish; then the process ends with status 0.

    The master is gunicorn's, whose HTTP the workers speak or not. Raises ``CannotListen`` where the address cannot be
    had.
    """
    Server(
        (settings.host, settings.port),
        {
            "workers": settings.workers,
            "threads": settings.threads,
            "worker_class": worker_of(settings.server),
            "graceful_timeout": GRACE,
            "keepalive": 5,
            "worker_connections": MOST_CONNECTIONS,
            "preload_app": True,
            "control_socket_disable": True,
            "forwarded_allow_ips": "",  # headers of a proxy say nothing here, whoever sends them
            "logger_class": JsonLogger,
            "loglevel": settings.log_level,
            "proc_name": "gyoji",
            "pre_fork": count_from_now,
            "post_worker_init": heed_signals,
            "child_exit": forget_worker,
        },
        settings,
    ).run()
