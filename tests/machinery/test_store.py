"""When an artifact is out of date."""

from __future__ import annotations

import pytest

from book.artifacts import store


@pytest.fixture
def paths(tmp_path, monkeypatch):
    """The two files of an artifact that is up to date."""
    monkeypatch.setattr(store, "FOLDER", tmp_path / "store")
    paths = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for path in paths:
        path.write_text(path.name)
    store.keep("kind/name", "these sources", paths)
    return paths


def test_what_was_kept_is_current(paths):
    assert store.is_current("kind/name", "these sources", paths)
    assert not store.is_current("kind/other", "these sources", paths)


@pytest.mark.parametrize("change", ["sources", "half", "lost", "swapped", "another file", "no record", "half a record"])
def test_what_has_changed_is_not(paths, tmp_path, change):
    made_from, record = "these sources", tmp_path / "store" / "kind" / "name.json"
    if change == "sources":
        made_from = "others"
    elif change == "half":
        paths[1].write_text("b")
    elif change == "lost":
        paths[0].unlink()
    elif change == "swapped":
        paths.reverse()
    elif change == "another file":
        paths.append(paths[0])
    elif change == "no record":
        record.unlink()
    else:
        record.write_text(record.read_text()[:-1])
    assert not store.is_current("kind/name", made_from, paths)


def test_an_artifact_that_was_made_again_is_current_again(paths):
    paths[0].write_text("anew")
    store.keep("kind/name", "others", paths)
    assert store.is_current("kind/name", "others", paths)
    assert not store.is_current("kind/name", "these sources", paths)


def test_what_was_made_from_this_is_known_whatever_its_files_are_now(paths, tmp_path):
    paths[1].unlink()
    assert store.is_known("kind/name", "these sources") and not store.is_known("kind/name", "others")
    (tmp_path / "store" / "kind" / "name.json").write_text("{")
    assert not store.is_known("kind/name", "these sources") and not store.is_known("kind/other", "these sources")


def test_nobody_keeps_what_is_not_there(paths):
    paths[1].unlink()
    with pytest.raises(FileNotFoundError):
        store.keep("kind/name", "these sources", paths)
