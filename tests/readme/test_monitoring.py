"""Alert rules and dashboard ask for what the service tells: its metrics, their labels, values that these can have."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
import yaml
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import Client

from gyoji.app.metrics import Outcome
from gyoji.messages.language import messages
from gyoji.published_files import CHECKOUT
from gyoji.store.database.port import Operation
from gyoji.store.interface import CAUSES
from operators import OPERATOR

ALERTS = CHECKOUT / "docs" / "monitoring" / "alerts.yaml"
DASHBOARD = CHECKOUT / "docs" / "monitoring" / "dashboard.json"
OPERATING = (CHECKOUT / "docs" / "operating.md").read_text("utf-8")

SELECTOR = re.compile(r"\b(gyoji_\w+)(?:\{((?:[^\"}]|\"[^\"]*\")*)\})?")
MATCHER = re.compile(r"(\w+)(=~|!~|!=|=)\"([^\"]*)\"")
GROUPED = re.compile(r"\bby \(([^)]*)\)")
NAMED = re.compile(r"\{\{ ?(?:\$labels\.)?(\w+) ?\}\}")
LENGTH = re.compile(r"[1-9][0-9]*[smhd]")

FUNCTIONS = {
    *("absent", "by", "count", "histogram_quantile", "increase", "max", "min_over_time", "rate", "sum", "topk"),
}
"""Of PromQL's words those that are used here."""

SCRAPED = {"instance", "job"}
"""Labels that Prometheus itself puts on everything that it reads."""


class Selector(NamedTuple):
    """One metric that is asked for, and which labels have to be how."""

    metric: str
    matchers: tuple[tuple[str, str, str], ...]


def selectors(expression: str) -> list[Selector]:
    """Everything that an expression asks for."""
    return [Selector(name, tuple(MATCHER.findall(labels))) for name, labels in SELECTOR.findall(expression)]


def words(expression: str) -> set[str]:
    """The words of an expression beside metrics, labels, numbers and times."""
    rest = GROUPED.sub("by", re.sub(r"\[[^]]*\]", "", SELECTOR.sub("", expression)))
    return set(re.findall(r"[A-Za-z_]\w*", rest))


def alerts() -> list[dict[str, Any]]:
    """The alert rules."""
    (group,) = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def panels() -> list[dict[str, Any]]:
    """The panels of the dashboard."""
    found: list[dict[str, Any]] = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return found


def queries() -> Iterator[tuple[str, str]]:
    """Every expression of the dashboard, and the labels by which its lines are named."""
    for panel in panels():
        for target in panel["targets"]:
            yield target["expr"], target["legendFormat"]


EXPRESSIONS = [rule["expr"] for rule in alerts()] + [expression for expression, _legend in queries()]


class Told(NamedTuple):
    """What a service tells: the labels of each sample, and which values of some of them there can be."""

    labels: Mapping[str, set[str]]
    values: Mapping[str, set[str]]


@pytest.fixture
def told(app: Flask) -> Told:
    """What is told after a match was made and moved in, and something was not found."""
    caller = Client(app)
    made = caller.post("/v1/matches", json={"game": "catte", "seats": 3}, headers=OPERATOR).get_json()
    path = f"/v1/matches/{made['match']}"
    for seat in made["seats"]:
        headers = {"Authorization": f"Bearer {seat['token']}"}
        legal = caller.get(path, headers=headers).get_json()["legal_moves"]
        if legal:
            assert caller.post(f"{path}/moves", json={"move": legal[0]}, headers=headers).status_code == 200
            break
    assert caller.get("/nowhere").status_code == 404
    labels: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(caller.get("/metrics").text):
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    values = {
        "code": set(messages()["problem"]),
        "cause": set(CAUSES),
        "asked": set(get_args(Operation)),
        "outcome": set(get_args(Outcome)),
        "route": {rule.rule for rule in app.url_map.iter_rules()},
    }
    return Told(labels, values)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_asks_for_what_is_told(told: Told, expression: str) -> None:
    asked = selectors(expression)
    assert asked
    for metric, matchers in asked:
        assert metric in told.labels
        for label, how, value in matchers:
            assert label in told.labels[metric] | SCRAPED
            if label not in SCRAPED:
                options = set(value.split("|")) if how in ("=~", "!~") else {value}
                assert options <= told.values[label]
    known = set.union(*[told.labels[metric] for metric, _matchers in asked]) | SCRAPED
    for names in GROUPED.findall(expression):
        assert {name.strip() for name in names.split(",")} <= known
    assert words(expression) <= FUNCTIONS
    assert expression.count("(") == expression.count(")")


def _named_by(told: Told, expression: str) -> set[str]:
    """The labels that what an expression finds can have."""
    grouped = GROUPED.findall(expression)
    if grouped:
        return {name.strip() for name in grouped[0].split(",")} - (
            {"le"} if "histogram_quantile" in expression else set()
        )
    return set.union(*[told.labels[metric] for metric, _matchers in selectors(expression)]) | SCRAPED


def test_what_an_alert_says_names_labels_that_it_has(told: Told) -> None:
    for rule in alerts():
        said = " ".join(rule["annotations"].values())
        named = set(re.findall(r"\$labels\.(\w+)", said))
        assert named <= _named_by(told, rule["expr"]), rule["alert"]


def test_what_a_line_of_the_dashboard_is_named_by_it_has(told: Told) -> None:
    for expression, legend in queries():
        assert set(NAMED.findall(legend)) <= _named_by(told, expression), expression


def test_alerts_have_the_form_of_rules() -> None:
    rules = alerts()
    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
        assert rule["alert"].startswith("Gyoji")
        assert rule["labels"].keys() == {"severity"}
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "description"}
        assert "for" not in rule or LENGTH.fullmatch(rule["for"])


def test_every_cause_pages() -> None:
    """Of the two rules about causes one says which, and the other which not; they are the same."""
    chosen = [
        (how, value)
        for rule in alerts()
        for metric, matchers in selectors(rule["expr"])
        for _label, how, value in matchers
        if metric == "gyoji_unavailable_total" and rule["labels"]["severity"] == "page"
    ]
    (one, lasting), (other, passing) = chosen
    assert ({one, other}, lasting) == ({"=~", "!~"}, passing)


def test_the_page_names_every_metric_and_every_alert() -> None:
    named = {
        metric.removesuffix("_bucket").removesuffix("_count") for each in EXPRESSIONS for metric, _ in selectors(each)
    }
    assert [metric for metric in sorted(named) if f"`{metric}`" not in OPERATING] == []
    assert [rule["alert"] for rule in alerts() if f"`{rule['alert']}`" not in OPERATING] == []


def test_the_dashboard_is_a_grid_of_panels_with_names() -> None:
    dashboard, shown = json.loads(DASHBOARD.read_text("utf-8")), panels()
    assert {"title", "uid", "schemaVersion", "templating", "panels", "time"} <= set(dashboard)
    assert len({panel["id"] for panel in shown}) == len({panel["title"] for panel in shown}) == len(shown)
    cells = set[tuple[int, int]]()
    for panel in shown:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        own = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert cells.isdisjoint(own)
        cells |= own
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    assert variables == {"datasource", "instance"}
    for panel in shown:
        assert panel["datasource"] == {"type": "prometheus", "uid": "${datasource}"}
        assert all('instance=~"$instance"' in target["expr"] for target in panel["targets"])


def _recorded(folder: Path) -> Path:
    """The expressions of the dashboard as rules, for promtool to read."""
    rules = [
        {"record": f"dashboard:query{number}", "expr": expression.replace("$__rate_interval", "5m")}
        for number, (expression, _legend) in enumerate(queries())
    ]
    path = folder / "dashboard.yaml"
    path.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}), "utf-8")
    return path


def test_promtool_has_nothing_to_say_where_it_is(tmp_path: Path) -> None:
    """It also tells what the rules say of some hours. Where it is not, the rest of this file has been looked at."""
    promtool = shutil.which("promtool")
    commands = [
        ("check", "rules", str(ALERTS)),
        ("check", "rules", str(_recorded(tmp_path))),
        ("test", "rules", str(Path(__file__).with_name("alerts.test.yaml"))),
    ]
    for command in commands if promtool else ():
        done = subprocess.run([str(promtool), *command], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_hours_that_promtool_is_told_of_are_about_these_alerts() -> None:
    """What it is asked where it is: every alert and every series in it is one of ours."""
    hours = yaml.safe_load(Path(__file__).with_name("alerts.test.yaml").read_text("utf-8"))
    asked = {each["alertname"] for test in hours["tests"] for each in test["alert_rule_test"]}
    series = {selectors(each["series"])[0].metric for test in hours["tests"] for each in test["input_series"]}
    assert asked <= {rule["alert"] for rule in alerts()}
    assert series <= {metric for rule in alerts() for metric, _matchers in selectors(rule["expr"])}
