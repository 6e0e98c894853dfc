"""GPT: a decoder without an encoder, which predicts the next token."""

# --8<-- [start:imports]
from collections.abc import Mapping
from functools import partial

import torch
from torch import Tensor, nn

from snippets.attention.masks import causal_mask
from snippets.block.config import TransformerConfig
from snippets.block.dropout import Dropout
from snippets.block.encoder_layer import EncoderStack
from snippets.positions.absolute import LearnedPositions
from snippets.tools.inputs import check_ids
from snippets.training.loss import smoothed_cross_entropy
# --8<-- [end:imports]


# --8<-- [start:GPT2]
GPT2 = TransformerConfig(  # the smallest of Radford et al. (2019), table 2
    vocab_size=50_257,
    num_layers=12,
    d_model=768,
    num_heads=12,
    d_ff=3072,
    norm_first=True,
    activation=partial(nn.functional.gelu, approximate="tanh"),
    positions="learned",
    max_length=1024,
)
# --8<-- [end:GPT2]


# --8<-- [start:GPT]
class GPT(nn.Module):
    """Decoder-only, pre-LN: an encoder's layers, which the mask makes causal.

    Whatever config.positions says, the positions are learned.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)
        nn.init.normal_(self.tokens.weight, std=0.02)  # small logits at first
        self.positions = LearnedPositions(config.max_length, config.d_model)
        self.dropout = Dropout(config.dropout)
        self.stack = EncoderStack(config)

    def embed(self, ids: Tensor, start: int = 0) -> Tensor:
        """Tokens and positions from start on: (batch, n) -> (batch, n, d_model)."""
        positions = torch.arange(start, start + ids.size(1), device=ids.device)
        return self.dropout(self.tokens(ids) + self.positions(positions))

    def logits(self, x: Tensor) -> Tensor:
        """The embedding once more: (..., d_model) -> (..., vocab_size)."""
        return x @ self.tokens.weight.T

    def forward(self, ids: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """Logits of the token after each: (batch, n) -> (batch, n, vocab_size).

        attn_mask: (batch, 1, n), False for padding; the future is always hidden.
        """
        check_ids(ids)
        mask = causal_mask(ids.size(1), ids.device)
        if attn_mask is not None:
            mask = mask & attn_mask
        return self.logits(self.stack(self.embed(ids), mask))
# --8<-- [end:GPT]


# --8<-- [start:causal_lm_loss]
def causal_lm_loss(model: nn.Module, ids: Tensor, pad_id: int = -100) -> Tensor:
    """The mean of -ln P of each token but the first, given those before it.

    ids: (batch, n). The input is all but the last token, the target all but the
    first. Padding in the target does not count.
    """
    logits = model(ids[:, :-1])  # (batch, n - 1, vocab_size)
    return smoothed_cross_entropy(logits, ids[:, 1:], ignore_index=pad_id)
# --8<-- [end:causal_lm_loss]


# --8<-- [start:GPT_NAMES]
GPT_NAMES = {  # part of our names: the same part in transformers
    "tokens": "transformer.wte",
    "positions.table": "transformer.wpe.weight",
    "stack.layers": "transformer.h",
    "stack.norm": "transformer.ln_f",
    "residual_1.norm": "ln_1",
    "residual_2.norm": "ln_2",
    "attention.w_q": "attn.c_attn.q",
    "attention.w_k": "attn.c_attn.k",
    "attention.w_v": "attn.c_attn.v",
    "attention.w_o": "attn.c_proj",
    "feed_forward.w_1": "mlp.c_fc",
    "feed_forward.w_2": "mlp.c_proj",
    "gamma": "weight",
    "beta": "bias",
}
# --8<-- [end:GPT_NAMES]


# --8<-- [start:unfused]
def unfused(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The library's weights as nn.Linear has them, and q, k, v apart.

    Its Conv1D keeps W as (in, out), nn.Linear as (out, in); c_attn is the three
    projections side by side.
    """
    result = {}
    for name, weight in state.items():
        if ".c_" in name:
            weight = weight.t()  # a bias stays as it is
        if ".c_attn." in name:
            for part, w in zip("qkv", weight.chunk(3), strict=True):
                result[name.replace("c_attn", f"c_attn.{part}")] = w
        else:
            result[name] = weight
    return result
# --8<-- [end:unfused]
