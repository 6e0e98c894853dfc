"""Of every module it is told whether another name changes what it means: in a file that mutants are not tried on."""

from __future__ import annotations

from pathlib import Path

import pytest

from book import ROOT
from tests.tools.test_meaning import check

SNIPPETS = ROOT / "snippets"


@pytest.mark.thorough
@pytest.mark.parametrize("part", sorted(filter(Path.is_dir, SNIPPETS.iterdir())), ids=lambda part: part.name)
def test_modules_whose_locals_have_other_names_mean_the_same_and_with_two_exchanged_something_else(part):
    for path in part.rglob("*.py"):
        check(path)
