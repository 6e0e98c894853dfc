"""Each broken translator lacks just what it is said to lack."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator

import pytest
import torch
from torch.testing import assert_close

from snippets.block.config import TransformerConfig
from snippets.labs import broken_translator as broken
from snippets.labs.broken_translator import (
    VARIANTS,
    WithoutMask,
    WithoutPositions,
    WithoutScaling,
    whole_schedule,
    without_warm_up,
)
from snippets.model.transformer import Transformer
from snippets.training.attention_maps import attention_maps

SRC, TGT = torch.tensor([[5, 3, 6, 4, 0], [3, 4, 5, 6, 7]]), torch.tensor([[1, 4, 6, 3], [1, 5, 5, 0]])


def config(**changes) -> TransformerConfig:
    return TransformerConfig(**{"d_model": 12, "num_heads": 3, "d_ff": 20, **changes})


def model(model_class: type[Transformer], **options) -> Transformer:
    torch.manual_seed(0)
    return model_class(config(vocab_size=9, num_layers=2, dropout=0.0, **options)).double().eval()


def test_without_positions_the_order_of_the_source_does_not_matter():
    shuffled = SRC[:, [2, 0, 1, 3, 4]]
    whole, ours = model(Transformer), model(WithoutPositions)
    assert_close(ours(shuffled, TGT), ours(SRC, TGT))
    assert (whole(shuffled, TGT) - whole(SRC, TGT)).abs().max() > 1e-3


def test_without_positions_words_are_still_embedded_and_dropped():
    ours = model(WithoutPositions)
    assert_close(ours.embed(SRC), ours.embedding(SRC))
    dropping = WithoutPositions(config(vocab_size=9, num_layers=2, dropout=0.5)).train()
    assert (dropping.embed(SRC) == 0).any()


def test_without_mask_a_later_word_changes_earlier_predictions_and_padding_does_not():
    whole, ours = model(Transformer), model(WithoutMask)
    changed = TGT.clone()
    changed[0, 3] = 7
    assert (ours(SRC, changed) - ours(SRC, TGT))[0, :3].abs().amax(dim=-1).min() > 1e-6
    assert_close(whole(SRC, changed)[0, :3], whole(SRC, TGT)[0, :3])
    # the second target ends with padding, the first source too
    assert_close(ours(SRC, TGT)[1, :3], ours(SRC[1:], TGT[1:, :3])[0])
    assert_close(ours(SRC, TGT)[0], ours(SRC[:1, :4], TGT[:1])[0])


def test_without_scaling_weights_are_the_softmax_of_the_bare_scores():
    ours = model(WithoutScaling)
    weights = attention_maps(ours, SRC, TGT)["encoder.layers.0.attention"]
    attention, x = ours.encoder.layers[0].attention, ours.embed(SRC)
    bare = []
    for linear in (attention.w_q, attention.w_k):
        bare.append((x @ linear.weight.T + linear.bias).unflatten(-1, (3, 4)).transpose(1, 2))
    scores = (bare[0] @ bare[1].transpose(-2, -1)).masked_fill((SRC == 0)[:, None, None], -math.inf)
    assert_close(weights, scores.softmax(dim=-1))
    assert (weights - attention_maps(model(Transformer), SRC, TGT)["encoder.layers.0.attention"]).abs().max() > 1e-3


def test_all_attentions_lose_the_scaling():
    whole, ours = model(Transformer), model(WithoutScaling)
    for name, module in ours.named_modules():
        if name.endswith("attention.w_q"):
            x = torch.randn(2, 3, 12, dtype=torch.float64)
            assert_close(module(x), 2.0 * whole.get_submodule(name)(x))  # sqrt(d_k) = sqrt(4)


def test_without_mask_padding_is_what_the_model_says_it_is():
    ours = model(WithoutMask, pad_id=8)
    src, tgt = SRC.clone(), TGT.clone()
    src[0, 4], tgt[1, 3] = 8, 8
    assert_close(ours(src, tgt)[1, :3], ours(src[1:], tgt[1:, :3])[0])
    assert_close(ours(src, tgt)[0], ours(src[:1, :4], tgt[:1])[0])


@pytest.mark.parametrize("model_class", [WithoutPositions, WithoutMask, WithoutScaling])
def test_options_are_those_of_the_whole_model(model_class):
    assert model(model_class, norm_first=True).encoder.norm.gamma.numel() == 12


def test_without_warm_up_the_rate_begins_at_its_peak_and_is_then_the_same():
    assert without_warm_up(1) == without_warm_up(99) == whole_schedule(100)
    assert whole_schedule(1) == pytest.approx(whole_schedule(100) / 100)
    assert all(without_warm_up(step) == whole_schedule(step) for step in range(100, 251))
    assert whole_schedule(101) < whole_schedule(100) and 0 < whole_schedule(250) < 0.02 * whole_schedule(100)


def test_each_variant_differs_in_one_thing():
    kinds = {
        name: (model_class is Transformer, schedule is whole_schedule)
        for name, (model_class, schedule) in VARIANTS.items()
    }
    assert kinds == {
        "no positions": (False, True),
        "no mask": (False, True),
        "no scaling": (False, True),
        "no warm-up": (True, False),
    }


@contextlib.contextmanager
def short(steps: int) -> Iterator[list[Transformer]]:
    """Trainings of few steps in this process, not kept, and not examined: the models that would be."""
    fakes = {
        "STEPS": {"dates": steps},
        "date_exact_match": lambda model: examined.append(model),
        "in_parallel": lambda function, arguments: [function(*a) for a in arguments],
        "kept": lambda name, module, compute: compute() if module == f"labs/{name}" else None,
    }
    before, examined = {name: getattr(broken, name) for name in fakes}, []
    try:
        for name, fake in fakes.items():
            setattr(broken, name, fake)
        yield examined
    finally:
        for name, value in before.items():
            setattr(broken, name, value)


def test_a_run_trains_what_its_name_says():
    with short(2) as examined:
        one, again, other = broken.run("no positions"), broken.run("no positions", 0), broken.run("no positions", 1)
    assert one["losses"] == again["losses"] != other["losses"] and len(one["losses"]) == 2
    torch.manual_seed(0)
    start = WithoutPositions(broken.CONFIG).state_dict()
    moved = [(one["state"][name] - start[name]).abs().max() for name in start]
    assert 0 < max(moved) < 1e-3, "two steps away from where the seed begins"
    assert all(one["state"][name].equal(parameter) for name, parameter in examined[0].state_dict().items())
    assert 0 < one["seconds"] < 60


def test_a_trained_variant_is_the_one_that_was_trained():
    with short(1) as examined:
        for name in VARIANTS:
            examined.clear()
            model, run = broken.trained_variant(name)
            trained = examined[list(VARIANTS).index(name)]
            assert type(model) is type(trained) is VARIANTS[name][0] and not model.training
            assert len(run["losses"]) == 1
            for ours, theirs in zip(model.parameters(), trained.parameters(), strict=True):
                assert ours.equal(theirs)
