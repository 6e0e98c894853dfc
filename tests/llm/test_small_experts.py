"""The kinds have maps of their own, loads are counted, and what comes with the book is of every setting."""

from __future__ import annotations

import torch
from torch.testing import assert_close

from snippets.llm.experts import MixtureOfExperts
from snippets.llm.small_experts import D_MODEL, FACTORS, KINDS, SEEDS, SHARED, Task, measured, results


def test_what_the_inputs_share_tells_nothing_about_the_outputs():
    drawn = []
    for shared in (0.0, 2.0):
        torch.manual_seed(0)
        task = Task(shared)
        drawn.append(task.drawn(50))
        assert task.kinds.shape == (KINDS, D_MODEL) and task.offset.any().item() == (shared > 0)
    (x, y), (moved, same) = drawn
    assert_close(moved - task.offset, x)
    assert_close(same, y)


def test_loads_are_shares_of_the_tokens_the_busiest_first():
    torch.manual_seed(0)
    block = MixtureOfExperts(D_MODEL, 5, 3, top_k=1, normalize=False)
    with torch.no_grad():
        block.router.scores.weight.zero_()
        block.router.scores.weight[1, 0], block.router.scores.weight[2, 0] = 1.0, -1.0
    x = torch.zeros(8, D_MODEL)
    x[:, 0] = torch.tensor([1.0, 1, 1, 1, 1, 1, -1, -1])
    found = measured(block, x, block(x) + 2)
    assert found["shares"] == {"0": 0.75, "1": 0.25, "2": 0.0}
    assert (found["busiest"], found["idle"]) == (0.75, 1.0) and abs(found["error"] - 4) < 1e-5


def test_what_comes_with_the_book_is_of_every_setting():
    found = results()
    settings = {f"{shared:g} {factor:g}" for shared in SHARED for factor in FACTORS}
    assert settings | {"longer 0", "longer 0.1", "faster 0", "faster 0.1"} == set(found)
    for runs in found.values():
        assert len(runs) == len(SEEDS)
        for run in runs:
            assert abs(sum(run["shares"].values()) - 1) < 1e-5 and run["error"] > 0
