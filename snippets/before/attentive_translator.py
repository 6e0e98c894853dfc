"""Attention for the recurrent translator: three scores, and a context for each step."""

# --8<-- [start:imports]
from collections.abc import Callable

import torch
from torch import Tensor, nn

from snippets.before.encoder_decoder import Encoded, RecurrentTranslator
# --8<-- [end:imports]


# --8<-- [start:scores]
class DotScore(nn.Module):
    """h_t . hbar_j, the "dot" of Luong et al. (2015), section 3.1."""

    def __init__(self, d: int) -> None:
        super().__init__()  # there is nothing to learn

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        """query: (batch, m, d); key: (batch, n, d). Returns (batch, m, n)."""
        return query @ key.transpose(1, 2)


class GeneralScore(nn.Module):
    """h_t . (hbar_j W), their "general"."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.w = nn.Linear(d, d, bias=False)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        return query @ self.w(key).transpose(1, 2)


class AdditiveScore(nn.Module):
    """tanh(h_t W + hbar_j U) . v: Bahdanau et al. (2015), appendix A.1.2."""

    def __init__(self, d: int) -> None:
        super().__init__()
        self.w, self.u = nn.Linear(d, d, bias=False), nn.Linear(d, d, bias=False)
        self.v = nn.Linear(d, 1, bias=False)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        pairs = self.w(query).unsqueeze(2) + self.u(key).unsqueeze(1)
        return self.v(torch.tanh(pairs)).squeeze(-1)  # pairs: (batch, m, n, d)
# --8<-- [end:scores]


# --8<-- [start:AttentiveTranslator]
class AttentiveTranslator(RecurrentTranslator):
    """The same translator, but each step has a context of its own."""

    def __init__(
        self, vocab_size: int, d: int, score: Callable[[int], nn.Module] = DotScore
    ) -> None:
        super().__init__(vocab_size, d)
        self.score = score(d)

    def weights(self, hidden: Tensor, encoded: Encoded) -> Tensor:
        """How much each step looks at each source token: (batch, m, n)."""
        scores = self.score(hidden, encoded.states)
        return scores.masked_fill(~encoded.mask, -torch.inf).softmax(dim=-1)

    def context(self, hidden: Tensor, encoded: Encoded) -> Tensor:
        """A mean of the encoder's states, weighted anew in each step."""
        return self.weights(hidden, encoded) @ encoded.states
# --8<-- [end:AttentiveTranslator]


# --8<-- [start:alignment]
@torch.no_grad()
def alignment(model: AttentiveTranslator, src: Tensor, tgt: Tensor) -> Tensor:
    """The weights with which each token after tgt, (batch, m), is predicted."""
    encoded = model.encoder(src)
    hidden, _ = model.lstm(model.embedding(tgt), (encoded.h, encoded.c))
    return model.weights(hidden, encoded)
# --8<-- [end:alignment]
