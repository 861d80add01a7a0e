"""A plain stateless call is answered without Flask, and exactly as Flask would have answered it."""

import io
from collections.abc import Callable, Mapping
from typing import NamedTuple

import orjson
import pytest
from flask import Flask
from werkzeug.test import EnvironBuilder

from bodies import POSTS, body
from gyoji.web.logs import ROUTE, routed
from gyoji.web.stateless import answered_directly

Environ = dict[str, object]


class Heard(NamedTuple):
    """What the server is told to send."""

    status: str
    headers: list[tuple[str, str]]
    body: bytes


def environ(game: str, call: str, sent: bytes, media: str, more: Mapping[str, str]) -> Environ:
    """A request as a server hands it on."""
    builder = EnvironBuilder(f"/v1/games/{game}/{call}", method="POST", data=sent, content_type=media)
    return {**builder.get_environ(), "HTTP_X_REQUEST_ID": "r-1", **more}


def heard(app: Flask, asked: Environ) -> Heard:
    """The answer of the whole application."""
    told: list[tuple[str, list[tuple[str, str]]]] = []

    def start(status: str, headers: list[tuple[str, str]], _failure: object = None) -> Callable[[bytes], object]:
        told.append((status, headers))
        return lambda _more: None

    answer = app(asked, start)
    return Heard(*told[0], b"".join(answer))


PLAIN, THROUGH_FLASK = "application/json", "application/json; charset=utf-8"

BODIES: Mapping[str, Callable[[str, str], bytes]] = {
    "fine": lambda game, call: orjson.dumps({**body(game, call), **({"seed": "ab" * 64} if call == "states" else {})}),
    "of another shape": lambda _game, _call: b'{"seats":"three"}',
    "no JSON": lambda _game, _call: b'{"state":',
    "a capsule that is none": lambda _game, _call: b'{"capsule":"x"}',
}


@pytest.mark.parametrize("language", ["en", "ja;q=0.9, en;q=0.1"])
@pytest.mark.parametrize("sent", BODIES)
def test_the_answer_is_that_of_flask(app: Flask, sent: str, language: str) -> None:
    for game, call in POSTS:
        content, more = BODIES[sent](game, call), {"HTTP_ACCEPT_LANGUAGE": language}
        direct, through_flask = (
            heard(app, environ(game, call, content, media, more)) for media in (PLAIN, THROUGH_FLASK)
        )
        assert direct == through_flask
        assert direct.status.startswith("200") == (sent == "fine")


def test_what_is_answered_directly() -> None:
    for game, call in POSTS:
        asked = environ(game, call, BODIES["fine"](game, call), PLAIN, {})
        message = answered_directly(asked)
        assert message is not None
        assert message.status == "200 OK"
        assert orjson.loads(message.body)["game"] == game
        assert routed(asked) == (f"/v1/games/<game>/{call}", {"game": game, "call": call})


@pytest.mark.parametrize(
    "more",
    [
        {"REQUEST_METHOD": "GET"},
        {"PATH_INFO": "/v1/games/catte/scores/"},
        {"PATH_INFO": "/v1/games/chess/scores"},
        {"HTTP_ACCEPT": "text/html"},
        {"HTTP_UPGRADE": "websocket"},
        {"HTTP_CONTENT_ENCODING": "gzip"},
        {"HTTP_TRANSFER_ENCODING": "chunked"},
        {"CONTENT_TYPE": "text/plain"},
        {"CONTENT_LENGTH": "65537"},
        {"CONTENT_LENGTH": "many"},
    ],
)
def test_what_flask_has_to_look_into_is_left_to_it_unread(more: dict[str, str]) -> None:
    asked = environ("catte", "scores", BODIES["fine"]("catte", "scores"), PLAIN, more)
    whole = asked["wsgi.input"]
    assert answered_directly(asked) is None
    assert asked["wsgi.input"] is whole
    assert isinstance(whole, io.BytesIO)
    assert whole.tell() == 0


def test_a_capsule_is_left_to_flask_with_the_body_to_be_read_again() -> None:
    sent = BODIES["a capsule that is none"]("catte", "scores")
    asked = environ("catte", "scores", sent, PLAIN, {})
    assert answered_directly(asked) is None
    assert ROUTE not in asked
    again = asked["wsgi.input"]
    assert isinstance(again, io.BytesIO)
    assert again.read() == sent
