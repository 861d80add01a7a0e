"""Every answer of a deprecated operation says since when, until when, and what to do."""

from datetime import UTC, datetime

import pytest

from answers import CheckedClient
from gyoji.api.operation import Deprecation
from gyoji.web import requests

END = Deprecation(datetime(2027, 1, 1, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC), "/docs/guides/versioning#end")
HEADERS = [
    ("Deprecation", "@1798761600"),  # RFC 9745, section 2.1: a date of structured fields
    ("Sunset", "Sat, 01 Jan 2028 00:00:00 GMT"),  # RFC 8594, section 3
    ("Link", '</docs/guides/versioning#end>; rel="deprecation"; type="text/html"'),
]


def test_good_answers_and_refusals_carry_the_headers(client: CheckedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(requests.DEPRECATED, "describeGame", END.headers())
    for path, status in (("/v1/games/catte", 200), ("/v1/games/chess", 404)):
        answer = client.get(path)
        assert answer.status_code == status
        assert [(name, answer.headers[name]) for name, _value in HEADERS] == HEADERS


def test_other_operations_carry_none(client: CheckedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(requests.DEPRECATED, "describeGame", END.headers())
    answer = client.get("/v1/games")
    assert not [name for name, _value in HEADERS if name in answer.headers]
