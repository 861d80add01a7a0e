"""``gyoji contract``: compares the published files with the code, or writes them."""

from importlib import resources
from pathlib import Path

import click
import yaml

from gyoji.api.breaking_changes import breaking_changes
from gyoji.api.contract import files, openapi, own_files
from gyoji.games.catalogue import BY_SLUG, is_own
from gyoji.messages.game_words import missing_words
from gyoji.published_files import CHECKOUT


@click.command()
@click.option("--check", "mode", flag_value="check", default="check", help="Compare, byte for byte (the default).")
@click.option("--write", "mode", flag_value="write", help="Write the files.")
@click.option(
    "--root", type=click.Path(path_type=Path, exists=True, file_okay=False), default=CHECKOUT, help="The checkout."
)
@click.option(
    "--game",
    type=click.Choice([slug for slug, game in BY_SLUG.items() if not is_own(game)]),
    help="Only the schemas of this game, beside its rules.",
)
@click.option(
    "--against",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A released openapi.yaml: list what would break its clients, and nothing else.",
)
def contract(mode: str, root: Path, game: str | None, against: Path | None) -> None:
    """Compare openapi.yaml and schemas/ with the code, or write them; of a game of another package its schemas/.

    Exit status 1 if they differ, if a game has no words for something, or if something would break a client; 2 if there
    is nothing to compare with.
    """
    if against:
        _compare_with_release(against)
        return
    if game is not None:
        root = Path(str(resources.files(BY_SLUG[game].package)))
    _refuse_missing_words([slug for slug in BY_SLUG if game in (None, slug)])
    made = dict(files() if game is None else own_files(game))
    if mode == "write":
        for name, body in made.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(body)
        click.echo(f"{len(made)} files written")
        return
    if not any((root / name).exists() for name in ("openapi.yaml", "schemas")):
        wanted = "a checkout of gyoji" if game is None else f"the schemas of {game}"
        click.echo(f"There is nothing to compare with: {root} does not hold {wanted}.", err=True)
        raise SystemExit(2)
    wrong = [name for name, body in made.items() if not (root / name).is_file() or (root / name).read_bytes() != body]
    left_over = sorted(_published(root) - made.keys())
    for name in wrong:
        click.echo(f"differs from the code: {name}")
    for name in left_over:
        click.echo(f"not made by the code: {name}")
    if wrong or left_over:
        raise SystemExit(1)
    click.echo(f"{len(made)} files agree with the code")


def _refuse_missing_words(slugs: list[str]) -> None:
    missing = [f"{slug}: words.toml does not say {name}" for slug in slugs for name in missing_words(BY_SLUG[slug])]
    for line in missing:
        click.echo(line)
    if missing:
        raise SystemExit(1)


def _compare_with_release(released: Path) -> None:
    changes = breaking_changes(yaml.load(released.read_bytes(), Loader=yaml.CSafeLoader), openapi())
    for change in changes:
        click.echo(f"breaking: {change}")
    if changes:
        raise SystemExit(1)
    click.echo(f"nothing breaks the clients of {released}")


def _published(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in (root / "schemas").rglob("*.json")}
