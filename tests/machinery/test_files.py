"""Files that are written: whole, or as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from book import files


def test_what_is_written_is_read_again_and_folders_are_made(tmp_path):
    path = tmp_path / "a" / "b.txt"
    files.write(path, "한글\r\nand more\n")
    assert path.read_bytes() == "한글\r\nand more\n".encode()
    files.write(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff" and list(path.parent.iterdir()) == [path]


def test_who_is_interrupted_leaves_the_old_file_and_no_half(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    files.write(path, "before")

    def killed(part, whole):
        assert part.read_text() == "after" and part.parent == whole.parent, "a file system moves only within itself"
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        files.write(path, "after")
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]
