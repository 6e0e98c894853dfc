"""A name in code that is said somewhere is the name of something there is."""

from __future__ import annotations

import re
import shutil

import pytest

from book import ROOT
from book.checks import names
from book.source.pages import Book

MODULE = '''\
"""Masks."""

# --8<-- [start:masks]
def causal_mask(length, *, offset=0):
    """Which keys a query may see; says `old_name`."""
    return [[key <= query + offset for key in range(length)] for query in range(length)]


class Layer:
    def __init__(self, d_model, **more):
        self.d_model = d_model


class Recipe:
    steps: int
    rate: float = 0.1
# --8<-- [end:masks]
'''
OTHER = """\
# --8<-- [start:other]
from snippets.part.masks import causal_mask


def attend(query, memory_mask):
    return causal_mask(len(query)), memory_mask
# --8<-- [end:other]
"""
EXAMPLE = """\
# Examples

<!-- --8<-- [start:shown] -->
```python
from snippets.part.masks import causal_mask

allowed = causal_mask(3)
print(allowed)
```

<!--pytest-codeblocks:expected-output-->
```text
printed_word
```
<!-- --8<-- [end:shown] -->
"""
INCLUDE = '\n--8<-- "part/masks.md:shown"\n'


@pytest.fixture
def said(tmp_path):
    """What the check says of a book with one page that says this; ``more``: other files."""

    def of(text: str, **more: str) -> list[tuple[str, int, str]]:
        for language in ("ko", "en"):
            path = tmp_path / "docs" / language / "part" / "page.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"---\ntitle: Page\n---\n# Page\n\n{text if language == 'en' else ''}\n{INCLUDE}")
        files = {
            "snippets/part/masks.py": MODULE,
            "snippets/part/other.py": OTHER,
            "snippets/part/masks.md": EXAMPLE,
            "mkdocs.yml": "nav: [part/page.md]\n",
            **more,
        }
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content, encoding="utf-8")
        return [
            (one.path.relative_to(tmp_path).as_posix(), one.line, one.message)
            for one in names.code_names(Book.read(tmp_path))
        ]

    return of


@pytest.mark.parametrize(
    "text",
    [
        "`causal_mask` of `length` and `offset` gives `allowed`",
        "`causal_mask(3, offset=1)`, `printed_word`, `print`, `len(x)`, `x.shape`",
        "`Layer(d_model=4)` and `Recipe(steps=1)`",
        "`attend(query, memory_mask=…)` brings its module, so `memory_mask` is known",
        "the module `other` brings `memory_mask`",
        "`(batch, n_heads, n_keys)` is a shape, and `nk` is short",
        "`pip install other_thing`, `python -m some_module`, `gone_file.py`, `--some_option`",
        "`[UNKNOWN_WORD]`, `two words here`",
    ],
)
def test_what_there_is_may_be_said(said, text):
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("first\nthen `causal_masks`", "`causal_masks`: no code has this name; did you mean causal_mask?"),
        ("first\nthen `causal_mask(3, ofset=1)`", "`causal_mask` takes no argument `ofset`; did you mean offset?"),
        ("first\nthen `Recipe(step=1)`", "`Recipe` takes no argument `step`; did you mean steps?"),
        ("first\nthen `old_name`", "`old_name`: no code has this name"),
        ("first\nthen `memory_mask`", "`memory_mask` is in no code of this page"),
        ("first\nthen `def gone_function(x)`", "`gone_function`: no code has this name"),
        ("first\nthen `no gone_name here`", "`gone_name`: no code has this name"),
        ("first\nthen `torch.gone(x)`", "`gone`: no code has this name"),
    ],
)
def test_what_there_is_not_is_said_with_file_and_line(said, text, message):
    found = said(text)
    assert any(
        (file, line) == ("docs/en/part/page.md", 7) and told.startswith(message) for file, line, told in found
    ), found


def test_names_of_others_are_listed_and_no_longer_than_they_are_said(said):
    listed = {"docs/names.yml": "torch: [autocast, gone]\n"}
    assert said("`autocast`", **listed) == [
        ("docs/names.yml", 1, "nothing says gone without having it in its code: remove it from the names of torch")
    ]
    assert len(said("", **listed)) == 2
    assert len(said("`causal_mask`", **{"docs/names.yml": "torch:\n- causal_mask\n"})) == 1
    assert said("`causal_mask(3, is_causal=True)`", **{"docs/names.yml": "torch: [is_causal]\n"}) == []


QUESTIONS = """\
page:
- id: one
  ko: "`{}`가 무엇일까요?"
  en: What is `{}`?
  answers:
  - {ko: 하나, en: one, right: true, why_ko: 하나, why_en: one}
  - {ko: 둘, en: two, why_ko: 둘, why_en: two}
"""


@pytest.mark.parametrize(
    ("file", "text", "lines"),
    [
        ("docs/questions/part.yml", QUESTIONS, {3, 4}),
        ("CONTRIBUTING.md", "# Writing\n\nNames such as `{}`.\n", {3}),
        ("exercises/part/stages.py", 'HINT = (\n    "call {} first"\n)\n', {2}),
        ("exercises/korean.py", 'WORDS = {\n    "a hint": "{}을 부르세요.",\n}\n', {2}),
    ],
)
def test_questions_guides_and_exercises_name_what_there_is(said, file, text, lines):
    assert said("", **{file: text.replace("{}", "causal_mask")}) == []
    found = said("", **{file: text.replace("{}", "causal_masks")})
    assert {number for where, number, _ in found if where == file} == lines and all(
        "causal_mask" in one[2] for one in found
    )


def test_a_learners_own_file_is_none_of_the_book(said):
    assert said("", **{"exercises/part/masks.py": 'x = "some strange_name"\n'}) == []


def renamed(tmp_path, old: str, new: str, files: list[str]) -> list[str]:
    """What is said of the book after somebody has renamed something in these files, and on no page."""
    for folder in ("docs/ko", "docs/en", "docs/questions", "exercises", "snippets", "book", "tests"):
        shutil.copytree(
            ROOT / folder,
            tmp_path / folder,
            ignore=shutil.ignore_patterns("__pycache__", "results", "*.svg", "katex", "figures"),
        )
    for file in ("docs/names.yml", "docs/glossary.yml", "mkdocs.yml", "README.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / file, tmp_path / file)
    for pattern in files:
        for path in tmp_path.glob(pattern):
            path.write_text(re.sub(rf"\b{old}\b", new, path.read_text(encoding="utf-8")), encoding="utf-8")
    return [str(problem) for problem in names.code_names(Book.read(tmp_path)) if old in problem.message]


CODE = ["snippets/**/*.py", "snippets/**/*.md", "exercises/**/stages.py"]


@pytest.mark.thorough
def test_a_renamed_function_is_said_wherever_prose_has_its_old_name(tmp_path):
    found = renamed(tmp_path, "split_heads", "cut_heads", CODE)
    for language in ("ko", "en"):
        assert any(f"docs/{language}/attention/multi-head.md" in one for one in found)
    assert all(re.search(r":\d+: ", one) for one in found)


@pytest.mark.thorough
def test_a_renamed_argument_is_said_on_each_page_that_names_its_function(tmp_path):
    found = renamed(tmp_path, "attn_mask", "may_attend", ["snippets/attention/scaled_dot_product.py"])
    for language in ("ko", "en"):
        assert any(f"docs/{language}/before/recurrent-attention.md" in one for one in found), found
