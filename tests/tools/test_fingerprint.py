"""A fingerprint changes when the code means something else, and only then."""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

import pytest

from snippets import ROOT
from snippets.tools.fingerprint import fingerprint, imported, meaning, sources

CODE = """
class Point:
    x: int = 3

    def far(self, *others, sure=None):
        return [a + 1 for a in others if a != 0] or f"{self.x:>3} {None}"
"""


@contextmanager
def project(**files: str) -> Iterator[Path]:
    """A little project; ``a__b`` is the file snippets/a/b.py."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, "snippets", *name.split("__")).with_suffix(".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        yield Path(folder)


def of(code: str, *texts: str, name: str = "one", **options) -> str:
    with project(**{name: code}) as root:
        return fingerprint([root / "snippets" / f"{name}.py"], root, *texts, **options)


@pytest.mark.parametrize(
    "same",
    [
        "# a comment" + CODE,
        '"""A docstring."""' + CODE,
        CODE.replace("Point:\n", 'Point:\n    """A docstring."""\n'),
        CODE.replace("None):\n", 'None):\n        """A docstring."""\n'),
        CODE.replace(", sure", ",\n        sure").replace(" + ", "+"),
        CODE.replace("\n\n", "\n\n\n") + "\n\n",
    ],
)
def test_comments_docstrings_and_layout_mean_nothing(same):
    assert ast.parse(same) and meaning(same) == meaning(CODE) and of(same) == of(CODE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a + 1", "a - 1"),
        ("a + 1", "a + 2"),
        ("a + 1", "b + 1"),
        ("!= 0", "!= False"),
        ("!=", "=="),
        ("int = 3", "int = 3.0"),
        (">3", ">4"),
        ("sure=None", "sure=0"),
        ("*others", "others"),
        (" or f", " and f"),
        ("return [", 'return "a string", ['),
    ],
)
def test_everything_else_means_something(old, new):
    changed = CODE.replace(old, new)
    assert changed != CODE and ast.parse(changed)
    assert meaning(changed) != meaning(CODE) and of(changed) != of(CODE)


def test_a_string_that_is_no_docstring_counts():
    assert meaning('x = "a"') != meaning('x = "b"')
    assert meaning('def f():\n    return "a"') != meaning('def f():\n    return "b"')


def test_fields_that_are_empty_are_left_out():
    """Which ones there are differs between versions of Python, and with it what ast.dump gives."""
    text = meaning("def f(x):\n    return x")
    assert "=[]" not in text and "=None" not in text and "type_params" not in text
    assert text.startswith("Module(body=[FunctionDef(name='f', ") and "Return(value=Name(id='x'" in text


def test_code_that_is_no_python_stays_as_it_is():
    assert meaning("def  f(") == "def  f(" and of("def f(") != of("def g(")


def test_names_of_files_texts_and_versions_count():
    first = of(CODE)
    assert first == of(CODE) and len(first) == 64
    assert len({first, of(CODE, name="other"), of(CODE, "text"), of(CODE, "te", "xt"), of(CODE, packages=())}) == 5
    assert of(CODE, packages=["torch"]) == first, "what a training depends on, if nothing is said"


def test_a_build_of_torch_for_other_hardware_is_the_same_version():
    before, versions = metadata.version, {}
    metadata.version = lambda package: versions[package]
    try:
        found = []
        for versions["torch"] in ("2.1.0", "2.1.0+cpu", "2.2.0"):
            found.append(of(CODE))
        assert found[0] == found[1] != found[2]
    finally:
        metadata.version = before


def names(paths: list[Path], root: Path) -> list[str]:
    return [path.relative_to(root / "snippets").as_posix() for path in paths]


def test_sources_are_what_is_imported_directly_or_not():
    with project(
        a__top="from snippets.b import middle\nfrom torch import nn\n",
        b__middle="import snippets.c.base\nfrom . import beside\n",
        b__beside="from ..c.base import ONE\nfrom snippets.b.middle import x\n",
        c__base="import math\n",
        c__unused="",
    ) as root:
        top = root / "snippets" / "a" / "top.py"
        assert names(sources([top], root), root) == ["a/top.py", "b/beside.py", "b/middle.py", "c/base.py"]
        assert names(sources([root / "snippets" / "c" / "base.py"], root), root) == ["c/base.py"]


def test_an_import_within_a_function_counts_and_other_packages_do_not():
    with project(a__one="", a__two="") as root:
        (root / "tests").mkdir()
        (root / "tests" / "a.py").touch()
        code = "import tests.a\nimport torch\n\ndef f():\n    from snippets.a import one\n"
        assert names(imported(code, root), root) == ["a/one.py"]
        assert imported("import (", root) == []


def test_sources_of_a_module_of_the_book():
    files = sources([ROOT / "snippets" / "training" / "loss.py"], ROOT)
    assert ROOT / "snippets" / "attention" / "scaled_dot_product.py" in files, "the loss needs a model"
    assert ROOT / "snippets" / "training" / "decoding.py" not in files


def test_checks_count_neither_where_they_are_nor_where_they_are_used():
    bare = "def f(n): return n"
    checked = "from snippets.tools.inputs import check\ndef f(n):\n check(n > 0, '')\n return n"
    found = set()
    for files in (
        {"one": bare},
        {"one": checked, "tools__inputs": "def check(holds, message): 1"},
        {"one": checked, "tools__inputs": "def check(holds, message): 2"},
    ):
        with project(**files) as root:
            used = sources([root / "snippets" / "one.py"], root)
            assert len(used) == len(files), "but they are among what the code needs"
            found.add(fingerprint(used, root))
    assert len(found) == 1
