"""A Vision Transformer on digits that are turned, or cut into strips in place of squares."""

# --8<-- [start:imports]
from functools import partial

from torch import Generator, Tensor

from snippets.families.digit_images import Digits, digits
from snippets.families.vision_training import (
    SEEDS,
    STEPS,
    accuracy,
    draw_batch,
    new_trainer,
    position_similarity,
    predict,
)
from snippets.tools.cached import cached, progress
# --8<-- [end:imports]


# --8<-- [start:changes]
def turned(images: Tensor) -> Tensor:
    """By 90 degrees: what was side by side is one above the other."""
    return images.rot90(dims=(2, 3))


def as_strips(images: Tensor) -> Tensor:
    """Images whose patches of 2 x 2 pixels are strips of 1 x 4 in reading order."""
    strips = images.reshape(-1, 4, 4, 2, 2)  # 4 x 4 strips, each as 2 x 2
    return strips.permute(0, 1, 3, 2, 4).reshape(images.shape)
# --8<-- [end:changes]


# --8<-- [start:train]
CHANGES = {"turned": turned, "strips": as_strips}


def draw_changed(data: Digits, kind: str, generator: Generator) -> Digits:
    """A batch as for the other models, then changed."""
    images, labels = draw_batch(data, False, generator)
    return Digits(CHANGES[kind](images), labels)


@cached("other_cuts")
def train(kind: str, seed: int) -> dict:
    """Train the ViT with a class token on changed digits, and test it on such."""
    data, test = digits()
    trainer = new_trainer("class token", False, seed, data)
    trainer.draw_batch = partial(draw_changed, data, kind)
    for _ in progress(STEPS, f"{kind}, {seed=}"):
        trainer.step()
    predictions = predict(trainer.model, CHANGES[kind](test.images))
    return {
        "losses": trainer.losses,
        "accuracy": accuracy(predictions, test.labels),
        "similarity": position_similarity(trainer.model).tolist(),
    }


def results() -> dict[str, list[dict]]:
    """Each change with each seed; trained once, then kept."""
    return {
        kind: train.each((kind, seed) for seed in SEEDS) for kind in CHANGES
    }
# --8<-- [end:train]
