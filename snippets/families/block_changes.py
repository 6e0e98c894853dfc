"""From the block of 2017 to today's in six changes, each of which can be made alone."""

# --8<-- [start:imports]
from collections.abc import Callable

import torch
from torch import Tensor, nn

from snippets.attention.masks import causal_mask
from snippets.block.feed_forward import FeedForward
from snippets.block.layer_norm import LayerNorm
from snippets.families.rms_norm import RMSNorm
from snippets.families.todays_block import GroupedQueryAttention, SwiGLU
from snippets.positions.sinusoidal import positional_encoding
from snippets.positions.tokens import TiedEmbedding
from snippets.tools.inputs import check_ids
# --8<-- [end:imports]


# --8<-- [start:CHANGES]
CHANGES = ("pre-LN", "RMSNorm", "SwiGLU", "RoPE", "GQA", "no biases")
CONTROL = "no positions"  # neither sinusoids nor RoPE
D_MODEL, D_FF, NUM_HEADS = 48, 192, 4
# --8<-- [end:CHANGES]


# --8<-- [start:ChangedLayer]
class ChangedLayer(nn.Module):
    """A causal layer of 2017 with these changes; with all of them, today's.

    Raises ValueError for a change that there is not.
    """

    def __init__(self, *changes: str) -> None:
        super().__init__()
        if unknown := set(changes) - {*CHANGES, CONTROL}:
            raise ValueError(f"the changes are {CHANGES}, not {sorted(unknown)}")
        norm = RMSNorm if "RMSNorm" in changes else LayerNorm
        kv_heads = NUM_HEADS // 2 if "GQA" in changes else NUM_HEADS
        theta = 10_000.0 if "RoPE" in changes else None
        heads = (NUM_HEADS, kv_heads, theta)
        self.norm_first = "pre-LN" in changes
        self.norm_1, self.norm_2 = norm(D_MODEL), norm(D_MODEL)
        self.attention = GroupedQueryAttention(D_MODEL, *heads, bias=True)
        self.feed_forward = FeedForward(D_MODEL, D_FF)
        if "SwiGLU" in changes:  # three matrices, as large as the two together
            self.feed_forward = SwiGLU(D_MODEL, D_FF * 2 // 3, bias=True)
        if "no biases" in changes:
            for module in self.modules():
                if isinstance(module, nn.Linear):
                    module.bias = None

    def forward(self, x: Tensor, attn_mask: Tensor | None = None) -> Tensor:
        """x: (batch, n, d_model); returns the same shape."""

        def attend(y: Tensor) -> Tensor:
            return self.attention(y, attn_mask)

        x = self.connect(x, attend, self.norm_1)
        return self.connect(x, self.feed_forward, self.norm_2)

    def connect(self, x: Tensor, sublayer: Callable, norm: nn.Module) -> Tensor:
        """The residual connection, with the norm before the sublayer or after."""
        return x + sublayer(norm(x)) if self.norm_first else norm(x + sublayer(x))
# --8<-- [end:ChangedLayer]


# --8<-- [start:ChangedModel]
class ChangedModel(nn.Module):
    """Two such layers between an embedding and itself, decoder-only."""

    def __init__(self, vocab_size: int, *changes: str) -> None:
        super().__init__()
        self.embedding = TiedEmbedding(vocab_size, D_MODEL)
        self.layers = nn.ModuleList(ChangedLayer(*changes) for _ in range(2))
        final = RMSNorm if "RMSNorm" in changes else LayerNorm
        self.norm = final(D_MODEL) if "pre-LN" in changes else nn.Identity()
        self.sinusoids = not {"RoPE", CONTROL} & set(changes)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits of the token after each: (batch, n) -> (batch, n, vocab_size)."""
        check_ids(ids)
        x = self.embedding(ids)
        if self.sinusoids:
            positions = torch.arange(ids.size(1), device="cpu")
            x = x + positional_encoding(positions, D_MODEL).to(x)
        for layer in self.layers:
            x = layer(x, causal_mask(ids.size(1), ids.device))
        return self.embedding.logits(self.norm(x))
# --8<-- [end:ChangedModel]
