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
OF_THE_MACHINERY = """\
def test_of_the_machinery():
    pass
"""
LEFT_OUT = r"thorough ones left out: (.*) \(`pytest --thorough` runs them too\)"
OF_THE_MACHINERY_TOO = "2 tests, and 1 of the files that try the machinery"


@pytest.mark.parametrize(
    ("arguments", "runs", "left_out"),
    [
        ("", "pages quick", OF_THE_MACHINERY_TOO),
        ("--numprocesses=2", "pages quick", OF_THE_MACHINERY_TOO),
        ("--thorough", "of_the_machinery of_the_site pages quick thorough", ""),
        ("-m thorough", "of_the_machinery of_the_site thorough", ""),
        ("tests/machinery", "of_the_machinery pages", ""),
        ("tests/.", "of_the_machinery pages quick", "2 tests"),
        ("tests/test_it.py", "of_the_site quick thorough", ""),
    ],
)
def test_thorough_tests_run_when_they_are_asked_for(tmp_path, arguments, runs, left_out):
    copy_machinery(tmp_path)
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "exercises").mkdir()
    for file in (ROOT / "exercises").glob("*.py"):  # conftest.py asks them whether a learner's file is named
        shutil.copy(file, tmp_path / "exercises")
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\n')
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_it.py").write_text(TESTS)
    (tmp_path / "tests" / "machinery").mkdir()
    (tmp_path / "tests" / "machinery" / "test_of_it.py").write_text(OF_THE_MACHINERY)
    (tmp_path / "tests" / "machinery" / "test_pages.py").write_text("def test_pages(): pass\n")
    plugins = ["-p", "xdist.plugin", "-p", "pytest_codeblocks.plugin", "-p", "no:cacheprovider"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", *plugins, *arguments.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OMP_NUM_THREADS": "8"},
        capture_output=True,
        text=True,
    )
    passed = re.findall(r"^PASSED tests/(?:machinery/)?test_\w+\.py::test_(\w+)$", result.stdout, re.M)
    assert sorted(passed) == runs.split(), result.stdout + result.stderr
    assert re.findall(LEFT_OUT, result.stdout) == [left_out] * bool(left_out), result.stdout


@pytest.mark.thorough
def test_here_and_in_what_is_started_from_here_there_is_one_thread():
    assert torch.get_num_threads() == 1
    program = "import torch; print(torch.get_num_threads())"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "1\n"
