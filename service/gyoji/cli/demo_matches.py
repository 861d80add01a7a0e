"""Plays the stored matches of the demonstration, and audits their replays and the golden ones."""

from collections.abc import Mapping, Sequence
from secrets import token_bytes
from typing import Any

import click
import orjson

from gyoji.audit.audit import audit
from gyoji.games.catalogue import BY_SLUG, EXAMPLE
from gyoji.games.chance import player_commitment
from gyoji.log.signatures import Trusted
from gyoji.messages.verdicts import rules_for
from gyoji.published_files import CHECKOUT
from gyoji.simulation.client import RetryingClient
from gyoji.trust.trusted_keys import read_trusted_keys

SEATS = 3
"""Seats of every match, so that the page is there in seconds."""


def vary_move(answer: Mapping[str, Any], ply: int) -> Any:
    """Choose a legal move: no strategy, only variety."""
    legal = answer["legal_moves"]
    return legal[(7 * ply + ply // 3) % len(legal)]


def play_stored_matches(client: RetryingClient, key: str, games: Sequence[Mapping[str, Any]], lang: str) -> None:
    """Play a stored match of each game, every seat with its own token, and audit what the service gives out."""
    click.echo("Matches that are kept: the operator creates them, each seat moves with its own token.")
    trusted = read_trusted_keys(client.get("/v1/keys").document)
    for game in games:
        events = _play(client, key, game["game"])
        verdict = _audit(events.splitlines(keepends=True), trusted)
        number = events.count(b'"prev"')
        click.echo(f"  {game['title'][lang]}: {number} events, a replay of {len(events):,} bytes: {verdict}")
    click.echo("  Audited here, move by move, with nothing of the server's but its public key.\n")


def _play(client: RetryingClient, key: str, slug: str) -> bytes:
    """Play one match to its end; return its replay file."""
    created = client.ask("POST", "/v1/matches", key, {"game": slug, "seats": SEATS, **BY_SLUG[slug].demo})
    match = created.document
    if created.status != 201:
        raise click.ClickException(f"the server did not create a match: {match['code']}")
    url = match["links"]["self"]
    tokens = [seat["token"] for seat in match["seats"]]
    if match["status"] == "seeding":
        _seed(client, match["match"], tokens)
    if slug == EXAMPLE.slug:
        _move_out_of_turn(client, url, tokens)
    seen = client.get(url, tokens[0]).document
    plies = 0
    while seen["outcome"] is None:
        seat = seen["view"]["to_act"][0]
        if not seen["legal_moves"] or seen["legal_moves"][0]["seat"] != seat:
            seen = client.get(url, tokens[seat]).document
        made = client.ask("POST", f"{url}/moves", tokens[seat], {"move": vary_move(seen, plies)})
        seen = made.document
        if made.status != 200:
            raise click.ClickException(f"the server refused a legal move: {seen['code']}")
        plies += 1
    return client.get(f"{url}/replay", key).body


def _seed(client: RetryingClient, match: str, tokens: Sequence[str]) -> None:
    """Let every seat commit to 32 bytes of its own, then all reveal them; the last one deals."""
    entropies = [token_bytes(32) for _ in tokens]
    commits = [{"commit": player_commitment(match, seat, entropy)} for seat, entropy in enumerate(entropies)]
    seq = 0
    for sent in (commits, [{"entropy": entropy.hex()} for entropy in entropies]):
        for body, token in zip(sent, tokens, strict=True):
            answer = client.ask("POST", f"/v1/matches/{match}/entropy", token, body)
            if answer.status != 200:
                raise click.ClickException(f"the server refused a contribution: {answer.document['code']}")
            seq = answer.document["seq"]
    click.echo(f"  The seats commit to chance of their own, then reveal it; dealt at event {seq + 1}.")


def _move_out_of_turn(client: RetryingClient, url: str, tokens: Sequence[str]) -> None:
    """Let seat 1 move before seat 0 has: a refusal, and nothing is written."""
    move = {**client.get(url, tokens[0]).document["legal_moves"][0], "seat": 1}
    answer = client.ask("POST", f"{url}/moves", tokens[1], {"move": move})
    ruling, seq = answer.document, client.get(url, tokens[1]).document["seq"]
    refusal = f"HTTP {answer.status} {ruling['code']}, {ruling['reason']}"
    click.echo(f"  Seat 1 moves out of turn: {refusal}; the log stays at event {seq}.")


def _audit(lines: Sequence[bytes], trusted: Sequence[Trusted]) -> str:
    """Audit a replay; anything but that it is true, a referee's rulings included, ends the demonstration."""
    found = audit(lambda: lines, rules_for, trusted)
    if found.verdict not in ("verified", "verified_with_rulings"):
        raise click.ClickException(f"a replay audits to {found.verdict}: {found.first_divergence}")
    return found.verdict


def audit_golden_replays() -> None:
    """Audit the golden replays, where they are: a checkout has them."""
    folder = CHECKOUT / "replays"
    files = sorted(folder.glob("*/*.jsonl"))
    if not files:
        return
    trusted = read_trusted_keys(orjson.loads((folder / "trust.json").read_bytes()))
    for file in files:
        _audit(file.read_bytes().splitlines(keepends=True), trusted)
    click.echo(f"The golden replays of the checkout: {len(files)} of {len(files)} verified.\n")
