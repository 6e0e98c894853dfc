"""What a book's code imports from it is there, and takes what it is called with."""

from __future__ import annotations

import pytest

from book.checks import calls
from tests.machinery.little_book import written

MODULE = """
import math
from collections import Counter

LEFT, (RIGHT, *REST) = 1, (2, 3)
if math:
    ABOVE: int = 4


def double(x, /, y=1, *, times=2):
    def inner(): ...


def anything(**options): ...


class Half:
    size: int
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("from snippets.part.m import double, anything, Half, LEFT, RIGHT, REST, ABOVE, math, Counter", []),
        ("from snippets.part import m\nimport snippets.part.m\nfrom torch import nothing", []),
        ("from snippets.part.m import (\n    double,\n    treble,\n)", ["1: snippets.part.m has no treble"]),
        ("from snippets.part.m import inner, x", ["1: snippets.part.m has no inner", "1: snippets.part.m has no x"]),
        ("from snippets.part import n", ["1: snippets.part has no n"]),
        ("from snippets.gone import double", ["1: snippets.gone has no double"]),
        ("def f():\n    from snippets.part.m import treble", ["2: snippets.part.m has no treble"]),
        ("from snippets.part.m import double\ndouble(1, y=2, times=3, **{})", []),
        ("from snippets.part.m import double\n\ndouble(1, by=3)", ["3: double takes no argument by"]),
        ("from snippets.part.m import double\ndouble(x=1)", ["2: double takes no argument x"]),
        ("from snippets.part.m import double as twice\ntwice(by=3)", ["2: double takes no argument by"]),
        ("from snippets.part.m import anything, Half\nanything(by=3)\nHalf(by=3)", []),
        ("from snippets.part.m import double\ndef double(by): ...\ndouble(by=3)", []),
        ("from snippets.part.m import double\nfor double in []: double(by=3)", []),
        ("from snippets.part.m import double\ndef f(double): double(by=3)", []),
        ("double(by=3)", []),
        ("from snippets.part.m import (", []),
    ],
)
def test_what_is_imported_is_there_and_takes_these_arguments(tmp_path, code, said):
    book = written(tmp_path, {"snippets/part/m.py": MODULE, "tests/test_x.py": code})
    found = [f"{one.line}: {one.message}" for one in calls.imported_names(book)]
    assert len(found) == len(said) and all(map(str.startswith, found, said)), found


def test_in_an_example_the_line_is_that_of_the_file_and_imports_of_the_fences_above_count(tmp_path):
    example = (
        "# It\n\n```python\nfrom snippets.part.m import double, gone\n```\n\n```python\nx = 1\ndouble(by=x)\n```\n"
    )
    book = written(tmp_path, {"snippets/part/m.py": MODULE, "snippets/part/x.md": example})
    assert [(one.path.name, one.line, one.message.partition(";")[0]) for one in calls.imported_names(book)] == [
        ("x.md", 4, "snippets.part.m has no gone"),
        ("x.md", 9, "double takes no argument by"),
    ]


def test_answers_of_learners_are_their_own(tmp_path):
    files = {name: "from snippets.part.m import gone\n" for name in ("exercises/part/x.py", "exercises/part/stages.py")}
    book = written(tmp_path, {"snippets/part/m.py": MODULE, **files})
    assert [one.path.name for one in calls.imported_names(book)] == ["stages.py"]
