"""The lens reads the residual stream: at the end it is the model, and elsewhere it depends on the basis."""

from __future__ import annotations

import csv

import pytest
import torch
from torch.testing import assert_close

from snippets.attention.masks import causal_mask
from snippets.families.llama import Llama, LlamaConfig
from snippets.llm import capitals
from snippets.llm.layouts import as_library
from snippets.llm.logit_lens import hidden, lens, ranks, streams, translator

SIZES = {"vocab_size": 30, "num_layers": 3, "d_model": 24, "num_heads": 6, "num_kv_heads": 2, "d_ff": 40}


def little(seed: int = 0) -> Llama:
    torch.manual_seed(seed)
    model = Llama(LlamaConfig(**SIZES)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return model.requires_grad_(False)


def some_ids(batch: int = 2, n: int = 7) -> torch.Tensor:
    return torch.randint(30, (batch, n), generator=torch.Generator().manual_seed(1))


def test_the_streams_are_what_goes_from_layer_to_layer():
    model, ids = little(), some_ids()
    x = streams(model, ids)
    assert x.shape == (4, 2, 7, 24)
    assert x[0].equal(model.tokens(ids))
    for layer, before, after in zip(model.layers, x[:-1], x[1:], strict=True):
        assert_close(layer(before, causal_mask(7)), after)


def test_after_the_last_layer_the_lens_is_the_model():
    model, ids = little(), some_ids()
    x = streams(model, ids)
    assert_close(lens(model, x[-1]), model(ids))
    assert lens(model, x).shape == (4, 2, 7, 30)


def test_the_largest_logit_has_rank_1():
    logits = torch.tensor([[0.0, 3.0, 1.0, 1.0], [5.0, 4.0, 3.0, 2.0]])
    assert ranks(logits, torch.tensor([1, 3])).tolist() == [1, 4]
    assert ranks(logits, torch.tensor([2, 0])).tolist() == [2, 1], "of equal ones, each has the better rank"
    assert ranks(logits, torch.tensor(0)).tolist() == [4, 1], "one token for all rows"


def test_a_translator_finds_an_affine_map():
    torch.manual_seed(0)
    x, weight, bias = 3 + 2 * torch.randn(200, 5), torch.randn(5, 5), torch.randn(5)
    last = x @ weight + bias
    new = torch.randn(4, 5)
    assert_close(translator(x, last, penalty=0.0)(new), new @ weight + bias, rtol=0, atol=1e-3)


def test_the_penalty_is_that_of_ridge_regression():
    torch.manual_seed(0)
    x, last = torch.randn(50, 3) * torch.tensor([1.0, 10.0, 0.1]) + 5, torch.randn(50, 3)
    z = (x - x.mean(dim=0)) / x.std(dim=0)
    found = translator(x, last)
    best = torch.stack([found(x.mean(dim=0) + row) - last.mean(dim=0) for row in torch.diag(x.std(dim=0))])
    weight = best.detach().requires_grad_()
    error = (z @ weight + last.mean(dim=0) - last).square().sum() / 50 + 0.1 * weight.square().sum()
    (gradient,) = torch.autograd.grad(error, weight)
    assert gradient.abs().max() < 1e-3, "no other map has a smaller error with this penalty"
    constant = torch.cat([torch.randn(50, 2), torch.ones(50, 1)], dim=1)
    assert translator(constant, last)(constant).isfinite().all()


def test_a_rotation_blinds_the_lens_and_not_the_translator():
    torch.manual_seed(0)
    model = little()
    ids = torch.randint(30, (40, 12))
    x = streams(model, ids).flatten(1, 2)
    turn, _ = torch.linalg.qr(torch.randn(24, 24))
    turned = x[2] @ turn
    assert_close(translator(turned, x[-1], 0.0)(turned), translator(x[2], x[-1], 0.0)(x[2]), rtol=1e-2, atol=1e-2)
    assert (lens(model, turned) - lens(model, x[2])).abs().max() > 1


def test_one_layer_hides_one_token_from_the_last():
    model, ids = little(), some_ids()
    x = streams(model, ids)
    mask = causal_mask(7)
    mask[-1, 2] = False
    with hidden(model, 1, 2):
        now = streams(model, ids)
    assert now[:2].equal(x[:2]) and now[:, :, :-1].equal(x[:, :, :-1])
    assert_close(now[2], model.layers[1](x[1], mask))
    assert (now[2, :, -1] - x[2, :, -1]).abs().max() > 1e-3
    assert streams(model, ids).equal(x), "afterwards it is as it was"
    with pytest.raises(RuntimeError, match="in between"), hidden(model, 1, 2):
        raise RuntimeError("in between")
    assert streams(model, ids).equal(x)


def test_what_comes_with_the_book_is_of_every_layer_and_country():
    found = capitals.results()
    with capitals.COUNTRIES.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    pairs = sum(bool(row["capital"]) for row in rows)
    assert pairs == 37 and len({row["country"] for row in rows}) == len(rows)
    assert [len(found["layers"][name]) for name in ("plain", "fitted", "country")] == [31] * 3
    assert all(len(row["rank"]) == pairs for row in found["layers"]["plain"])
    for prompt, by_layer in found["hiding"].items():
        asked = sum(bool(row[capitals.QUESTIONS[prompt]]) for row in rows)
        assert [len(row) for row in by_layer] == [asked] * 30
    last = found["layers"]["plain"][-1]["rank"]
    assert sorted(last)[pairs // 2] == 1


def test_the_text_of_the_translators_names_no_capital():
    text = capitals.TEXT.read_text(encoding="utf-8")
    with capitals.COUNTRIES.open(encoding="utf-8") as file:
        assert not any(row["capital"] and row["capital"] in text for row in csv.DictReader(file))


def test_of_what_the_library_returns_only_the_last_has_been_through_the_norm():
    model = little()
    model.head.weight = model.tokens.weight  # one matrix, as published
    library = as_library(model, LlamaConfig(**SIZES))
    with torch.no_grad():
        out = library(some_ids(), output_hidden_states=True)
        assert_close(library.lm_head(out.hidden_states[-1]), out.logits)
    x = streams(model, some_ids())
    assert len(out.hidden_states) == len(x) == 4
    assert_close(torch.stack(out.hidden_states[:-1]), x[:-1], rtol=1e-4, atol=1e-3)
