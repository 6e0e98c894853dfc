"""What is kept is computed once, and anew when the code behind it has changed."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

from snippets.tools import kept as module
from snippets.tools.kept import kept

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

    def compute(self, path: Path) -> None:
        self.times += 1
        path.write_text(f"result {self.times}")

    def get(self, name: str = "result") -> str:
        return kept(name, "top", self.compute).read_text()

    def files(self) -> list[Path]:
        return sorted((self.root / ".cache").glob("*.pt"))


@contextlib.contextmanager
def project() -> Iterator[Project]:
    before = module.ROOT
    with tempfile.TemporaryDirectory() as folder:
        module.ROOT = Path(folder)
        try:
            yield Project(Path(folder))
        finally:
            module.ROOT = before


def test_computed_once_and_kept():
    with project() as p:
        assert p.get() == p.get() == "result 1" and p.times == 1
        (path,) = p.files()
        assert path.name.startswith("result-") and path.suffix == ".pt"


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

        def fail(path: Path) -> None:
            path.write_text("half a result")
            raise RuntimeError

        with contextlib.suppress(RuntimeError):
            kept("result", "top", fail)
        assert p.get() == "result 1"


def test_two_at_once_compute_it_once():
    with project() as p, ThreadPoolExecutor(2) as pool:

        def compute(path: Path) -> None:
            time.sleep(0.05)
            p.compute(path)

        both = [pool.submit(kept, "result", "top", compute) for _ in range(2)]
        assert [one.result().read_text() for one in both] == ["result 1"] * 2 and p.times == 1


def test_another_version_of_torch_counts_as_other_code():
    before = metadata.version
    with project() as p:
        p.get()
        try:
            metadata.version = lambda package: {"torch": "0.0"}[package]
            assert p.get() == "result 2"
        finally:
            metadata.version = before


def test_the_folder_is_that_of_the_book():
    assert module.ROOT == Path(__file__).parents[2]
