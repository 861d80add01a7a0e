"""Secrets of the environment: by their variable, or by the file that it names."""

from pathlib import Path

import pytest

from gyoji.access.variables import SECRETS, InvalidVariable, read_secret

HUSH = "hush-hush"


@pytest.mark.parametrize("written", [HUSH, f"{HUSH}\n", f"{HUSH}\r\n", f"{HUSH}\n\n"])
@pytest.mark.parametrize("name", SECRETS)
def test_a_file_holds_what_the_variable_would(name: str, written: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(written.encode())
    assert read_secret(name, {f"{name}_FILE": str(tmp_path / "secret")}) == HUSH
    assert read_secret(name, {name: HUSH}) == HUSH


@pytest.mark.parametrize("given", [{}, {"GYOJI_STORE_KEY": ""}, {"GYOJI_STORE_KEY_FILE": ""}, {"GYOJI_KEY": HUSH}])
def test_what_is_empty_or_not_there_is_none(given: dict[str, str]) -> None:
    assert read_secret("GYOJI_STORE_KEY", given) is None


def test_an_empty_variable_leaves_it_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b" spaces stay \n")
    given = {"GYOJI_STORE": "", "GYOJI_STORE_FILE": str(tmp_path / "secret")}
    assert read_secret("GYOJI_STORE", given) == " spaces stay "


def test_both_are_one_too_many(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(HUSH.encode())
    given = {"GYOJI_KEY": HUSH, "GYOJI_KEY_FILE": str(tmp_path / "secret")}
    with pytest.raises(InvalidVariable, match=r"^GYOJI_KEY and GYOJI_KEY_FILE are both set: expected one of them$"):
        read_secret("GYOJI_KEY", given)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "the file cannot be read: No such file or directory"),
        (b"", "expected a file with one line"),
        (b"\n", "expected a file with one line"),
        (f"{HUSH}\n{HUSH}\n".encode(), "expected a file with one line"),
        (f"{HUSH}\0".encode(), "expected a file with one line"),
        (HUSH.encode() * 10_000, "expected a file with one line"),
        (b"hush\xff", "the file holds no text"),
    ],
)
def test_a_file_without_a_secret_is_named_and_never_quoted(content: bytes | None, said: str, tmp_path: Path) -> None:
    file = tmp_path / HUSH
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidVariable) as refused:
        read_secret("GYOJI_OPERATOR_KEY", {"GYOJI_OPERATOR_KEY_FILE": str(file)})
    assert str(refused.value) == f"GYOJI_OPERATOR_KEY_FILE: {said}"


def test_a_secret_in_the_place_of_its_file_is_not_quoted() -> None:
    for wrong in (HUSH, f"{HUSH}\0", HUSH * 1000):
        with pytest.raises(InvalidVariable, match=r"^GYOJI_STORE_KEY_FILE: ") as refused:
            read_secret("GYOJI_STORE_KEY", {"GYOJI_STORE_KEY_FILE": wrong})
        assert HUSH not in str(refused.value)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidVariable, match="the file cannot be read: Is a directory"):
        read_secret("GYOJI_STORE", {"GYOJI_STORE_FILE": str(tmp_path)})
