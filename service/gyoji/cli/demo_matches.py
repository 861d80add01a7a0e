"""The second half of the demonstration: matches that are kept, their replays, and what an audit says of them."""

from collections.abc import Mapping, Sequence
from secrets import token_bytes
from typing import Any

import click
import orjson

from gyoji.audit.audit import audit
from gyoji.cli.demo_conversation import Conversation, choice
from gyoji.games.chance import player_commitment
from gyoji.log.signatures import Trusted
from gyoji.messages.verdicts import rules_for
from gyoji.published_files import CHECKOUT
from gyoji.trust.trusted_keys import trusted_keys

TABLES: Mapping[str, dict[str, Any]] = {
    "tomorrow-never-meows": {"seats": 3, "options": {"concealed": True}},
    "catte": {"seats": 3},
    "towai": {"seats": 3, "options": {"finishes_to_win": 1}, "randomness": {"policy": "players"}},
    "familiars-trouble": {"seats": 3, "options": {"hand_exchange": False, "errand_exchange": False}},
}
"""Short games, so that the page is there in seconds."""


def kept_matches(talk: Conversation, key: str, games: Sequence[Mapping[str, Any]], lang: str) -> None:
    """Play a stored match of each game, every seat with its own token, and audit what the service gives out."""
    click.echo("Matches that are kept: the operator creates them, each seat moves with its own token.")
    trusted = trusted_keys(talk.get("/v1/keys"))
    for game in games:
        events = _kept(talk, key, game["game"])
        verdict = _verdict(events.splitlines(keepends=True), trusted)
        number = events.count(b'"prev"')
        click.echo(f"  {game['title'][lang]}: {number} events, a replay of {len(events):,} bytes: {verdict}")
    click.echo("  Audited here, move by move, with nothing of the server's but its public key.\n")


def _kept(talk: Conversation, key: str, slug: str) -> bytes:
    """Play one match to its end; its replay file."""
    status, match = talk.post("/v1/matches", {"game": slug, **TABLES[slug]}, key)
    if status != 201:
        raise click.ClickException(f"the server did not create a match: {match['code']}")
    address = match["links"]["self"]
    tokens = [seat["token"] for seat in match["seats"]]
    if match["status"] == "seeding":
        _seeded(talk, match["match"], tokens)
    if slug == "catte":
        _out_of_turn(talk, address, tokens[1])
    seen = talk.get(address, tokens[0])
    plies = 0
    while seen["outcome"] is None:
        seat = seen["view"]["to_act"][0]
        if not seen["legal_moves"] or seen["legal_moves"][0]["seat"] != seat:
            seen = talk.get(address, tokens[seat])
        status, seen = talk.post(f"{address}/moves", {"move": choice(seen, plies)}, tokens[seat])
        if status != 200:
            raise click.ClickException(f"the server refused a legal move: {seen['code']}")
        plies += 1
    return talk.download(f"{address}/replay", key)


def _seeded(talk: Conversation, match: str, tokens: Sequence[str]) -> None:
    """Every seat commits to 32 bytes of its own, then all reveal them; the last one deals."""
    entropies = [token_bytes(32) for _ in tokens]
    commits = [{"commit": player_commitment(match, seat, entropy)} for seat, entropy in enumerate(entropies)]
    said: Any = None
    for sent in (commits, [{"entropy": entropy.hex()} for entropy in entropies]):
        for body, token in zip(sent, tokens, strict=True):
            status, said = talk.post(f"/v1/matches/{match}/entropy", body, token)
            if status != 200:
                raise click.ClickException(f"the server refused a contribution: {said['code']}")
    click.echo(f"  The seats of TOWAI commit to chance of their own, then reveal it; dealt at event {said['seq'] + 1}.")


def _out_of_turn(talk: Conversation, address: str, token: str) -> None:
    """Seat 1 moves before seat 0 has: a refusal, and nothing is written."""
    card = talk.get(address, token)["view"]["table"]["hands"][1][0]
    status, ruling = talk.post(f"{address}/moves", {"move": {"type": "play", "seat": 1, "card": card}}, token)
    seq = talk.get(address, token)["seq"]
    said = f"HTTP {status} {ruling['code']}, {ruling['reason']}"
    click.echo(f"  Seat 1 of Catte moves out of turn: {said}; the log stays at event {seq}.")


def _verdict(lines: Sequence[bytes], trusted: Sequence[Trusted]) -> str:
    """What the audit says; anything but that it is true, a referee's rulings included, ends the demonstration."""
    found = audit(lambda: lines, rules_for, trusted)
    if found.verdict not in ("verified", "verified_with_rulings"):
        raise click.ClickException(f"a replay audits to {found.verdict}: {found.first_divergence}")
    return found.verdict


def golden_replays() -> None:
    """Audit the golden replays, where they are: a checkout has them."""
    folder = CHECKOUT / "replays"
    files = sorted(folder.glob("*/*.jsonl"))
    if not files:
        return
    trusted = trusted_keys(orjson.loads((folder / "trust.json").read_bytes()))
    for file in files:
        _verdict(file.read_bytes().splitlines(keepends=True), trusted)
    click.echo(f"The golden replays of the checkout: {len(files)} of {len(files)} verified.\n")
