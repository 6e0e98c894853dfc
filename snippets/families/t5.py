"""T5: encoder and decoder, with positions as a bias on the scores."""

# --8<-- [start:imports]
import math
from dataclasses import dataclass
from functools import partial

import torch
from torch import Tensor, nn

from snippets.attention.masks import causal_mask, padding_mask
from snippets.attention.multi_head import merge_heads, split_heads
from snippets.tools.check import check_fields
from snippets.block.dropout import Dropout
from snippets.families.rms_norm import RMSNorm
from snippets.positions.relative import offsets, t5_bucket
# --8<-- [end:imports]


# --8<-- [start:T5Config]
@dataclass(frozen=True, kw_only=True)
class T5Config:
    """Without arguments, the small model of Raffel et al. (2020), version 1.0.

    Raises ValueError, naming the field, where a value makes no model.
    """

    vocab_size: int = 32_128
    num_layers: int = 6  # of the encoder, and of the decoder
    d_model: int = 512
    num_heads: int = 8
    d_k: int = 64  # of a head; need not be d_model / num_heads
    d_ff: int = 2048
    dropout: float = 0.1
    num_buckets: int = 32
    max_distance: int = 128  # all that is farther is in the last bucket
    gated: bool = False  # version 1.1: a gate in the feed-forward network
    tied: bool = True  # version 1.1: False, the output has a matrix of its own
    pad_id: int = 0

    def __post_init__(self) -> None:
        check_fields(
            self,
            num_layers=self.num_layers > 0,
            num_heads=self.num_heads > 0,
            dropout=0 <= self.dropout < 1,
            num_buckets=self.num_buckets > 0 and self.num_buckets % 4 == 0,
            max_distance=self.max_distance > self.num_buckets // 2,
            pad_id=0 <= self.pad_id < self.vocab_size,
        )


T5_SMALL = T5Config()
T5_SMALL_1_1 = T5Config(
    num_layers=8, num_heads=6, d_ff=1024, gated=True, tied=False
)
# --8<-- [end:T5Config]


# --8<-- [start:T5Attention]
def linear(d_in: int, d_out: int, scale: float = 1.0) -> nn.Linear:
    """x W, without a bias; the weights begin with std scale / sqrt(d_in)."""
    layer = nn.Linear(d_in, d_out, bias=False)
    nn.init.normal_(layer.weight, std=scale * d_in**-0.5)
    return layer


class T5Attention(nn.Module):
    """softmax(Q K^T + bias) V in each head: nothing is divided by sqrt(d_k)."""

    def __init__(self, config: T5Config) -> None:
        super().__init__()
        d_model, inner = config.d_model, config.num_heads * config.d_k
        self.num_heads = config.num_heads
        self.w_q = linear(d_model, inner, scale=config.d_k**-0.5)  # here instead
        self.w_k = linear(d_model, inner)
        self.w_v = linear(d_model, inner)
        self.w_o = linear(inner, d_model)
        self.dropout = Dropout(config.dropout)

    def forward(
        self, x: Tensor, bias: Tensor, memory: Tensor | None = None
    ) -> Tensor:
        """x: (batch, n_q, d_model); returns the same shape.

        bias is added to the scores, (batch, num_heads, n_q, n_k); see hide for
        where a mask forbids to look. Keys and values come from memory, (batch,
        n_k, d_model), or, without one, from x.
        """
        memory = x if memory is None else memory
        q = split_heads(self.w_q(x), self.num_heads)  # (batch, heads, n_q, d_k)
        k = split_heads(self.w_k(memory), self.num_heads)
        v = split_heads(self.w_v(memory), self.num_heads)
        weights = torch.softmax(q @ k.transpose(-2, -1) + bias, dim=-1)
        return self.w_o(merge_heads(self.dropout(weights) @ v))
# --8<-- [end:T5Attention]


# --8<-- [start:T5FeedForward]
GELU = partial(nn.functional.gelu, approximate="tanh")


class T5FeedForward(nn.Module):
    """1.0: ReLU(x W_1) W_2. 1.1: (GELU(x W_1) * x V) W_2, Shazeer (2020)."""

    def __init__(self, config: T5Config) -> None:
        super().__init__()
        d_model, d_ff = config.d_model, config.d_ff
        self.w_1 = linear(d_model, d_ff)
        self.v = linear(d_model, d_ff) if config.gated else None
        self.w_2 = linear(d_ff, d_model)
        self.dropout = Dropout(config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """x: (..., d_model), returns the same shape."""
        if self.v is None:
            inner = torch.relu(self.w_1(x))
        else:
            inner = GELU(self.w_1(x)) * self.v(x)
        return self.w_2(self.dropout(inner))
# --8<-- [end:T5FeedForward]


# --8<-- [start:T5Layer]
class Residual(nn.Module):
    """x + F(norm(x)), with dropout before the addition: pre-LN."""

    def __init__(self, config: T5Config, sublayer: nn.Module) -> None:
        super().__init__()
        self.norm = RMSNorm(config.d_model)
        self.sublayer = sublayer
        self.dropout = Dropout(config.dropout)

    def forward(self, x: Tensor, *others: Tensor) -> Tensor:
        return x + self.dropout(self.sublayer(self.norm(x), *others))


class T5Layer(nn.Module):
    """Self-attention, in the decoder cross-attention, and feed-forward."""

    def __init__(self, config: T5Config, decoder: bool) -> None:
        super().__init__()
        attentions = [T5Attention(config) for _ in range(2 if decoder else 1)]
        sublayers = [*attentions, T5FeedForward(config)]
        self.residuals = nn.ModuleList(Residual(config, f) for f in sublayers)

    def forward(self, x: Tensor, bias: Tensor, *cross: Tensor) -> Tensor:
        """cross: nothing in the encoder; memory_bias and memory in the decoder."""
        x = self.residuals[0](x, bias)
        if cross:
            x = self.residuals[1](x, *cross)
        return self.residuals[-1](x)
# --8<-- [end:T5Layer]


# --8<-- [start:T5Stack]
def hide(bias: Tensor, mask: Tensor) -> Tensor:
    """The least number where the mask is False: exp makes it 0, as it does -inf.

    Both broadcast to (batch, heads, n_q, n_k). A row of nothing but -inf would be
    NaN; so a query that may see no key sees all of them alike, as in the library.
    """
    return bias.masked_fill(~mask, torch.finfo(bias.dtype).min)


class T5Stack(nn.Module):
    """Layers that share one bias for each head and each bucket of offsets."""

    def __init__(self, config: T5Config, decoder: bool) -> None:
        super().__init__()
        layers = (T5Layer(config, decoder) for _ in range(config.num_layers))
        self.layers = nn.ModuleList(layers)
        self.position_bias = nn.Embedding(config.num_buckets, config.num_heads)
        nn.init.normal_(self.position_bias.weight, std=config.d_model**-0.5)
        self.final = RMSNorm(config.d_model)
        self.dropout = Dropout(config.dropout)
        self.decoder, self.max_distance = decoder, config.max_distance

    def bias(self, offset: Tensor) -> Tensor:
        """What each head adds at offsets key - query: (...) -> (num_heads, ...)."""
        num_buckets = self.position_bias.num_embeddings
        if self.decoder:  # sees no key after the query: all buckets are for before
            offset, num_buckets = offset.clamp(max=0), 2 * num_buckets
        buckets = t5_bucket(offset, num_buckets, self.max_distance)
        return self.position_bias(buckets).movedim(-1, 0)

    def forward(self, x: Tensor, mask: Tensor, *cross: Tensor) -> Tensor:
        """x: (batch, n, d_model); returns the same shape.

        mask: bool, broadcasts to (batch, 1, n, n), True where allowed.
        cross: memory_bias, (batch, 1, 1, n_k), and memory, (batch, n_k, d_model).
        """
        bias = hide(self.bias(offsets(x.size(1), x.size(1), x.device)), mask)
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, bias, *cross)
        return self.dropout(self.final(x))
# --8<-- [end:T5Stack]


# --8<-- [start:T5]
class T5(nn.Module):
    """Raffel et al. (2020), section 2.1; version 1.1 if config says so."""

    def __init__(self, config: T5Config) -> None:
        super().__init__()
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)
        self.encoder = T5Stack(config, decoder=False)
        self.decoder = T5Stack(config, decoder=True)
        head = linear(config.d_model, config.vocab_size)
        self.head = None if config.tied else head
        self.pad_id = config.pad_id

    def encode(self, src: Tensor) -> Tensor:
        """The memory: (batch, n) -> (batch, n, d_model)."""
        mask = padding_mask(src, self.pad_id).unsqueeze(1)  # (batch, 1, 1, n)
        return self.encoder(self.tokens(src), mask)

    def decode(self, tgt: Tensor, memory: Tensor, src: Tensor) -> Tensor:
        """Logits of the token after each position: (batch, m, vocab_size).

        Padding in tgt comes last, where the causal mask hides it.
        """
        mask = padding_mask(src, self.pad_id).unsqueeze(1)
        memory_bias = hide(memory.new_zeros(1), mask)  # no positions, only the mask
        causal = causal_mask(tgt.size(1), tgt.device)
        x = self.decoder(self.tokens(tgt), causal, memory_bias, memory)
        if self.head is not None:
            return self.head(x)
        return x @ self.tokens.weight.T / math.sqrt(x.size(-1))

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        """src: (batch, n), tgt: (batch, m), ids. Returns (batch, m, vocab_size)."""
        return self.decode(tgt, self.encode(src), src)
# --8<-- [end:T5]


# --8<-- [start:T5_NAMES]
T5_NAMES = {  # what stands here in a name, and in that of transformers
    "tokens": "shared",
    "layers": "block",
    "residuals": "layer",
    "layer.0.sublayer.w_": "layer.0.SelfAttention.",
    "sublayer.w_1": "DenseReluDense.wi",
    "sublayer.w_2": "DenseReluDense.wo",
    "layer.1.sublayer.w_": "layer.1.EncDecAttention.",
    ".norm": ".layer_norm",
    "final": "final_layer_norm",
    "position_bias": "block.0.layer.0.SelfAttention.relative_attention_bias",
    "gamma": "weight",
}
T5_1_1_NAMES = T5_NAMES | {
    "sublayer.w_1": "DenseReluDense.wi_0",
    "sublayer.v": "DenseReluDense.wi_1",
    "head": "lm_head",
}
# --8<-- [end:T5_NAMES]
