"""The book's GPT is GPT-2: it sees no future, and with the library's weights gives the library's numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
import torch
import transformers
from torch import nn
from torch.testing import assert_close

from snippets.families.gpt import GPT, GPT2, GPT_NAMES, causal_lm_loss, unfused
from snippets.families.library import load_renamed, renamed
from tests.families.gpt2_twin import gpt2

SMALL = replace(GPT2, vocab_size=23, num_layers=2, d_model=12, num_heads=3, d_ff=20, max_length=16)
SIZES = [{}, {"num_layers": 1, "num_heads": 1, "d_ff": 48}, {"num_layers": 3, "d_model": 32, "num_heads": 4}]


def ours(config, theirs: transformers.GPT2LMHeadModel) -> GPT:
    model = GPT(config).eval()
    load_renamed(model, unfused(theirs.state_dict()), GPT_NAMES)
    return model


def ids(config, batch: int = 2, n: int = 9) -> torch.Tensor:
    return torch.randint(3, config.vocab_size, (batch, n), generator=torch.Generator().manual_seed(n))


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("n", [1, 9, 16])
def test_logits_are_those_of_the_gpt2(sizes, n):
    config = replace(SMALL, **sizes)
    theirs = gpt2(config)
    assert_close(ours(config, theirs)(ids(config, n=n)), theirs(ids(config, n=n)).logits, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_loss_and_all_gradients_are_those_of_the_gpt2(sizes):
    config = replace(SMALL, **sizes)
    theirs, batch = gpt2(config), ids(config)
    model = ours(config, theirs)
    loss = causal_lm_loss(model, batch)
    whole = theirs(batch, labels=batch).loss
    assert_close(loss, whole, rtol=1e-5, atol=1e-5)
    loss.backward()
    whole.backward()
    gradients = unfused({name: parameter.grad for name, parameter in theirs.named_parameters()})
    assert len(gradients) == len(list(model.parameters())), "each of the library's parameters has its own here"
    for name, parameter in model.named_parameters():
        assert_close(parameter.grad, gradients[renamed(name, GPT_NAMES)], rtol=1e-5, atol=1e-5)


def test_padding_at_the_end_changes_nothing_before_it_and_does_not_count():
    theirs, batch = gpt2(SMALL), ids(SMALL)
    model = ours(SMALL, theirs)
    padded = batch.clone()
    padded[1, 6:] = 0
    masked = theirs(padded, attention_mask=(padded != 0).long(), labels=padded.masked_fill(padded == 0, -100))
    assert_close(model(padded)[1, :6], masked.logits[1, :6], rtol=1e-5, atol=1e-5)
    assert_close(model(padded)[1, :6], model(batch[1:, :6])[0])
    assert_close(causal_lm_loss(model, padded, pad_id=0), masked.loss, rtol=1e-5, atol=1e-5)
    assert (causal_lm_loss(model, padded) - masked.loss).abs() > 1e-3, "unless it is said, padding counts"


def test_the_loss_is_the_mean_over_the_passes_of_a_token_each():
    """What one pass computes with teacher forcing, several passes over longer and longer texts compute, too."""
    model, text = ours(SMALL, gpt2(SMALL)), ids(SMALL, batch=1)
    each = [-model(text[:, :i])[0, -1].log_softmax(-1)[text[0, i]] for i in range(1, text.size(1))]
    assert_close(causal_lm_loss(model, text), torch.stack(each).mean())


def test_a_later_token_changes_nothing_before_it_and_all_that_follows():
    model, text = ours(SMALL, gpt2(SMALL)), ids(SMALL, batch=1)
    changed = text.clone()
    changed[0, 4] = (text[0, 4] + 1) % SMALL.vocab_size
    moved = (model(changed) - model(text)).abs().amax(dim=-1)[0]
    assert (moved[:4] == 0).all() and moved[4:].min() > 1e-3


def test_positions_count_from_where_the_text_goes_on():
    model, text = ours(SMALL, gpt2(SMALL)), ids(SMALL)
    assert_close(model.embed(text[:, 4:], start=4), model.embed(text)[:, 4:])
    assert (model.embed(text[:, 4:]) - model.embed(text)[:, 4:]).abs().max() > 0.1
    with pytest.raises(ValueError, match="17 positions, and only 16"):
        model(ids(SMALL, n=17))


def test_in_training_embeddings_are_dropped():
    model = GPT(replace(SMALL, dropout=0.5))
    assert 0.3 < (model.embed(ids(SMALL, n=16)) == 0).float().mean() < 0.7
    assert (model.eval().embed(ids(SMALL)) != 0).all()


def test_an_untrained_model_is_about_as_unsure_as_one_can_be():
    torch.manual_seed(0)
    config = replace(SMALL, vocab_size=380, d_model=96)
    losses = [causal_lm_loss(GPT(config).eval(), ids(config, 8, 16)).item() for _ in range(5)]
    assert max(losses) < torch.tensor(380.0).log() + 0.1


def test_the_embedding_is_the_output_matrix_too():
    model = GPT(SMALL)
    assert "lm_head" not in " ".join(model.state_dict())
    x = torch.randn(2, 12)
    assert_close(model.logits(x), nn.functional.linear(x, model.tokens.weight))


def test_everything_it_makes_is_where_its_ids_are():
    with torch.device("meta"):
        model, x = GPT(SMALL), torch.zeros(2, 5, dtype=torch.long)
    assert model(x).device.type == "meta"


def test_gpt2_is_the_smallest_of_its_paper():
    """Table 2 of Radford et al. (2019) says 117M, which its authors corrected to 124M."""
    with torch.device("meta"):
        model, theirs = GPT(GPT2), transformers.GPT2LMHeadModel(transformers.GPT2Config())
    assert sum(p.numel() for p in model.parameters()) == sum(p.numel() for p in theirs.parameters()) == 124_439_808
    assert theirs.config.activation_function == "gelu_new" and GPT2.eps == theirs.config.layer_norm_epsilon
    assert GPT2.activation == partial(nn.functional.gelu, approximate="tanh") or GPT2.activation.keywords == {
        "approximate": "tanh"
    }


def test_padding_at_the_start_is_hidden_by_a_mask_as_in_the_library():
    """Positions are counted from the start here as there, unless one says otherwise."""
    theirs, batch = gpt2(SMALL), ids(SMALL)
    keep = torch.ones_like(batch)
    keep[1, :4] = 0
    found = ours(SMALL, theirs)(batch, keep.bool().unsqueeze(1))
    expected = theirs(batch, attention_mask=keep, position_ids=torch.arange(9).expand(2, 9)).logits
    assert_close(found[keep.bool()], expected[keep.bool()], rtol=1e-5, atol=1e-5)
    other = batch.masked_fill(keep == 0, 5)
    assert_close(ours(SMALL, theirs)(other, keep.bool().unsqueeze(1))[1, 4:], found[1, 4:])
    assert (found - ours(SMALL, theirs)(batch))[1, 4:].abs().max() > 1e-3, "without the mask, padding is read"


def test_the_ids_of_a_text_alone_are_refused_in_plain_words():
    with pytest.raises(ValueError, match=r"unsqueeze\(0\)"):
        GPT(SMALL)(torch.tensor([1, 2, 3]))
