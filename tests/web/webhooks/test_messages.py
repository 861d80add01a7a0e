"""What is delivered is what the contract says under ``webhooks``: headers and bodies, as they come over the wire."""

from collections.abc import Mapping
from random import Random
from typing import Any

from answers import check_message, contract
from gyoji.api.webhook_words import TEST, TYPES
from operators import OPERATOR
from waiting import until
from web.matches.refereeing import claims, referee
from web.matches.tables import concealed, read, wishes
from web.webhooks.houses import Place
from web.webhooks.receivers import WAIT, answering, receiving

TRACE = {"traceparent": f"00-{'1' * 32}-{'2' * 16}-01"}


def asked(here: Place, path: str, document: Any = None) -> Mapping[str, Any]:
    """A request of the operator's that is granted."""
    answer = here.house.client.post(path, json=document, headers={**OPERATOR, **TRACE, "If-Match": "*"})
    found: Mapping[str, Any] = read(answer)
    return found


def played(here: Place) -> None:
    """A match with a clock that runs out, a ruling and an end; and one that is cancelled while all choose."""
    table = here.house.table(clock={"move": 1, "on_expiry": "default"})
    table.move(Random(1))
    here.clock.ahead += 5
    assert claims(table, table.operator).status_code == 200
    referee(here.house, table).rules("pause")
    referee(here.house, table).rules("resume")
    table.finish(Random(2))
    choosing = concealed(here.house)
    wish = wishes(choosing)[1]
    assert choosing.put(wish, choosing.sits(wish["seat"])).status_code == 200
    asked(here, f"{choosing.path}/void")


def paired(here: Place) -> None:
    """A round of a tournament, a correction, and the end of its match."""
    cup = asked(here, "/v1/tournaments", {"game": "catte", "name": "Cup", "seats": [3], "rounds": 2})
    path = f"/v1/tournaments/{cup['tournament']}"
    asked(here, f"{path}/entrants", {"entrants": [{"name": name} for name in ("Ann", "Ben", "Cho")]})
    (table,) = asked(here, f"{path}/rounds", {})["tables"]
    asked(here, f"{path}/corrections", {"entrant": "e1", "points": "-2", "reason": "Late"})
    asked(here, f"/v1/matches/{table['match']}/void")


def test_every_message_is_as_the_contract_says(here: Place) -> None:
    with receiving(answering(204)) as receiver, here.delivering():
        hook = here.hook(receiver.url())
        played(here)
        paired(here)
        asked(here, hook["links"]["test"])
        assert until(lambda: {message.document["type"] for message in receiver.came} == {*TYPES, TEST}, WAIT)
        came = list(receiver.came)
    assert set(contract()["webhooks"]) == {*TYPES, TEST}
    for message in came:
        check_message(message.headers, message.body)
        message.verified(hook["secret"])
