"""Absolute positions as modules: sinusoids, a learned table, or none."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn

from snippets.positions.sinusoidal import frequencies, positional_encoding
# --8<-- [end:imports]


# --8<-- [start:absolute_positions]
class SinusoidalPositions(nn.Module):
    """Nothing to learn, any position: section 3.5 of Vaswani et al. (2017)."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.d_model = d_model
        frequencies(d_model)  # refuses what is odd

    def forward(self, positions: Tensor) -> Tensor:
        return positional_encoding(positions, self.d_model)


class LearnedPositions(nn.Module):
    """A vector for each position below max_length, as in BERT and GPT-2."""

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_length, d_model))

    def forward(self, positions: Tensor) -> Tensor:
        """Raises ValueError for a position that has no row."""
        n, most = positions.size(-1), self.table.size(0)
        if n > most:
            raise ValueError(f"{n} positions, and only {most} have been learned")
        try:
            rows = positions.to(self.table.device)
            return nn.functional.embedding(rows, self.table)
        except IndexError as error:  # on a CPU; a GPU has an error of its own
            raise ValueError(f"only {most} positions have been learned") from error


class NoPositions(nn.Module):
    """Zeros: a sequence is a bag of tokens, unless a mask gives it an order."""

    def forward(self, positions: Tensor) -> Tensor:
        return torch.zeros_like(positions).unsqueeze(-1)


def absolute_positions(kind: str, max_length: int, d_model: int) -> nn.Module:
    """From positions, (n,), to what is added to the embeddings, (n, d_model).

    kind: sinusoidal, learned or none. Raises ValueError for any other.
    """
    if kind == "sinusoidal":
        return SinusoidalPositions(d_model)
    if kind == "learned":
        return LearnedPositions(max_length, d_model)
    if kind == "none":
        return NoPositions()
    raise ValueError(f"sinusoidal, learned or none, not {kind!r}")
# --8<-- [end:absolute_positions]
