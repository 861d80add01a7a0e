"""``gyoji log erratum``: enters into the transparency log that the rules of a game were wrong."""

import click

from gyoji.app.clock import current_time
from gyoji.app.signing_keys import current_signer
from gyoji.cli.options import setting_option
from gyoji.cli.store_options import KEY_OPTION, STORE_OPTION, open_with_key
from gyoji.games.catalogue import BY_SLUG
from gyoji.store.interface import Conflict
from gyoji.trust.transparency.leaves import LONGEST_ERRATUM, erratum_leaf
from gyoji.trust.transparency.notes import log_name


@click.command("erratum")
@click.option("--game", required=True, type=click.Choice(list(BY_SLUG)))
@click.option("--version", required=True, type=click.IntRange(1, 10_000), help="The version of the rules.")
@click.option("--text", required=True, help="What was wrong, and since when; everybody can read it for ever.")
@setting_option("origin")
@STORE_OPTION
@KEY_OPTION
def enter_erratum(game: str, version: int, text: str, origin: str, store: str, store_key: str | None) -> None:
    """Enter into the log that the rules of a game, as they were released, were wrong."""
    if not 0 < len(text) <= LONGEST_ERRATUM:
        raise click.BadParameter(f"expected 1 to {LONGEST_ERRATUM} characters", param_hint="--text")
    at = current_time()
    with open_with_key(store, store_key) as kept:
        last, name = kept.transparency_log.latest(), log_name(origin, kept.restorations.generation())
        if last is not None and not last.note.startswith(f"{name}\n"):
            raise click.ClickException(f"the log of this store is {last.note.partition(chr(10))[0]}: name its --origin")
        try:
            kept.transparency_log.enter(erratum_leaf(game, version, text, at))
        except Conflict:
            raise click.ClickException("that erratum is in the log already") from None
        made = kept.transparency_log.grow(current_signer(kept, name), at)
    click.echo(made.note, nl=False)
