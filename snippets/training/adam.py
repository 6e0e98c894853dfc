"""Adam: steps of about the same size for every parameter."""

# --8<-- [start:imports]
from collections.abc import Iterable

import torch
from torch import Tensor

from snippets.tools.inputs import check
# --8<-- [end:imports]


# --8<-- [start:Adam]
class Adam:
    """Kingma and Ba (2015), algorithm 1. betas and eps as in the 2017 paper.

    All parameters share one count of steps; torch keeps one for each, which
    differs only for parameters that do not get a gradient at every step.
    Raises ValueError without parameters, and for settings that torch refuses.
    """

    def __init__(
        self,
        parameters: Iterable[Tensor],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.98),
        eps: float = 1e-9,
    ) -> None:
        check(
            lr >= 0 and eps >= 0 and min(betas) >= 0 and max(betas) < 1,
            f"no step can be made with {lr=}, {betas=}, {eps=}",
        )
        self.lr, self.betas, self.eps = lr, betas, eps
        self.steps = 0
        # each parameter with the running means of its gradient and of the square
        zeros = torch.zeros_like
        self.state = [(p, zeros(p), zeros(p)) for p in parameters]
        if not self.state:  # or a generator that something else has used up
            raise ValueError("there are no parameters to move")

    @torch.no_grad()
    def step(self) -> None:
        """Move every parameter that has a gradient."""
        self.steps += 1
        beta_1, beta_2 = self.betas
        for p, m, v in self.state:
            if p.grad is None:
                continue
            m.mul_(beta_1).add_((1 - beta_1) * p.grad)
            v.mul_(beta_2).add_((1 - beta_2) * p.grad**2)
            m_hat = m / (1 - beta_1**self.steps)  # both began at 0
            v_hat = v / (1 - beta_2**self.steps)
            p.sub_(self.lr * m_hat / (v_hat.sqrt() + self.eps))
# --8<-- [end:Adam]
