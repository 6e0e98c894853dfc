"""No tensor is made on a fixed device: whatever the default is, everything follows its inputs."""

from __future__ import annotations

import pytest
import torch

from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.multi_head import PerHeadAttention, fuse
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.block.config import TransformerConfig
from snippets.families.flash_attention import flash_attention
from snippets.families.llama import Llama, LlamaConfig
from snippets.model.speed import faster
from snippets.model.transformer import Transformer
from snippets.positions.distance import similarity
from snippets.positions.relative import alibi_bias, offsets, relative_scores, rotate, t5_bucket
from snippets.positions.sinusoidal import positional_encoding
from snippets.training.adam import Adam
from snippets.training.attention_maps import attention_maps
from snippets.training.cache import cached_greedy
from snippets.training.decoding import beam_search, greedy
from snippets.training.loss import next_token_loss

SRC, TGT = torch.tensor([[4, 5, 2, 0], [6, 4, 5, 2]]), torch.tensor([[1, 4, 2], [1, 5, 2]])
X, POSITIONS = torch.randn(2, 4, 8), torch.arange(4)


def model(**options) -> Transformer:
    torch.manual_seed(0)
    sizes = {"vocab_size": 9, "num_layers": 2, "d_model": 8, "num_heads": 2, "d_ff": 16, "max_length": 20}
    return Transformer(TransformerConfig(**sizes, **options)).eval()


def train_step() -> torch.Tensor:
    one = model().train()
    optimizer = Adam(one.parameters())
    loss = next_token_loss(one, SRC, TGT, 0.1)
    loss.backward()
    optimizer.step()
    return loss


WITH_A_MODEL = {
    "forward": lambda one: one(SRC, TGT),
    "loss": lambda one: next_token_loss(one, SRC, TGT, 0.1),
    "greedy": lambda one: greedy(one, SRC, 5),
    "cache": lambda one: cached_greedy(one, SRC, 5),
    "beam": lambda one: torch.tensor(beam_search(one, SRC[:1], 3, 5)[1], device="cpu"),
    "maps": lambda one: attention_maps(one, SRC, TGT)["encoder.layers.0.attention"],
}
WITHOUT = {
    "attention": lambda: scaled_dot_product_attention(X, X, X, padding_mask(SRC, 0))[0],
    "causal": lambda: scaled_dot_product_attention(X, X, X, causal_mask(4, X.device))[0],
    "positions": lambda: positional_encoding(POSITIONS, 8),
    "similarity": lambda: similarity(POSITIONS, 8),
    "rotary": lambda: rotate(X, POSITIONS),
    "shaw": lambda: relative_scores(X, X, X[0, :3]),
    "t5": lambda: t5_bucket(offsets(4, 4, X.device)),
    "blocks": lambda: flash_attention(X, X, X, padding_mask(SRC, 0), causal=True, block=3),
    "alibi": lambda: alibi_bias(4, 2, X.device),
}


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "none"])
@pytest.mark.parametrize("name", WITH_A_MODEL)
def test_a_model_stays_on_its_device_whatever_the_default(name, positions):
    one = model(positions=positions)
    expected = WITH_A_MODEL[name](one)
    with torch.device("meta"):  # a tensor made without a device has no numbers, and mixes with none that has
        found = WITH_A_MODEL[name](one)
    assert found.device == SRC.device and torch.equal(found, expected)


@pytest.mark.parametrize("name", WITHOUT)
def test_functions_follow_their_inputs_whatever_the_default(name):
    expected = WITHOUT[name]()
    with torch.device("meta"):
        found = WITHOUT[name]()
    assert found.device == X.device and torch.equal(found, expected)


def test_llama_follows_its_ids():
    torch.manual_seed(0)
    llama = Llama(LlamaConfig(vocab_size=9, num_layers=1, d_model=8, num_heads=2, num_kv_heads=1, d_ff=16))
    expected = llama(SRC, padding_mask(SRC, 0))
    with torch.device("meta"):
        found = llama(SRC, padding_mask(SRC, 0))
    assert found.device == SRC.device and torch.equal(found, expected)


def test_training_and_the_fast_form_follow_too():
    assert train_step().device == SRC.device
    layer, per_head = model().encoder.layers[0], PerHeadAttention(8, 2)
    expected = faster(layer)(X), fuse(per_head)(X, X, X)[0]
    with torch.device("meta"):
        found = faster(layer)(X), fuse(per_head)(X, X, X)[0]
    assert all(map(torch.equal, found, expected))


def test_everything_runs_where_there_are_no_numbers():
    """On the meta device whatever looks into a tensor fails: what compiles and exports may not, either."""
    with torch.device("meta"):
        one = Transformer(TransformerConfig(vocab_size=9, num_layers=2, d_model=8, num_heads=2, d_ff=16))
    src, tgt = SRC.to("meta"), TGT.to("meta")
    assert one(src, tgt).shape == (2, 3, 9) and one(src, tgt).is_meta
    loss = next_token_loss(one, src, tgt, 0.1)
    loss.backward()
    assert loss.is_meta and all(parameter.grad.is_meta for parameter in one.parameters())
