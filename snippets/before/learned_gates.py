"""An LSTM of one unit learns to keep the last marked number of a sequence."""

# --8<-- [start:imports]
import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from snippets.before.lstm import lstm_step
from snippets.tools.cached import cached
# --8<-- [end:imports]


# --8<-- [start:draw]
def draw(size: int, n: int, generator: Generator) -> tuple[Tensor, Tensor]:
    """Sequences (size, n, 2), each token a number and its mark, and what to keep.

    Marked are the first number and another one anywhere; that one is to be kept.
    """
    numbers = 2 * torch.rand(size, n, generator=generator) - 1
    rows, last = torch.arange(size), torch.randint(n, (size,), generator=generator)
    marks = torch.zeros(size, n)
    marks[:, 0] = marks[rows, last] = 1.0
    return torch.stack([numbers, marks], dim=-1), numbers[rows, last]
# --8<-- [end:draw]


# --8<-- [start:read]
def new_weights(gated: bool, units: int, bias: float, seed: int) -> list[Tensor]:
    """Of a cell, w_x, w_h and b, drawn as PyTorch does, and of what reads its h.

    gated: an LSTM, whose forget gate has this bias, else a plain RNN.
    """
    generator, parts = Generator().manual_seed(seed), 4 if gated else 1
    shapes = [
        (parts * units, 2),
        (parts * units, units),
        (parts * units,),
        (1, units),
    ]
    drawn = [2 * torch.rand(shape, generator=generator) - 1 for shape in shapes]
    weights = [x * units**-0.5 for x in drawn]
    if gated:
        weights[2][units : 2 * units] = bias
    return weights


def read(x: Tensor, weights: list[Tensor]) -> tuple[Tensor, Tensor]:
    """What is said at the end, (batch), and h before each token, (batch, n, d)."""
    w_x, w_h, b, out = weights
    h = c = x.new_zeros(len(x), w_h.size(1))
    before = []
    for token in x.unbind(dim=1):
        before.append(h)
        if len(w_h) > w_h.size(1):  # four parts: an LSTM
            h, c = lstm_step(token, h, c, w_x, w_h, b)
        else:
            h = torch.tanh(token @ w_x.T + h @ w_h.T + b)
    return (h @ out.T).squeeze(1), torch.stack(before, dim=1)


def gates(x: Tensor, weights: list[Tensor]) -> dict[str, float]:
    """Means of forget and input gate of an LSTM, on marked tokens and on others."""
    w_x, w_h, b, _ = weights
    before, marked = read(x, weights)[1], x[..., 1] == 1
    i, f = torch.sigmoid(x @ w_x.T + before @ w_h.T + b).chunk(4, dim=-1)[:2]
    kinds = {"f": (f, ~marked), "f marked": (f, marked)}
    kinds |= {"i": (i, ~marked), "i marked": (i, marked)}
    return {
        name: gate[where].mean().item() for name, (gate, where) in kinds.items()
    }
# --8<-- [end:read]


# --8<-- [start:train]
def train(
    weights: list[Tensor], n: int, rate: float, steps: int, seed: int
) -> None:
    """Adam on the squared error, 64 new sequences a step, gradients clipped."""
    generator = Generator().manual_seed(100 + seed)
    for x in weights:
        x.requires_grad_()
    optimizer = torch.optim.Adam(weights, lr=rate)
    for _ in range(steps):
        x, kept = draw(64, n, generator)
        loss = F.mse_loss(read(x, weights)[0], kept)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
    for x in weights:
        x.requires_grad_(False)
# --8<-- [end:train]


# --8<-- [start:results]
SEEDS, STEPS = (0, 1, 2, 3, 4), 400
LSTM_RATES, RNN_RATES = (0.01, 0.03, 0.1), (0.001, 0.003, 0.01, 0.03)
OPEN = 100.0  # a bias with which the forget gate is 1, and has no gradient


@cached("learned_gates")
def run(
    n: int,
    bias: float | None,
    units: int,
    rate: float,
    seed: int,
    steps: int = STEPS,
) -> dict:
    """Train one cell, and measure it on new sequences. No bias: a plain RNN."""
    weights = new_weights(bias is not None, units, bias or 0.0, seed)
    x, kept = draw(2000, n, Generator().manual_seed(99))
    result: dict = {"parameters": sum(w.numel() for w in weights)}
    if bias is not None:
        result["before"] = gates(x, weights)
    train(weights, n, rate, steps, seed)
    if bias is not None:
        result |= {
            "after": gates(x, weights),
            "cell": [w.tolist() for w in weights],
        }
    return result | {"error": F.mse_loss(read(x, weights)[0], kept).item()}


def results() -> dict[str, dict[float, list[dict]]]:
    """By cell and number of tokens, and by rate, a run for each seed."""
    cells: dict[str, tuple] = {
        "RNN 20": ((20, None, 16), RNN_RATES, STEPS),
        "RNN longer 20": ((20, None, 16), (0.003,), 5 * STEPS),
    }
    for bias in (0, 1):
        cells[f"LSTM {bias} 20"] = (20, float(bias), 1), LSTM_RATES, STEPS
        cells[f"LSTM {bias} 60"] = (60, float(bias), 1), (0.03,), STEPS
    cells["LSTM open 20"] = (20, OPEN, 1), LSTM_RATES, STEPS
    found = {}
    for name, (cell, rates, steps) in cells.items():
        by_rate = {r: [run(*cell, r, seed, steps) for seed in SEEDS] for r in rates}
        found[name] = by_rate
    return found
# --8<-- [end:results]
