"""compose.yaml, as far as it can be tried where no engine is: its shape, and what it says of the service."""

import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from gyoji.published_files import CHECKOUT
from gyoji.store import migrate, open_store
from gyoji.store.urls import PostgresUrl, parse_url
from gyoji.web.server import GRACE
from servers import ENVIRONMENT
from stored import kept_match

TEXT = (CHECKOUT / "compose.yaml").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.load(TEXT, Loader=yaml.CSafeLoader)
GYOJI, DATABASE = COMPOSE["services"]["gyoji"], COMPOSE["services"]["database"]
OPERATING = (CHECKOUT / "docs" / "operating.md").read_text("utf-8")
DOCKERFILE = (CHECKOUT / "Dockerfile").read_text("utf-8")

SECRETS = {"POSTGRES_PASSWORD", "GYOJI_STORE_KEY", "GYOJI_OPERATOR_KEY"}
VARIABLE = re.compile(r"\$\{(\w+)(:[?-])([^}]*)\}")


def seconds(text: str) -> int:
    """A duration such as 40s."""
    assert text.endswith("s")
    return int(text[:-1])


def test_it_is_the_service_with_a_database() -> None:
    assert COMPOSE.keys() == {"name", "services", "networks", "volumes"}
    assert COMPOSE["services"].keys() == {"gyoji", "database"}
    for service in (GYOJI, DATABASE):
        assert set(service["networks"]) <= COMPOSE["networks"].keys()
        named = [volume.partition(":")[0] for volume in service.get("volumes", [])]
        assert set(named) <= COMPOSE["volumes"].keys()
    assert DATABASE["volumes"] == ["database:/var/lib/postgresql/data"]
    assert re.fullmatch(r"postgres:\d+", DATABASE["image"])


def test_the_image_is_built_from_this_folder() -> None:
    assert GYOJI["build"] == "."
    assert (CHECKOUT / "Dockerfile").is_file()
    assert "requirements-runtime.lock" in DOCKERFILE


def test_what_the_service_is_told_it_knows() -> None:
    """Every variable is one that ``gyoji serve --help`` lists, or PGPASSWORD, which the library of PostgreSQL reads."""
    command = [sys.executable, "-m", "gyoji", "serve", "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, cwd=CHECKOUT).stdout
    known = set(re.findall(r"GYOJI_[A-Z_]+", shown))
    assert set(GYOJI["environment"]) - {"PGPASSWORD"} <= known
    assert "GYOJI_STORE" in GYOJI["environment"]
    assert {"GYOJI_STORE"} == set(re.findall(r"GYOJI_[A-Z_]+(?==)", DOCKERFILE)) & known


def test_the_address_of_the_store_is_that_of_the_database() -> None:
    place = parse_url(GYOJI["environment"]["GYOJI_STORE"])
    assert isinstance(place, PostgresUrl)
    own = DATABASE["environment"]
    assert place.conninfo == f"postgresql://{own['POSTGRES_USER']}@database/{own['POSTGRES_DB']}"
    assert GYOJI["environment"]["PGPASSWORD"] == own["POSTGRES_PASSWORD"]
    assert set(GYOJI["networks"]) & set(DATABASE["networks"]) == {"inside"}


def test_no_secret_has_a_default_and_a_missing_one_is_told_of() -> None:
    used = VARIABLE.findall(TEXT)
    assert {name for name, _kind, _word in used} == SECRETS | {
        "GYOJI_ORIGIN",
        "GYOJI_WORKERS",
        "GYOJI_PORT",
        "GYOJI_SERVER",
        "GYOJI_ARCHIVE",
    }
    assert all(kind == ":?" and word for name, kind, word in used if name in SECRETS)
    assert TEXT.count("$") - len(used) == len(re.findall(r"^#.*\$", TEXT, re.MULTILINE)) + 1, "another way of asking"
    ignored = (CHECKOUT / ".gitignore").read_text("utf-8").splitlines()
    assert ".env" in ignored


def test_the_comment_makes_the_secrets_that_are_asked_for(tmp_path: Path) -> None:
    script = re.search(r"^#   (\(umask.*?> \.env\))$", TEXT, re.MULTILINE | re.DOTALL)
    assert script
    random = f"{sys.executable} -c 'import secrets; print(secrets.token_hex(32))'"
    command = script[1].replace("\n#", "\n").replace("openssl rand -hex 32", random)
    subprocess.run(["sh", "-c", command], cwd=tmp_path, check=True)
    made = dict(line.split("=") for line in (tmp_path / ".env").read_text("ascii").splitlines())
    assert made.keys() == SECRETS
    assert all(re.fullmatch("[0-9a-f]{64}", value) for value in made.values())
    assert len(set(made.values())) == 3
    assert (tmp_path / ".env").stat().st_mode & 0o777 == 0o600


def test_it_waits_for_the_database_and_each_is_checked() -> None:
    assert GYOJI["depends_on"] == {"database": {"condition": "service_healthy"}}
    check = DATABASE["healthcheck"]["test"]
    assert check[:2] == ["CMD", "pg_isready"]
    assert f"--username={DATABASE['environment']['POSTGRES_USER']}" in check
    assert "healthcheck" not in GYOJI
    assert re.search(r'^HEALTHCHECK .*\\\n +CMD \["python", ', DOCKERFILE, re.MULTILINE)


def test_the_service_may_do_little() -> None:
    assert GYOJI["user"] == "10001:10001"
    assert f"USER {GYOJI['user']}" in DOCKERFILE
    assert GYOJI["cap_drop"] == ["ALL"]
    for service in (GYOJI, DATABASE):
        assert service["read_only"] is True
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "privileged" not in service
    assert GYOJI["tmpfs"] == ["/tmp", "/data"]  # noqa: S108 - what the image may write to
    assert COMPOSE["networks"]["inside"]["internal"] is True
    assert "ports" not in DATABASE
    assert [port.partition(":")[0] for port in GYOJI["ports"]] == ["127.0.0.1"]
    assert GYOJI["ports"][0].rpartition(":")[2] in re.findall(r"^EXPOSE (\d+)$", DOCKERFILE, re.MULTILINE)


def test_open_requests_get_their_time() -> None:
    assert seconds(GYOJI["stop_grace_period"]) > GRACE


@pytest.mark.parametrize("word", ["change" + "me", "secret", "example", "password123"])
def test_no_password_that_somebody_might_leave(word: str) -> None:
    values = [str(value) for service in (GYOJI, DATABASE) for value in service["environment"].values()]
    assert not [value for value in values if word in value.lower()]


def test_the_store_of_the_image_is_on_a_volume() -> None:
    assert "GYOJI_STORE=sqlite:////data/gyoji.db" in DOCKERFILE
    assert re.search(r"^VOLUME /data$", DOCKERFILE, re.MULTILINE)
    assert "--mode=0700 --owner=gyoji --group=gyoji /data /backups" in DOCKERFILE


def test_backups_have_a_volume_of_their_own() -> None:
    """A new volume belongs to whom the folder of the image does."""
    assert GYOJI["volumes"] == ["backups:/backups"]
    assert not [line for line in DATABASE["volumes"] if line.startswith("backups:")]


DOCKER = """
import os, sys
from pathlib import Path
compose, verb, *rest = sys.argv[1:]
assert compose == "compose"
if verb == "up":
    sys.exit(0)
program = [] if verb == "exec" else ["gyoji"]
while (option := rest.pop(0)) != "gyoji":
    assert option in ("-T", "--rm", "--no-deps", "--env", "--entrypoint")
    if option == "--entrypoint":
        program = [rest.pop(0)]
    if option == "--env":
        name, _equals, value = rest.pop(0).replace("/backups", os.environ["BACKUPS"]).partition("=")
        os.environ[name] = value
command = [*program, *(word.replace("/backups", os.environ["BACKUPS"]) for word in rest)]
if command[0] == "gyoji":
    command[:1] = [sys.executable, "-m", "gyoji"]
os.execvp(command[0], command)
"""
"""A stand-in that does in this system what would be done in the container, its volume a folder of the test."""


def test_the_documented_backup_goes_to_another_machine_and_is_restored(tmp_path: Path) -> None:
    saving, restoring = re.findall(r"^```bash compose\n(.*?)^```$", OPERATING, re.MULTILINE | re.DOTALL)
    (tmp_path / "docker").write_text(f"#!{sys.executable}{DOCKER}", "utf-8")
    (tmp_path / "docker").chmod(0o700)
    url = f"sqlite:///{tmp_path}/kept.db"
    migrate(url)
    match = kept_match(url)
    own = {**ENVIRONMENT, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for machine, script, store in (("here", saving, url), ("there", restoring, f"sqlite:///{tmp_path}/restored.db")):
        (tmp_path / machine).mkdir()
        there = {**own, "GYOJI_STORE": store, "BACKUPS": str(tmp_path / machine)}
        subprocess.run(["sh", "-e", "-c", script], env=there, cwd=tmp_path, check=True, capture_output=True, timeout=60)
        assert [path.name for path in (tmp_path / machine).iterdir()] == ["monday.db"]
        assert (tmp_path / machine / "monday.db").stat().st_mode & 0o777 == 0o600
    with closing(open_store(f"sqlite:///{tmp_path}/restored.db")) as restored:
        assert restored.match(match) is not None
