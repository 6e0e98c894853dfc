"""Code that computes the same is told from code that does not by the first steps of its trainings."""

from __future__ import annotations

import json
import shutil
from functools import partial
from importlib import import_module

import pytest
import torch
from torch import Tensor

from book.artifacts import rehearsal, results
from book.artifacts.rehearsal import Refused, differences, outline
from snippets.attention import multi_head
from snippets.before import recurrent_translator
from snippets.tools import kept
from snippets.tools.cached import Cached
from snippets.training import smoothed, trainer, translator


def named(name: str) -> results.Trained:
    return next(one for one in results.RESULTS if one.name == name)


@pytest.fixture
def other_code(tmp_path, monkeypatch):
    """Results of the book, made by other code than today's, which tests may stamp."""
    (tmp_path / "results").mkdir()
    for name in ("dates-0", "smoothed", "recurrent-dates"):
        for suffix in (".json", ".safetensors"):
            if (file := kept.RESULTS / f"{name}{suffix}").is_file():
                shutil.copy(file, tmp_path / "results")
        written = tmp_path / "results" / f"{name}.json"
        record = json.loads(written.read_bytes())
        record["code"] = "of other code"
        if name == "smoothed":
            record["data"] = {f"key {number}": run for number, run in enumerate(record["data"].values())}
        written.write_text(json.dumps(record))
    monkeypatch.setattr(kept, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(kept, "CACHE", tmp_path / "cache")


def of(name: str, *others):
    """What trains for longer than a second is tested thoroughly."""
    return pytest.param(name, *others, marks=[pytest.mark.thorough] * (name == "smoothed"))


@pytest.mark.parametrize("name", [of("dates-0"), of("smoothed"), of("recurrent-dates")])
def test_what_today_s_code_makes_is_stamped(other_code, name):
    one, before = named(name), rehearsal.whole(name)
    assert not one.committed()
    rehearsal.restamp(one)
    tensors, data = rehearsal.whole(name)
    assert one.committed() and one.has_rehearsal() and not one.cached()
    assert all(tensors[key].equal(x) for key, x in before[0].items())
    assert list(data.values()) == list(before[1].values())


CACHED = [one for one in results.RESULTS if f'@cached("{one.name}")' in one.source.read_text(encoding="utf-8")]


@pytest.mark.parametrize(
    "one",
    [pytest.param(one, id=one.name, marks=[pytest.mark.thorough] * (one.name != "smoothed")) for one in CACHED],
)
def test_in_a_rehearsal_runs_have_the_keys_under_which_they_are_asked_for(monkeypatch, one):
    monkeypatch.setattr(rehearsal.Rehearsal, "each", lambda made, function, calls: [{} for _ in calls])  # only looks
    module = import_module(f"snippets.{one.module.replace('/', '.')}")
    # two functions may write into one result
    functions = [thing for thing in vars(module).values() if isinstance(thing, Cached) and thing.name == one.name]
    for function in functions:
        monkeypatch.setattr(function, "asked", {})
    for asks, given in one.asks:
        getattr(module, asks)(*given)
    assert functions and all(function.asked for function in functions)
    assert set(rehearsal.rehearse(one).runs) == {key for function in functions for key in function.asked}


@pytest.mark.thorough
def test_stamped_runs_have_the_keys_under_which_they_are_asked_for(other_code):
    rehearsal.restamp(named("smoothed"))
    asked = [run for asks in (smoothed.results, smoothed.sweep) for runs in asks().values() for run in runs]
    assert not smoothed.train.computed | smoothed.stopped.computed and asked == [
        run["result"] for run in rehearsal.whole("smoothed")[1].values()
    ]


def flipped(x: Tensor) -> Tensor:
    return -x.transpose(1, 2).flatten(start_dim=2)


def higher(step: int, steps: int, at: int, schedule=translator.schedule) -> float:
    return schedule(step, steps) * (1.01 if step == at else 1)


def test_an_optimizer_that_ends_by_itself_takes_its_first_steps_and_notes_how_many_it_may():
    """After how many it ends differs from machine to machine: 89 and 93, where this was found."""
    made = rehearsal.Rehearsal("any", ({}, {}))
    x, taken = torch.full((3,), 5.0, requires_grad=True), []

    def loss() -> Tensor:
        taken.append((x - torch.arange(3)).pow(4).sum())
        x.grad = torch.autograd.grad(taken[-1], x)[0]
        return taken[-1]

    for options, at_most in (({"max_iter": 1000}, rehearsal.STEPS), ({"max_iter": 2}, 2), ({}, rehearsal.STEPS)):
        optimizer = torch.optim.LBFGS.__new__(torch.optim.LBFGS)
        made.lbfgs(optimizer, [x], **options)
        optimizer.step(loss)
        assert optimizer.state[x]["n_iter"] <= at_most and not optimizer.defaults["line_search_fn"]
    assert made.notes == [{"max_iter": 1000}, {"max_iter": 2}, {"max_iter": 20}] and len(taken) >= rehearsal.STEPS


@pytest.mark.thorough
def test_what_is_fitted_to_the_end_is_rehearsed_in_outline():
    made = rehearsal.rehearse(named("probe"))
    assert {"max_iter": 100} in made.notes


MEASURED = ["confidence", "accuracy", "loss", "largest logit"]
CHANGES = {
    "a sign in a model": ("dates-0", multi_head, "merge_heads", flipped),
    "the batches": ("dates-0", translator, "draw_dates", lambda generator: translator.dates.batch([], None)),
    "the number of steps": ("dates-0", translator, "STEPS", {"dates": 251}),
    "a late learning rate": ("dates-0", translator, "schedule", lambda step, steps: higher(step, steps, at=200)),
    "a setting": ("smoothed", smoothed, "EPSILONS", [0.0, 0.11]),
    "the order of runs": ("smoothed", smoothed, "EPSILONS", [0.1, 0.0]),
    "a run less": ("smoothed", smoothed, "EPSILONS", [0.0]),
    "what is measured in the end": ("smoothed", smoothed, "confidence", lambda *of: dict.fromkeys(MEASURED, 0.5)),
    "a loop of a module's own": (
        *("recurrent-dates", recurrent_translator.F, "cross_entropy"),
        partial(torch.nn.functional.cross_entropy, label_smoothing=0.1),
    ),
}


@pytest.mark.parametrize(
    ("name", "module", "what", "instead"), [of(*change) for change in CHANGES.values()], ids=CHANGES
)
def test_what_computes_something_else_is_refused(other_code, monkeypatch, name, module, what, instead):
    monkeypatch.setattr(module, what, instead)
    with pytest.raises(Refused):
        rehearsal.restamp(named(name))
    assert not named(name).committed()


def test_what_measures_time_or_has_no_rehearsal_or_is_not_there_is_refused(other_code):
    with pytest.raises(Refused, match="time"):
        rehearsal.restamp(named("speed"))
    with pytest.raises(Refused, match="there is none"):
        rehearsal.restamp(named("sgd"))
    written = kept.RESULTS / "smoothed.json"
    record = json.loads(written.read_bytes())
    del record["rehearsal"]
    written.write_text(json.dumps(record))
    with pytest.raises(Refused, match="no rehearsal"):
        rehearsal.restamp(named("smoothed"))


def test_a_rehearsal_leaves_everything_as_it_was():
    before = trainer.Trainer.step, trainer.Trainer.run, smoothed.train.each.__func__, translator.kept
    rehearsal.rehearse(named("dates-0"))
    assert (trainer.Trainer.step, trainer.Trainer.run, smoothed.train.each.__func__, translator.kept) == before
    assert not hasattr(recurrent_translator, "range")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 3.0, 2.0])),
        (torch.tensor([1.0, 2.0]), torch.tensor([-1.0, -2.0])),
        (torch.eye(3), torch.eye(3).flatten()),
        (torch.ones(2), torch.full((2,), 1.01)),
        ([0.5] * 30, [0.5] * 31),
        ([0.5] * 30, [0.6] + [0.5] * 29),
        ({"a": 1.0}, {"b": 1.0}),
        (1.0, 1.01),
        (1.0, float("nan")),
        (True, False),
        ("a" * 200, "b" * 200),
    ],
)
def test_outlines_of_other_things_differ(one, other):
    assert differences(outline(one), outline(other)) and not differences(outline(one), outline(one))


def test_rounding_and_times_make_no_difference():
    one, other = torch.randn(50, generator=torch.Generator().manual_seed(0)), {"seconds": 1.0, "loss": 2.0}
    assert not differences(outline(one), outline(one * (1 + 1e-5)))
    assert not differences(outline(other), outline({"seconds": 3.0, "loss": 2.0001}))
    assert not differences(float("nan"), float("nan"))


def test_what_has_no_gradient_but_rounding_may_be_anything():
    torch.manual_seed(0)
    attention, x = multi_head.MultiHeadAttention(d_model=8, num_heads=2).double(), torch.randn(1, 5, 8).double()
    attention(x, x, x)[0].sin().sum().backward()
    for name, parameter in attention.named_parameters():
        assert (parameter.grad.norm() < 1e-12) == name.endswith(rehearsal.NO_GRADIENT), name
        one, other = ({f"attention.{name}": outline(sign * parameter)} for sign in (1, -1))
        assert bool(differences(one, other)) != name.endswith(rehearsal.NO_GRADIENT)
        assert differences(one, {f"attention.{name}": outline(parameter[:3])}), "another shape"


def test_of_runs_that_are_alike_the_first_is_taken_and_all_that_are_asked_for_are_noted():
    tried = []

    def run(method: str, rate: float, seed: int) -> dict:
        tried.append((method, rate, seed))
        return {"test": rate}

    calls = [(method, rate, seed) for method in "ab" for rate in (0.1, 0.2) for seed in (0, 1)]
    made = rehearsal.Rehearsal("name", ({}, {}), alike=("rate",))
    assert made.each(run, calls) == [{"test": 0.1}] * 8
    assert tried == [("a", 0.1, 0), ("b", 0.1, 0)]
    assert [note["called"][1:] for note in made.notes] == [[repr(one) for one in call] for call in calls]
    made = rehearsal.Rehearsal("name", ({}, {}))
    assert made.each(run, calls) == [{"test": rate} for rate in (0.1, 0.1, 0.2, 0.2)] * 2
