"""The worked examples of the book as Korean pages show them: what they print is what stands there."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from pytest_codeblocks import extract_from_buffer

from book import ROOT, comments, editions, examples, values

#: Examples in part of whose lines Korean pages have Korean. Labs print what a training makes of it.
EXAMPLES = [
    path
    for path in sorted((ROOT / "snippets").glob("*/*.md"))
    if path.parent.name != "labs" and path.name in comments.catalog(path.parent, "ko")
]


def _blocks(path: Path) -> list[dict]:
    """The blocks of a file of examples as Korean pages have them, without those that no page shows."""
    text = comments.in_words_of(path, "ko")
    parts = editions.sections(text)
    hidden = [part for name, part in parts.items() if values.SECTION.fullmatch(name)]
    return [
        {
            "code": block.code,
            "expected": block.expected_output,
            "raises": examples.raises(block),
            "filename": path.relative_to(ROOT).as_posix(),
            "line": 1,
        }
        for block in extract_from_buffer(io.StringIO(text))
        if block.syntax == "python"
        and not any(part.line <= block.lineno < part.line + part.inner.count("\n") for part in hidden)
    ]


@pytest.mark.thorough  # what runs in any case has other words, and the same values
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_examples_in_korean_print_what_korean_pages_show(path, fresh_process):
    if why := examples.missing(path):
        pytest.skip(why)
    problem = fresh_process.submit(examples.run_blocks, _blocks(path)).result()
    assert problem is None, problem


def test_most_examples_print_labels():
    assert len(EXAMPLES) > 100
