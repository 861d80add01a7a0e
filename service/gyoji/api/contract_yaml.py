"""Writes the contract as YAML for people: what is short stands on one line, text of several lines keeps its lines."""

from typing import Any

import orjson
import yaml

SHORT = 400
"""Characters of JSON that are put on one line."""


class InOneLine(dict[str, Any]):
    """A mapping that YAML writes on as few lines as possible."""


class _Short(list[Any]):
    """A list that YAML writes on as few lines as possible."""


class _Plain(yaml.CSafeDumper):
    """YAML without anchors: what occurs twice is written twice."""

    def ignore_aliases(self, _data: Any) -> bool:
        return True

    def represent_text(self, text: str) -> yaml.ScalarNode:
        """A string, as a literal block where it has several lines."""
        return self.represent_scalar("tag:yaml.org,2002:str", text, "|" if "\n" in text else None)

    def represent_in_one_line(self, mapping: InOneLine) -> yaml.MappingNode:
        """A mapping in flow style, and whatever it holds."""
        return self.represent_mapping("tag:yaml.org,2002:map", mapping, flow_style=True)

    def represent_short(self, items: _Short) -> yaml.SequenceNode:
        """A list in flow style."""
        return self.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=True)


_Plain.add_representer(str, _Plain.represent_text)
_Plain.add_representer(InOneLine, _Plain.represent_in_one_line)
_Plain.add_representer(_Short, _Plain.represent_short)


def write_yaml(document: Any) -> bytes:
    """Write a document as YAML, its members in their order."""
    text: str = yaml.dump(_shortened(document), sort_keys=False, allow_unicode=True, width=160, Dumper=_Plain)
    return text.encode()


def _shortened(node: Any) -> Any:
    """The document with what is short, or has to be, in one line. Words are in one line however many there are."""
    if isinstance(node, InOneLine) or not isinstance(node, dict | list):
        return node
    is_short = len(orjson.dumps(node)) <= SHORT
    if isinstance(node, list):
        return _Short(node) if is_short or all(isinstance(item, str) for item in node) else [*map(_shortened, node)]
    return InOneLine(node) if is_short else {key: _shortened(value) for key, value in node.items()}
