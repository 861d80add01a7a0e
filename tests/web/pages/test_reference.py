"""The pages of the problem types, each with a document as the service answers it."""

import json
from html import unescape

import jsonschema_rs
import pytest

from answers import CheckedClient, closed, contract
from gyoji.messages.language import LANGUAGES, messages
from gyoji.web.pages.examples import example
from gyoji.web.pages.reference import KINDS, format_json

SHAPES = {
    "illegal-move": "CatteIllegalMove",
    "impossible-state": "ImpossibleState",
    "invalid-request": "InvalidRequest",
    "capsule-refused": "CapsuleRefused",
    "entropy-refused": "EntropyRefused",
    "replay-refused": "ReplayRefused",
    "ruling-refused": "RulingRefused",
    "claim-refused": "ClaimRefused",
    "tournament-refused": "TournamentRefused",
}
"""The published shapes of problems with members of their own; the others have the plain one."""


@pytest.mark.parametrize("code", messages()["problem"])
def test_an_example_is_what_the_contract_promises(code: str) -> None:
    shape = f"#/components/schemas/{SHAPES.get(code, 'Problem')}"
    fits = jsonschema_rs.validator_for({"$ref": shape, "components": closed(contract()["components"])})
    for language in LANGUAGES:
        document = json.loads(format_json(example(code, language)))
        fits.validate(document)
        assert document["code"] == code
        assert document["title"] == messages()["problem"][code]["title"][language]
        assert "{" not in document["detail"]


@pytest.mark.parametrize("code", messages()["problem"])
def test_its_page_shows_it(client: CheckedClient, code: str) -> None:
    for language in LANGUAGES:
        html = client.get(f"/problems/{code}", query_string={"lang": language}).text
        assert f"<code>{format_json(example(code, language))}</code>" in unescape(html)
        assert f'href="/problems?lang={language}"' in html


def test_every_status_has_its_place_in_the_list() -> None:
    listed = [status for statuses in KINDS.values() for status in statuses]
    assert sorted(listed) == sorted({entry["status"] for entry in messages()["problem"].values()})


def test_short_things_stand_on_one_line() -> None:
    document = {"code": "x", "moves": [{"type": "play", "card": "K1"}], "text": "日" * 60, "none": []}
    assert format_json(document) == (
        '{\n  "code": "x",\n  "moves": [{"type": "play", "card": "K1"}],\n  "text": "'
        + "日" * 60
        + '",\n  "none": []\n}'
    )
