"""GPT: a decoder without an encoder, which predicts the next token."""

# --8<-- [start:imports]
from functools import partial

import torch
from torch import Tensor, nn

from snippets.attention.masks import causal_mask
from snippets.block.config import TransformerConfig
from snippets.block.dropout import Dropout
from snippets.block.encoder_layer import EncoderStack
from snippets.positions.absolute import LearnedPositions
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
    """Decoder-only, pre-LN: an encoder's layers, which the mask makes causal."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.tokens = nn.Embedding(config.vocab_size, config.d_model)
        self.positions = LearnedPositions(config.max_length, config.d_model)
        self.dropout = Dropout(config.dropout)
        self.stack = EncoderStack(config)

    def forward(self, ids: Tensor) -> Tensor:
        """Logits of the token after each: (batch, n) -> (batch, n, vocab_size)."""
        positions = torch.arange(ids.size(1), device=ids.device)
        x = self.dropout(self.tokens(ids) + self.positions(positions))
        x = self.stack(x, causal_mask(ids.size(1), ids.device))
        return x @ self.tokens.weight.T  # the embedding, once more
# --8<-- [end:GPT]
