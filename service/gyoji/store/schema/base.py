"""The metadata of all tables: how their keys are named, and how text is compared."""

from sqlalchemy import MetaData, Text

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
