"""What is kept is computed once, and anew when the code behind it has changed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import pytest
import torch

from snippets.tools import kept as module
from snippets.tools.kept import kept
from snippets.tools.results import write

MODULE = "from snippets.base import ONE\n\nTWO = 2 * ONE\n"


class Project:
    """A little project of its own, and how often something was computed in it."""

    def __init__(self, root: Path) -> None:
        self.root, self.times = root, 0
        self.write("top.py", MODULE)
        self.write("base.py", "ONE = 1\n")
        self.write("other.py", "ONE = 3\n")

    def write(self, name: str, text: str) -> None:
        (self.root / "snippets").mkdir(exist_ok=True)
        (self.root / "snippets" / name).write_text(text, encoding="utf-8")

    def compute(self) -> tuple[dict, str]:
        self.times += 1
        return {"x": torch.full((2, 3), float(self.times))}, f"result {self.times}"

    def get(self, name: str = "result") -> str:
        tensors, data = kept(name, "top", self.compute)
        assert tensors.keys() == {"x"} and tensors["x"].equal(torch.full((2, 3), float(data.split()[1])))
        return data

    def files(self) -> list[Path]:
        return sorted((self.root / ".cache").glob("*.json"))


@contextlib.contextmanager
def project() -> Iterator[Project]:
    before = module.ROOT, module.RESULTS, module.CACHE
    nothing = os.environ.pop(module.NOTHING, None)  # set where the book's tests run, which train nothing
    with tempfile.TemporaryDirectory() as folder:
        module.ROOT = Path(folder)
        module.RESULTS, module.CACHE = module.ROOT / "snippets" / "results", module.ROOT / ".cache"
        try:
            yield Project(Path(folder))
        finally:
            module.ROOT, module.RESULTS, module.CACHE = before
            if nothing:
                os.environ[module.NOTHING] = nothing


def test_computed_once_and_kept():
    with project() as p:
        assert p.get() == p.get() == "result 1" and p.times == 1
        assert [path.name for path in (p.root / ".cache").glob("result.[js]*")], "where a reader looks"


def test_computed_anew_when_the_module_or_what_it_imports_changes():
    with project() as p:
        p.get()
        p.write("top.py", MODULE + "THREE = 3\n")
        assert p.get() == "result 2"
        p.write("base.py", "ONE = 7\n")
        assert p.get() == "result 3" == p.get()
        assert len(p.files()) == 1, "what the old code computed is gone"


def test_comments_do_not_matter():
    with project() as p:
        p.get()
        p.write("top.py", f'"""What it is."""\n{MODULE}# changed\n')
        assert p.get() == "result 1"


def test_other_code_does_not_matter():
    with project() as p:
        p.get()
        p.write("other.py", "ONE = 4\n")
        assert p.get() == "result 1"


def test_each_name_has_its_own_result():
    with project() as p:
        assert [p.get("a"), p.get("b"), p.get("a")] == ["result 1", "result 2", "result 1"]
        p.write("base.py", "ONE = 5\n")
        assert p.get("a") == "result 3" and len(p.files()) == 2, "only the old a is gone"


def test_what_fails_leaves_nothing_behind_and_is_tried_again():
    with project() as p:

        def fail() -> None:
            raise RuntimeError

        with contextlib.suppress(RuntimeError):
            kept("result", "top", fail)
        assert p.get() == "result 1"


def test_two_at_once_compute_it_once():
    with project() as p, ThreadPoolExecutor(2) as pool:

        def compute() -> tuple[dict, str]:
            time.sleep(0.05)
            return p.compute()

        both = [pool.submit(kept, "result", "top", compute) for _ in range(2)]
        assert [one.result()[1] for one in both] == ["result 1"] * 2 and p.times == 1


def test_another_version_of_torch_counts_as_other_code():
    before = metadata.version
    with project() as p:
        p.get()
        try:
            metadata.version = lambda package: {"torch": "0.0"}[package]
            assert p.get() == "result 2"
        finally:
            metadata.version = before


def test_what_comes_with_the_book_is_read_and_nothing_is_written():
    with project() as p:
        write(module.RESULTS / "result", module.made_by("top"), ({"x": torch.full((2, 3), 5.0)}, "result 5"))
        assert p.get() == "result 5" and p.times == 0 and not module.CACHE.exists()
        p.write("base.py", "ONE = 7\n")
        assert p.get() == "result 1", "it was made by other code"
        p.write("base.py", "ONE = 1\n")
        assert p.get() == "result 5"


def test_tools_compute_nothing():
    with project() as p:
        (p.root / "snippets" / "tools").mkdir()
        p.write("tools/clock.py", "TICK = 1\n")
        p.write("top.py", "from snippets.tools import clock\n" + MODULE)
        p.get()
        p.write("tools/clock.py", "TICK = 2\n")
        assert p.get() == "result 1"


@pytest.mark.parametrize("suffix", ["json", "safetensors"])
@pytest.mark.parametrize("place", ["RESULTS", "CACHE"])
def test_what_is_damaged_says_so_and_is_made_anew(suffix, place):
    with project() as p:
        write(getattr(module, place) / "result", module.made_by("top"), p.compute())
        file = getattr(module, place) / f"result.{suffix}"
        file.write_bytes(file.read_bytes()[:-20] + b"x" * 20)
        with contextlib.redirect_stderr(io.StringIO()) as told:
            assert p.get() == "result 2" and "result is damaged" in told.getvalue()
        assert p.get() == "result 2" and p.times == 2


def test_data_without_tensors_are_one_file_and_nothing_is_pickled():
    with project() as p:
        assert kept("numbers", "top", lambda: ({}, [1.5, {"a": [0.1, 1e-9]}])) == ({}, [1.5, {"a": [0.1, 1e-9]}])
        p.get()
        names = {path.name for path in module.CACHE.iterdir() if path.suffix != ".lock"}
        assert names == {"numbers.json", "result.json", "result.safetensors"}
        assert json.loads((module.CACHE / "numbers.json").read_text())["data"][0] == 1.5


def test_the_folders_are_those_of_the_book():
    assert module.RESULTS == module.ROOT / "snippets" / "results" and module.CACHE == module.ROOT / ".cache"
    assert module.ROOT == Path(__file__).parents[2]


def test_where_nothing_is_trained_what_is_there_is_read_and_what_is_not_is_named():
    with project() as place:
        place.get()
        os.environ[module.NOTHING] = "1"
        try:
            assert place.get() == "result 1"
            place.write("base.py", "ONE = 2\n")
            with pytest.raises(module.NotTrained, match="python -m book results result"):
                place.get()
            assert place.times == 1
            module.RESULTS = place.root / "elsewhere"  # of others than the book, anything may be computed
            assert place.get() == "result 2"
        finally:
            del os.environ[module.NOTHING]
