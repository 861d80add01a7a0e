"""Why the store does not do what it is asked: told by one name in the log, in the metrics and in the problem."""

from collections.abc import Callable

import pytest
from flask import Flask

from answers import CheckedClient
from gyoji.app.logs import log_aside
from gyoji.app.readiness import Readiness
from gyoji.messages.language import messages
from gyoji.store.interface import CAUSES, Cause, Unavailable
from operators import OPERATOR
from web.conftest import Lines
from web.test_metrics import Since

CANARY = "postgres://club:hunter2@db"


@pytest.fixture
def fails(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Callable[[Cause], None]:
    """Make the store say that it is unavailable."""

    def fail(cause: Cause) -> None:
        def check() -> None:
            raise Unavailable(CANARY, cause)

        monkeypatch.setattr(app.extensions["gyoji.services"], "readiness", Readiness(check))

    return fail


@pytest.mark.parametrize("cause", CAUSES)
def test_a_cause_is_told_everywhere_and_nothing_else(
    client: CheckedClient, lines: Lines, fails: Callable[[Cause], None], cause: Cause
) -> None:
    since = Since(client)
    fails(cause)
    lines()
    response = client.get("/readyz")
    text = response.get_data(as_text=True)
    (line,) = lines()
    assert (response.status_code, line["code"], line["cause"]) == (503, "unavailable", cause)
    assert response.headers["Retry-After"] == "5"
    said = messages()["cause"].get(cause, {"en": "Try again"})["en"]
    assert response.get_json()["detail"].startswith(said)
    assert CANARY not in f"{text}{line}"
    assert since.more(("unavailable_total", {"cause": str(cause)})) == [1]
    assert since.more(("http_problems_total", {"code": "unavailable"})) == [1]


def test_of_a_write_without_an_answer_it_is_said_that_nobody_knows(
    client: CheckedClient, app: Flask, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have been stored; not so where the store knows that it was not."""

    def said(is_unsure: bool, language: str) -> tuple[str, str | None]:
        def create(*_match: object) -> None:
            raise Unavailable(CANARY, "timeout", is_unsure=is_unsure)

        monkeypatch.setattr(app.extensions["gyoji.services"].store, "create", create)
        headers = {**OPERATOR, "Accept-Language": language}
        response = client.post("/v1/matches", json={"game": "towai", "seats": 2}, headers=headers)
        assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
        return response.get_json()["detail"], lines()[-1].get("outcome")

    detail = "The database did not answer in time. {}Try again after the number of seconds in the Retry-After header."
    unknown = (
        "Whether this was stored is not known: sent again with the same Idempotency-Key it is done once, whichever it"
        " was. "
    )
    assert said(False, "en") == (detail.format(""), None)
    assert said(True, "en") == (detail.format(unknown), "unknown")
    assert "同じ Idempotency-Key でもう一度送れば" in said(True, "ja")[0]


def test_in_japanese_too(client: CheckedClient, fails: Callable[[Cause], None]) -> None:
    fails("storage-away")
    detail = client.get("/readyz", headers={"Accept-Language": "ja"}).get_json()["detail"]
    assert detail == (
        "アーカイブした対局の保管先が応答しません。Retry-After ヘッダーの秒数が過ぎてから、もう一度試してください。"
    )


def test_what_fails_beside_requests_has_its_cause(lines: Lines) -> None:
    log_aside("webhooks-not-delivered", Unavailable(CANARY, "timeout"))
    log_aside("line-not-carried", ValueError(CANARY))
    told, other = lines()
    assert (told["cause"], "cause" in other) == ("timeout", False)
