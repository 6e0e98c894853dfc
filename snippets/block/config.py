"""The sizes and choices of a Transformer, in one place."""

# --8<-- [start:imports]
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:TransformerConfig]
@dataclass(frozen=True, kw_only=True)
class TransformerConfig:
    """Without arguments, the base model of Vaswani et al. (2017), table 3.

    Raises ValueError without layers, or if pad_id is not in the vocabulary.
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
        if self.num_layers < 1:
            raise ValueError(f"num_layers is at least 1, not {self.num_layers}")
        if not 0 <= self.pad_id < self.vocab_size:
            ids = f"a vocabulary of {self.vocab_size}"
            raise ValueError(f"pad_id {self.pad_id} is no id of {ids}")
# --8<-- [end:TransformerConfig]
