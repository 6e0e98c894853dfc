"""The date translator, trained on targets that were not shifted."""

# --8<-- [start:imports]
from torch import Tensor, nn

from snippets.before import dates
from snippets.before.vocabulary import PAD
from snippets.tools.cached import cached, progress
from snippets.training.decoding import greedy
from snippets.training.loss import smoothed_cross_entropy
from snippets.training.translator import DATE_VOCAB, date_trainer
# --8<-- [end:imports]


# --8<-- [start:unshifted]
def unshifted_loss(model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
    """The target goes in, and the same target is asked for."""
    src, tgt = batch
    logits = model(src, tgt)
    return smoothed_cross_entropy(logits, tgt, epsilon=0.0, ignore_index=PAD)


@cached("unshifted")
def train(steps: int, seed: int) -> dict:
    """The losses, and the first tokens that the model then generates for a date."""
    trainer = date_trainer(seed)
    trainer.loss = unshifted_loss
    for _ in progress(steps, f"{seed=}"):
        trainer.step()
    src, _ = dates.batch(dates.HELD_OUT[:1], DATE_VOCAB)
    (ids,) = greedy(trainer.model.eval(), src, 4).tolist()
    said = [DATE_VOCAB.tokens[i] for i in ids]
    return {"losses": trainer.losses, "said": " ".join(said)}


def results() -> list[dict]:
    """100 steps with three seeds; trained once, then kept."""
    return train.each((100, seed) for seed in range(3))
# --8<-- [end:unshifted]
