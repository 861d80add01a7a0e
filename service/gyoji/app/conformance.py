"""Reads the numbered conformance cases, and compares answers with what a case expects.

``conformance/README.md`` beside the cases describes the format. A case speaks HTTP only, so it can be put to this
engine or to any server that speaks the API.
"""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

from gyoji.api.bodies import parse_json
from gyoji.app import catalogue
from gyoji.app.adjudication import answer_call
from gyoji.log.canonical import canonical
from gyoji.messages.language import Language
from gyoji.published_files import conformance_cases

Case = Mapping[str, Any]
Ask = Callable[[str, str, Any], tuple[int, Any]]
"""(method, path, body) -> (status, document)."""


class Title(NamedTuple):
    """The title of a case."""

    case: str
    text: str
    language: Language
    """What it is written in."""


def title_of(case: Case, language: Language) -> Title:
    """Return the title of a case in a language; the English one where it has none in that language."""
    text = case.get(f"title_{language}")
    return Title(case["case"], case["title"], "en") if text is None else Title(case["case"], text, language)


@cache
def cases(slug: str) -> tuple[Case, ...]:
    """Read the cases of one game, each complete: its position filled in."""
    import yaml

    document = yaml.load(conformance_cases(slug), Loader=yaml.CSafeLoader)
    positions = document["positions"]
    return tuple({"game": slug, **case, **_placed(case, positions)} for case in document["cases"])


def _placed(case: Case, positions: Mapping[str, Any]) -> dict[str, Any]:
    if "position" not in case:
        return {}
    named = case["position"]
    position = deepcopy(positions[named] if isinstance(named, str) else named)
    for pointer, value in case.get("set", {}).items():
        _put(position, pointer, value)
    return {"position": position}


def _put(document: Any, pointer: str, value: Any) -> None:
    *path, last = _steps(pointer)
    for step in path:
        document = document[int(step) if isinstance(document, list) else step]
    document[int(last) if isinstance(document, list) else last] = value


def _steps(pointer: str) -> list[str]:
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def value_at(document: Any, pointer: str) -> Any:
    """Return what stands at a JSON Pointer (RFC 6901); ``None`` where nothing does."""
    for step in _steps(pointer):
        if isinstance(document, list):
            document = document[int(step)] if step.isdigit() and int(step) < len(document) else None
        else:
            document = document.get(step) if isinstance(document, Mapping) else None
    return document


def request_of(case: Case) -> tuple[str, str, Any]:
    """Return method, path and body of the call that a case makes."""
    call, base = case.get("call", "adjudications"), f"/v1/games/{case['game']}"
    if call == "rules":
        return "GET", f"{base}/rules/{case['rule']}", None
    if call == "states":
        return "POST", f"{base}/states", case["body"]
    members = {name: case[name] for name in ("move", "moves", "seat") if name in case}
    return "POST", f"{base}/{call}", {"state": case["position"], **members}


def this_engine(language: Language = "en") -> Ask:
    """Return a function that asks the engine in this process; it answers what cases call, and nothing else."""

    def ask(method: str, path: str, body: Any) -> tuple[int, Any]:
        _, _version, _games, slug, call, *rest = path.split("/")
        if method == "GET":
            found = catalogue.rule(slug, rest[0])
            return (200, dict(found)) if found else (404, {})
        answer = answer_call(slug, call, canonical(body), path, language)
        return answer.status, parse_json(canonical(answer.body))

    return ask


def failures(case: Case, ask: Ask) -> list[str]:
    """Compare the answer to a conformance case with what the case expects. Return the differences, none if the case
    holds."""
    status, answer = ask(*request_of(case))
    expected = case["expect"]
    if status != expected["status"]:
        return [f"status {status} instead of {expected['status']}: {_short(answer)}"]
    return [wrong for name, value in expected.items() if name in HOLDS for wrong in HOLDS[name](answer, value)]


def _short(answer: Any) -> str:
    shown = {name: answer[name] for name in ("code", "detail", "rule", "findings", "errors") if name in answer}
    return str(shown)[:400]


def _same(name: str) -> Callable[[Any, Any], Iterator[str]]:
    def check(answer: Any, value: Any) -> Iterator[str]:
        if name not in answer or answer[name] != value:
            yield f"{name} is {answer.get(name)!r} instead of {value!r}"

    return check


def _pointed(name: str) -> Callable[[Any, Any], Iterator[str]]:
    def check(answer: Any, wanted: Mapping[str, Any]) -> Iterator[str]:
        for pointer, value in wanted.items():
            found = value_at(answer[name], pointer)
            if found != value:
                yield f"{name}{pointer} is {found!r} instead of {value!r}"

    return check


def _holds(item: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(name in item and item[name] == value for name, value in wanted.items())


def _among(name: str) -> Callable[[Any, Any], Iterator[str]]:
    def check(answer: Any, wanted: list[Mapping[str, Any]]) -> Iterator[str]:
        for item in wanted:
            if not any(_holds(found, item) for found in answer[name]):
                yield f"{name} lack {item!r}; there are {answer[name]!r}"[:600]

    return check


def _in_order(answer: Any, wanted: list[Mapping[str, Any]]) -> Iterator[str]:
    waiting = iter(answer["events"])
    for item in wanted:
        if not any(_holds(event, item) for event in waiting):
            yield f"events lack {item!r} in its place; there are {answer['events']!r}"[:900]
            return


def _absent(answer: Any, kinds: list[str]) -> Iterator[str]:
    for event in answer["events"]:
        if event["type"] in kinds:
            yield f"the event {event['type']} should not happen"


HOLDS: Mapping[str, Callable[[Any, Any], Iterator[str]]] = {
    **{name: _same(name) for name in ("code", "reason", "rule", "legal_moves", "move_index", "scores", "outcome")},
    "to_act": _same("to_act"),
    "because": _same("because"),
    "state": _pointed("state"),
    "view": _pointed("view"),
    "findings": _among("findings"),
    "errors": _among("errors"),
    "lines": _among("lines"),
    "events": _in_order,
    "no_events": _absent,
}
"""Member of ``expect`` -> what it demands of the answer."""
