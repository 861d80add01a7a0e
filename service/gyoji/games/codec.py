"""Encodes the state of a game as plain data and decodes it, by what the game declares (see ``records``).

As plain data a state is the envelope of the rules page, the same members for all games, around the game's own table.

The functions are written as source and compiled once, as ``dataclasses`` does it: a state is then written in half the
time that a loop over its members takes, and every state that is answered, stored or audited is written.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, NoReturn, TypeVar

from gyoji.games.records import Keyed, Kind, Many, Member, Record, record

ENVELOPE = ("seats", "options", "seed", "shuffles", "round", "ply", "phase", "to_act", "scores", "outcome")
"""The fields that every state begins with, in their order."""

State = TypeVar("State", bound=tuple[Any, ...])
Options = TypeVar("Options", bound=tuple[Any, ...])

Members = Mapping[str, str]
"""The members of an object, each with the expression for its value."""


class Codec(Generic[State, Options]):
    """Encodes and decodes the options and states of one game.

    ``state`` and ``options`` are classes of named tuples; a state begins with the fields of ``ENVELOPE``, and the rest
    is its table. Raises ``TypeError`` where it does not, or where a field is not declared as a record's.
    """

    def __init__(self, state: type[State], options: type[Options]) -> None:
        names: tuple[str, ...] = state._fields  # type: ignore[attr-defined]
        own = names[len(ENVELOPE) :]
        if names[: len(ENVELOPE)] != ENVELOPE or not own:
            raise TypeError(f"{state.__qualname__} has to begin with {', '.join(ENVELOPE)} and to have a table")
        self.options = record(options)
        self.table = record(state, own).members
        (self.outcome,) = record(state, ["outcome"]).members
        self.read_options: Callable[[Mapping[str, Any]], Options] = _options_reader(self.options)
        """Well-formed options; those that are left out have their defaults. ``KeyError`` for one that there is not."""
        self.write_options: Callable[[Options], dict[str, Any]] = _function("value", write(self.options, "value"))
        """All options as plain data."""
        self.read: Callable[[Mapping[str, Any]], State] = _state_reader(self, state)
        """A well-formed envelope as the state, possible or not."""
        members = {member.name: _write_member(member, "state") for member in self.table}
        seen = {member.name: f"seen[{member.name!r}]" for member in self.table if member.hideable}
        self.write: Callable[[str, int, State], dict[str, Any]] = _function(
            "game, version, state", _envelope(self.options, members)
        )
        """(game, version, state) -> the whole state as plain data."""
        self.shown: Callable[[str, int, State, Mapping[str, Any]], dict[str, Any]] = _function(
            "game, version, state, seen", _envelope(self.options, {**members, **seen}, seed="None")
        )
        """(game, version, state, seen) -> the same as one viewer may know it: without the seed; of each member of the
        table that is declared hideable what is ``seen`` of it. ``KeyError`` where that is not said."""
        self.rounds: Callable[[State], tuple[Any, ...]] = _function("state", members.get("rounds", "()"))
        """What the state keeps of each finished round, as plain data; nothing where its table has no ``rounds``."""


def plain(kind: Kind, value: Any) -> Any:
    """Encode one value of a kind, or null, as plain data."""
    return None if value is None else _function("value", write(kind, "value"))(value)


def _function(parameters: str, expression: str, **names: object) -> Callable[..., Any]:
    """The function of these parameters that returns the expression. ``names`` are known to it.

    Of what is declared an expression holds names of fields, which Python has admitted as such, and names of members as
    literals.
    """
    known: dict[str, Any] = {"new": tuple.__new__, **names}
    exec(f"def made({parameters}):\n    return {expression}\n", known)  # noqa: S102 - of nothing that anybody sent
    made: Callable[..., Any] = known["made"]
    return made


def _object(members: Members) -> str:
    return f"{{{', '.join([f'{name!r}: {value}' for name, value in members.items()])}}}"


def _unless_null(is_nullable: bool, value: str, changed: str) -> str:
    return f"(None if {value} is None else {changed})" if is_nullable and changed != value else changed


# Writing: the expression for plain data, of one for a value of the state


def write(kind: Kind, value: str) -> str:
    """Return the source text of the expression that encodes a value of a kind."""
    if isinstance(kind, Record):
        members = {member.name: _write_member(member, value) for member in kind.members}
        return _object(members) if _is_tuple(kind) else value
    if isinstance(kind, Keyed):
        return _object({name: write(kind.item, f"{value}[{at}]") for at, name in enumerate(kind.names)})
    if not isinstance(kind, Many):
        return value
    item = _item(value)
    written = _unless_null(kind.gaps, item, write(kind.item, item))
    return value if written == item else f"tuple([{written} for {item} in {value}])"


def _write_member(member: Member, of: str) -> str:
    value = f"{of}.{member.name}"
    return _unless_null(member.nullable, value, write(member.kind, value))


def _envelope(options: Record, table: Members, seed: str = "state.seed") -> str:
    envelope = {"game": "game", "version": "version", **{name: f"state.{name}" for name in ENVELOPE}, "seed": seed}
    return _object({**envelope, "options": write(options, "state.options"), "table": _object(table)})


# Reading: the expression for a value of the state, of one for plain data


def _read(kind: Kind, value: str, types: dict[str, object]) -> str:
    """``types`` takes the classes that the expression names."""
    if isinstance(kind, Record):
        members = {member.name: _read_member(member, value, types) for member in kind.members}
        return _made(kind.type, members, types) if _is_tuple(kind) else _object(members)
    if isinstance(kind, Keyed):
        return f"({', '.join([_read(kind.item, f'{value}[{name!r}]', types) for name in kind.names])},)"
    if not isinstance(kind, Many):
        return value
    item = _item(value)
    read = _unless_null(kind.gaps, item, _read(kind.item, item, types))
    if read == item:
        return f"tuple({value})"
    return f"tuple(map(tuple, {value}))" if read == f"tuple({item})" else f"tuple([{read} for {item} in {value}])"


def _read_member(member: Member, of: str, types: dict[str, object]) -> str:
    value = f"{of}[{member.name!r}]"
    return _unless_null(member.nullable, value, _read(member.kind, value, types))


def _made(declared: type[Any], members: Members, types: dict[str, object]) -> str:
    """A named tuple of that class."""
    types[declared.__name__] = declared
    return f"new({declared.__name__}, ({''.join([f'{value}, ' for value in members.values()])}))"


def _state_reader(codec: Codec[Any, Any], state: type[Any]) -> Callable[[Mapping[str, Any]], Any]:
    types: dict[str, object] = {"read_options": codec.read_options}
    members = {name: f"data[{name!r}]" for name in ENVELOPE}
    members["options"] = "read_options(data['options'])"
    members["to_act"], members["scores"] = "tuple(data['to_act'])", "tuple(data['scores'])"
    members["outcome"] = _read_member(codec.outcome, "data", types)
    for member in codec.table:
        members[member.name] = _read_member(member, "table", types)
    made = _made(state, members, types)
    return _function("data", f"(lambda table: {made})(data['table'])", **types)


def _options_reader(options: Record) -> Callable[[Mapping[str, Any]], Any]:
    defaults = options.type._field_defaults
    types: dict[str, object] = {"defaults": defaults, "known": defaults.keys(), "unknown": _unknown}
    members = {
        name: f"{_read_member(member, 'given', types)} if {name!r} in given else defaults[{name!r}]"
        for name, member in ((member.name, member) for member in options.members)
    }
    made = _made(options.type, members, types)
    return _function("given", f"{made} if given.keys() <= known else unknown(given.keys() - known)", **types)


def _unknown(names: set[str]) -> NoReturn:
    raise KeyError(*sorted(names))


def _is_tuple(kind: Record) -> bool:
    """Whether the record is a named tuple, and no typed dict."""
    return hasattr(kind.type, "_fields")


def _item(value: str) -> str:
    """The name of an item of that value: another one at every depth."""
    return f"{value}_item" if value.isidentifier() else "item"
