"""The sizes and choices of a Transformer, in one place."""

# --8<-- [start:imports]
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from snippets.attention.multi_head import head_size
from snippets.tools.check import check_fields
# --8<-- [end:imports]


# --8<-- [start:TransformerConfig]
@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """Without arguments, the base model of Vaswani et al. (2017), table 3.

    Raises ValueError, naming the field, where a value makes no model.
    """

    vocab_size: int = 37_000  # English and German together, section 5.1
    num_layers: int = 6  # of the encoder, and of the decoder
    d_model: int = 512
    num_heads: int = 8
    d_ff: int = 2048
    dropout: float = 0.1
    norm_first: bool = False  # post-LN; True: pre-LN
    eps: float = 1e-5  # of layer norm
    activation: Callable[[Tensor], Tensor] = torch.relu
    positions: str = "sinusoidal"  # or "learned", or "none"
    max_length: int = 512  # of learned positions
    pad_id: int = 0

    def __post_init__(self) -> None:
        head_size(self.d_model, self.num_heads)  # refuses what does not divide
        check_fields(
            self,
            num_layers=self.num_layers > 0,
            dropout=0 <= self.dropout < 1,
            eps=self.eps > 0,
            activation=callable(self.activation),
            positions=self.positions in ("sinusoidal", "learned", "none"),
            pad_id=0 <= self.pad_id < self.vocab_size,
        )
# --8<-- [end:TransformerConfig]
