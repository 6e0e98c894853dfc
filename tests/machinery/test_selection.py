"""Which tests run when: ``conftest.py`` tried on a project with one quick and one thorough test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest
import torch

from book import ROOT
from tests.machinery.little_book import copy_machinery

TESTS = """\
import os
import pytest

def test_quick():
    assert os.environ["OMP_NUM_THREADS"] == "1"

@pytest.mark.thorough
def test_thorough():
    pass

@pytest.fixture
def site():
    pass

@pytest.fixture
def page(site):
    pass

def test_of_the_site(page):
    pass
"""
LEFT_OUT = "thorough tests left out: 2 (`pytest --thorough` runs them too)"


@pytest.mark.parametrize(
    ("arguments", "quick", "thorough"),
    [
        ("", 1, 0),
        pytest.param("--numprocesses=2", 1, 0, marks=pytest.mark.thorough),
        pytest.param("--thorough", 1, 1, marks=pytest.mark.thorough),
        pytest.param("-m thorough", 0, 1, marks=pytest.mark.thorough),
        ("tests", 1, 0),
        ("tests/test_it.py", 1, 1),
    ],
)
def test_thorough_tests_run_when_they_are_asked_for(tmp_path, arguments, quick, thorough):
    copy_machinery(tmp_path)
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "exercises").mkdir()
    for file in (ROOT / "exercises").glob("*.py"):  # conftest.py asks them whether a learner's file is named
        shutil.copy(file, tmp_path / "exercises")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\n')
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(TESTS)
    plugins = ["-p", "xdist.plugin", "-p", "pytest_codeblocks.plugin", "-p", "no:cacheprovider"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", *plugins, *arguments.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OMP_NUM_THREADS": "8"},
        capture_output=True,
        text=True,
    )
    passed = re.findall(r"^PASSED tests/test_it\.py::test_(\w+)$", result.stdout, re.M)
    expected = ["of_the_site"] * thorough + ["quick"] * quick + ["thorough"] * thorough
    assert sorted(passed) == expected, result.stdout + result.stderr
    assert (LEFT_OUT in result.stdout) == (not thorough), result.stdout


@pytest.mark.thorough
def test_here_and_in_what_is_started_from_here_there_is_one_thread():
    assert torch.get_num_threads() == 1
    program = "import torch; print(torch.get_num_threads())"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "1\n"
