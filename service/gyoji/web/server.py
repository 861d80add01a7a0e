"""The service under gunicorn: threads, a graceful stop, logs in one shape."""

import gc
import logging.config
import sys
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.glogging import Logger

from gyoji.web.app import create_app
from gyoji.web.logs import configure_logs

GRACE = 30
"""Seconds that open requests get to finish when the service stops."""


class JsonLogger(Logger):
    """gunicorn's own lines, in the shape of the request lines."""

    def setup(self, cfg: Any) -> None:
        """Send gunicorn's error log through our formatter; requests are logged by the application."""
        self.loglevel = getattr(logging, cfg.loglevel.upper())
        configure_logs()
        handler = {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": "json"}
        logging.config.dictConfig(
            {
                "version": 1,
                "disable_existing_loggers": False,
                "formatters": {"json": {"()": "gyoji.web.logs.formatter"}},
                "handlers": {"stderr": handler},
                "loggers": {
                    "gunicorn.error": {"handlers": ["stderr"], "level": cfg.loglevel.upper(), "propagate": False}
                },
            }
        )


class Server(BaseApplication):
    """gunicorn with settings given in code; it reads no configuration file and no arguments."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        super().__init__()

    def load_config(self) -> None:
        """Our settings into gunicorn's."""
        for name, value in self.settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """The application, made once before the workers are forked; the collector leaves what they share alone."""
        application = create_app()
        gc.collect()
        gc.freeze()
        return application


def serve(host: str, port: int, workers: int, threads: int, log_level: str) -> None:
    """Serve until stopped. SIGTERM lets open requests finish; then the process ends with status 0."""
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    Server(
        {
            "bind": [address],
            "workers": workers,
            "threads": threads,
            "worker_class": "gthread",
            "graceful_timeout": GRACE,
            "keepalive": 5,
            "preload_app": True,
            "control_socket_disable": True,
            "logger_class": JsonLogger,
            "loglevel": log_level,
            "proc_name": "gyoji",
        }
    ).run()
