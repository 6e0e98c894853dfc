"""The date translator, trained by three optimizers at many learning rates."""

# --8<-- [start:imports]
import torch

from snippets.tools.cached import cached, progress
from snippets.training.translator import STEPS, date_exact_match, date_trainer
# --8<-- [end:imports]


# --8<-- [start:train]
OPTIMIZERS: dict[str, tuple[type, dict]] = {
    "SGD": (torch.optim.SGD, {}),
    "momentum": (torch.optim.SGD, {"momentum": 0.9}),
    "Adam": (torch.optim.Adam, {"betas": (0.9, 0.98), "eps": 1e-9}),
}


@cached("sgd")
def train(name: str, lr: float, seed: int) -> dict:
    """Train at a constant learning rate: losses, and the share of right dates."""
    trainer = date_trainer(seed)
    optimizer_class, options = OPTIMIZERS[name]
    parameters = trainer.model.parameters()
    trainer.optimizer = optimizer_class(parameters, lr=lr, **options)
    trainer.learning_rate = lambda step: lr
    for _ in progress(STEPS["dates"], f"{name}, {lr=}"):
        trainer.step()
    share = date_exact_match(trainer.model)
    return {"losses": trainer.losses, "exact match": share}
# --8<-- [end:train]


# --8<-- [start:results]
RATES = {  # each twice the one before
    "SGD": [0.05, 0.1, 0.2, 0.4, 0.8, 1.6],
    "momentum": [0.005, 0.01, 0.02, 0.04, 0.08, 0.16],
    "Adam": [0.00025, 0.0005, 0.001, 0.002, 0.004, 0.008],
}


def results() -> dict[str, dict[float, list[dict]]]:
    """Each optimizer at each rate with three seeds; trained once, then kept."""
    return {
        name: {
            lr: train.each((name, lr, seed) for seed in range(3)) for lr in rates
        }
        for name, rates in RATES.items()
    }
# --8<-- [end:results]
