"""The translator of number words, trained with and without label smoothing."""

# --8<-- [start:imports]
from torch import Tensor

from snippets.model.transformer import Transformer
from snippets.tools.cached import cached, progress
from snippets.training import numbers
from snippets.training.decoding import inference
from snippets.training.loss import next_token_loss
from snippets.training.translator import NUMBER_VOCAB, STEPS, number_trainer
# --8<-- [end:imports]


# --8<-- [start:confidence]
def confidence(model: Transformer, src: Tensor, tgt: Tensor) -> dict[str, float]:
    """How sure the model is of its next token, and how often it is right.

    src: (batch, n); tgt: (batch, m). The means are over all tokens of tgt behind
    the first, each predicted from the true ones before it.
    """
    with inference(model):
        logits = model(src, tgt[:, :-1])
        loss = next_token_loss(model, src, tgt)
    right = tgt[:, 1:]
    counts = right != model.pad_id
    p, guess = logits.softmax(dim=-1).max(dim=-1)
    return {
        "confidence": p[counts].mean().item(),
        "accuracy": (guess == right)[counts].float().mean().item(),
        "loss": loss.item(),
        "largest logit": logits[counts].max().item(),
    }
# --8<-- [end:confidence]


# --8<-- [start:train]
def held_out(digits: int) -> tuple[Tensor, Tensor]:
    """Some 450 numbers with so many digits, none of them trained on."""
    low, high = 10 ** (digits - 1), 10**digits
    chosen = filter(numbers.is_held_out, range(low, high, (high - low) // 5000))
    return numbers.batch(list(chosen), NUMBER_VOCAB)


@cached("smoothed")
def train(epsilon: float, seed: int) -> dict:
    """Train, and ask for numbers of five digits and for longer ones."""
    trainer = number_trainer(seed)
    trainer.loss = lambda model, batch: next_token_loss(model, *batch, epsilon)
    for _ in progress(STEPS["numbers"], f"{epsilon=}, {seed=}"):
        trainer.step()
    return {
        name: confidence(trainer.model, *held_out(digits))
        for name, digits in [("five digits", 5), ("six digits", 6)]
    }
# --8<-- [end:train]


# --8<-- [start:stopped]
@cached("smoothed")
def stopped(epsilon: float, seed: int, steps: int) -> dict:
    """Stop sooner, while many tokens are still wrong: five digits."""
    trainer = number_trainer(seed)
    trainer.loss = lambda model, batch: next_token_loss(model, *batch, epsilon)
    for _ in progress(steps, f"{epsilon=}, {seed=}"):
        trainer.step()
    return confidence(trainer.model, *held_out(5))
# --8<-- [end:stopped]


# --8<-- [start:results]
EPSILONS, SEEDS = [0.0, 0.1], range(3)
SWEPT, STOP = [0.0, 0.03, 0.1, 0.3], 120


def results() -> dict[float, list[dict]]:
    """With each epsilon and seed; trained once, then kept."""
    return {
        epsilon: train.each((epsilon, seed) for seed in SEEDS)
        for epsilon in EPSILONS
    }


def sweep() -> dict[float, list[dict]]:
    """With each epsilon and seed, stopped after STOP steps."""
    calls = [(epsilon, seed, STOP) for epsilon in SWEPT for seed in SEEDS]
    runs = iter(stopped.each(calls))
    return {epsilon: [next(runs) for _ in SEEDS] for epsilon in SWEPT}
# --8<-- [end:results]
