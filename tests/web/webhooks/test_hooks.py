"""Webhooks over HTTP: made, listed, tried, taken away; for the account whose they are and nobody else."""

from typing import Any

import pytest

from gyoji.api.webhook_words import MOST_WEBHOOKS, TYPES
from operators import OPERATOR
from web.matches.tables import Plain, read
from web.webhooks.houses import Place
from web.webhooks.receivers import answering, receiving

URL = "https://hooks.example.com/gyoji"
NOWHERE = "00000000-0000-4000-8000-000000000000"


def sent(here: Place, document: Any, **headers: str) -> Any:
    """A request for a webhook."""
    return here.house.client.post("/v1/webhooks", json=document, headers={**OPERATOR, **headers})


def test_a_webhook_is_made_and_its_secret_shown_once(here: Place) -> None:
    answer = sent(here, {"url": URL})
    made = read(answer)
    assert answer.status_code == 201
    assert answer.headers["Location"] == made["links"]["self"] == f"/v1/webhooks/{made['webhook']}"
    secret = made.pop("secret")
    assert secret.startswith("whsec_")
    assert made | {"webhook": "", "created": "", "links": {}} == {
        "webhook": "",
        "url": URL,
        "types": list(TYPES),
        "match": None,
        "tournament": None,
        "created": "",
        "failing_since": None,
        "disabled": None,
        "links": {},
    }
    assert here.of(made) == made
    listed = here.house.client.get("/v1/webhooks", headers=OPERATOR)
    assert read(listed) == {"webhooks": [made]}
    assert secret.encode() not in listed.data


def test_a_repeated_request_is_answered_as_before(here: Place) -> None:
    first, again = [sent(here, {"url": URL}, Idempotency_Key="k") for _time in range(2)]
    assert first.data == again.data
    assert len(read(here.house.client.get("/v1/webhooks", headers=OPERATOR))["webhooks"]) == 1
    assert sent(here, {"url": f"{URL}/2"}, Idempotency_Key="k").json["code"] == "idempotency-key-reused"


def test_what_is_wrong_is_said_where_it_stands(here: Place) -> None:
    theirs = here.house.table(by=here.house.account())
    wrong: list[tuple[Any, str, str]] = [
        ({}, "/url", "missing"),
        ({"url": 7}, "/url", "wrong-type"),
        ({"url": "https://hooks.example.com/ x"}, "/url", "bad-url"),
        ({"url": "https://user:word@hooks.example.com/"}, "/url", "bad-url"),
        ({"url": "ftp://hooks.example.com/"}, "/url", "no-https"),
        ({"url": URL, "types": ["match.moved", "match.deleted"]}, "/types/1", "not-allowed"),
        ({"url": URL, "types": ["match.moved"] * 2}, "/types", "not-allowed"),
        ({"url": URL, "match": NOWHERE}, "/match", "not-yours"),
        ({"url": URL, "match": theirs.match}, "/match", "not-yours"),
        ({"url": URL, "tournament": NOWHERE}, "/tournament", "not-yours"),
        ({"url": URL, "secret": "whsec_x"}, "/secret", "unknown-member"),
    ]
    for document, pointer, code in wrong:
        answer = sent(here, document)
        assert answer.status_code == 422, document
        assert [(each["pointer"], each["code"]) for each in answer.json["errors"]] == [(pointer, code)]
    assert read(here.house.client.get("/v1/webhooks", headers=OPERATOR)) == {"webhooks": []}


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://hooks.example.com/", "no-https"),
        ("https://169.254.169.254/latest", "address-not-allowed"),
        ("https://2130706433/", "address-not-allowed"),
        ("https://[::1]/", "address-not-allowed"),
        ("https://localhost/", "address-not-allowed"),
        ("https://hooks.example.com:25/", "bad-url"),
    ],
)
def test_inner_addresses_are_refused_unless_for_development(here: Place, url: str, code: str) -> None:
    object.__setattr__(here.house.services.settings, "webhooks_to", "public")
    answer = sent(here, {"url": url})
    assert [(each["pointer"], each["code"]) for each in answer.json["errors"]] == [("/url", code)]


def test_an_account_has_so_many_webhooks(here: Place) -> None:
    for _each in range(MOST_WEBHOOKS):
        assert sent(here, {"url": URL}).status_code == 201
    assert sent(here, {"url": URL}).json["errors"][0]["code"] == "too-many-webhooks"
    here.hook(URL, by=here.house.account())


def test_whose_it_is_not_finds_nothing(here: Place) -> None:
    hook = here.hook(URL)
    other, bare = here.house.account(), here.house.key("operator", scopes=("matches:read",))
    client, path = here.house.client, hook["links"]["self"]
    asked = [("GET", ""), ("DELETE", ""), ("GET", "/deliveries"), ("POST", "/test"), ("POST", "/enable")]
    for method, part in (*asked, ("POST", f"/deliveries/msg_{'0' * 32}/retry")):
        assert client.open(path + part, method=method, headers=other).status_code == 404
        assert client.open(path + part, method=method, headers=bare).status_code == 403
        assert client.open(path + part, method=method).status_code == 401
        assert client.open(f"/v1/webhooks/{NOWHERE}{part}", method=method, headers=OPERATOR).status_code == 404
        assert client.open(f"/v1/webhooks/x{part}", method=method, headers=OPERATOR).status_code == 404
    assert read(client.get("/v1/webhooks", headers=other)) == {"webhooks": []}
    assert here.of(hook)["webhook"] == hook["webhook"]


def test_a_webhook_is_taken_away(here: Place) -> None:
    hook = here.hook(URL)
    assert here.house.client.delete(hook["links"]["self"], headers=OPERATOR).status_code == 204
    assert here.house.client.get(hook["links"]["self"], headers=OPERATOR).status_code == 404
    assert here.house.client.delete(hook["links"]["self"], headers=OPERATOR).status_code == 404
    here.house.table()
    assert here.services.store.webhooks.news(10) == []


def test_a_test_is_delivered_and_can_be_sent_again(here: Place) -> None:
    with receiving(answering(200)) as receiver, here.delivering():
        hook = here.hook(receiver.url(), types=["match.finished"])
        answer = here.house.client.post(hook["links"]["test"], headers=OPERATOR)
        assert answer.status_code == 202
        asked = read(answer)
        assert (asked["type"], asked["state"], asked["about"]) == (
            *("webhook.test", "waiting"),
            {"kind": "test", "id": hook["webhook"]},
        )
        here.settled(hook, 1)
        path = f"{hook['links']['deliveries']}/{asked['delivery']}/retry"
        assert read(here.house.client.post(path, headers=OPERATOR))["state"] == "waiting"
        one, two = receiver.wait(2)
        here.settled(hook, 1)
    assert one.id == two.id == asked["delivery"]
    assert one.verified(hook["secret"]) == {
        "type": "webhook.test",
        "timestamp": asked["created"],
        "data": {"webhook": hook["webhook"]},
    }
    (shown,) = here.deliveries(hook)
    assert (shown["state"], shown["status"], shown["attempts"]) == ("delivered", 200, 1)


def test_deliveries_in_pages_and_by_state(here: Place) -> None:
    hook = here.hook(URL, types=["match.created"])
    for _match in range(5):
        here.house.table()
    with here.delivering():
        pass
    client, path = here.house.client, hook["links"]["deliveries"]
    assert len(here.kept(hook)) == 5
    seen: list[Plain] = []
    following: str | None = f"{path}?limit=2"
    while following is not None:
        answer = client.get(following, headers=OPERATOR)
        seen += read(answer)["deliveries"]
        following = answer.headers["Link"][1:].split(">")[0] if "Link" in answer.headers else None
    assert len({each["delivery"] for each in seen}) == len(seen) == 5
    assert here.deliveries(hook, "?state=delivered") == []
    assert len(here.deliveries(hook, f"?about={seen[0]['about']['id']}")) == 1
    for query in ("state=sent", "about=x", "cursor=x", "cursor=bXNnXzA", "limit=0", "limit=201"):
        assert client.get(f"{path}?{query}", headers=OPERATOR).status_code == 422
    for name in ("msg_0", f"msg_{'0' * 32}"):
        assert client.post(f"{path}/{name}/retry", headers=OPERATOR).status_code == 404


def test_a_disabled_one_is_enabled_first(here: Place) -> None:
    hook = here.hook(URL, types=["match.created"])
    here.house.table()
    with here.delivering():
        while not here.kept(hook):
            pass
    here.services.store.webhooks.disable(hook["webhook"], here.services.at(), "failing")
    (delivery,) = here.deliveries(hook)
    retry = f"{hook['links']['deliveries']}/{delivery['delivery']}/retry"
    for path in (hook["links"]["test"], retry):
        answer = here.house.client.post(path, headers=OPERATOR)
        assert (answer.status_code, (answer.json or {})["code"]) == (409, "webhook-disabled")
    assert here.of(hook)["disabled"]["reason"] == "failing"
    answer = here.house.client.post(hook["links"]["enable"], headers=OPERATOR)
    assert read(answer)["disabled"] is None
    assert here.of(hook)["failing_since"] is None
    assert here.house.client.post(retry, headers=OPERATOR).status_code == 202
