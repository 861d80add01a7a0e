"""The tables of the archive: which pack a match is in, and where in it."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, Table

from gyoji.store.schema.base import BYTEWISE, metadata

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
