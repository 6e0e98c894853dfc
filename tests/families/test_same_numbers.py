"""Every model of this part returns the library's numbers: outputs, loss and gradients, for models of any size."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Generator, nn
from torch.testing import assert_close

from snippets.families.library_pairs import MODELS, bert_model, largest_differences
from snippets.families.same_numbers import (
    Pair,
    Sizes,
    bound,
    differences,
    draw,
    draw_ids,
    draw_sizes,
    relative,
)

every_model = pytest.mark.parametrize("model", MODELS)


def squares(model: nn.Module) -> tuple[torch.Tensor, torch.Tensor]:
    output = model(torch.arange(3.0).to(next(model.parameters()).dtype))
    return output, output.square().mean()


def linear_pair(load=lambda model, state: model.load_state_dict(state), run_ours=squares) -> Pair:
    torch.manual_seed(0)
    return Pair(nn.Linear(3, 2), nn.Linear(3, 2), load, run_ours, squares)


@every_model
def test_outputs_loss_and_gradients_agree_in_float32(model):
    found = largest_differences(model, 2)
    assert max(found.values()) < 2e-6, found


@every_model
def test_outputs_pass_assert_close_in_float64_where_nothing_is_cast_to_float32(model, monkeypatch):
    for name in ("float32", "float"):
        monkeypatch.setattr(torch, name, torch.float64)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    for seed in range(4):
        torch.manual_seed(seed)
        generator = Generator().manual_seed(seed)
        pair = MODELS[model](draw_sizes(generator), generator)
        differences(pair, torch.float64)
        assert_close(pair.run_ours(pair.ours)[0], pair.run_theirs(pair.theirs)[0])


@pytest.mark.thorough
def test_twelve_right_layers_stay_below_the_bounds_and_fail_assert_close_in_float32_near_0():
    torch.manual_seed(0)
    sizes = Sizes(vocab_size=1000, num_layers=12, num_heads=12, d_model=768, d_ff=3072, batch=2, n=64)
    pair = bert_model(sizes, Generator().manual_seed(0))
    for model in (pair.ours, pair.theirs):
        model.eval()
    with torch.no_grad():
        for parameter in pair.theirs.parameters():
            if parameter.dim() == 1:  # norms and biases
                parameter.add_(0.1 * torch.randn_like(parameter))
        pair.load(pair.ours, pair.theirs.state_dict())
        for dtype, below in ((torch.float32, 1e-5), (torch.float64, 1e-13)):
            ours, theirs = pair.run_ours(pair.ours.to(dtype))[0], pair.run_theirs(pair.theirs.to(dtype))[0]
            assert relative([ours], [theirs]) < below
            if dtype == torch.float32:
                with pytest.raises(AssertionError, match="Mismatched elements"):
                    assert_close(ours, theirs, rtol=1e-5, atol=1e-6)


def test_in_float32_assert_close_lets_the_wrong_epsilon_pass_and_in_float64_it_does_not():
    x = torch.tensor([1.0, -1.0, 1.0, -1.0])  # variance 1
    right, wrong = (nn.functional.layer_norm(x, (4,), eps=eps) for eps in (1e-12, 1e-5))
    assert_close(wrong, right, rtol=1e-5, atol=1e-6)
    right, wrong = (nn.functional.layer_norm(x.double(), (4,), eps=eps) for eps in (1e-12, 1e-5))
    with pytest.raises(AssertionError, match="not close"):
        assert_close(wrong, right)


def test_rounding_shrinks_in_float64_by_29_binary_digits():
    single, double = (max(largest_differences("Bert", 2, dtype).values()) for dtype in (torch.float32, torch.float64))
    assert 2**26 < single / double < 2**32


def test_the_same_layer_has_no_difference_at_all():
    assert differences(linear_pair()) == {"outputs": 0.0, "loss": 0.0, "gradients": 0.0}


def test_weights_are_moved_before_they_are_copied():
    pair = linear_pair()
    with torch.no_grad():
        for parameter in pair.theirs.parameters():
            parameter.fill_(1.0)  # as norms are
    differences(pair)
    assert all((x != 1).all() and (x - 1).abs().max() < 0.5 for x in pair.theirs.parameters())


def test_a_weight_that_was_not_copied_shows_in_all_three():
    def forget_bias(model, state):
        model.load_state_dict({"weight": state["weight"], "bias": torch.zeros(2)})

    assert min(differences(linear_pair(forget_bias)).values()) > 0.01


def test_a_gradient_that_does_not_flow_shows_in_the_gradients_alone():
    def stopped(model):
        output = model.weight.detach() @ torch.arange(3.0) + model.bias
        return output, output.square().mean()

    found = differences(linear_pair(run_ours=stopped))
    assert max(found["outputs"], found["loss"]) < 1e-6
    assert found["gradients"] > 0.1


def test_another_loss_shows_in_loss_and_gradients():
    def doubled(model):
        output, loss = squares(model)
        return output, 2 * loss

    found = differences(linear_pair(run_ours=doubled))
    assert found["outputs"] == 0
    assert found["loss"] == pytest.approx(1.0)
    assert found["gradients"] == pytest.approx(1.0)


def test_float64_is_computed_in_float64():
    pair = linear_pair()
    differences(pair, torch.float64)
    assert pair.ours.weight.dtype == pair.theirs.weight.dtype == torch.float64


def test_models_are_compared_without_dropout():
    torch.manual_seed(0)
    models = [nn.Sequential(nn.Linear(3, 2), nn.Dropout(0.5)) for _ in range(2)]
    pair = Pair(*models, lambda model, state: model.load_state_dict(state), squares, squares)
    assert max(differences(pair).values()) == 0


def test_a_difference_is_measured_against_the_largest_number():
    a, b = torch.tensor([1.0, 2.0]), torch.tensor([-4.0, 0.0])
    assert relative([a, b], [a, b]) == 0
    assert relative([a, b + 1], [a, b]) == 0.25
    assert relative([a - 3, b + 1], [a, b]) == 0.75
    assert relative([a], [2 * a]) == 0.5 and relative([2 * a], [a]) == 1, "the largest of theirs"
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        relative([a, b], [a])


def test_outputs_are_measured_against_the_library_s():
    def doubled(model):
        output, loss = squares(model)
        return 2 * output, loss

    assert differences(linear_pair(run_ours=doubled))["outputs"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("difference", "below"),
    [(0.0, 1e-13), (9e-14, 1e-13), (1e-13, 1e-8), (3e-7, 1e-5), (9e-6, 1e-5), (1e-5, math.inf), (0.5, math.inf)],
)
def test_the_first_bound_that_a_difference_is_below(difference, below):
    assert bound(difference) == below


def test_sizes_are_drawn_from_their_whole_range():
    generator = Generator().manual_seed(0)
    assert {draw(2, 4, generator) for _ in range(50)} == {2, 3, 4}
    drawn = [draw_sizes(generator) for _ in range(400)]
    assert all(sizes.d_model % sizes.num_heads == 0 for sizes in drawn)
    assert {sizes.num_layers for sizes in drawn} == {1, 2, 3}
    assert {sizes.num_heads for sizes in drawn} == {1, 2, 3, 4}
    assert {sizes.d_model // sizes.num_heads for sizes in drawn} == {4, 8, 12, 16}
    assert {sizes.batch for sizes in drawn} == {2, 3, 4}
    assert {sizes.n for sizes in drawn} == set(range(3, 13))
    assert len(set(drawn)) == len(drawn), "no two alike"
    assert {sizes.d_ff for sizes in drawn} == set(range(8, 65, 8))
    assert min(sizes.vocab_size for sizes in drawn) == 11
    assert max(sizes.vocab_size for sizes in drawn) == 100


def test_all_rows_but_the_first_end_in_padding():
    generator = Generator().manual_seed(0)
    smallest, shortest, longest = set(), set(), set()
    for _ in range(200):
        sizes = draw_sizes(generator)
        ids = draw_ids(sizes, generator)
        assert ids.shape == (sizes.batch, sizes.n)
        assert 0 <= ids.min() and ids.max() < sizes.vocab_size
        lengths = (ids != 0).sum(dim=1)
        assert lengths[0] == sizes.n
        assert (lengths[1:] >= 1).all() and (lengths[1:] < sizes.n).all()
        for row, length in zip(ids, lengths, strict=True):
            assert (row[:length] != 0).all() and (row[length:] == 0).all()
        smallest.add(ids[0].min().item())
        shortest.add(lengths[1:].min().item())
        longest.add((sizes.n - lengths[1:]).min().item())
    assert min(smallest) == 1, "every token but the padding"
    assert min(shortest) == 1, "as little as one token"
    assert min(longest) == 1, "and as little as one of padding"


def test_another_seed_draws_another_model():
    assert largest_differences("Bert", 0) != largest_differences("Bert", 1)
    assert largest_differences("Bert", 0) == largest_differences("Bert", 0)
