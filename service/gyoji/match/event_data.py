"""What the events say that no move makes: their public ``data``, and what of it is secret."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from gyoji.games.game import Event, Game, Position, Seat
from gyoji.games.records import Known
from gyoji.log.redaction import NOBODY, PrivateParts, placeholder, redact

Disclosure = Literal["public_on_close", "auditors_only"]
VoidReason = Literal["cancelled", "entropy-missing", "ruling"]


def dealt(known: Known, events: Sequence[Event], missing: Sequence[Seat]) -> tuple[dict[str, Any], PrivateParts]:
    """Of the first deal. ``missing``: the seats whose entropy it had to do without."""
    data, secrets = redact(known, None, events)
    return ({**data, "missing": missing} if missing else data), secrets


def redact_position(game: Game[Any], state: Position) -> tuple[dict[str, Any], PrivateParts]:
    """``data`` of a ``dealt`` that takes over a position: what all may see of it, and what each seat may."""
    bare = state._replace(seed=None)  # type: ignore[attr-defined] # every state is a NamedTuple
    public = game.view(bare, None)
    seen = [game.view(bare, seat) for seat in range(state.seats)]
    secrets: PrivateParts = {}
    _differences("/position", public, game.write_state(bare), seen, secrets)
    return {"events": (), "position": public}, secrets


def _differences(pointer: str, public: Any, full: Any, seen: list[Any], secrets: PrivateParts) -> None:
    """Every place where the public view holds something back, under the seats whose view does not."""
    if public == full:
        return
    if public == placeholder(full):
        audience = tuple([seat for seat, view in enumerate(seen) if view == full])
        secrets.setdefault(audience, {})[pointer] = full
        return
    inner = full.items() if isinstance(full, Mapping) else enumerate(full)
    for key, value in inner:
        _differences(f"{pointer}/{key}", public[key], value, [view[key] for view in seen], secrets)


def result(state: Position) -> dict[str, Any]:
    """``data`` of ``match_finished``, where the match was played to its end."""
    return {"outcome": state.outcome}


def ruled_result(document: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` of ``match_finished`` where a ruling, a forfeit or the clock ended the match; ``document`` is the
    result."""
    return {"outcome": None, "result": document}


def void(reason: VoidReason, missing: Sequence[Seat]) -> dict[str, Any]:
    """``data`` of ``match_voided``. ``missing``: the seats that owe entropy, before the deal."""
    return {"reason": reason, "missing": missing}


def disclosed(policy: Disclosure, secret: Any) -> tuple[dict[str, Any], PrivateParts]:
    """``data`` of ``seed_disclosed``: the server's secret (hex), told to all or kept for auditors."""
    if policy == "public_on_close":
        return {"server_secret": secret}, {}
    return {"server_secret": None}, {NOBODY: {"/server_secret": secret}}
