"""The forms that set up a tournament or a match, and the plan of a tournament."""

import re
import tomllib
from importlib.resources import files
from typing import Any, get_args

import pytest
from flask import Flask

from answers import checked_client
from gyoji.match.clocks import Expiry
from gyoji.tournaments.rules import By, Pairing
from gyoji.web.pages.setups import MATCHES, TOURNAMENTS

WORDS = tomllib.loads(files("gyoji.web").joinpath("words.toml").read_text("utf-8"))["setup"]
EVENING = {"game": "catte", "entrants": "13", "seats": "4.3", "rounds": "3", "pairing": "swiss"}


def plan(app: Flask, **more: str) -> Any:
    """The plan of the evening with other facts."""
    answer = checked_client(app).get("/tournaments/new/plan", query_string={**EVENING, **more})
    assert answer.status_code == 200
    return answer.json


def test_words_whose_keys_are_put_together_are_there() -> None:
    assert {f"preset_{key}" for key in (*TOURNAMENTS, *MATCHES)} <= WORDS.keys()
    assert {f"pairing-{key}" for key in get_args(Pairing)} <= WORDS.keys()
    assert {f"points-{key}" for key in get_args(By)} <= WORDS.keys()
    assert {f"expiry-{key}" for key in get_args(Expiry)} <= WORDS.keys()


@pytest.mark.parametrize("path", ["/tournaments/new", "/matches/new"])
def test_every_value_of_a_preset_has_its_field(app: Flask, path: str) -> None:
    html = checked_client(app).get(path, headers={"Accept": "text/html"}).text
    named = set(re.findall(r'name="([^"]+)"', html))
    presets = TOURNAMENTS if path == "/tournaments/new" else MATCHES
    assert {name for preset in presets.values() for name in preset} - named == set()


def test_a_plan_says_tables_and_byes(app: Flask) -> None:
    assert plan(app) == {"tables": [{"seats": 4, "tables": 1}, {"seats": 3, "tables": 3}], "byes": 0}
    refused = plan(app, pairing="rotation", seats="4")
    assert refused["possible"] == [{"seats": 4, "rounds": 13}]
    assert "13 entrants" in refused["because"]
    japanese = plan(app, entrants="2", lang="ja")
    assert re.search("[ぁ-ん]", japanese["because"])


@pytest.mark.parametrize("missing", EVENING)
def test_there_is_no_plan_of_what_is_not_said(app: Flask, missing: str) -> None:
    query = {name: value for name, value in EVENING.items() if name != missing}
    assert checked_client(app).get("/tournaments/new/plan", query_string=query).status_code == 404
    wrong = checked_client(app).get("/tournaments/new/plan", query_string={**EVENING, missing: "<b>"})
    assert wrong.status_code == 422
