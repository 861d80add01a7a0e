"""Adds indexes, so that lists by status, game or tag are found newest first."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

BYTEWISE = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Add the indexes; tags also hold the owner and the creation of their match, as the match's own row does."""
    op.create_index("matches_by_status", "matches", ["owner", "status", "created", "match"])
    op.create_index("matches_by_game", "matches", ["owner", "game", "created", "match"])
    op.create_index("matches_by_game_and_status", "matches", ["owner", "game", "status", "created", "match"])
    op.add_column("match_tags", sa.Column("owner", BYTEWISE))
    op.add_column("match_tags", sa.Column("created", BYTEWISE))
    for column in ("owner", "created"):
        op.execute(
            sa.text(
                f"UPDATE match_tags SET {column} = "  # noqa: S608 # two names, above
                f"(SELECT {column} FROM matches WHERE matches.match = match_tags.match)"
            )
        )
    op.create_index("match_tags_listed", "match_tags", ["owner", "tag", "created", "match"])
