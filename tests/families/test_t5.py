"""T5 in the book's words gives the library's numbers, and does what the page says of it."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, replace

import pytest
import torch
import transformers
from torch import nn
from torch.testing import assert_close

from snippets.block.dropout import Dropout
from snippets.families.library import load_renamed, renamed
from snippets.families.t5 import T5, T5_1_1_NAMES, T5_NAMES, T5_SMALL, T5_SMALL_1_1, T5Attention, T5Config
from snippets.positions.relative import t5_bucket
from snippets.positions.tokens import TiedEmbedding
from snippets.training.decoding import greedy
from snippets.training.loss import next_token_loss

TINY = T5Config(vocab_size=20, num_layers=2, d_model=12, num_heads=3, d_k=5, d_ff=16, num_buckets=8, max_distance=12)
VERSIONS = {"1.0": TINY, "1.1": replace(TINY, gated=True, tied=False)}
each_version = pytest.mark.parametrize("config", VERSIONS.values(), ids=VERSIONS)


def library_config(config: T5Config) -> transformers.T5Config:
    return transformers.T5Config(
        vocab_size=config.vocab_size,
        d_model=config.d_model,
        d_kv=config.d_k,
        d_ff=config.d_ff,
        num_layers=config.num_layers,
        num_heads=config.num_heads,
        relative_attention_num_buckets=config.num_buckets,
        relative_attention_max_distance=config.max_distance,
        dropout_rate=config.dropout,
        feed_forward_proj="gated-gelu" if config.gated else "relu",
        tie_word_embeddings=config.tied,
        decoder_start_token_id=1,
        eos_token_id=2,
    )


def twins(config: T5Config, seed: int = 0):
    """The library's model with random weights, norms included, ours with the same, and the names."""
    torch.manual_seed(seed)
    theirs = transformers.T5ForConditionalGeneration(library_config(config)).eval()
    if not config.tied:  # the library ties them unless a checkpoint says otherwise
        theirs.lm_head.weight = nn.Parameter(torch.randn_like(theirs.lm_head.weight))
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.mul_(1 + torch.randn_like(parameter) / 3)
    names = T5_1_1_NAMES if config.gated else T5_NAMES
    ours = T5(config).eval()
    load_renamed(ours, theirs.state_dict(), names)
    return ours, theirs, names


def batch(config: T5Config, n: int, m: int):
    """Sources with padding on the left, on the right, on both sides and nowhere; targets of different lengths."""
    src, tgt = (torch.randint(3, config.vocab_size, (4, size)) for size in (n, m))
    src[0, :2] = src[1, n - 3 :] = src[2, :1] = src[2, n - 1 :] = 0
    tgt[:, 0], tgt[0, -1], tgt[1, m - 2 :] = 1, 2, 0
    return src, tgt


def close(ours, theirs):
    """To 1e-5, of the largest number where that is larger than 1."""
    assert_close(ours, theirs, rtol=0, atol=1e-5 * max(1.0, theirs.abs().max().item()))


def assert_parity(config: T5Config, n: int, m: int, seed: int = 0):
    """Logits, loss and all gradients."""
    ours, theirs, names = twins(config, seed)
    src, tgt = batch(config, n, m)
    labels = tgt[:, 1:].masked_fill(tgt[:, 1:] == 0, -100)
    found = theirs(src, (src != 0).long(), decoder_input_ids=tgt[:, :-1], labels=labels)
    close(ours(src, tgt[:, :-1]), found.logits)
    loss = next_token_loss(ours, src, tgt)
    close(loss, found.loss)
    found.loss.backward()
    loss.backward()
    gradients = dict(theirs.named_parameters())
    for name, parameter in ours.named_parameters():
        close(parameter.grad, gradients.pop(renamed(name, names)).grad)
    assert not gradients, f"the library has parameters that ours has not: {list(gradients)}"


@each_version
def test_logits_loss_and_gradients_are_the_librarys(config):
    assert_parity(config, 19, 16)


@pytest.mark.thorough
@each_version
@pytest.mark.parametrize("seed", range(6))
def test_whatever_the_sizes_logits_loss_and_gradients_are_the_librarys(config, seed):
    generator = torch.Generator().manual_seed(seed)
    one, two, three, four = torch.randint(1, 6, (4,), generator=generator).tolist()
    sizes = {"num_layers": one, "num_heads": two, "d_k": 4 * three, "d_model": 8 * four, "d_ff": 24, "vocab_size": 50}
    sizes |= {"num_buckets": [8, 16, 32][seed % 3], "max_distance": [20, 64, 128][seed % 3]}
    assert_parity(replace(config, **sizes), 40 + 30 * one, 35 + 30 * two, seed)


@each_version
def test_greedy_generation_is_the_librarys(config):
    ours, theirs, _ = twins(config)
    with torch.no_grad():  # small embeddings, or the token that was read would come again and again
        theirs.shared.weight.mul_(0.1)
        ours.tokens.weight.mul_(0.1)
    src, _ = batch(config, 9, 4)
    settings = {"max_new_tokens": 12, "do_sample": False, "num_beams": 1, "suppress_tokens": [0]}
    generated = theirs.generate(src, attention_mask=(src != 0).long(), **settings)
    assert torch.equal(greedy(ours, src, 12), generated[:, 1:])
    assert len({tuple(row) for row in generated.tolist()}) > 1, "all sources give the same"


def test_the_models_are_as_large_as_the_librarys():
    with torch.device("meta"):
        for config, size in [(T5_SMALL, 60_506_624), (T5_SMALL_1_1, 76_961_152)]:
            theirs = transformers.T5ForConditionalGeneration(library_config(config))
            head = 0 if config.tied else theirs.lm_head.weight.numel()  # which it counts once, since it ties them
            assert theirs.num_parameters() + head == size
            assert sum(p.numel() for p in T5(config).parameters()) == size


def test_by_default_it_is_the_small_model_of_the_library():
    theirs = transformers.T5Config()
    pairs = {"d_k": "d_kv", "dropout": "dropout_rate", "pad_id": "pad_token_id"}
    pairs |= {name: f"relative_attention_{name}" for name in ("num_buckets", "max_distance")}
    fields = {name for name in vars(T5_SMALL) if name not in ("gated", "tied")}
    for name in fields:
        assert getattr(T5_SMALL, name) == getattr(theirs, pairs.get(name, name)), name
    assert (T5_SMALL.gated, T5_SMALL.tied) == (False, True)
    assert (T5_SMALL_1_1.gated, T5_SMALL_1_1.tied) == (True, False)


def test_a_configuration_is_named_and_does_not_change():
    with pytest.raises(TypeError):
        T5Config(100)
    with pytest.raises(FrozenInstanceError):
        TINY.dropout = 0.0


@each_version
def test_the_device_is_that_of_the_input(config):
    ours, *_ = twins(config)
    src, tgt = batch(config, 7, 5)
    logits = ours(src, tgt)
    with torch.device("meta"):
        assert torch.equal(ours(src, tgt), logits)


def test_nothing_is_added_but_the_bias_of_positions():
    names = [name for name, _ in T5(TINY).named_parameters() if "bias" in name]
    assert names == ["encoder.position_bias.weight", "decoder.position_bias.weight"]


# Positions


def test_the_bias_of_the_encoder_goes_by_buckets_on_both_sides():
    stack, offset = T5(TINY).encoder, torch.arange(-30, 31)
    bias = stack.bias(offset)
    assert bias.shape == (3, 61)
    for i, bucket in enumerate(t5_bucket(offset, 8, 12)):
        assert_close(bias[:, i], stack.position_bias.weight[bucket])


def test_the_decoder_has_all_its_buckets_for_keys_before_the_query():
    """Distances 0 to 3 have a bucket each, and four more reach up to 12: beginning at 4, 5.3, 6.9 and 9.1."""
    stack, distance = T5(TINY).decoder, torch.tensor([0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 99])
    buckets = [0, 1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 7]
    assert_close(stack.bias(-distance), stack.position_bias.weight[buckets].T)
    assert_close(stack.bias(distance), stack.position_bias.weight[:1].T.expand(-1, 12))  # under the mask anyway


def test_where_a_sentence_begins_does_not_matter():
    """There is no first position: padding on the left, on the right or nowhere, it is the same."""
    ours, *_ = twins(TINY)
    src, tgt = torch.tensor([[5, 6, 7, 8]]), torch.tensor([[1, 4, 9]])
    shifted = torch.tensor([[0, 0, 0, 5, 6, 7, 8], [5, 6, 7, 8, 0, 0, 0], [0, 5, 6, 7, 8, 0, 0]])
    assert_close(ours(shifted, tgt.expand(3, -1)), ours(src, tgt).expand(3, -1, -1))


def test_order_matters():
    ours, *_ = twins(TINY)
    tgt = torch.tensor([[1]])
    assert (ours(torch.tensor([[5, 6, 7]]), tgt) - ours(torch.tensor([[7, 6, 5]]), tgt)).abs().max() > 0.01


def test_without_a_bias_the_encoder_reads_a_bag_of_tokens():
    ours, *_ = twins(TINY)
    with torch.no_grad():
        ours.encoder.position_bias.weight.zero_()
    tgt = torch.tensor([[1, 4]])
    assert_close(ours(torch.tensor([[5, 6, 7]]), tgt), ours(torch.tensor([[7, 6, 5]]), tgt))


# Masks


def test_no_logit_depends_on_a_later_token():
    ours, *_ = twins(TINY)
    src, tgt = batch(TINY, 8, 6)
    changed = tgt.clone()
    changed[:, 3:] = 7
    assert_close(ours(src, changed)[:, :3], ours(src, tgt)[:, :3])
    assert (ours(src, changed)[:, 3:] - ours(src, tgt)[:, 3:]).abs().max() > 0.01


def test_padding_has_the_id_it_is_given():
    ours = T5(replace(TINY, pad_id=3)).eval()
    tgt = torch.tensor([[1, 4]])
    assert_close(ours(torch.tensor([[5, 6, 3, 3]]), tgt), ours(torch.tensor([[5, 6]]), tgt))
    assert (ours(torch.tensor([[5, 6, 0, 0]]), tgt) - ours(torch.tensor([[5, 6]]), tgt)).abs().max() > 1e-4


# The beginning of training

WIDE = replace(TINY, d_model=256, d_k=64, d_ff=512, vocab_size=500, num_buckets=64, max_distance=128)


@each_version
def test_weights_begin_as_the_librarys(config):
    torch.manual_seed(0)
    sizes = {name: getattr(WIDE, name) for name in ("d_model", "d_k", "d_ff", "vocab_size", "num_buckets")}
    config = replace(config, **sizes, max_distance=128)
    ours, theirs = T5(config), transformers.T5ForConditionalGeneration(library_config(config)).state_dict()
    for name, parameter in ours.named_parameters():
        if name == "head.weight":  # theirs begins with logits of std sqrt(d_model)
            assert parameter.std().item() == pytest.approx(256**-0.5, rel=0.05)
        else:
            other = theirs[renamed(name, T5_1_1_NAMES if config.gated else T5_NAMES)]
            assert parameter.std(correction=0).item() == pytest.approx(other.std(correction=0).item(), rel=0.15)
            assert abs(parameter.mean() - other.mean()) < 0.25 * other.std(correction=0) + 1e-6


def variance_of_scores(attention: T5Attention) -> float:
    x = torch.nn.functional.rms_norm(torch.randn(400, attention.w_q.in_features), (attention.w_q.in_features,))
    q, k = (w(x).view(400, attention.num_heads, -1).transpose(0, 1) for w in (attention.w_q, attention.w_k))
    scores = q @ k.transpose(1, 2)
    return scores[:, ~torch.eye(400, dtype=torch.bool)].var().item()


@pytest.mark.parametrize("d_k", [16, 64])
def test_scores_begin_with_variance_1_whatever_the_size_of_a_head(d_k):
    torch.manual_seed(0)
    attention = T5Attention(replace(WIDE, d_k=d_k))
    assert variance_of_scores(attention) == pytest.approx(1, rel=0.1)
    nn.init.normal_(attention.w_q.weight, std=256**-0.5)  # as W_K
    assert variance_of_scores(attention) == pytest.approx(d_k, rel=0.1)


@each_version
def test_logits_begin_with_variance_1(config):
    torch.manual_seed(0)
    ours = T5(replace(config, d_model=256, d_k=64, vocab_size=500, num_layers=1)).eval()
    src, tgt = torch.randint(3, 500, (4, 20)), torch.randint(3, 500, (4, 20))
    # of all tokens but the one that was read, which the residual stream remembers
    logits = ours(src, tgt).scatter(-1, tgt.unsqueeze(-1), math.nan)
    assert logits[~logits.isnan()].var().item() == pytest.approx(1, rel=0.15)


def test_tied_it_is_the_embedding_of_2017_in_other_units():
    """Rows sqrt(d_model) times as large, and the factor on the other side."""
    table = TiedEmbedding(20, 12)
    ours = T5(TINY)
    with torch.no_grad():
        ours.tokens.weight.copy_(table.table * math.sqrt(12))
    ids, x = torch.tensor([[3, 4, 5]]), torch.randn(1, 3, 12)
    assert_close(ours.tokens(ids), table(ids))
    assert_close(x @ ours.tokens.weight.T / math.sqrt(12), table.logits(x))


# Dropout


def test_dropout_is_where_the_paper_has_it():
    """Section 2.1: within feed-forward, before each addition, on weights, at both ends of a stack."""
    ours, calls = T5(replace(TINY, dropout=0.2)).train(), []
    for module in ours.modules():
        if isinstance(module, Dropout):
            assert module.p == 0.2
            module.register_forward_hook(lambda module, inputs, output: calls.append(tuple(output.shape)))
    ours(*batch(TINY, 7, 5))
    encoder, decoder = (4, 7, 12), (4, 5, 12)
    assert calls.count(encoder) == 2 + 2 * 2 and calls.count(decoder) == 2 + 2 * 3
    assert calls.count((4, 7, 16)) == calls.count((4, 5, 16)) == 2
    weights = [(4, 3, 7, 7), (4, 3, 5, 5), (4, 3, 5, 7)]
    assert [calls.count(shape) for shape in weights] == [2, 2, 2]
    assert len(calls) == 6 + 8 + 4 + 6


def test_a_source_of_nothing_but_padding_leaves_the_others_alone():
    """Beside it, outputs and gradients are those of the sentence alone; of its own, they are the library's."""
    ours, theirs, _ = twins(TINY)
    src, tgt = torch.tensor([[3, 4, 7], [0, 0, 0]]), torch.tensor([[1, 5], [1, 6]])
    logits = ours(src, tgt)
    expected = theirs(input_ids=src, attention_mask=(src != 0).long(), decoder_input_ids=tgt).logits
    assert_close(logits, expected, atol=1e-4, rtol=1e-4)
    logits[0].square().sum().backward()
    together = [parameter.grad.clone() for parameter in ours.parameters()]
    ours.zero_grad()
    ours(src[:1], tgt[:1]).square().sum().backward()
    assert_close(together, [parameter.grad for parameter in ours.parameters()])


@pytest.mark.parametrize(
    "field, wrong, right",
    [
        ("num_layers", 0, 1),
        ("num_heads", 0, 1),
        ("dropout", 1.0, 0.0),
        ("num_buckets", 6, 8),
        ("num_buckets", 0, 4),
        ("num_buckets", -4, 12),
        ("max_distance", 16, 17),
        ("pad_id", 32_128, 32_127),
        ("pad_id", -1, 0),
    ],
)
def test_a_configuration_that_makes_no_model_is_refused(field, wrong, right):
    with pytest.raises(ValueError, match=f"{field} cannot be {wrong} in T5Config"):
        T5Config(**{field: wrong})
    assert getattr(T5Config(**{field: right}), field) == right


def test_the_largest_distance_is_beyond_what_has_a_bucket_of_its_own_in_the_decoder():
    """There, half of the buckets are for one distance each: a configuration that passes also runs."""
    small = T5(replace(TINY, num_buckets=8, max_distance=5))
    assert small(torch.tensor([[3, 4]]), torch.tensor([[1, 5]])).shape == (1, 2, 20)
    with pytest.raises(ValueError, match="max_distance cannot be 4"):
        replace(TINY, num_buckets=8, max_distance=4)


@pytest.mark.parametrize(("field", "wrong"), [("d_k", 0), ("d_k", -1), ("d_model", -2), ("d_ff", 0), ("tied", "no")])
def test_sizes_of_t5_are_positive(field, wrong):
    with pytest.raises(ValueError, match=f"{field} cannot be {wrong!r} in T5Config"):
        T5Config(**{field: wrong})
