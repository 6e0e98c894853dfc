"""Gradients that vanish on their way back through a recurrent network, or do not."""

# --8<-- [start:imports]
from collections.abc import Callable

import torch
from torch import Tensor, nn
# --8<-- [end:imports]


# --8<-- [start:influence]
def influence(run: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """How much the last output depends on the input k steps back, from k = 0: (n,).

    run takes a sequence (n, d) to its last output (d_out,). The numbers are the
    largest singular values of the Jacobian matrices, one for each input.
    """
    jacobian = torch.func.jacrev(run)(x).detach()
    by_input = jacobian.transpose(0, 1)  # (d_out, n, d) -> (n, d_out, d)
    return torch.linalg.matrix_norm(by_input, ord=2).flip(0)


def last_output(network: nn.Module) -> Callable[[Tensor], Tensor]:
    """The way through a recurrent network from a sequence to its last output."""

    def run(x: Tensor) -> Tensor:
        outputs, _ = network(x)
        return outputs[-1]

    return run
# --8<-- [end:influence]


# --8<-- [start:rnn_with_gain]
def rnn_with_gain(d: int, gain: float) -> nn.RNN:
    """A plain RNN; all singular values of its recurrent matrix are gain."""
    rnn = nn.RNN(d, d, dtype=torch.float64)
    nn.init.orthogonal_(rnn.weight_hh_l0, gain)
    return rnn
# --8<-- [end:rnn_with_gain]


# --8<-- [start:lstm_with_forget_bias]
def lstm_with_forget_bias(d: int, bias: float) -> nn.LSTM:
    """An LSTM that starts with this bias in its forget gates.

    PyTorch has the gates in the order input, forget, cell, output, and two biases.
    """
    lstm = nn.LSTM(d, d, dtype=torch.float64)
    with torch.no_grad():
        lstm.bias_ih_l0[d : 2 * d] = bias
        lstm.bias_hh_l0[d : 2 * d] = 0
    return lstm
# --8<-- [end:lstm_with_forget_bias]


# --8<-- [start:four_paths]
def attend(states: Tensor) -> Tensor:
    """What the last state reads from all states (n, d), by dot products: (d,)."""
    weights = torch.softmax(states @ states[-1], dim=0)
    return weights @ states


def four_paths(d: int, seed: int) -> dict[str, Callable[[Tensor], Tensor]]:
    """Networks before training, each from a sequence (n, d) to its last output."""
    torch.manual_seed(seed)
    rnn = nn.RNN(d, d, dtype=torch.float64)
    lstm = nn.LSTM(d, d, dtype=torch.float64)
    open_lstm = lstm_with_forget_bias(d, 1.0)
    return {
        "RNN": last_output(rnn),
        "LSTM": last_output(lstm),
        "LSTM, bias 1": last_output(open_lstm),
        "RNN + attention": lambda x: attend(rnn(x)[0]),
    }
# --8<-- [end:four_paths]
