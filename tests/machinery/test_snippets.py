"""How the worked examples are run: ``book/artifacts/collect.py`` tried on files that go wrong."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from book.artifacts.examples import run_blocks
from tests.machinery.little_book import copy_machinery

CODEBLOCKS = "pytest_codeblocks.plugin"
OUTPUT = "<!--pytest-codeblocks:expected-output-->\n\n```text\n{}```\n"
RAISES = "<!--pytest.mark.xfail-->\n\n"


def section(name: str, code: str, output: str | None = None) -> str:
    expected = "\n" + OUTPUT.format(output) if output is not None else ""
    return f"<!-- --8<-- [start:{name}] -->\n```python\n{code}```\n{expected}<!-- --8<-- [end:{name}] -->\n\n"


GOOD = section("first", "x = 1\nprint(x)\n", "1\n") + section("second", "print(x + 1)\n", "2\n")


@pytest.fixture
def run(tmp_path):
    """Put files into an empty project that runs its examples as this one does, and run pytest there."""
    copy_machinery(tmp_path)
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["book.artifacts.collect"]\n')
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')

    def run(files: dict[str, str], *arguments: str, cwd: str = ".") -> subprocess.CompletedProcess[str]:
        for name, text in files.items():
            (tmp_path / "snippets" / name).parent.mkdir(exist_ok=True)
            (tmp_path / "snippets" / name).write_bytes(("# Worked examples\n\n" + text).encode())
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", CODEBLOCKS, *arguments],
            cwd=tmp_path / cwd,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # the others take time and do nothing here
            capture_output=True,
            text=True,
            encoding="utf-8",
        )

    return run


@pytest.fixture
def read(tmp_path):
    """What stands in a file of ``run`` now, to the byte, below its first heading."""
    return lambda name: (tmp_path / "snippets" / name).read_bytes().decode().removeprefix("# Worked examples\n\n")


def test_each_block_is_a_test_named_after_its_section(run):
    result = run({"good.md": GOOD}, "--collect-only", "snippets")
    assert "snippets/good.md::first\nsnippets/good.md::second\n" in result.stdout


@pytest.mark.parametrize("flag", [(), pytest.param(("--codeblocks",), marks=pytest.mark.thorough)])
def test_blocks_share_a_namespace_and_are_collected_once(run, flag):
    result = run({"good.md": GOOD}, *flag)
    assert result.returncode == 0, result.stdout
    assert "2 passed" in result.stdout


@pytest.mark.thorough
def test_a_block_alone_runs_the_ones_before_it(run):
    result = run({"good.md": GOOD}, "snippets/good.md::second")
    assert "1 passed" in result.stdout


def test_a_wrong_output_is_shown_as_a_difference(run):
    result = run({"bad.md": section("sum", "print('same')\nprint(1 + 1)\n", "same\n3\n")})
    assert result.returncode == 1
    for said in ("snippets/bad.md:4: ", "-3\n+2\n", "put that into the ```text fence"):
        assert said in result.stdout


@pytest.mark.thorough
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


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_a_wrong_output_does_not_keep_later_blocks_from_running(run):
    result = run({"bad.md": section("wrong", "x = 1\nprint(x)\n", "2\n") + section("right", "print(x)\n", "1\n")})
    assert "1 failed, 1 passed" in result.stdout


@pytest.mark.thorough
def test_files_do_not_share_names(run):
    result = run({"a.md": section("sets", "shared = 1\n"), "b.md": section("reads", "print(shared)\n", "1\n")})
    assert "1 failed, 1 passed" in result.stdout
    assert "NameError" in result.stdout


@pytest.mark.thorough
def test_one_file_does_not_change_the_settings_of_the_next(run):
    change = "import torch\n\ntorch.set_default_dtype(torch.float64)\ntorch.set_printoptions(precision=1)\n"
    result = run(
        {
            "a.md": section("sets", change),
            "b.md": section("reads", "import torch\n\nprint(torch.tensor(0.25))\n", "tensor(0.2500)\n"),
        }
    )
    assert result.returncode == 0, result.stdout


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_examples_run_at_the_root_wherever_pytest_is_started(run):
    code = "import os\n\nprint(os.path.exists('pyproject.toml'))\n"
    result = run({"a.md": section("there", code, "True\n")}, cwd="snippets")
    assert "1 passed" in result.stdout, result.stdout


@pytest.mark.thorough
def test_a_file_that_is_taken_up_again_starts_anew(run):
    order = ("snippets/a.md::first", "snippets/b.md::other", "snippets/a.md::second")
    result = run({"a.md": GOOD, "b.md": section("other", "y = 1\n")}, *order)
    assert "3 passed" in result.stdout, result.stdout


@pytest.mark.thorough
def test_an_example_that_draws_without_a_seed_is_found(run):
    code = "import torch\n\nprint(torch.rand(1))\n"
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "tensor" in fresh
    result = run({"a.md": section("draws", code, fresh)})
    assert "1 failed" in result.stdout


@pytest.mark.thorough
def test_classes_of_an_example_can_be_pickled(run):
    code = "import pickle\n\n\nclass Point:\n    x = 3\n\n\nprint(pickle.loads(pickle.dumps(Point())).x)\n"
    result = run({"good.md": section("point", code, "3\n")})
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    "opening",
    [
        "~~~python",
        *(
            pytest.param(opening, marks=pytest.mark.thorough)
            for opening in ("```py", "```{.python}", "```python title='x'", "```Python", "```")
        ),
    ],
)
def test_a_fence_that_would_be_passed_over_is_refused(run, opening):
    bad = section("hidden", "print(1)\n").replace("```python", opening)
    if opening.startswith("~"):
        bad = bad.replace("```", "~~~")
    result = run({"bad.md": bad + GOOD})
    assert result.returncode != 0
    assert "bad.md: a fence in line 4 would not be run" in result.stdout


def test_a_file_without_examples_is_refused(run):
    assert run({"bad.md": "Nothing here.\n"}).returncode != 0


# Examples that are declared to raise


def raising(name: str, code: str, output: str | None = None) -> str:
    return section(name, code, output).replace("```python", RAISES + "```python", 1)


def test_an_example_may_be_declared_to_raise_and_the_blocks_after_it_run(run):
    code = "y = 1\nprint(y)\nint('x')\ny = 2\n"
    said = "1\nValueError: invalid literal for int() with base 10: 'x'\n"
    result = run({"good.md": raising("bad-number", code, said) + section("after", "print(y)\n", "1\n")})
    assert "2 passed" in result.stdout, result.stdout


@pytest.mark.parametrize(
    "said",
    [
        "ValueError: another message\n",
        *(pytest.param(said, marks=pytest.mark.thorough) for said in ("TypeError: 'x'\n", "'x'\n", None)),
    ],
)
def test_what_is_raised_is_compared_to_the_letter(run, said):
    result = run({"bad.md": raising("bad-number", "raise ValueError('x')\n", said)})
    assert "1 failed" in result.stdout
    assert "ValueError: x" in result.stdout


@pytest.mark.thorough
def test_an_example_that_is_declared_to_raise_and_does_not_fails(run):
    result = run({"bad.md": raising("harmless", "print(1)\n", "1\n")})
    assert result.returncode == 1
    assert "snippets/bad.md:7: the example is declared to raise, and does not" in result.stdout


@pytest.mark.thorough
def test_the_declaration_holds_for_one_example_only(run):
    result = run({"bad.md": raising("first", "int('')\n", "ValueError: x\n") + section("second", "{}['x']\n")})
    assert "2 failed" in result.stdout
    assert "snippets/bad.md:19: the example raises" in result.stdout


def test_a_page_that_is_pasted_whole_may_hold_one_that_raises():
    block = {"code": "x = 1\nx / 0\n", "expected": "ZeroDivisionError: division by zero\n", "filename": "p", "line": 1}
    assert run_blocks([{**block, "raises": True}, {**block, "code": "x\n", "expected": None, "raises": False}]) is None
    assert "p:2: the example raises" in run_blocks([{**block, "raises": False}])
    assert "does not: correct it" in run_blocks([{**block, "code": "x = 1\n", "raises": True}])


# pytest --accept


STALE = (
    section("wrong", "print(1)\nprint(2)\n", "1\n3\n")
    + section("loud", "print('자연어')\n")
    + section("right", "print(4)\n", "4\n")
    + section("silent", "x = 5\n", "5\n")
    + raising("refused", "int('x')\n", "ValueError\n")
)
FRESH = (
    section("wrong", "print(1)\nprint(2)\n", "1\n2\n")
    + section("loud", "print('자연어')\n", "자연어\n")
    + section("right", "print(4)\n", "4\n")
    + section("silent", "x = 5\n")
    + raising("refused", "int('x')\n", "ValueError: invalid literal for int() with base 10: 'x'\n")
)


@pytest.mark.parametrize("newline", [pytest.param("\n", marks=pytest.mark.thorough), "\r\n"])
@pytest.mark.parametrize(
    "processes",
    [(), pytest.param(("-p", "xdist.plugin", "-n", "2", "--dist", "loadfile"), marks=pytest.mark.thorough)],
)
def test_accept_writes_what_is_printed_and_nothing_else(run, read, newline, processes):
    odd = "   \n<!-- 둘   -->\t\n\n\n"  # between two sections: kept as it is
    files = {name: (STALE + odd + section("last", "print(6)\n", "7\n")) for name in ("a.md", "b.md")}
    fresh = FRESH + odd + section("last", "print(6)\n", "6\n")
    result = run({name: text.replace("\n", newline) for name, text in files.items()}, "--accept", *processes)
    assert result.returncode == 0, result.stdout
    for name in files:
        assert read(name) == fresh.replace("\n", newline)
        assert f"snippets/{name}::wrong\n--- expected\n+++ printed\n@@ -1,2 +1,2 @@\n 1\n-3\n+2\n" in result.stdout
        assert f"snippets/{name}::silent\n--- expected\n+++ printed\n@@ -1 +0,0 @@\n-5\n" in result.stdout
        assert f"snippets/{name}::right" not in result.stdout
    assert "10 outputs have changed" in result.stdout
    again = run({}, "--accept")
    assert "every output stands as it was" in again.stdout
    assert "12 passed" in run({}).stdout


@pytest.mark.thorough
def test_accept_writes_only_the_examples_that_are_named(run, read):
    bad = section("first", "print(1)\n", "2\n") + section("second", "print(3)\n", "4\n")
    run({"a.md": bad}, "--accept", "snippets/a.md::second")
    assert read("a.md") == bad.replace("4\n", "3\n")


@pytest.mark.thorough
def test_accept_does_not_accept_an_exception(run, read):
    bad = section("first", "print(1)\n", "2\n") + section("broken", "1 / 0\n", "2\n")
    result = run({"a.md": bad}, "--accept")
    assert "1 failed, 1 passed" in result.stdout
    assert read("a.md") == bad.replace("2\n", "1\n", 1)


@pytest.mark.parametrize(
    "code",
    [
        "print(1, end='')\n",
        *(pytest.param(code, marks=pytest.mark.thorough) for code in ("print('```')\n", "print('a\\rb')\n")),
    ],
)
def test_accept_refuses_what_no_fence_can_hold(run, read, code):
    bad = section("first", code, "2\n")
    result = run({"a.md": bad}, "--accept")
    assert "snippets/a.md:4: no fence can hold what the example prints" in result.stdout
    assert read("a.md") == bad


@pytest.mark.thorough
def test_accept_leaves_labs_and_other_tests_alone(run, read, tmp_path):
    (tmp_path / "test_other.py").write_text("def test_fails():\n    assert False\n")
    result = run({"labs/a.md": section("cell", "print(1)\n")}, "--accept")
    assert result.returncode == 0, result.stdout
    assert read("labs/a.md") == section("cell", "print(1)\n")


@pytest.mark.thorough
def test_accept_does_not_overwrite_what_was_edited_meanwhile(run, read):
    code = "import pathlib\n\npathlib.Path('snippets/a.md').write_text('edited')\nprint(1)\n"
    result = run({"a.md": section("first", code, "2\n")}, "--accept")
    assert "has been edited while its examples ran" in result.stdout
    assert read("a.md") == "edited"


@pytest.mark.thorough
def test_a_comparison_that_fails_says_how_to_accept(run):
    result = run({"bad.md": section("sum", "print(2)\n", "3\n") + section("loud", "print(2)\n")})
    assert result.stdout.count("`pytest --accept snippets/PART/NAME.md`") >= 2
