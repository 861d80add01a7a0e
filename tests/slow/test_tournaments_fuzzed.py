"""schemathesis with all its checks on tournaments: what the contract says and what the service does are the same."""

from collections import Counter, defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.config import SchemathesisConfig

from contract.services import _served
from contract.test_fuzzing import ACCEPTED, CONFIG, REJECTED, _only, _scenarios
from gyoji.web.app import create_app
from gyoji.web.desk import prepared
from gyoji.web.settings import Settings
from gyoji.wire.contract import operations
from operators import OPERATOR, OPERATOR_KEY
from web.matches.tables import House, read
from web.matches.tables import house as house_of
from web.tournaments.directing import Cup, cup, matches_of

TAG = "tournaments"

TRIED: dict[str, Any] = {
    **CONFIG,
    "checks": {
        "negative_data_rejection": {"expected-statuses": REJECTED},
        # JSON Schema cannot say which tables a game has, nor where a tournament stands.
        "positive_data_acceptance": {"expected-statuses": [*ACCEPTED, "403", "412", "422"]},
    },
    "operations": [{"include-operation-id": "createTournament", "phases": {"coverage": {"enabled": False}}}],
}


def test_tournaments(tmp_path: Path) -> None:
    """Every operation comes to a good answer in the course, and nothing that was thought of breaks the service."""
    answered: dict[str, Counter[int]] = defaultdict(Counter)
    settings = Settings(store=f"sqlite:///{tmp_path}/gyoji.db", operator_key=OPERATOR_KEY)
    prepared(settings)
    house = house_of(create_app(settings))
    with closing(house.desk.store), _served(create_app(settings)) as url:
        for recorder in _scenarios(_tried(house, url)):
            for key, interaction in recorder.interactions.items():
                assert interaction.response is not None
                name = recorder.cases[key].value.operation.definition.raw["operationId"]
                answered[name][interaction.response.status_code] += 1
    promised = {
        (operation.name, status) for operation in operations() if operation.tag == TAG for status in operation.good
    }
    assert promised <= {(name, status) for name, counted in answered.items() for status in counted}
    assert {401, 404, 405, 409, 415, 422} <= {status for counted in answered.values() for status in counted}


def _tried(house: House, url: str) -> Any:
    """The contract of tournaments, with examples that exist: a tournament for every operation that changes one."""
    document = _only(TAG)
    for methods in document["paths"].values():
        for operation in methods.values():
            club = _tournament(house, operation["operationId"])
            known = {"tournament": club.tournament, "entrant": "e1", "number": 1, "table": 1, "If-Match": "*"}
            for parameter in operation.get("parameters", ()):
                parameter.pop("example", None)
                if parameter["name"] in known:
                    parameter["example"] = known[parameter["name"]]
    config = {**TRIED, "auth": {"openapi": {"bearer": {"bearer": OPERATOR_KEY}}}, "base-url": url}
    return schemathesis.openapi.from_dict(document, config=SchemathesisConfig.from_dict(config))


def _tournament(house: House, operation: str) -> Cup:
    """A public tournament with which the operation can be done."""
    club = cup(house, visibility="public", rounds=60, pairing="draw").enter("Ann", "Ben", "Cho", "Dan")
    if operation in ("readRound", "closeRound", "replaceMatch"):
        (match,) = matches_of(club.pair())
        if operation != "readRound":
            read(house.client.post(f"/v1/matches/{match}/void", headers=OPERATOR))
    return club
