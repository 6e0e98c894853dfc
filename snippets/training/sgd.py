"""The translator of dates, trained with plain gradient descent."""

# --8<-- [start:imports]
import torch

from snippets.tools.cached import cached, progress
from snippets.training.translator import STEPS, date_exact_match, date_trainer
# --8<-- [end:imports]


# --8<-- [start:train]
@cached("sgd")
def train(optimizer_class: type, lr: float, seed: int) -> dict:
    """Train at a constant learning rate: losses, and the share of right dates."""
    trainer = date_trainer(seed)
    if optimizer_class is not torch.optim.Adam:  # which the trainer has
        trainer.optimizer = optimizer_class(trainer.model.parameters(), lr=lr)
    trainer.learning_rate = lambda step: lr
    for _ in progress(STEPS["dates"], f"{optimizer_class.__name__}, {lr}"):
        trainer.step()
    share = date_exact_match(trainer.model)
    return {"losses": trainer.losses, "exact match": share}
# --8<-- [end:train]


# --8<-- [start:results]
RATES = [
    (torch.optim.SGD, 0.05),
    (torch.optim.SGD, 0.3),
    (torch.optim.SGD, 1.0),
    (torch.optim.Adam, 0.001),
]


def results() -> dict[tuple[type, float], list[dict]]:
    """Each optimizer and rate with three seeds; trained once, then kept."""
    runs = iter(train.each((*rate, seed) for rate in RATES for seed in range(3)))
    return {rate: [next(runs) for _ in range(3)] for rate in RATES}
# --8<-- [end:results]
