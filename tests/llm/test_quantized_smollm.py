"""The matrices of all layers are others for a while, and what comes with the book is of every variant."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from snippets.llm.fewer_bits import affine, dequantized
from snippets.llm.quantized_smollm import (
    VARIANTS,
    WINDOWS,
    WRITES,
    but_few,
    changed,
    coarse,
    errors,
    matrices,
    results,
)
from snippets.llm.smollm import published, smollm2
from tests.llm.model import needs_model
from tests.llm.test_logit_lens import little, some_ids


def some(rows: int = 8, columns: int = 64) -> torch.Tensor:
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(0))


def test_only_the_matrices_of_layers_change_and_only_meanwhile():
    model, ids = little(), some_ids()
    before = model(ids)
    assert len(matrices(model)) == 7 * len(model.layers)
    with changed(model, lambda w: w.clone()):
        assert model(ids).equal(before)
    with changed(model, torch.zeros_like):
        assert_close(model(ids), model.head(model.norm(model.tokens(ids))))
    assert model(ids).equal(before)
    with pytest.raises(RuntimeError, match="in between"), changed(model, torch.zeros_like):
        raise RuntimeError("in between")
    assert model(ids).equal(before)


def test_blocks_begin_in_the_middle_of_those_of_the_file():
    w = some()
    w[3, 16] = 100  # in the second half of the first block of the file
    other = some()
    changed_at = (coarse(w, 4, "affine", 32) != coarse(other, 4, "affine", 32))[3].nonzero().flatten()
    assert changed_at.min() >= 16 and changed_at.max() < 48
    assert (coarse(w, 4, "affine", 32) == coarse(other, 4, "affine", 32))[[0, 1, 2, 4]].all()
    assert_close(coarse(w, 8, "symmetric", "row"), w, rtol=0, atol=0.5)


def test_one_weight_in_1000_stays():
    w = some(50, 64)
    largest = w.abs().flatten().topk(3).indices
    kept = but_few(w, largest=True)
    assert kept.flatten()[largest].equal(w.flatten()[largest])
    assert (kept == w).sum() == 3
    assert (but_few(w, largest=False) == w).sum() >= 3
    assert (kept - w).abs().max() < (but_few(w, largest=False) - w).abs().max()


def test_errors_are_in_units_of_the_rms():
    found = errors(some())
    assert found == pytest.approx(errors(8 * some()), abs=2e-3)
    assert found["tensor"] > found["row"] > found["32"] > 0
    assert found["largest"] == pytest.approx((some().abs().max() / some().square().mean().sqrt()).item(), abs=1e-3)


def test_what_comes_with_the_book_is_of_every_variant():
    found = results()
    assert {f"{bits} {kind} {by}" for bits, kind, by in VARIANTS} < set(found["loss"])
    assert all(len(loss) == len(WINDOWS) for loss in found["loss"].values())
    assert len(found["matrices"]) == 210 and len(found["text"]) == 1 + len(WRITES)


@needs_model
def test_in_blocks_of_the_file_nothing_changes():
    x = published()[1]["blk.3.ffn_up.weight"].decoded()
    blocks = x.view(-1, 32)
    assert dequantized(affine(blocks, 4)).equal(blocks)
    assert not coarse(x, 4, "affine", 32).equal(x)


@needs_model
@pytest.mark.thorough
def test_what_is_kept_is_what_the_model_gives(monkeypatch):
    from snippets.llm import quantized_smollm as module

    monkeypatch.setattr(module, "WINDOWS", [2])
    for name, change in [("published", torch.clone), ("4 affine 32", lambda w: coarse(w, 4, "affine", 32))]:
        with changed(smollm2(), change):
            assert module.measured(smollm2()) == pytest.approx([results()["loss"][name][2]], abs=1e-2)
