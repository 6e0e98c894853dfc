"""Each sign, axis, scale and mask of each solution of *Build it yourself* is changed: the exercise's checks refuse it.

Only what a learner writes is changed. A change that is right all the same, or which the exercise leaves to who writes
it, is listed below with the reason.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from exercises import watching
from exercises.blanks import bodies
from exercises.checking import Exercise, load, run
from tests.machinery.mutants import Mutant, mutants
from tests.machinery.shards import ours
from tests.machinery.test_exercises import EXERCISES

pytestmark = pytest.mark.thorough

#: Seconds of the processor for a stage, of which the longest takes two.
PATIENCE = 10.0
#: What is as right, or what no check can tell from it: a module, a line, what stands there instead, and why.
EQUIVALENT = {
    (
        "before/batches_of_tokens",
        "longest = max(map(len, rows), default=0)",
        "longest = max(map(len, rows), default=1)",
    ): "without rows it raises in any case",
    (
        "before/incremental_bpe",
        "if more > 0:",
        "if (more >= 0):",
    ): "pairs of which there are as many as before are not among them",
    (
        "attention/masks",
        "return position.unsqueeze(0) <= position.unsqueeze(1)  # key <= query",
        "return position <= position.unsqueeze(1)  # key <= query",
    ): "broadcasting adds this axis",
    (
        "attention/multi_head",
        "if len(mask) not in (2, 3):\n"
        '                raise ValueError(f"attn_mask is ([batch,] n_q, n_k), not {mask}")',
        "pass",
    ): "what then is refused by PyTorch or broadcasts is left to who writes it",
    (
        "block/dropout",
        "if not self.training or self.p == 0:",
        "if (not self.training):",
    ): "with p = 0 everything is kept, and divided by 1",
    (
        "block/dropout",
        "if not self.training or self.p == 0:",
        "if not self.training or self.p == 1:",
    ): "with p = 0 everything is kept, and divided by 1; p = 1 is refused",
    (
        "block/dropout",
        "keep = torch.rand_like(x, dtype=torch.float32) >= self.p",
        "keep = (torch.rand_like(x, dtype=torch.float32) > self.p)",
    ): "a draw hits a number exactly once in millions",
    (
        "model/sizes",
        "network = feed_forward_parameters(d_model, config.d_ff)",
        "network = feed_forward_parameters(config.d_ff, d_model)",
    ): "the sum of two matrices and two biases is the same either way round",
    (
        "model/memory_budget",
        "if at_once < 1:",
        "if at_once < 0:",
    ): "range refuses steps of 0 with a ValueError of its own",
    (
        "training/loss",
        "index = target.masked_fill(~counts, 0).unsqueeze(-1)",
        "index = target.masked_fill(~counts, 1).unsqueeze(-1)",
    ): "what is gathered there is thrown away",
    (
        "training/bleu",
        "right = sum(matches(ours, theirs, n) for ours, theirs in pairs)",
        "right = sum(matches(theirs, ours, n) for ours, theirs in pairs)",
    ): "what two texts have in common is the same either way round",
    (
        "training/decoding",
        "for p, i in zip(*map(Tensor.tolist, best), strict=True)",
        "for p, i in zip(*map(Tensor.tolist, best), strict=False)",
    ): "topk returns as many values as indices; strict says so to the reader",
    (
        "training/cache",
        "bos = torch.full_like(src[:, :1], BOS)",
        "bos = torch.full_like(src[:, :2], BOS)",
    ): "of what it begins with, only the last token is read",
    (
        "families/sampling",
        "ordered, order = logits.sort(dim=-1, stable=True)  # the most probable one last",
        "ordered, order = logits.sort(dim=-1, stable=False)  # the most probable one last",
    ): "which one of two equally probable tokens stays is not asked for",
    (
        "families/rms_norm",
        "wide = x.to(torch.promote_types(x.dtype, torch.float32))",
        "wide = x.to(torch.promote_types(torch.float32, x.dtype))",
    ): "the type that holds both is the same either way round",
    (
        "families/flash_attention",
        "new = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))",
        "new = torch.maximum(scores.amax(dim=-1, keepdim=True), maximum)",
    ): "the larger of two is the same either way round",
    (
        "families/flash_attention",
        "base = new.masked_fill(new == -math.inf, 0.0)  # only masked keys so far",
        "base = new.masked_fill(new == -math.inf, 1.0)  # only masked keys so far",
    ): "-inf minus any number is -inf",
    (
        "families/flash_attention",
        "return weighted / total.masked_fill(total == 0, 1.0)  # 0 if all keys are masked",
        "return weighted / total.masked_fill(total == 0, 2.0)  # 0 if all keys are masked",
    ): "0 divided by any number is 0",
}
OF = "mutants of the exercises' solutions that their checks refuse"
#: Nothing in them is changed: a product of layers has no sign and no axis of its own.
WITHOUT = {"block/feed_forward"}


def to_be_refused(exercise: Exercise) -> list[tuple[str, Mutant]]:
    """The mutants of what a learner writes, each with the function that it is in."""
    source = exercise.solution.read_text(encoding="utf-8")
    written = bodies(source, exercise)
    return [
        (of, mutant)
        for mutant in mutants(exercise.solution)
        for of, first, last in written
        if first <= mutant.line <= last
    ]


def refused(exercise: Exercise, of: str, mutant: Mutant, folder: Path) -> bool:
    """Whether a stage does not pass; those of the function itself come first."""
    path = folder / "answer.py"
    path.write_text(mutant.source, encoding="utf-8")
    stages = [stage for stage in exercise.stages if not stage.whole]
    try:
        answer = load(path, exercise.name)
        for stage in sorted(stages, key=lambda stage: stage.of != of):
            run(stage, answer)
    except Exception:  # whatever a learner would be told
        return True
    return False


@pytest.mark.parametrize("name", EXERCISES)
def test_the_checks_refuse_every_mutant_of_a_solution(name, record_property, tmp_path, monkeypatch):
    monkeypatch.setattr(watching, "LIMIT", PATIENCE)
    exercise = EXERCISES[name]
    everyone = to_be_refused(exercise)
    assert bool(everyone) != (name in WITHOUT)
    tried = ours(everyone)
    as_right = {(of, mutant) for of, mutant in tried if (name, mutant.before, mutant.after) in EQUIVALENT}
    passed = {(of, mutant) for of, mutant in tried if not refused(exercise, of, mutant, tmp_path)}
    record_property(
        f"share of {OF}", (len(tried) - len(passed), len(tried))
    )  # the share is shown when all have been tried
    alive, told = passed - as_right, as_right - passed
    assert not alive, (
        f"{len(alive)} of {len(tried)} changes to the solution of {name} pass all stages. Check more in "
        f"exercises/{exercise.part}/stages.py (or list it in EQUIVALENT in {Path(__file__).name}):\n"
        + "\n".join(str(mutant) for _, mutant in alive)
    )
    assert not told, "refused, so take it out of EQUIVALENT:\n" + "\n".join(str(mutant) for _, mutant in told)


def test_every_mutant_listed_as_equivalent_exists():
    found = {(name, m.before, m.after) for name, exercise in EXERCISES.items() for _, m in to_be_refused(exercise)}
    assert not EQUIVALENT.keys() - found


def test_a_check_that_looks_at_too_little_is_noticed(tmp_path):
    """Without one of its stages, an exercise accepts what it should refuse."""
    whole = EXERCISES["before/prediction_tasks"]
    less = replace(whole, stages=[stage for stage in whole.stages if stage.name != "no padding drawn"])
    passed = [[m for of, m in to_be_refused(one) if not refused(one, of, m, tmp_path)] for one in (whole, less)]
    assert len(passed[1]) > len(passed[0])
