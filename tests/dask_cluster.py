"""Starts a Dask cluster on this machine: a scheduler and workers as processes of their own, as a site would start
them."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from distributed import Client


class Running(NamedTuple):
    """A cluster that runs."""

    address: str
    workers: list["subprocess.Popen[bytes]"]
    scheduler: "subprocess.Popen[bytes]"


@contextmanager
def cluster(folder: Path, workers: int, **more: str) -> Iterator[Running]:
    """Start a scheduler and so many workers, each without a nanny, that is: one that is killed does not come back."""
    found = folder / "scheduler.json"
    environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "3", **more}
    command = ["--scheduler-file", str(found), "--no-dashboard"]
    with ExitStack() as stack, (folder / "cluster.log").open("wb") as log:

        def run(*arguments: str) -> "subprocess.Popen[bytes]":
            started = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]],
                cwd=folder,
                env=environment,
                stdout=log,
                stderr=log,
            )
            stack.callback(started.wait)
            stack.callback(started.kill)
            return started

        scheduler = run("scheduler", "--host", "127.0.0.1", "--port", "0", *command)
        _wait_for(found)
        kept = ["--no-nanny", "--nthreads", "1", "--local-directory", str(folder), *command]
        started = [run("worker", "--host", "127.0.0.1", *kept) for _ in range(workers)]
        with Client(scheduler_file=str(found), set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(workers, timeout=60)
            address: str = client.scheduler.address
        yield Running(address, started, scheduler)


def _wait_for(file: Path) -> None:
    until = time.monotonic() + 60
    while not file.exists() or not file.stat().st_size:
        if time.monotonic() > until:
            raise TimeoutError("the scheduler did not start")
        time.sleep(0.05)
