"""Additive attention: a small network scores each pair of query and key."""

# --8<-- [start:imports]
import torch
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:AdditiveAttention]
class AdditiveAttention(nn.Module):
    """score(q, k) = tanh(q W + k U) v_a: Bahdanau et al. (2015), appendix A.1.2."""

    def __init__(self, d_query: int, d_key: int, d_hidden: int) -> None:
        super().__init__()
        self.w = nn.Linear(d_query, d_hidden, bias=False)
        self.u = nn.Linear(d_key, d_hidden, bias=False)
        self.v_a = nn.Linear(d_hidden, 1, bias=False)

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Attend from (..., n_q, d_query) to (..., n_k, d_key), (..., n_k, d_v).

        Returns the output, (..., n_q, d_v), and the weights, (..., n_q, n_k).
        Raises ValueError on shapes that do not fit.
        """
        widths = (self.w.in_features, self.u.in_features)
        check_shapes(query, key, value, widths)
        hidden = self.w(query).unsqueeze(-2) + self.u(key).unsqueeze(-3)
        scores = self.v_a(torch.tanh(hidden)).squeeze(-1)  # (..., n_q, n_k)
        weights = torch.softmax(scores, dim=-1)
        return weights @ value, weights
# --8<-- [end:AdditiveAttention]


# --8<-- [start:check_shapes]
def check_shapes(
    query: Tensor, key: Tensor, value: Tensor, widths: tuple[int, int]
) -> None:
    """Raises ValueError unless query and key have these widths and all fit."""
    q, k, v = tuple(query.shape), tuple(key.shape), tuple(value.shape)
    if q[:-2] != k[:-2] or min(len(q), len(k)) < 2:
        raise ValueError(f"query and key differ in leading sizes: {q}, {k}")
    if k[:-1] != v[:-1]:
        raise ValueError(f"each key needs one value: {k}, {v}")
    if (q[-1], k[-1]) != widths:
        raise ValueError(f"query and key need dimensions {widths}: {q}, {k}")
# --8<-- [end:check_shapes]
