"""Eight small experts, with and without the balance loss: how the load spreads."""

# --8<-- [start:imports]
import torch
from torch import Tensor

from snippets.llm.experts import MixtureOfExperts, balance_loss
from snippets.tools.cached import cached
# --8<-- [end:imports]


# --8<-- [start:task]
KINDS, D_MODEL, NOISE = 8, 16, 0.5


class Task:
    """Inputs of eight kinds, each with a linear map of its own to the output.

    shared: how large the part is that all inputs have in common, in multiples
    of what tells the kinds apart.
    """

    def __init__(self, shared: float) -> None:
        self.kinds = torch.randn(KINDS, D_MODEL)
        self.maps = torch.randn(KINDS, D_MODEL, D_MODEL) / D_MODEL**0.5
        self.offset = shared * torch.randn(D_MODEL)

    def drawn(self, number: int) -> tuple[Tensor, Tensor]:
        """Inputs and outputs: (number, 16) each."""
        kind = torch.randint(KINDS, (number,))
        x = self.kinds[kind] + NOISE * torch.randn(number, D_MODEL)
        return x + self.offset, torch.einsum("nd,nde->ne", x, self.maps[kind])
# --8<-- [end:task]


# --8<-- [start:measured]
@torch.no_grad()
def measured(block: MixtureOfExperts, x: Tensor, y: Tensor) -> dict:
    """The share of tokens that each expert gets, the busiest first, and the error.

    idle: how many experts get less than 1 %.
    """
    _, chosen, _ = block.router(x)
    load = chosen.flatten().bincount(minlength=len(block.experts)) / len(x)
    shares = load.sort(descending=True).values.tolist()
    error, idle = (block(x) - y).square().mean(), (load < 0.01).sum()
    return {
        "shares": {f"{rank}": share for rank, share in enumerate(shares)},
        "busiest": shares[0],
        "idle": float(idle),
        "error": error.item(),
    }
# --8<-- [end:measured]


# --8<-- [start:run]
SEEDS, SHARED, FACTORS = (0, 1, 2, 3, 4), (0.0, 1.0, 2.0), (0.0, 0.01, 0.1)
RATE, STEPS, BATCH, EXAMINED = 3e-3, 300, 256, 4096


@cached("small_experts")
def run(
    shared: float, factor: float, seed: int, rate: float = RATE, steps: int = STEPS
) -> dict:
    """Train eight experts, of which a token uses one.

    factor: of the balance loss.
    """
    torch.manual_seed(seed)
    task = Task(shared)
    block = MixtureOfExperts(D_MODEL, D_MODEL, 8, top_k=1, normalize=False)
    test, losses = task.drawn(EXAMINED), []
    before = measured(block, *test)
    optimizer = torch.optim.Adam(block.parameters(), lr=rate)
    for _ in range(steps):
        x, y = task.drawn(BATCH)
        probs, chosen, _ = block.router(x)
        loss = (block(x) - y).square().mean()
        optimizer.zero_grad()
        (loss + factor * balance_loss(probs, chosen)).backward()
        optimizer.step()
        losses.append(loss.item())
    return {"first losses": losses[:10], "before": before, **measured(block, *test)}
# --8<-- [end:run]


# --8<-- [start:results]
def results() -> dict[str, list[dict]]:
    """By setting, a run for each seed. They come with the book."""
    settings = {
        f"{shared:g} {factor:g}": (shared, factor, RATE, STEPS)
        for shared in SHARED
        for factor in FACTORS
    }
    for factor in (0.0, 0.1):  # would more steps, or another rate, mend it?
        settings[f"longer {factor:g}"] = 2.0, factor, RATE, 4 * STEPS
        settings[f"faster {factor:g}"] = 2.0, factor, 1e-2, STEPS
    return {
        name: run.each((shared, factor, seed, rate, steps) for seed in SEEDS)
        for name, (shared, factor, rate, steps) in settings.items()
    }
# --8<-- [end:results]
