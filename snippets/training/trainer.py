"""Training that can stop after any step, and go on as if it had not."""

# --8<-- [start:imports]
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn
from tqdm import trange

from snippets.training.loss import next_word_loss
# --8<-- [end:imports]


# --8<-- [start:Training]
class Training:
    """A model, its optimiser, and how far they have come.

    draw takes a generator and returns a random batch: (batch, n) and (batch, m).
    rate gives the learning rate of step 1, 2, ...; epsilon smooths the labels.
    """

    def __init__(
        self,
        model: nn.Module,
        draw: Callable[[torch.Generator], tuple[Tensor, Tensor]],
        rate: Callable[[int], float],
        epsilon: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.model, self.draw, self.rate, self.epsilon = model, draw, rate, epsilon
        self.optimizer = torch.optim.Adam(
            model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        self.generator = torch.Generator().manual_seed(seed)
        self.losses: list[float] = []

    def step(self) -> None:
        """One batch, one gradient, one move."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(len(self.losses) + 1)
        src, tgt = self.draw(self.generator)
        loss = next_word_loss(self.model, src, tgt, self.epsilon)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())

    def run(self, steps: int) -> None:
        """Train until that many steps have been taken, in this run or before."""
        self.model.train()
        bar = trange(len(self.losses), steps, unit="step", disable=None)
        for _ in bar:
            self.step()
            bar.set_postfix(loss=f"{self.losses[-1]:.3f}", refresh=False)
# --8<-- [end:Training]


# --8<-- [start:save]
def save(training: Training, path: Path) -> None:
    """Everything that the next step depends on, chance included."""
    state = {
        "model": training.model.state_dict(),
        "optimizer": training.optimizer.state_dict(),
        "generator": training.generator.get_state(),
        "dropout": torch.get_rng_state(),
        "losses": training.losses,
    }
    torch.save(state, path)


def load(training: Training, path: Path) -> None:
    """Go on where save left off."""
    state = torch.load(path, weights_only=True)
    training.model.load_state_dict(state["model"])
    training.optimizer.load_state_dict(state["optimizer"])
    training.generator.set_state(state["generator"])
    torch.set_rng_state(state["dropout"])
    training.losses = state["losses"]
# --8<-- [end:save]
