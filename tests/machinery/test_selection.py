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
    _write_project(tmp_path)
    result = _run(tmp_path, *arguments.split())
    passed = re.findall(r"^PASSED tests/(?:machinery/)?test_\w+\.py::test_(\w+)$", result.stdout, re.M)
    assert sorted(passed) == runs.split(), result.stdout + result.stderr
    assert re.findall(LEFT_OUT, result.stdout) == [left_out] * bool(left_out), result.stdout


@pytest.mark.parametrize(
    ("arguments", "runs"),
    [("", ["it.md"]), ("--thorough", ["it.en.md", "it.md"]), ("snippets", ["it.en.md", "it.md"])],
)
def test_an_example_with_english_text_is_a_thorough_one_if_there_is_one_with_korean(tmp_path, arguments, runs):
    _write_project(tmp_path)
    project = tmp_path / "pyproject.toml"
    project.write_text(project.read_text().replace('["tests"]', '["snippets", "tests"]'))
    (tmp_path / "snippets").mkdir(exist_ok=True)
    for name in ("it.md", "it.en.md"):
        section = "<!-- --8<-- [start:text] -->\n```python\nassert 1 < 2\n```\n<!-- --8<-- [end:text] -->\n"
        (tmp_path / "snippets" / name).write_text(section)
    result = _run(tmp_path, *arguments.split())
    passed = re.findall(r"^PASSED snippets/([\w.]+)::", result.stdout, re.M)
    assert sorted(passed) == runs, result.stdout + result.stderr


def _write_project(tmp_path):
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


def _run(project, *arguments):
    plugins = ["-p", "xdist.plugin", "-p", "pytest_codeblocks.plugin", "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", *plugins, *arguments],
        cwd=project,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OMP_NUM_THREADS": "8"},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("processes", ["0", "2"])
def test_when_the_time_is_over_what_has_failed_is_said_and_nothing_more_is_begun(tmp_path, processes):
    _write_project(tmp_path)
    slow = "import time\n\ndef test_wrong():\n    time.sleep(1.2)\n    raise ValueError('so far')\n\n"
    rest = "".join(f"def test_{number}(): time.sleep(0.2)\n" for number in range(40))
    (tmp_path / "tests" / "test_it.py").write_text(slow + rest)
    result = _run(tmp_path, "--stop-after=1", "-n", processes, "tests/test_it.py")
    assert result.returncode == 2 and "not all tests ran in 1 s" in result.stdout, result.stdout + result.stderr
    assert "ValueError: so far" in result.stdout and "test_39" not in result.stdout


@pytest.mark.thorough
def test_here_and_in_what_is_started_from_here_there_is_one_thread():
    assert torch.get_num_threads() == 1
    program = "import torch; print(torch.get_num_threads())"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "1\n"
