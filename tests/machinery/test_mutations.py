"""Changing any one sign, axis, scale or mask in a module of snippets/ makes a test on meaning fail.

They are thorough tests; what is tried in any case is the machinery that makes the changes.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from book import ROOT
from tests.machinery import quoted
from tests.machinery.mutants import LONG, Mutant, Runner, mutants, survivors
from tests.machinery.shards import ours
from tests.the_book import BOOK

#: Recipes of a training. Which numbers in them work is found by training, which takes too long for each mutant.
RECIPES = {
    "before/recurrent_translator.py",
    "before/recurrent_attention.py",
    "before/constitution_vectors.py",
    "before/longer_training.py",
    "before/longer_attention.py",
    "before/longer_sizes.py",
    "before/learned_gates.py",  # its task and its gates are tested all the same
    "training/translator.py",
    "tools/paraphrases.py",  # texts alone, which the tests of lab 4 look at
    "training/smoothed.py",
    "training/averaged_runs.py",  # its measures are tested all the same
    "training/half_trained.py",
    "training/probe.py",  # its probe and its exchange are tested all the same
    "training/number_splits.py",
    "training/unshifted.py",
    "training/fine_tuned_translator.py",
    "training/repeated_dates.py",
    "training/alignment.py",  # what it measures of a model is tested all the same
    "families/deep_network.py",
    "families/constitution_bert.py",
    "families/library_pairs.py",  # what is asked of models, not how they answer
    "families/mouse_and_cheese.py",
    "families/t5_tasks.py",
    "families/vision_training.py",
    "labs/post_pre_ln.py",
    "families/blocks_compared.py",
    "labs/small_language_model.py",
    "families/constitution_gpt.py",
    "families/gpt_samples.py",
    "families/gpt_sizes.py",
    "families/mapping_learner.py",
    "families/tuned_encoders.py",
    "families/longer_prompts.py",
    "llm/capitals.py",  # what it uses is tested
    "llm/heads_measured.py",
    "llm/tuned_smollm.py",
    "llm/small_dpo.py",
    "llm/small_experts.py",
    "llm/small_indexer.py",
    "llm/quantized_smollm.py",
    "llm/longer_smollm.py",  # its attention and its passages are tested all the same
    "llm/drafted_smollm.py",  # what is asked of the published model; what counts the passes is tested
    "llm/prompted_smollm.py",  # likewise: what counts the answers is tested
    "llm/shown_examples.py",
}
MODULES = {
    name: path
    for path in [*BOOK.snippets(), *BOOK.tools(), *BOOK.files()]
    if path.suffix == ".py" and (name := BOOK.address(path)) not in RECIPES
}
each_module = pytest.mark.parametrize("name", MODULES)


def equivalent() -> dict[tuple[str, str, str], str]:
    """Return the mutants that behave like their module, ``tests/PART/equivalent.yml``: module, line, changed line, and
    why no test can tell them apart."""
    found = {}
    for path in sorted((ROOT / "tests").glob("*/equivalent.yml")):
        part = path.parent.name
        beside = {Path(name).stem: file for name, file in MODULES.items() if Path(name).parent.name == part}
        for (module, before, after), why in quoted.unnoticed(path, beside).items():
            found[f"{part}/{module}.py", before, after] = why
    return found


EQUIVALENT = equivalent()


def its_tests(name: str) -> Path:
    """tests/PART/test_NAME.py of snippets/PART/NAME.py."""
    path = ROOT / "tests" / name
    return path.with_name(f"test_{path.name}")


@pytest.mark.thorough
@each_module
def test_every_module_passes_its_own_tests_on_meaning(name):
    """Without this, a mutant might fail merely because nothing here can run."""
    module, tests = MODULES[name], its_tests(name)
    assert tests.exists(), f"snippets/{name} has no tests on meaning: write {tests.relative_to(ROOT)}"
    runner, source = Runner(module, tests, LONG), module.read_text(encoding="utf-8")
    failure = runner.first_failure(source) and runner.first_failure(source)  # first, it has libraries to load, too
    assert failure is None, (
        f"{tests.relative_to(ROOT)} fails when tests/machinery/mutants.py runs it "
        f"(plain functions, no fixtures): {failure}"
    )


@pytest.mark.thorough
@each_module
def test_every_mutant_fails_a_test_on_meaning(name):
    candidates = [m for m in mutants(MODULES[name]) if (name, m.before, m.after) not in EQUIVALENT]
    assert candidates, f"nothing in snippets/{name} can be changed: does it compute anything?"
    tried = ours(candidates)
    alive = survivors(MODULES[name], its_tests(name), tried)
    assert not alive, (
        f"{len(alive)} of {len(tried)} changes to snippets/{name} go unnoticed. Add a test to "
        f"{its_tests(name).relative_to(ROOT)} that fails on each (or say in equivalent.yml beside it why none can):\n"
        + "\n".join(map(str, alive))
    )


def listed(file: str, before: str, after: str) -> list[Mutant]:
    found = [m for m in mutants(ROOT / "snippets" / file) if (m.before, m.after) == (before, after)]
    assert len(found) == 1, (
        f"tests/{Path(file).parent}/equivalent.yml: {file} has no such mutant any more; take it out, or write its line "
        f"as it is now\n- {before}\n+ {after}"
    )
    return found


def test_every_mutant_listed_as_equivalent_exists():
    for key in EQUIVALENT:
        listed(*key)


@pytest.mark.thorough
@pytest.mark.parametrize(("file", "before", "after"), EQUIVALENT)
def test_every_mutant_listed_as_equivalent_survives(file, before, after):
    (mutant,) = listed(file, before, after)
    module, tests = ROOT / "snippets" / file, its_tests(file)
    assert survivors(module, tests, [mutant], patience=LONG), (
        f"a test does notice it: take it out of tests/{Path(file).parent}/equivalent.yml\n{mutant}"
    )


# The harness itself


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / "snippets" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def changes(folder: Path, line: str) -> set[str]:
    """The lines that stand in the place of a line in its mutants."""
    found = mutants(written(folder, "toy.py", line + "\n"))
    assert {mutant.before for mutant in found} <= {line}
    return {mutant.after for mutant in found}


#: Changes with which a module cannot be imported: any test notices them.
BROKEN = {
    "BYTES = [bytes([b]) for b in sorted(range(257), key=lambda b: b not in VISIBLE)]",
    "ALL = (SENTENCES - PARAPHRASES)",
    "T5_1_1_NAMES = (T5_NAMES & "
    "{'sublayer.w_1': 'DenseReluDense.wi_0', 'sublayer.v': 'DenseReluDense.wi_1', 'head': 'lm_head'})",
    "0: Kind('F32', 1, 4),",
    "3: Kind('Q4_1', 32, 20),",
    "8: Kind('Q8_0', 32, 34),",
    "LETTERS = [*map(chr), *(chr(256 + i) for i in range(HIDDEN))]",
    "LETTERS = [*map(VISIBLE, chr), *(chr(256 + i) for i in range(HIDDEN))]",
}


@pytest.mark.thorough
@each_module
def test_without_tests_every_mutant_survives(name, tmp_path):
    module = MODULES[name]
    everyone = mutants(module)
    untested = survivors(module, written(tmp_path, "test_nothing.py", ""), everyone)
    lost = [mutant for mutant in everyone if mutant not in untested and mutant.after not in BROKEN]
    if lost:  # a module that makes a configuration refuses sizes that cannot be, at once
        runner = Runner(module, written(tmp_path, "test_nothing.py", ""))
        said = {mutant: runner.first_failure(mutant.source) or "" for mutant in lost}
        lost = [mutant for mutant, failure in said.items() if not failure.startswith("import: ValueError: ")]
    assert not lost, "\n".join(map(str, lost))


def test_a_weak_test_lets_mutants_live_and_a_strong_one_kills_them(tmp_path):
    module = written(tmp_path, "toy.py", "def double(x):\n    return x * 2\n")
    weak = "from snippets.toy import double\n\ndef test_zero():\n    assert double(0) == 0\n"
    alive = survivors(module, written(tmp_path, "test_toy.py", weak), mutants(module))
    assert [m.after for m in alive] == ["return (x / 2)", "return x * 3", "return x * 1"]
    assert str(alive[1]) == "snippets/toy.py:2\n    - return x * 2\n    + return x * 3"
    strong = weak + "\ndef test_three():\n    assert double(3) == 6\n"
    assert survivors(module, written(tmp_path, "test_toy.py", strong), mutants(module)) == []


def test_properties_and_parametrized_tests_count(tmp_path):
    module = written(tmp_path, "toy.py", "def double(x):\n    return x * 2\n")
    tests = """
import pytest
from hypothesis import given, strategies as st
from snippets.toy import double

@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize(("x", "expected"), [(0, 0), pytest.param(0, 0, id="again")])
@given(y=st.integers(1, 9))
def test_double(x, expected, shift, y):
    assert double(x) == expected
    assert double(y + shift) - double(shift) == 2 * y
"""
    runner = Runner(module, written(tmp_path, "test_toy.py", tests))
    assert runner.first_failure("def double(x):\n    return x * 2\n") is None
    assert runner.first_failure("def double(x):\n    return x * 3\n").startswith("test_double: AssertionError")


def test_a_mutant_reaches_the_modules_that_import_it_and_leaves_no_trace(tmp_path):
    tests = "from snippets.attention.multi_head import scaled_dot_product_attention as f\n\ndef test_it():\n    f()\n"
    before = dict(sys.modules)
    runner = Runner(ROOT / "snippets" / "attention" / "scaled_dot_product.py", written(tmp_path, "test_toy.py", tests))
    failure = runner.first_failure("def scaled_dot_product_attention():\n    raise ZeroDivisionError('mutant')\n")
    assert failure == "test_it: ZeroDivisionError: mutant"
    assert not [name for name in sys.modules if name.startswith("snippets") and name not in before]
    assert all(sys.modules[name] is module for name, module in before.items())


def test_a_test_that_never_calls_a_function_is_not_run_for_a_change_in_it(tmp_path):
    module = written(tmp_path, "toy.py", "def a():\n    return 0\n\ndef b():\n    return a() + 1\n\nC = [0]\n")
    tests = """
from snippets import toy

def test_a():
    assert toy.a() == toy.b() - 1 == 0

def test_b():
    toy.b()
    assert toy.b.__name__ == "b" and toy.a.__name__ == "a"

def test_c():
    assert toy.C[0] == 0
"""
    runner = Runner(module, written(tmp_path, "test_toy.py", tests))
    runner.note_calls()
    assert {name: len(lines) for (name, _), lines in runner.calls.items()} == {"test_a": 2, "test_b": 2, "test_c": 0}
    everything = module.read_text().replace("0", "7")
    for line, first in ((2, "test_a"), (5, "test_a"), (7, "test_a")):
        assert runner.first_failure(everything, line).startswith(first)
    assert runner.first_failure("C = [7]\n", 7).startswith("test_a: AttributeError"), "each test may see it"
    runner.calls = {("test_a", 0): set(), ("test_b", 0): {1}, ("test_c", 0): set()}
    assert runner.first_failure(everything, 2) is None
    assert runner.first_failure(everything, 1).startswith("test_a"), "the head of a function is run with the module"


def test_a_test_that_failed_while_its_calls_were_noted_may_notice_every_change(tmp_path):
    """The place for its files may have been full just then."""
    module = written(tmp_path, "toy.py", "def a():\n    return 0\n")
    full = tmp_path / "full"
    full.touch()
    tests = f"""
from pathlib import Path
from snippets import toy

def test_a():
    if Path({str(full)!r}).exists():
        raise OSError("no space left")
    assert toy.a() == 0
"""
    runner = Runner(module, written(tmp_path, "test_toy.py", tests))
    runner.note_calls()
    full.unlink()
    assert runner.first_failure("def a():\n    return 7\n", 2) == "test_a: AssertionError: "


FINALIZER = """
import weakref
from tests.machinery import mutants

thing = {1}
with mutants._own_end():
    weakref.finalize(thing, print, "at the end")
print("after the mutant")
"""


def test_the_end_of_a_mutant_is_not_that_of_what_it_has_imported():
    said = subprocess.run([sys.executable, "-c", FINALIZER], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["after the mutant", "at the end"]


def test_a_mutant_runs_out_of_time_even_where_nothing_can_be_raised(tmp_path):
    """What is raised in a callback of the garbage collector is lost, and was once reported as an error of its own."""
    endless = """import gc
def spin(*event):
    gc.callbacks.remove(spin)
    while True:
        pass
gc.callbacks.append(spin)
gc.collect()
while True:
    pass
"""
    runner = Runner(written(tmp_path, "toy.py", ""), written(tmp_path, "test_toy.py", ""), patience=0.2)
    assert runner.first_failure(endless) == "import: TimeoutError: not done after 0.2 s"


def test_what_fails_when_the_tests_are_over_counts_as_well(tmp_path):
    """There time may run out, too: to throw away what a test has made can take longer than the test."""
    tests = """import atexit

def late():
    raise TimeoutError("late")

def test_it():
    atexit.register(late)
"""
    runner = Runner(written(tmp_path, "toy.py", ""), written(tmp_path, "test_toy.py", tests))
    assert runner.first_failure("") == "test_it: TimeoutError: late"


def test_a_module_that_does_not_load_is_noticed(tmp_path):
    runner = Runner(ROOT / "snippets" / "attention" / "masks.py", written(tmp_path, "test_toy.py", ""))
    assert runner.first_failure("import nowhere_to_be_found").startswith("import: ModuleNotFoundError")


def test_the_test_that_failed_last_is_tried_first(tmp_path):
    tests = "from snippets.toy import x\n\ndef test_a():\n    assert x != 1\n\ndef test_b():\n    assert x < 1\n"
    runner = Runner(written(tmp_path, "toy.py", "x = 0\n"), written(tmp_path, "test_toy.py", tests))
    assert [runner.first_failure(f"x = {x}").partition(":")[0] for x in (1, 2, 1)] == ["test_a", "test_b", "test_b"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a + b", {"(a - b)"}),
        ("a - b", {"(a + b)"}),
        ("a * b", {"(a / b)"}),
        ("a / b", {"(a * b)"}),
        ('root / "a" / f"b"', set()),
        ("a // b", {"(a * b)"}),
        ("a @ b", {"(b @ a)"}),
        ("a & ~b", {"(a | ~b)", "a & b"}),
        ("a <= b", {"(a < b)", "(a >= b)"}),
        ("a < b", {"(a <= b)", "(a > b)"}),
        ("a == b != c", {"(a != b != c)", "(a == b == c)"}),
        ("a is not None", {"(a is None)"}),
        ("a not in b", {"(a in b)"}),
        ("not a", {"a"}),
        ("-a", {"a"}),
        ("a or b", {"(a and b)", "a", "b"}),
        ("a and b", {"(a or b)", "a", "b"}),
        ("x.size(-1)", {"x.size(0)", "x.size(-2)"}),
        ("x.size(-2)", {"x.size(-1)", "x.size(-3)"}),
        ("x.size(0)", {"x.size(1)"}),
        ("x.size(1)", {"x.size(0)", "x.size(2)"}),
        ("x.clamp(min=0.5)", {"x.clamp(min=1.5)"}),
        ("f(bias=False)", {"f(bias=True)"}),
        ("x.sum(dim=d)", {"x.mean(dim=d)"}),
        ("min(a, b)", {"max(a, b)", "min(a)"}),
        ("all(a)", {"any(a)"}),
        ("math.sqrt(d_k)", {"d_k"}),
        ("x @ x.T", {"(x.T @ x)", "x @ x"}),
        ("x.transpose(a, b)", {"x", "x.transpose(a)"}),
        ("x.unsqueeze(d)", {"x"}),
        ("x.masked_fill(mask, -math.inf)", {
            "x",
            "x.masked_fill(mask)",
            "x.masked_fill(-math.inf, mask)",
            "x.masked_fill(mask, math.inf)",
            "x.masked_fill(mask, 0.0)",
        }),
        ("f(q, k, v)", {"f(q, k)", "f(k, q, v)", "f(q, v, k)"}),
        ('torch.einsum("bqd,bkd->bqk", q, k)', {
            "torch.einsum('bqd,bkd->qbk', q, k)",
            "torch.einsum('bqd,bkd->bkq', q, k)",
        }),
    ],
)  # fmt: skip
def test_what_is_changed_in_an_expression(line, expected, tmp_path):
    assert changes(tmp_path, f"y = {line}") == {f"y = {text}" for text in expected}


@pytest.mark.parametrize(("line", "expected"), [("total += x", {"total -= x"}), ("check(x)", {"pass"})])
def test_what_is_changed_in_a_statement(line, expected, tmp_path):
    assert changes(tmp_path, line) == expected


def test_a_check_is_dropped_whole(tmp_path):
    found = mutants(written(tmp_path, "toy.py", 'if a:\n    raise ValueError(f"{a - 1} of {b}")\ny = x\n'))
    assert [mutant.source for mutant in found] == ["pass\ny = x\n"]


def test_docstrings_messages_annotations_and_imports_are_left_alone(tmp_path):
    source = '''"""Module: 1 + 1."""
from a import b


def f(x: tuple[int, 1 | None]) -> "int | None":
    """Function: not 1."""
    y: int | None = x
    raise ValueError(f"{y - 1}" + str(1 + 1))
'''
    assert mutants(written(tmp_path, "toy.py", source)) == []


def test_columns_are_right_after_letters_of_several_bytes(tmp_path):
    assert changes(tmp_path, 'y = {"가중치": 1}  # 합') == {'y = {"가중치": 2}  # 합', 'y = {"가중치": 0}  # 합'}


def test_an_expression_over_several_lines_is_replaced_whole(tmp_path):
    (mutant,) = mutants(written(tmp_path, "toy.py", "y = (\n    a\n    + b\n)\nz = y\n"))
    assert mutant.source == "y = (\n    (a - b)\n)\nz = y\n"
