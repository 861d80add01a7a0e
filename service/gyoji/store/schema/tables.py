"""The tables of matches, tournaments, keys, the transparency log and the archive.

Of the archive: which pack a match is in, and where in it."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

BYTEWISE = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that is compared byte by byte on both databases, so that pages come in one order."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)


CLOSED_HERE = "closed AND NOT archived"
GROUPED_ONLY = "group_id IS NOT NULL"
OF_TOURNAMENTS = "tournament IS NOT NULL"
PUBLIC_ONLY = "visibility = 'public'"
WAITING = "withheld_until IS NOT NULL AND NOT closed"

matches = Table(
    "matches",
    metadata,
    Column("match", BYTEWISE, primary_key=True),
    Column("game", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("owner", BYTEWISE),
    Column("created", BYTEWISE, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("disclosure", Text, nullable=False),
    Column("demands_precondition", Boolean, nullable=False),
    Column("imported", Boolean, nullable=False),
    Column("tags", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("seats", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("status", Text, nullable=False),
    Column("decision", Integer, nullable=False),
    Column("closed", Boolean, nullable=False, server_default=false()),
    Column("group_id", BYTEWISE),
    Column("withheld_until", Text),
    Column("director", Text),
    Column("tournament", BYTEWISE),
    Column("archived", Boolean, nullable=False, server_default=false()),
    Index("matches_listed", "owner", "created", "match"),
    Index("matches_by_status", "owner", "status", "created", "match"),
    Index("matches_by_game", "owner", "game", "created", "match"),
    Index("matches_by_game_and_status", "owner", "game", "status", "created", "match"),
    Index("matches_newest", "created", "match"),
    Index("matches_public", "created", "match", sqlite_where=text(PUBLIC_ONLY), postgresql_where=text(PUBLIC_ONLY)),
    Index("matches_grouped", "group_id", sqlite_where=text(GROUPED_ONLY), postgresql_where=text(GROUPED_ONLY)),
    Index(
        "matches_of_tournament",
        "tournament",
        "created",
        "match",
        sqlite_where=text(OF_TOURNAMENTS),
        postgresql_where=text(OF_TOURNAMENTS),
    ),
    Index("matches_withheld", "match", sqlite_where=text(WAITING), postgresql_where=text(WAITING)),
    Index("matches_to_archive", "created", "match", sqlite_where=text(CLOSED_HERE), postgresql_where=text(CLOSED_HERE)),
    sqlite_with_rowid=False,
    postgresql_with={"fillfactor": 70},
)
"""One row a match. ``seats`` is ``[[epoch, since, revoked], …]``, with the name of the player behind these where a bot
plays a seat, ``director`` the same with one, ``tags`` a list of strings; ``secret`` is encrypted. Where ``archived``,
the events are in the archive and not in ``events``."""

groups = Table(
    "groups",
    metadata,
    Column("id", BYTEWISE, primary_key=True),
    Column("owner", BYTEWISE, nullable=False),
    Column("created", BYTEWISE, nullable=False),
    Column("game", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("first", Integer, nullable=False),
    Column("disclosure", Text, nullable=False),
    Column("until", Text),
    Column("secret", LargeBinary, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("maker", Text),
)
"""Matches that share their deals: ``options`` is an object; ``secret`` is encrypted; ``maker`` is the id of an API
key."""

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", BYTEWISE, primary_key=True),
    Column("owner", BYTEWISE, nullable=False),
    Column("created", BYTEWISE, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Index("tournaments_listed", "created", "id"),
)
"""One row a tournament: what the rest of it is, its own log says. ``seq`` and ``hash`` are those of its last event;
``secret`` is encrypted."""

tournament_events = Table(
    "tournament_events",
    metadata,
    Column("tournament", BYTEWISE, ForeignKey("tournaments.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)
"""The logs of tournaments: canonical bytes, and their hash. Nothing in them is hidden."""

match_tags = Table(
    "match_tags",
    metadata,
    Column("tag", BYTEWISE, primary_key=True),
    Column("match", BYTEWISE, ForeignKey("matches.match"), primary_key=True),
    Column("owner", BYTEWISE),
    Column("created", BYTEWISE),
    Index("match_tags_listed", "owner", "tag", "created", "match"),
    sqlite_with_rowid=False,
)
"""The tags again, to find matches by; ``owner`` and ``created`` are those of the match."""

events = Table(
    "events",
    metadata,
    Column("match", BYTEWISE, ForeignKey("matches.match"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("openings", LargeBinary),
)
"""The logs: canonical bytes, their hash, and what opens them, encrypted."""

appends = Table(
    "appends",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("match", BYTEWISE, nullable=False),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
)
"""The appends to the logs, the newest million of them, each with a number of its own: from which event to which. What
earlier releases have stored has none. Rows stay when a match is archived."""

referee_calls = Table(
    "referee_calls",
    metadata,
    Column("match", BYTEWISE, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("calls", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
"""Who calls the referee in matches that are not over: a row a match, encrypted, and how often it has changed. A row
goes when its match is over."""

idempotency = Table(
    "idempotency",
    metadata,
    Column("scope", BYTEWISE, primary_key=True),
    Column("key", BYTEWISE, primary_key=True),
    Column("digest", LargeBinary, nullable=False),
    Column("match", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    sqlite_with_rowid=False,
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", BYTEWISE, primary_key=True),
    Column("hash", LargeBinary, nullable=False),
    Column("role", Text, nullable=False),
    Column("account", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("matches", Text, nullable=False),
    Column("created", BYTEWISE, nullable=False),
    Column("revoked", Text),
    Column("tournaments", Text, nullable=False, server_default="[]"),
    UniqueConstraint("hash"),
)
"""``scopes``, ``matches`` and ``tournaments`` are lists of strings."""

signing_keys = Table(
    "signing_keys",
    metadata,
    Column("key", BYTEWISE, primary_key=True),
    Column("origin", Text, nullable=False),
    Column("public", LargeBinary, nullable=False),
    Column("private", LargeBinary, nullable=False),
    Column("since", BYTEWISE, nullable=False),
    Column("until", Text),
    Column("revoked", Text),
    Column("reason", Text),
    Index(
        "signing_keys_in_force",
        "origin",
        unique=True,
        sqlite_where=text("until IS NULL AND revoked IS NULL"),
        postgresql_where=text("until IS NULL AND revoked IS NULL"),
    ),
)
"""``private`` is encrypted; ``reason`` says why it was revoked. One key of an origin is in force."""

capsule_heads = Table(
    "capsule_heads",
    metadata,
    Column("match", BYTEWISE, primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("mark", LargeBinary, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Index("capsule_heads_expired", "expires"),
    sqlite_with_rowid=False,
)
"""Sealed games of which only the newest capsule is accepted; ``expires`` are Unix seconds."""

key_check = Table(
    "key_check",
    metadata,
    Column("id", SmallInteger, primary_key=True, autoincrement=False),
    Column("value", LargeBinary, nullable=False),
    CheckConstraint("id = 1", name="one_row"),
)
"""What the store key is recognized by."""

tree_pending = Table(
    "tree_pending",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("since", BYTEWISE, nullable=False),
    Column("kind", Text, nullable=False),
    Column("match", BYTEWISE),
    Column("seq", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""Leaves that are not in the transparency log yet, written together with what they are about."""

tree_leaves = Table(
    "tree_leaves",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
    Column("kind", Text, nullable=False),
    Column("match", BYTEWISE),
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("hash"),
    Index("tree_leaves_found", "match", "kind"),
)
"""The leaves in order, from 0 and without a gap: canonical bytes, and their hash."""

tree_tiles = Table(
    "tree_tiles",
    metadata,
    Column("level", SmallInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
)
"""The hashes of full tiles, from level 1 on; those of level 0 are those of the leaves."""

tree_checkpoints = Table(
    "tree_checkpoints",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("size", Integer, nullable=False),
    Column("root", LargeBinary, nullable=False),
    Column("key", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("at", Text, nullable=False),
)
"""Checkpoints that were signed, oldest first."""

restorations = Table(
    "restorations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("found", Text, nullable=False),
    Column("how", Text, nullable=False),
    Column("generation", BigInteger),
    Column("documents", LargeBinary),
)
"""Each time that the store has gone back: when that was found and by whom; and, once it was recovered, the generation
that then began and what was signed of it, a list of ``gyoji-restoration/1``."""


archive_packs = Table(
    "archive_packs",
    metadata,
    Column("name", BYTEWISE, primary_key=True),
    Column("digest", LargeBinary, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("events", BigInteger, nullable=False),
)
"""The objects: ``name`` is below the archive's URL, ``digest`` is SHA-256 of the whole object, ``size`` its bytes."""

archived = Table(
    "archived",
    metadata,
    Column("match", BYTEWISE, ForeignKey("matches.match"), primary_key=True),
    Column("pack", BYTEWISE, ForeignKey("archive_packs.name"), nullable=False),
    Column("start", BigInteger, nullable=False),
    Column("length", Integer, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("openings", LargeBinary),
    Index("archived_in_pack", "pack", "start"),
)
"""The matches in them: ``digest`` is SHA-256 of the ``length`` bytes from ``start`` on. ``body``, ``hash``
and ``openings`` are those of the first event, which names the players: lists need no archive."""
