"""Makes ``gyoji_client/recorded.json`` of the contract: ``python make_recorded.py`` in this folder. It takes PyYAML.

Of each operation the recorded answer, of each problem the recorded refusal: the examples that the contract has, which
gyoji's own tests send and hold against what is answered.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent
CONTRACT = FOLDER.parent.parent / "openapi.yaml"
RECORDED = FOLDER / "gyoji_client" / "recorded.json"

METHODS = ("get", "post", "delete")


def recorded(contract: str) -> str:
    """Write what a contract has recorded."""
    document = yaml.load(contract, Loader=yaml.CSafeLoader)
    answers = [
        {"method": method.upper(), "path": path, "operation": operation["operationId"], **_answer(operation)}
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method in METHODS
    ]
    problems = dict(_problems(document["components"]["responses"]))
    return json.dumps({"answers": answers, "problems": problems}, ensure_ascii=False, indent=1) + "\n"


def _answer(operation: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first answer that is no refusal: status, type and body."""
    status, answer = next((status, answer) for status, answer in operation["responses"].items() if status[0] == "2")
    for media, content in answer.get("content", {}).items():
        examples = [
            *content.get("examples", {}).values(),
            *([{"value": content["example"]}] if "example" in content else []),
        ]
        if examples:
            return {"status": int(status), "type": media, "body": examples[0]["value"]}
    return {"status": int(status), "type": None, "body": None}


def _problems(responses: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give each refusal by its code."""
    for response in responses.values():
        for content in response.get("content", {}).values():
            examples = [each["value"] for each in content.get("examples", {}).values()]
            for problem in [*examples, *([content["example"]] if "example" in content else [])]:
                yield problem["code"], problem


if __name__ == "__main__":
    RECORDED.write_text(recorded(CONTRACT.read_text("utf-8")), "utf-8")
