"""One worked example: what it prints, and what is said when it raises or prints something else."""

from __future__ import annotations

import io
import sys

import pytest
from pytest_codeblocks import extract_from_buffer

from book.artifacts import examples
from book.artifacts.examples import ExampleError, compare, run, run_blocks

FILE = "snippets/part/name.md"


def said(function, *arguments) -> str:
    with pytest.raises(ExampleError) as error:
        function(*arguments)
    return str(error.value)


# ---- running


def test_what_an_example_prints_is_returned_and_its_names_are_kept():
    names = {"x": 2}
    assert run("y = x + 1\nprint(y)\nprint('값', end='')\n", names, FILE, 4) == "3\n값"
    assert names["y"] == 3
    assert run("z = y", names, FILE, 9) == "" and names["z"] == 3


def test_it_is_compiled_as_readers_python_does_it():
    """Nothing that book/artifacts/examples.py imports from __future__ holds in an example."""
    read = "def f(x: unknown): ...\n"
    if sys.version_info < (3, 14):  # from then on, annotations wait
        assert said(run, read, {}, FILE, 1).endswith("NameError: name 'unknown' is not defined\n")
    names = {}
    run("def f(x: int): ...\n", names, FILE, 1)
    assert names["f"].__annotations__ == {"x": int}, "not the text 'int'"


def test_only_what_it_prints_is_caught_and_only_while_it_runs():
    before = sys.stdout, sys.stderr
    names = {}
    assert run("import sys\nprint(1)\nout, err = sys.stdout, sys.stderr", names, FILE, 1) == "1\n"
    assert names["out"] is not before[0] and names["err"] is before[1]
    said(run, "raise ValueError", {}, FILE, 1)
    assert (sys.stdout, sys.stderr) == before


def test_an_exception_is_told_with_its_line_and_its_code(tmp_path):
    path = tmp_path / "example.md"
    path.write_text("\n\n\ndef f():\n    return 1 / 0\n\nf()\n", encoding="utf-8")
    message = said(run, "def f():\n    return 1 / 0\n\nf()\n", {}, str(path), 4)
    first, *traceback = message.splitlines()
    assert first == f"{path}:7: the example raises", "the line of the example that leads there"
    assert traceback[0] == f'  File "{path}", line 7, in <module>', "it starts in the example"
    assert traceback[-1] == "ZeroDivisionError: division by zero"
    assert "    return 1 / 0" in traceback and "examples.py" not in message


def test_what_is_raised_deep_in_a_library_starts_in_the_example():
    message = said(run, "import json\n\njson.loads('{')\n", {}, FILE, 10)
    assert message.startswith(f'{FILE}:12: the example raises\n  File "{FILE}", line 12, in <module>\n')
    assert message.count("File ") > 1 and "JSONDecodeError" in message


def test_a_syntax_error_is_told_with_its_line():
    message = said(run, "x = 1\ny = = 2\n", {}, FILE, 20)
    assert message.startswith(f"{FILE}:21: the example raises\n") and "SyntaxError" in message
    assert "exec" not in message and "examples.py" not in message


def test_what_has_no_line_is_told_with_that_of_the_example():
    assert said(run, "x = '\0'", {}, FILE, 20).startswith(f"{FILE}:20: the example raises\n")


def test_who_stops_the_tests_stops_the_example():
    with pytest.raises(KeyboardInterrupt):
        run("raise KeyboardInterrupt", {}, FILE, 1)


# ---- comparing


@pytest.mark.parametrize(("expected", "printed"), [("1\n", "1\n"), (None, ""), ("", ""), ("값\n\n", "값\n\n")])
def test_what_is_expected_passes(expected, printed):
    compare(expected, printed, FILE, 3)


@pytest.mark.parametrize(
    ("expected", "printed"), [("1\n", "1"), ("1\n", ""), ("1\n", " 1\n"), ("", "1\n"), ("1", "1 ")]
)
def test_anything_else_does_not(expected, printed):
    assert said(compare, expected, printed, FILE, 3).startswith(f"{FILE}:3: the example prints something else")


def test_the_difference_says_what_is_new_and_what_is_gone():
    message = said(compare, "same\nold\nend\n", "same\nnew\nend\n", FILE, 3)
    assert "--- expected\n+++ printed\n@@ -1,3 +1,3 @@\n same\n-old\n+new\n end\n" in message
    assert "put that into the ```text fence" in message


def test_what_nobody_expected_is_shown_as_it_has_to_be_written():
    message = said(compare, None, "1\n2\n", FILE, 3)
    assert message.startswith(f"{FILE}:3: ")
    assert "\n\n<!--pytest-codeblocks:expected-output-->\n\n```text\n1\n2\n```" in message


# ---- one after the other


def block(code: str, expected: str | None = None, line: int = 1) -> dict:
    return {"code": code, "expected": expected, "filename": FILE, "line": line, "raises": False}


def test_blocks_share_their_names_and_run_as_the_main_program():
    assert (
        run_blocks([block("x = 1\n"), block("print(x + 1)\n", "2\n"), block("print(__name__)\n", "__main__\n")]) is None
    )
    assert run_blocks([]) is None


def test_another_run_knows_nothing_of_the_first():
    assert run_blocks([block("x = 1\n")]) is None
    assert "NameError" in run_blocks([block("print(x)\n", "1\n")])


def test_the_first_block_that_fails_is_told_and_ends_the_run():
    sys.modules.pop("never", None)  # where a mutant of the module was tried before, it may have gone on
    ran = []
    for bad in (block("1 / 0", line=7), block("print(1)", "2\n", line=7), block("print(1)", line=7)):
        names = [block("x = 1"), bad, block("import sys\nsys.modules['never'] = 1")]
        ran.append(run_blocks(names))
    assert all(message.startswith(f"{FILE}:7: the example ") for message in ran)
    assert ["ZeroDivisionError" in ran[0], "something else" in ran[1], "nothing says" in ran[2]] == [True] * 3
    assert "never" not in sys.modules


# ---- examples that raise, and outputs that are accepted


def blocks(source: str) -> list:
    return [found for found in extract_from_buffer(io.StringIO(source)) if found.syntax == "python"]


FENCED = "# Head\n\n```python\nprint(1)\nx = 2\n```\n"
SHOWN = "\n<!--pytest-codeblocks:expected-output-->\n\n```text\n{}```\n"


def test_an_example_may_be_declared_to_raise():
    (plain,), (marked,) = blocks(FENCED), blocks("<!--pytest.mark.xfail-->\n\n" + FENCED.partition("\n\n")[2])
    assert not examples.raises(plain) and examples.raises(marked)
    assert run("print(1)\n{}['x']", {}, FILE, 4, raises=True) == "1\nKeyError: 'x'\n"
    assert said(run, "x = 1", {}, FILE, 4, True).startswith(f"{FILE}:4: the example is declared to raise, and does not")
    assert run_blocks([{**block("1 / 0", "ZeroDivisionError: division by zero\n"), "raises": True}]) is None


@pytest.mark.parametrize(
    ("printed", "allowed"),
    [("1\n", True), ("a\n``b\n", True), ("1", False), ("a\r\n", False), ("a\n```\n", False), ("  ```x\nb\n", False)],
)
def test_a_fence_holds_what_does_not_end_it(printed, allowed):
    assert examples.fits(printed) == allowed


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("printed", ["", "1\n", "1\n값\n\n"])
@pytest.mark.parametrize("before", [None, "0\n", "a\nb\nc\n"])
def test_an_accepted_output_replaces_the_one_below_its_example_and_nothing_else(before, printed, newline):
    after = "\nText.\n\n```python\nprint(3)\n```\n" + SHOWN.format("3\n")
    source = FENCED + (SHOWN.format(before) if before else "") + after
    wanted = FENCED + (SHOWN.format(printed) if printed else "") + after
    done = examples.with_output(source.replace("\n", newline), blocks(source)[0], printed)
    assert done == wanted.replace("\n", newline)


def test_the_difference_from_nothing_is_all_that_is_printed():
    assert examples.difference(None, "1\n").splitlines()[2:] == ["@@ -0,0 +1 @@", "+1"]


# ---- examples that need an optional package


@pytest.mark.parametrize(
    ("marker", "installed", "environment", "why"),
    [
        ("", False, {}, ""),
        ("<!-- needs some_model -->", True, {}, ""),
        ("<!-- needs some_model -->", False, {}, "some_model is not installed, which is optional"),
        ("<!-- needs some_model -->", False, {"REQUIRE_MODEL": "1"}, ""),
        ("<!-- needs some_model -->", True, {"IMITATE": "float64"}, ""),
        ("<!-- needs some_model, whole -->", True, {"IMITATE": "avx2"}, ""),
        ("<!-- needs some_model, whole -->", True, {"IMITATE": "reversed"}, "all weights of some_model would take"),
    ],
)
def test_examples_are_left_out_with_a_reason(tmp_path, monkeypatch, marker, installed, environment, why):
    for name in ("REQUIRE_MODEL", "IMITATE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(examples, "find_spec", lambda name: installed or None)
    file = tmp_path / "some.md"
    file.write_text(f"# Head\n\n{marker}\n", encoding="utf-8")
    said = examples.missing(file)
    assert said.startswith(why) and bool(said) == bool(why)
