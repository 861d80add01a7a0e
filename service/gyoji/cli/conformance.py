"""``gyoji conformance``: the numbered cases against this engine or a running server."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from http.client import HTTPConnection, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

import click

from gyoji.app.conformance import Ask, cases, failures, this_engine
from gyoji.cli.options import JSON_OPTION
from gyoji.cli.output import print_result
from gyoji.games.catalogue import BY_SLUG


@click.command()
@click.option("--url", help="A server that speaks this API, such as http://127.0.0.1:8000; without it, this engine.")
@click.option("--game", "games", multiple=True, type=click.Choice(list(BY_SLUG)), help="Only these games.")
@JSON_OPTION
def conformance(url: str | None, games: tuple[str, ...], as_json: bool) -> None:
    """Run the conformance cases. Exit status 1 if one fails."""
    with served_at(url) if url else nullcontext(this_engine()) as ask:
        report = {slug: {case["case"]: failures(case, ask) for case in cases(slug)} for slug in games or BY_SLUG}
    print_result(as_json, _summary(report), *_lines(report))
    if any(wrong for by_case in report.values() for wrong in by_case.values()):
        raise SystemExit(1)


@contextmanager
def served_at(url: str) -> Iterator[Ask]:
    """Return a function that asks a server over one connection."""
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or not address.hostname:
        raise click.BadParameter(f"{url!r} is no http address", param_hint="--url")
    kind = HTTPSConnection if address.scheme == "https" else HTTPConnection
    connection = kind(address.hostname, address.port, timeout=30)

    def ask(method: str, path: str, body: Any) -> tuple[int, Any]:
        sent = None if body is None else json.dumps(body).encode()
        try:
            connection.request(method, address.path.rstrip("/") + path, sent, {"Content-Type": "application/json"})
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        except (OSError, ValueError) as error:
            raise click.ClickException(f"{url} does not answer as this API does: {error}") from error

    with closing(connection):
        yield ask


def _summary(report: dict[str, dict[str, list[str]]]) -> dict[str, Any]:
    return {
        slug: {"cases": len(by_case), "failed": {case: wrong for case, wrong in by_case.items() if wrong}}
        for slug, by_case in report.items()
    }


def _lines(report: dict[str, dict[str, list[str]]]) -> Iterator[str]:
    for slug, by_case in report.items():
        failed = {case: wrong for case, wrong in by_case.items() if wrong}
        yield f"{slug}: {len(by_case) - len(failed)} of {len(by_case)} cases hold"
        yield from (f"  {case}: {reason}" for case, wrong in failed.items() for reason in wrong)
