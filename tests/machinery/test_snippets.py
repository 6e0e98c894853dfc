"""How the worked examples are run: ``book/collect.py`` tried on files that go wrong."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.machinery.little_book import copy_machinery

CODEBLOCKS = "pytest_codeblocks.plugin"
OUTPUT = "<!--pytest-codeblocks:expected-output-->\n\n```text\n{}```\n"


def section(name: str, code: str, output: str | None = None) -> str:
    expected = "\n" + OUTPUT.format(output) if output is not None else ""
    return f"<!-- --8<-- [start:{name}] -->\n```python\n{code}```\n{expected}<!-- --8<-- [end:{name}] -->\n\n"


GOOD = section("first", "x = 1\nprint(x)\n", "1\n") + section("second", "print(x + 1)\n", "2\n")


@pytest.fixture
def run(tmp_path):
    """Put files into an empty project that runs its examples as this one does, and run pytest there."""
    copy_machinery(tmp_path)
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["book.collect"]\n')
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')

    def run(files: dict[str, str], *arguments: str, cwd: str = ".") -> subprocess.CompletedProcess[str]:
        for name, text in files.items():
            (tmp_path / "snippets" / name).write_text("# Worked examples\n\n" + text, encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", CODEBLOCKS, *arguments],
            cwd=tmp_path / cwd,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # the others take time and do nothing here
            capture_output=True,
            text=True,
        )

    return run


def test_each_block_is_a_test_named_after_its_section(run):
    result = run({"good.md": GOOD}, "--collect-only", "snippets")
    assert "snippets/good.md::first\nsnippets/good.md::second\n" in result.stdout


@pytest.mark.parametrize("flag", [(), ("--codeblocks",)])
def test_blocks_share_a_namespace_and_are_collected_once(run, flag):
    result = run({"good.md": GOOD}, *flag)
    assert result.returncode == 0, result.stdout
    assert "2 passed" in result.stdout


def test_a_block_alone_runs_the_ones_before_it(run):
    result = run({"good.md": GOOD}, "snippets/good.md::second")
    assert "1 passed" in result.stdout


def test_a_wrong_output_is_shown_as_a_difference(run):
    result = run({"bad.md": section("sum", "print('same')\nprint(1 + 1)\n", "same\n3\n")})
    assert result.returncode == 1
    for said in ("snippets/bad.md:4: ", "-3\n+2\n", "put that into the ```text fence"):
        assert said in result.stdout


def test_an_output_that_is_missing_is_shown(run):
    result = run({"bad.md": section("silent", "x = 1\n", "1\n")})
    assert result.returncode == 1
    assert "-1\n" in result.stdout


def test_printing_without_an_expected_output_fails(run):
    result = run({"bad.md": section("loud", "print(7)\n")})
    assert result.returncode == 1
    assert "nothing says what it should print" in result.stdout
    assert "```text\n7\n```" in result.stdout


def test_an_exception_is_shown_with_its_line(run):
    code = "def divide(a, b):\n    return a / b\n\n\nx = 1\ndivide(x, 0)\n"
    result = run({"bad.md": section("raises", code)})
    assert result.returncode == 1
    assert "snippets/bad.md:10: the example raises" in result.stdout
    assert "divide(x, 0)" in result.stdout, "the traceback shows the code"
    assert "ZeroDivisionError" in result.stdout
    assert "conftest.py" not in result.stdout, "the traceback starts in the example"


def test_a_syntax_error_is_shown_with_its_line(run):
    result = run({"bad.md": section("broken", "x = 1\ny = = 2\n")})
    assert result.returncode == 1
    assert "snippets/bad.md:6: " in result.stdout


def test_after_a_failure_later_blocks_say_why_they_did_not_run(run):
    result = run({"bad.md": section("raises", "x = y\n") + GOOD})
    assert "3 failed" in result.stdout
    # Where CI is set, pytest says each reason once more in its summary.
    failures = result.stdout.partition("short test summary info")[0]
    assert failures.count("not run, because an example before it failed: snippets/bad.md:5") == 2


def test_a_wrong_output_does_not_keep_later_blocks_from_running(run):
    result = run({"bad.md": section("wrong", "x = 1\nprint(x)\n", "2\n") + section("right", "print(x)\n", "1\n")})
    assert "1 failed, 1 passed" in result.stdout


def test_files_do_not_share_names(run):
    result = run({"a.md": section("sets", "shared = 1\n"), "b.md": section("reads", "print(shared)\n", "1\n")})
    assert "1 failed, 1 passed" in result.stdout
    assert "NameError" in result.stdout


def test_one_file_does_not_change_the_settings_of_the_next(run):
    change = "import torch\n\ntorch.set_default_dtype(torch.float64)\ntorch.set_printoptions(precision=1)\n"
    result = run(
        {
            "a.md": section("sets", change),
            "b.md": section("reads", "import torch\n\nprint(torch.tensor(0.25))\n", "tensor(0.2500)\n"),
        }
    )
    assert result.returncode == 0, result.stdout


def test_what_an_example_sets_is_undone_for_the_tests_that_follow(run, tmp_path):
    change = (
        "import os\n\nimport torch\n\ntorch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)\n"
        "torch.set_num_threads(7)\ntorch.set_printoptions(precision=1)\nos.chdir('snippets')\n"
    )
    (tmp_path / "test_after.py").write_text(
        "import os\n\nimport torch\n\n\ndef test_after():\n"
        "    assert torch.ones(1).dtype == torch.float32\n    assert torch.is_grad_enabled()\n"
        "    assert torch.get_num_threads() != 7\n    assert os.path.exists('pyproject.toml')\n"
        "    assert str(torch.tensor(0.25)) == 'tensor(0.2500)'\n"
    )
    result = run({"a.md": section("sets", change)}, "snippets", "test_after.py")
    assert "2 passed" in result.stdout, result.stdout


def test_examples_run_at_the_root_wherever_pytest_is_started(run):
    code = "import os\n\nprint(os.path.exists('pyproject.toml'))\n"
    result = run({"a.md": section("there", code, "True\n")}, cwd="snippets")
    assert "1 passed" in result.stdout, result.stdout


def test_a_file_that_is_taken_up_again_starts_anew(run):
    order = ("snippets/a.md::first", "snippets/b.md::other", "snippets/a.md::second")
    result = run({"a.md": GOOD, "b.md": section("other", "y = 1\n")}, *order)
    assert "3 passed" in result.stdout, result.stdout


def test_an_example_that_draws_without_a_seed_is_found(run):
    code = "import torch\n\nprint(torch.rand(1))\n"
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "tensor" in fresh
    result = run({"a.md": section("draws", code, fresh)})
    assert "1 failed" in result.stdout


def test_classes_of_an_example_can_be_pickled(run):
    code = "import pickle\n\n\nclass Point:\n    x = 3\n\n\nprint(pickle.loads(pickle.dumps(Point())).x)\n"
    result = run({"good.md": section("point", code, "3\n")})
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("opening", ["```py", "```{.python}", "```python title='x'", "```Python", "~~~python", "```"])
def test_a_fence_that_would_be_passed_over_is_refused(run, opening):
    bad = section("hidden", "print(1)\n").replace("```python", opening)
    if opening.startswith("~"):
        bad = bad.replace("```", "~~~")
    result = run({"bad.md": bad + GOOD})
    assert result.returncode != 0
    assert "bad.md: a fence in line 4 would not be run" in result.stdout


def test_a_file_without_examples_is_refused(run):
    assert run({"bad.md": "Nothing here.\n"}).returncode != 0
