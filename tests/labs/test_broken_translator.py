"""Each broken translator lacks just what it is said to lack."""

from __future__ import annotations

import math

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
from snippets.tools import kept
from snippets.training.attention_maps import attention_maps
from snippets.training.translator import SMALL, STEPS, schedule

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


def test_settings_are_those_of_the_translator_itself():
    assert broken.STEPS == STEPS["dates"] and broken.NUM_HEADS == SMALL.num_heads
    assert all(whole_schedule(step) == schedule(step, broken.STEPS) for step in (1, 100, 200, 250))
    assert len(broken.SEEDS) >= 3


def test_each_variant_differs_in_one_thing():
    assert [*VARIANTS.values()] == [
        (Transformer, whole_schedule, 4),
        (WithoutPositions, whole_schedule, 4),
        (WithoutMask, whole_schedule, 4),
        (WithoutScaling, whole_schedule, 4),
        (Transformer, without_warm_up, 4),
        (Transformer, whole_schedule, 1),
        (WithoutScaling, whole_schedule, 1),
    ]


@pytest.fixture
def apart(tmp_path, monkeypatch) -> list[Transformer]:
    """Nothing is read, or kept for others, and nothing is evaluated: the models that would be."""
    monkeypatch.setattr(kept, "RESULTS", tmp_path)
    monkeypatch.setattr(kept, "CACHE", tmp_path)
    examined: list[Transformer] = []
    monkeypatch.setattr(broken, "date_exact_match", lambda model: examined.append(model) or len(examined))
    return examined


@pytest.mark.thorough
def test_a_run_trains_what_it_is_asked_for(apart, monkeypatch):
    rates = []

    def rate(step: int) -> float:
        rates.append(step)
        return whole_schedule(step)

    run = broken.train.function
    one, again, other = (run(WithoutPositions, rate, 4, seed, 2, True) for seed in (0, 0, 1))
    assert one["losses"] == again["losses"] != other["losses"] and len(one["losses"]) == 2
    assert rates == [1, 2] * 3 and [one["exact match"], again["exact match"]] == [1, 2]
    torch.manual_seed(0)
    start = WithoutPositions(broken.CONFIG).state_dict()
    moved = [(one["weights"][name] - start[name]).abs().max() for name in start]
    assert 0 < max(moved) < 1e-3, "two steps away from where the seed begins"
    assert all(one["weights"][name].equal(parameter) for name, parameter in apart[0].state_dict().items())
    clock = iter([10.0, 12.5])  # a real one may tick more slowly than a training of one step
    monkeypatch.setattr(broken.time, "process_time", lambda: next(clock))
    head = run(Transformer, rate, 1, 0, 1)
    assert head["seconds"] == 2.5
    assert head["weights"] == {} and apart[-1].encoder.layers[0].attention.num_heads == 1
    assert len(head["losses"]) == 1 and apart[0].encoder.layers[0].attention.num_heads == 4


def test_a_bar_says_what_is_trained(apart, monkeypatch):
    said = []
    monkeypatch.setattr(broken, "progress", lambda steps, what: said.append((steps, what)) or range(0))
    broken.train.function(WithoutMask, whole_schedule, 4, 2)
    assert said == [(broken.STEPS, "WithoutMask, seed=2")]


def test_results_are_sorted_by_variant_and_seed_and_some_have_weights(monkeypatch):
    class Train:
        each = staticmethod(lambda calls: [call for call in calls])

    monkeypatch.setattr(broken, "train", Train)
    results = broken.results()
    assert list(results) == list(VARIANTS)
    for name, runs in results.items():
        keep = [name in [*VARIANTS][:3], False, False]
        assert runs == [(*VARIANTS[name], seed, 250, keep[seed]) for seed in range(3)]


def test_a_trained_model_is_the_one_that_was_trained(apart):
    for name in ([*VARIANTS][2], [*VARIANTS][6]):
        model_class, _, num_heads = VARIANTS[name]
        run = broken.train.function(*VARIANTS[name], 0, 1, True)
        model = broken.trained_model(name, run)
        assert type(model) is model_class and not model.training
        assert model.encoder.layers[0].attention.num_heads == num_heads
        for ours, theirs in zip(model.parameters(), apart[-1].parameters(), strict=True):
            assert ours.equal(theirs)


def test_the_longer_run_is_the_same_but_for_its_steps(monkeypatch):
    asked = []
    monkeypatch.setattr(broken, "train", lambda *arguments, **named: asked.append((arguments, named)) or {"a": 1})
    assert broken.longer() == {"a": 1} and broken.LONGER == 4 * broken.STEPS
    assert asked == [((WithoutPositions, broken.longer_schedule, 4), {"seed": 0, "steps": 1000})]
    assert [broken.longer_schedule(step) for step in (50, 900, 950)] == [schedule(s, 1000) for s in (50, 900, 950)]
