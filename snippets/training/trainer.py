"""Training that can stop after any step, and go on as if it had not."""

# --8<-- [start:imports]
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Generator, Tensor, nn
from tqdm import trange
# --8<-- [end:imports]


# --8<-- [start:Trainer]
class Trainer:
    """A model, its optimizer, and how far they have come.

    loss(model, batch) is minimized; draw_batch(generator) returns a random batch
    in the form that the loss expects; learning_rate(step) counts steps from 1.
    """

    def __init__(
        self,
        model: nn.Module,
        loss: Callable[..., Tensor],
        draw_batch: Callable[[Generator], Any],
        learning_rate: Callable[[int], float],
        seed: int = 0,
    ) -> None:
        self.model, self.loss, self.draw_batch = model, loss, draw_batch
        self.learning_rate = learning_rate
        self.optimizer = torch.optim.Adam(
            model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        self.generator = Generator().manual_seed(seed)
        self.losses: list[float] = []

    def step(self) -> None:
        """One batch, one gradient, one update."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(len(self.losses) + 1)
        loss = self.loss(self.model, self.draw_batch(self.generator))
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
# --8<-- [end:Trainer]


# --8<-- [start:save]
def save(trainer: Trainer, path: Path) -> None:
    """Everything that the next step depends on, chance included."""
    state = {
        "model": trainer.model.state_dict(),
        "optimizer": trainer.optimizer.state_dict(),
        "generator": trainer.generator.get_state(),
        "dropout": torch.get_rng_state(),
        "losses": trainer.losses,
    }
    torch.save(state, path)


def load(trainer: Trainer, path: Path) -> None:
    """Go on where save left off."""
    state = torch.load(path, weights_only=True)  # numbers only, no code
    trainer.model.load_state_dict(state["model"])
    trainer.optimizer.load_state_dict(state["optimizer"])
    trainer.generator.set_state(state["generator"])
    torch.set_rng_state(state["dropout"])
    trainer.losses = state["losses"]
# --8<-- [end:save]
