"""One step of an LSTM, and one of a GRU: what a recurrent network does with a token."""

# --8<-- [start:imports]
import torch
from torch import Tensor
# --8<-- [end:imports]


# --8<-- [start:lstm_step]
def lstm_step(
    x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b: Tensor
) -> tuple[Tensor, Tensor]:
    """The next hidden state and cell state, from the token and the last ones.

    x: (..., d_in); h, c: (..., d); w_x: (4d, d_in); w_h: (4d, d); b: (4d,).
    The rows belong to i, f, g and o, in the order of nn.LSTM, whose b is the sum
    of two. Hochreiter, Schmidhuber (1997), with the forget gate of Gers et al.
    Raises ValueError for another number of rows.
    """
    d = h.size(-1)
    i, f, g, o = (x @ w_x.T + h @ w_h.T + b).split(d, dim=-1)  # each (..., d)
    i, f, o = torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o)  # gates
    c = f * c + i * torch.tanh(g)  # keep some of the old, write some new
    return o * torch.tanh(c), c
# --8<-- [end:lstm_step]


# --8<-- [start:gru_step]
def gru_step(
    x: Tensor, h: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor, b_h: Tensor
) -> Tensor:
    """The next hidden state of a GRU. x: (..., d_in); h: (..., d).

    w_x: (3d, d_in); w_h: (3d, d); b_x, b_h: (3d,). The rows belong to r, z and n,
    in the order of nn.GRU. Cho et al. (2014), section 2.3, in PyTorch's form.
    Raises ValueError for another number of rows.
    """
    d = h.size(-1)
    r_x, z_x, n_x = (x @ w_x.T + b_x).split(d, dim=-1)
    r_h, z_h, n_h = (h @ w_h.T + b_h).split(d, dim=-1)
    r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
    return z * h + (1 - z) * torch.tanh(n_x + r * n_h)
# --8<-- [end:gru_step]
