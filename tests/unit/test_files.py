"""Files that are whole or not there, and the places where none is put."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from euchre_env.files import check_place, write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and modes of POSIX")


def test_texts_and_bytes_replace_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_whole(path, "♠ one\n")
    assert path.read_bytes() == "♠ one\n".encode()
    write_whole(os.fspath(path), b"\xff")
    assert path.read_bytes() == b"\xff"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_the_earlier_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    write_whole(path, "one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"^\[Errno 28\] No space left on device: '.*/a'$"):
        write_whole(path, "two")
    assert path.read_text("utf-8") == "one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_named_by_the_path_given(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        write_whole(tmp_path / "no" / "a", "one")
    assert error.value.filename == str(tmp_path / "no" / "a")


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_an_earlier_file_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a"
    path.write_text("one", "utf-8")
    path.chmod(mode)
    write_whole(path, "two")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_text("utf-8") == "two"


@posix
def test_a_new_file_gets_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("", "utf-8")
    write_whole(tmp_path / "new", "")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


@posix
def test_links_stay_and_lead_to_the_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, first, second = tmp_path / "folder" / "a", tmp_path / "first", tmp_path / "second"
    second.symlink_to("folder/a")
    first.symlink_to(second)
    for text in ("a new file", "one that was there"):
        write_whole(first, text)
        assert first.is_symlink()
        assert second.is_symlink()
        assert not target.is_symlink()
        assert target.read_text("utf-8") == text
    assert list(target.parent.iterdir()) == [target]


@posix
def test_what_is_no_ordinary_file_is_not_replaced(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for path in (pipe, link):
        with pytest.raises(FileExistsError) as error:
            write_whole(path, "one")
        assert str(error.value) == f"{path} is no ordinary file: name one that may be replaced."
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    with pytest.raises(IsADirectoryError) as folder:
        write_whole(tmp_path, "one")
    assert str(folder.value) == f"{tmp_path} is a folder: name a file."
    assert sorted(tmp_path.iterdir()) == [link, pipe]


@posix
def test_a_device_is_no_place() -> None:
    with pytest.raises(FileExistsError, match=r"^/dev/null is no ordinary file"):
        check_place("/dev/null")


@posix
def test_the_file_that_a_program_prints_to_is_no_place(tmp_path: Path) -> None:
    """It would be replaced, and what is printed afterwards be lost."""
    path = tmp_path / "out"
    code = f"from euchre_env.files import check_place; print('printed'); check_place({str(path)!r})"
    with path.open("w") as out:
        done = subprocess.run([sys.executable, "-c", code], stdout=out, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "is no ordinary file" in done.stderr
    assert path.read_text("utf-8") == "printed\n"


@posix
def test_links_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="symbolic links"):
        write_whole(tmp_path / "a", "one")
