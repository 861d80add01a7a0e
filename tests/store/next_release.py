"""A release after this one: its schema has one migration more."""

import shutil
from pathlib import Path

from gyoji.store.database.statements import REVISION
from gyoji.store.schema.migrator import SCRIPTS

NEXT = "9999"

MIGRATION = '''"""A migration that a test has made."""

from time import sleep

from alembic import op

revision = "{next}"
down_revision = "{last}"


def upgrade() -> None:
    connection = op.get_bind()
    is_postgres = connection.dialect.name == "postgresql"
{body}
'''

AS_NEXT = f"""
import sys
from pathlib import Path
from gyoji.store.database import statements
statements.REVISION, statements.CURRENT = "{NEXT}", [("{NEXT}",)]
from gyoji.store.schema import migrator
migrator.SCRIPTS = Path(sys.argv.pop(1))
from gyoji.cli.main import main
main(prog_name="gyoji")
"""
"""``gyoji`` of that release, whose scripts are in the folder of the first argument."""


def scripts_with(folder: Path, body: str) -> Path:
    """The migrations of this release, and one that does what ``body`` says."""
    scripts = folder / "migrations"
    shutil.copytree(SCRIPTS, scripts, ignore=shutil.ignore_patterns("__pycache__"))
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (scripts / "versions" / f"r{NEXT}_next.py").write_text(MIGRATION.format(next=NEXT, last=REVISION, body=lines))
    return scripts
