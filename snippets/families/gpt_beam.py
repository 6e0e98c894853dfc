"""Beam search for GPT: the book's own, which asks for a source and a target."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn

from snippets.families.gpt import GPT
# --8<-- [end:imports]


# --8<-- [start:Continuation]
class Continuation(nn.Module):
    """A GPT in the place of an encoder-decoder: the prompt is the source."""

    def __init__(self, gpt: GPT, pad_id: int) -> None:
        super().__init__()
        self.gpt, self.pad_id = gpt, pad_id

    def encode(self, src: Tensor) -> Tensor:
        """There is no memory but the ids: (1, n) -> (1, n, 1)."""
        return src.unsqueeze(-1)

    def decode(self, tgt: Tensor, memory: Tensor, src: Tensor) -> Tensor:
        """Logits after the prompt and what has been generated behind it.

        src: (batch, n); tgt: (batch, m), from <s>, whose place the prompt takes.
        Returns (batch, n + m - 1, vocab_size).
        """
        return self.gpt(torch.cat([src, tgt[:, 1:]], dim=1))
# --8<-- [end:Continuation]
