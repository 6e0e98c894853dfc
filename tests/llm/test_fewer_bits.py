"""A rounded weight is at most half a step away, the ends stay, and integers give the product of what they stand for."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.llm.fewer_bits import Quantized, affine, dequantized, groups, integer_product, symmetric
from tests.llm.model import needs_reference

KINDS = [symmetric, affine]


def some(rows: int = 20, size: int = 32, seed: int = 0) -> torch.Tensor:
    return torch.randn(rows, size, generator=torch.Generator().manual_seed(seed))


def test_groups_are_rows_of_neighbors():
    w = torch.arange(24.0).view(3, 8)
    assert groups(w, "tensor").equal(w.view(1, 24)) and groups(w, "row").equal(w)
    assert groups(w, 4)[1].tolist() == [4, 5, 6, 7] and groups(w, 4).shape == (6, 4)
    assert groups(w.view(1, 3, 8), "row").shape == (3, 8)
    with pytest.raises(ValueError, match="rows of 8 are no blocks of 6"):
        groups(w, 6)


@pytest.mark.parametrize("bits", [2, 3, 4, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_no_weight_moves_by_more_than_half_a_step(kind, bits):
    x = some()
    of = kind(x, bits)
    # scale and least are half floats, so each is off by up to 1 in 2048 of itself
    slack = (2**bits + 8) / 2048
    assert ((dequantized(of) - x).abs() <= (0.5 + slack) * of.scale.float()).all()
    assert of.scale.dtype == torch.float16 and of.scale.shape == (20, 1)
    assert (dequantized(of) - x).abs().max() > 0.4 * of.scale.float().min()


@pytest.mark.parametrize("bits", [2, 3, 4, 8])
def test_all_integers_are_used_and_no_more(bits):
    x = torch.linspace(-1, 1, 2_000)[None]
    of, least = symmetric(x, bits), affine(x, bits)
    most = 2 ** (bits - 1) - 1
    assert of.q.unique().tolist() == list(range(-most, most + 1)) and of.q.dtype == torch.int8
    assert least.q.unique().tolist() == list(range(2**bits)) and least.q.dtype == torch.uint8
    assert of.least is None and least.least.dtype == torch.float16


def test_both_ends_stay():
    x = torch.tensor([[-1.5, 0.1, 0.2, 1.5], [0.5, 1.0, 1.5, 2.375], [-7.0, 3.0, 2.0, 1.0]])
    assert dequantized(affine(x, 4))[:, 0].tolist() == [-1.5, 0.5, -7.0]
    assert_close(dequantized(affine(x, 4)).amax(1), x.amax(1), rtol=1e-3, atol=0)
    assert_close(dequantized(symmetric(x, 4)).abs().amax(1), x.abs().amax(1), rtol=1e-3, atol=0)
    assert dequantized(symmetric(x, 4))[2].tolist() == [-7.0, 3.0, 2.0, 1.0]
    assert dequantized(symmetric(torch.tensor([[0.0, 0.0, -3.0]]), 3))[0].tolist() == [0.0, 0.0, -3.0]


@pytest.mark.parametrize("bits", [2, 3, 4, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_a_second_time_nothing_changes(kind, bits):
    once = kind(some(), bits)
    twice = kind(dequantized(once), bits)
    assert twice.q.equal(once.q) and dequantized(twice).equal(dequantized(once))


@pytest.mark.parametrize("kind", KINDS)
def test_a_group_of_one_value_is_exact(kind):
    for value in (0.0, 0.5, -2.0):
        x = torch.full((2, 8), value)
        assert_close(dequantized(kind(x, 4)), x, rtol=1e-3, atol=0)


def test_an_outlier_costs_its_group_only():
    x = some(4, 32)
    with_outlier = x.clone()
    with_outlier[1, 5] = 60
    same = dequantized(symmetric(x, 4)) == dequantized(symmetric(with_outlier, 4))
    assert same[[0, 2, 3]].all() and not same[1].all()
    assert (dequantized(symmetric(with_outlier, 4))[1].abs() < 1).sum() == 31, "the others are all 0"


def test_scales_count():
    of = symmetric(some(2, 32), 4), affine(some(2, 32), 4), symmetric(some(1, 64), 8)
    assert [one.bits(each) for one, each in zip(of, (4, 4, 8), strict=True)] == [4.5, 5.0, 8.25]


@needs_reference
def test_integers_are_those_of_the_reference():
    import gguf

    x = some(300, 32) * torch.logspace(-3, 3, 300)[:, None]
    for kind, bits, name in [(symmetric, 8, "Q8_0"), (affine, 4, "Q4_1")]:
        to = gguf.GGMLQuantizationType[name]
        theirs = gguf.quants.dequantize(gguf.quants.quantize(x.numpy(), to), to)
        assert dequantized(kind(x, bits)).equal(torch.from_numpy(theirs.copy())), name


def test_the_product_of_integers_is_that_of_what_they_stand_for():
    x, w = symmetric(some(5, 576), 8), symmetric(some(7, 576, seed=1), 8)
    wanted = dequantized(x).double() @ dequantized(w).double().T
    assert integer_product(x, w).shape == (5, 7)
    assert_close(integer_product(x, w).double(), wanted, rtol=1e-6, atol=1e-6)


def test_sums_do_not_overflow_at_the_largest_size():
    size = (2**31 - 1) // 127**2
    assert size == 133_144
    most = Quantized(torch.full((1, size), 127, dtype=torch.int8), torch.ones(1, 1).half())
    assert integer_product(most, most).item() == pytest.approx(size * 127**2)
    least = most._replace(q=-most.q)
    assert integer_product(most, least).item() == pytest.approx(-size * 127**2)
