"""A model whose hidden units are numbered in another way computes the same, and the mean of both does not."""

from __future__ import annotations

import torch

from snippets.training.averaging import average
from snippets.training.renumbered import renumbered
from snippets.training.smoothed import held_out
from snippets.training.translator import number_trainer


def weights() -> dict:
    return {name: value.clone() for name, value in number_trainer(0).model.state_dict().items()}


def other(seed: int) -> dict:
    return renumbered(weights(), torch.Generator().manual_seed(seed))


def test_renumbered_units_compute_the_same_and_their_mean_does_not():
    model = number_trainer(0).model
    own = weights()
    others = renumbered(own, torch.Generator().manual_seed(1))
    moved = {name for name in own if not torch.equal(own[name], others[name])}
    assert moved and all(".feed_forward.w_" in name for name in moved)
    assert len(moved) == 3 * 4, "w_1.weight, w_1.bias and w_2.weight of four networks"
    src, tgt = held_out(5)
    logits = {}
    for name, state in [("own", own), ("other", others), ("mean", average([own, others]))]:
        model.load_state_dict(state)
        with torch.no_grad():
            logits[name] = model(src[:8], tgt[:8])
    torch.testing.assert_close(logits["own"], logits["other"])
    assert (logits["own"] - logits["mean"]).abs().max() > 0.1
    untouched = weights()
    assert all(torch.equal(own[name], untouched[name]) for name in own), "the given weights stay as they are"


def test_the_generator_decides_on_the_order_and_each_network_has_its_own():
    one, again, another = other(1), other(1), other(2)
    name = "encoder.layers.{}.feed_forward.w_1.bias"
    assert torch.equal(one[name.format(0)], again[name.format(0)])
    assert not torch.equal(one[name.format(0)], another[name.format(0)])
    own = weights()
    orders = [one[name.format(i)].argsort().argsort()[own[name.format(i)].argsort()] for i in (0, 1)]
    assert not torch.equal(*orders)
