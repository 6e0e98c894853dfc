"""The whole model: the same numbers as nn.Transformer, causal, blind to padding, with one table for three uses."""

from __future__ import annotations

import functools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

import tests.properties  # noqa: F401 (the profile for Hypothesis)
from snippets.attention.masks import causal_mask
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer
from snippets.positions.sinusoidal import positional_encoding
from tests import torch_twins

VOCABULARY = 17


def config(**changes) -> TransformerConfig:
    return TransformerConfig(**{"d_model": 12, "num_heads": 3, "d_ff": 20, **changes})


def model(norm_first=False, dtype=torch.float64, num_layers=2, p=0.0, **options) -> Transformer:
    """A small model whose norms and biases are random too."""
    torch.manual_seed(0)
    small = Transformer(
        config(vocab_size=VOCABULARY, num_layers=num_layers, dropout=p, norm_first=norm_first, **options)
    ).to(dtype)
    return torch_twins.randomise(small, but="embedding.table")


kept_model = functools.cache(model)


def sentences(lengths, width, seed=0) -> torch.Tensor:
    """(batch, width): random words, then padding."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(1, VOCABULARY, (len(lengths), width), generator=generator)
    return ids * (torch.arange(width) < torch.tensor(lengths).unsqueeze(1))


def torch_model(ours: Transformer, norm_first, dtype) -> nn.Transformer:
    theirs = nn.Transformer(12, 2, 1, 1, 20, batch_first=True)
    # put in afterwards: nn.Transformer initialises all matrices anew, those of a custom_encoder too
    theirs.encoder = torch_twins.encoder(ours.encoder, norm_first, dtype)
    theirs.decoder = torch_twins.decoder(ours.decoder, norm_first, dtype)
    return theirs


def run_torch(theirs: nn.Transformer, ours: Transformer, src, tgt):
    def embed(ids):
        position = positional_encoding(torch.arange(ids.size(1)), 12).to(ours.embedding.table)
        return nn.functional.embedding(ids, ours.embedding.table) * math.sqrt(12) + position

    x = theirs(
        embed(src),
        embed(tgt),
        tgt_mask=~causal_mask(tgt.size(1)),
        src_key_padding_mask=src == 0,
        tgt_key_padding_mask=tgt == 0,
        memory_key_padding_mask=src == 0,
    )
    return nn.functional.linear(x, ours.embedding.table)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.float64, 1e-11)])
@pytest.mark.parametrize(("src", "tgt"), [([5], [4]), ([6, 3, 1], [2, 4, 1]), ([1], [1])])
@pytest.mark.parametrize("norm_first", [False, True])
def test_logits_and_gradients_are_those_of_nn_transformer(norm_first, src, tgt, dtype, tolerance):
    ours = model(norm_first, dtype)
    theirs = torch_model(ours, norm_first, dtype)
    src, tgt = sentences(src, max(src)), sentences(tgt, max(tgt), seed=1)
    used = (tgt != 0).unsqueeze(-1)
    a, b = ours(src, tgt) * used, run_torch(theirs, ours, src, tgt) * used
    assert_close(a, b, atol=tolerance, rtol=tolerance)
    weights = torch.randn(a.shape, dtype=dtype, generator=torch.Generator().manual_seed(2))
    (mine,) = torch.autograd.grad((a * weights).sum(), ours.embedding.table)
    (torchs,) = torch.autograd.grad((b * weights).sum(), ours.embedding.table)
    assert_close(mine, torchs, atol=tolerance * torchs.abs().max().item(), rtol=0)


def test_nn_transformer_has_two_norms_more():
    theirs = nn.Transformer(batch_first=True)
    ours = Transformer(TransformerConfig(vocab_size=1))  # a table of one word
    assert sum(p.numel() for p in theirs.parameters()) == 44_140_544
    assert sum(p.numel() for p in ours.parameters()) - ours.embedding.table.numel() == 44_138_496


@pytest.mark.parametrize("norm_first", [False, True])
def test_later_words_of_the_target_change_no_earlier_logit(norm_first):
    ours, src, tgt = model(norm_first), sentences([5], 5), sentences([6], 6, seed=1)
    before = ours(src, tgt)
    for position in range(1, 6):
        changed = tgt.clone()
        changed[:, position:] = tgt[:, position:] % (VOCABULARY - 1) + 1
        after = ours(src, changed)
        assert torch.equal(after[:, :position], before[:, :position])
        assert not torch.isclose(after[:, position], before[:, position]).all()


@pytest.mark.parametrize("norm_first", [False, True])
@given(n=st.integers(1, 5), m=st.integers(1, 5), more=st.integers(1, 4))
def test_padding_changes_nothing(norm_first, n, m, more):
    ours, src, tgt = kept_model(norm_first), sentences([n], n), sentences([m], m, seed=1)
    pad = nn.functional.pad
    assert_close(ours(pad(src, (0, more)), pad(tgt, (0, more)))[:, :m], ours(src, tgt))


def test_what_stands_beneath_the_padding_does_not_matter():
    """The embedding of the padding, and so everything computed at its places, may be anything."""
    ours, src, tgt = model(), sentences([3], 6), sentences([2], 5, seed=1)
    before = ours(src, tgt)[:, :2]
    loss = before.logsumexp(dim=-1).sum()
    (gradient,) = torch.autograd.grad(loss, ours.embedding.table)
    with torch.no_grad():
        ours.embedding.table[0] = 1000.0
    assert_close(ours(src, tgt)[:, :2, 1:], before[..., 1:])  # word 0 itself is scored differently
    used = set(src.flatten().tolist()) | set(tgt.flatten().tolist())
    assert 0 in used and (gradient != 0).any(dim=-1).all(), "as an output, each word counts"


def test_the_padding_id_can_be_chosen():
    ours = model(pad_id=3)
    swap = torch.arange(VOCABULARY)
    swap[[0, 3]] = swap[[3, 0]]
    usual = model()
    with torch.no_grad():
        ours.embedding.table.copy_(usual.embedding.table[swap])
    src, tgt = sentences([4, 2], 4), sentences([3, 1], 3, seed=1)
    used = tgt != 0
    assert_close(ours(swap[src], swap[tgt])[..., swap][used], usual(src, tgt)[used])


@pytest.mark.parametrize("pad_id", [0, 3])
def test_padding_before_or_inside_the_target_is_not_looked_at(pad_id):
    """Behind its words, the causal mask hides it anyway."""
    ours, src = model(pad_id=pad_id), torch.tensor([[5, 7, 8]])
    tgt = torch.tensor([[pad_id, 4, pad_id, 9]])
    before = ours(src, tgt)
    with torch.no_grad():
        ours.embedding.table[pad_id] += 5.0
    others = torch.arange(VOCABULARY) != pad_id
    assert_close(ours(src, tgt)[0, [1, 3]][:, others], before[0, [1, 3]][:, others])


def test_sentences_of_a_batch_do_not_meet():
    ours, src, tgt = model(), sentences([5, 2, 4], 5), sentences([3, 3, 1], 3, seed=1)
    together = ours(src, tgt)
    for i in range(3):
        assert_close(ours(src[i : i + 1], tgt[i : i + 1]), together[i : i + 1])


def test_one_table_embeds_both_languages_and_scores():
    ours = model()
    assert [name for name, _ in ours.named_parameters() if "embedding" in name] == ["embedding.table"]
    src, tgt = sentences([3], 3), sentences([2], 2, seed=1)
    seen = []
    ours.embedding.register_forward_hook(lambda module, arguments, output: seen.append(arguments[0]))
    ours(src, tgt)
    assert [ids.tolist() for ids in seen] == [src.tolist(), tgt.tolist()]


def test_embedding_is_scaled_before_the_position_is_added():
    ours, ids = model(), sentences([4], 4)
    expected = ours.embedding.table[ids] * math.sqrt(12) + positional_encoding(torch.arange(4), 12)
    assert_close(ours.embed(ids), expected)
    assert_close(ours.embed(ids[:, 1:], start=1), expected[:, 1:])
    assert ours.to(torch.float32).embed(ids).dtype == torch.float32


def test_dropout_acts_on_the_sum_of_embedding_and_position():
    ours, ids = model(p=0.5), sentences([400], 400)
    dropped = ours.embed(ids)
    kept = dropped != 0
    assert kept.double().mean().item() == pytest.approx(0.5, abs=0.03)
    assert_close(dropped[kept], 2 * ours.eval().embed(ids)[kept])


def test_word_order_matters():
    ours = model()
    src, tgt = torch.tensor([[4, 7, 9]]), torch.tensor([[1]])
    assert not torch.isclose(ours(src, tgt), ours(src.flip(1), tgt)).all()


def test_encoding_once_and_decoding_is_the_whole():
    ours, src, tgt = model(), sentences([5, 2], 5), sentences([3, 3], 3, seed=1)
    memory = ours.encode(src)
    assert memory.shape == (2, 5, 12)
    assert torch.equal(ours.decode(tgt, memory, src), ours(src, tgt))


def test_without_arguments_it_is_the_base_model():
    base = Transformer(TransformerConfig(vocab_size=10))
    assert len(base.encoder.layers) == len(base.decoder.layers) == 6
    for layer in (base.encoder.layers[5], base.decoder.layers[5]):
        assert (layer.feed_forward.w_1.in_features, layer.feed_forward.w_1.out_features) == (512, 2048)
        assert not layer.residual_1.norm_first
        assert layer.residual_1.dropout.p == base.dropout.p == 0.1
    assert base.encoder.layers[0].attention.num_heads == base.decoder.layers[0].self_attention.num_heads == 8
    assert base.pad_id == 0


def test_all_parameters_are_trained():
    ours = model(norm_first=True, dtype=torch.float32)
    src, tgt = sentences([5, 2], 5), sentences([3, 3], 3, seed=1)
    weights = torch.randn(2, 3, VOCABULARY, generator=torch.Generator().manual_seed(2))
    (ours(src, tgt) * weights).sum().backward()
    for name, parameter in ours.named_parameters():
        # a bias of the keys adds the same to all scores of a query, and the softmax does not see it
        assert name.endswith("w_k.bias") or (parameter.grad != 0).any(), name


@pytest.mark.parametrize(("src", "tgt"), [([[1, VOCABULARY]], [[1]]), ([[1]], [[-1]])])
def test_ids_that_have_no_row_are_refused(src, tgt):
    with pytest.raises(IndexError, match="out of range"):
        model()(torch.tensor(src), torch.tensor(tgt))


@pytest.mark.parametrize("kind", ["learned", "none"])
def test_positions_can_be_chosen(kind):
    ours, ids = model(positions=kind, max_length=6), sentences([4], 4)
    embedded = ours.embedding.table[ids] * math.sqrt(12)
    expected = embedded + ours.positions.table[:4] if kind == "learned" else embedded
    assert_close(ours.embed(ids), expected)
    shuffled = torch.tensor([2, 0, 3, 1])
    memory, other = ours.encode(ids), ours.encode(ids[:, shuffled])
    assert torch.isclose(other, memory[:, shuffled]).all() == (kind == "none"), "without positions, a bag of tokens"


def test_the_activation_can_be_chosen():
    usual, other = model(), model(activation=torch.tanh)
    for layer in (*other.encoder.layers, *other.decoder.layers):
        assert layer.feed_forward.activation is torch.tanh
    src, tgt = sentences([3], 3), sentences([2], 2, seed=1)
    assert not torch.isclose(usual(src, tgt), other(src, tgt)).all()


@pytest.mark.parametrize(
    ("src", "tgt", "message"),
    [
        ([[1, 2]], [[1], [2]], r"\(2, .*\(1, "),  # two targets, one source
        ([1, 2], [[1]], r"\(batch, n_k\), not \(2,\)"),
    ],
)
def test_what_does_not_fit_is_named(src, tgt, message):
    with pytest.raises(ValueError, match=message):
        model()(torch.tensor(src), torch.tensor(tgt))


def test_an_odd_width_is_refused():
    with pytest.raises(ValueError, match="even"):
        Transformer(TransformerConfig(vocab_size=5, num_layers=1, d_model=9, num_heads=3, d_ff=8))(
            torch.tensor([[1]]), torch.tensor([[1]])
        )


def test_the_device_is_that_of_the_input():
    ours, src, tgt = model(), sentences([3], 3), sentences([2], 2, seed=1)
    expected = ours(src, tgt)
    with torch.device("meta"):
        assert torch.equal(ours(src, tgt), expected)
