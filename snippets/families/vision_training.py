"""A small Vision Transformer on handwritten digits, and its baselines."""

# --8<-- [start:imports]
import functools
import time
from collections.abc import Callable
from dataclasses import replace

import torch
import torch.nn.functional as F
from torch import Generator, Tensor, nn

from snippets.attention.multi_head import MultiHeadAttention
from snippets.families.digit_images import Digits, digits, shifted
from snippets.families.vision_transformer import (
    VIT_BASE,
    VisionTransformer,
    ViTClassifier,
    shuffle_patches,
)
from snippets.tools.in_parallel import in_parallel
from snippets.tools.kept import kept
from snippets.tools.tracing import outputs
from snippets.training.decoding import inference
from snippets.training.trainer import Trainer
# --8<-- [end:imports]


# --8<-- [start:models]
PATCH = 2  # pixels: 4 x 4 patches of 2 x 2
SMALL = replace(
    VIT_BASE, num_layers=2, d_model=64, num_heads=4, d_ff=128, eps=1e-5
)


def small_vit(positions: str = "learned", pool: str = "class") -> ViTClassifier:
    """Two layers of 64 dimensions: 69,194 parameters with learned positions."""
    config = replace(SMALL, positions=positions)
    vit = VisionTransformer(config, (8, 8), PATCH, channels=1)
    return ViTClassifier(vit, 10, pool)


def small_cnn() -> nn.Module:
    """Three convolutions, and the mean of what they find: 56,730 parameters."""
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(32, 48, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),  # 8 x 8 -> 4 x 4
        nn.Conv2d(48, 96, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(96, 10),
    )


MODELS: dict[str, Callable[..., nn.Module]] = {
    "class token": small_vit,
    "mean pooling": functools.partial(small_vit, pool="mean"),
    "no positions": functools.partial(small_vit, positions="none"),
    "CNN": small_cnn,
}
# --8<-- [end:models]


# --8<-- [start:recipe]
STEPS, BATCH, PEAK = 1000, 64, 3e-3
ORDER = torch.randperm(16, generator=Generator().manual_seed(1))


def schedule(step: int) -> float:
    """Up in a line over 50 steps, and down to 0 over the last 60 %."""
    return PEAK * min(step / 50, 1.0, (STEPS + 1 - step) / (0.6 * STEPS))


def draw_batch(data: Digits, shuffled: bool, generator: Generator) -> Digits:
    """Random digits, about two in five of them moved by a pixel."""
    chosen = torch.randint(len(data.labels), (BATCH,), generator=generator)
    images = data.images[chosen]
    # 0 to 3: moved by one pixel, one direction each; 4 to 9: not moved
    moves = torch.randint(10, (BATCH, 1, 1, 1), generator=generator)
    for number, move in enumerate([(-1, 0), (1, 0), (0, -1), (0, 1)]):
        images = torch.where(moves == number, shifted(images, *move), images)
    if shuffled:
        images = shuffle_patches(images, ORDER, PATCH)
    return Digits(images, data.labels[chosen])


def classification_loss(model: nn.Module, batch: Digits) -> Tensor:
    """Cross-entropy of the logits."""
    return F.cross_entropy(model(batch.images), batch.labels)
# --8<-- [end:recipe]


# --8<-- [start:predict]
def predict(model: nn.Module, images: Tensor) -> Tensor:
    """The most probable class of each image, (batch,)."""
    with inference(model):
        return model(images).argmax(dim=-1)


def accuracy(predictions: Tensor, labels: Tensor) -> float:
    """The share of images whose class is right."""
    return (predictions == labels).double().mean().item()
# --8<-- [end:predict]


# --8<-- [start:train]
EVALUATE = 50  # steps from one evaluation to the next


def new_trainer(name: str, shuffled: bool, seed: int, data: Digits) -> Trainer:
    """A model before its first step."""
    torch.manual_seed(seed)
    batches = functools.partial(draw_batch, data, shuffled)
    return Trainer(MODELS[name](), classification_loss, batches, schedule, seed)


def train(
    name: str, shuffled: bool, most: int, seed: int
) -> tuple[dict[str, Tensor], dict]:
    """One run on at most so many digits: its weights, and what it showed.

    accuracies: on the test set, every EVALUATE steps.
    """
    data, test = digits()
    data = Digits(data.images[:most], data.labels[:most])
    if shuffled:
        test = test._replace(images=shuffle_patches(test.images, ORDER, PATCH))
    trainer = new_trainer(name, shuffled, seed, data)
    accuracies = []
    start = time.process_time()
    while len(trainer.losses) < STEPS:
        trainer.run(len(trainer.losses) + EVALUATE)
        predictions = predict(trainer.model, test.images)
        accuracies.append(accuracy(predictions, test.labels))
    shown = {
        "losses": torch.tensor(trainer.losses),
        "accuracies": torch.tensor(accuracies),
        "predictions": predictions.byte(),
        "seconds": torch.tensor(time.process_time() - start),
    }
    return trainer.model.state_dict(), shown
# --8<-- [end:train]


# --8<-- [start:results]
SEEDS = range(3)
ALL = 1437
RUNS = {  # model, whether all patches are shuffled, digits to train on
    "class token": ("class token", False, ALL),
    "mean pooling": ("mean pooling", False, ALL),
    "no positions": ("no positions", False, ALL),
    "CNN": ("CNN", False, ALL),
    "class token, shuffled": ("class token", True, ALL),
    "CNN, shuffled": ("CNN", True, ALL),
    "class token, 100": ("class token", False, 100),
    "class token, 400": ("class token", False, 400),
    "CNN, 100": ("CNN", False, 100),
    "CNN, 400": ("CNN", False, 400),
}
WEIGHTS = [("class token", seed) for seed in SEEDS] + [("no positions", 0)]


def train_all() -> tuple[dict[str, Tensor], dict]:
    """All of RUNS with all SEEDS, and some of the weights, in float16."""
    calls = [(*run, seed) for run in RUNS.values() for seed in SEEDS]
    names = [(name, seed) for name in RUNS for seed in SEEDS]
    done = dict(zip(names, in_parallel(train, calls), strict=True))
    tensors = {
        f"{name}/{seed}/{what}": x
        for (name, seed), (_, shown) in done.items()
        for what, x in shown.items()
    }
    for name, seed in WEIGHTS:
        for parameter, x in done[name, seed][0].items():
            tensors[f"{name}/{seed}/weights/{parameter}"] = x.half()
    _, test = digits()
    tensors["images"] = test.images.half()  # exact: eighths
    tensors["labels"] = test.labels
    losses = {
        f"{name}/{seed}": shown["losses"][:10].tolist()
        for (name, seed), (_, shown) in done.items()
    }
    return tensors, losses


def results() -> dict[str, Tensor]:
    """What train_all has found, from a file if the same code has done it before."""
    return kept("vision_transformer", "families/vision_training", train_all)[0]


def by_seed(name: str, what: str) -> Tensor:
    """One of RUNS: its losses, accuracies or predictions, (seeds, ...)."""
    found = results()
    return torch.stack([found[f"{name}/{seed}/{what}"] for seed in SEEDS])


def test_set() -> Digits:
    """The digits to test on, without scikit-learn."""
    found = results()
    return Digits(found["images"].float(), found["labels"])


def trained(name: str = "class token", seed: int = 0) -> ViTClassifier:
    """A trained model of WEIGHTS, rounded to float16."""
    found, model = results(), MODELS[name]()
    start = f"{name}/{seed}/weights/"
    model.load_state_dict({k: found[start + k] for k in model.state_dict()})
    return model.eval()
# --8<-- [end:results]


# --8<-- [start:attention]
def attention_maps(model: ViTClassifier, images: Tensor) -> Tensor:
    """Weights of each layer: (layers, batch, heads, 1 + n, 1 + n)."""
    seen = outputs(model, images)
    kinds = {name: model.get_submodule(name) for name, _ in seen}
    weights = [x[1] for k, x in seen if isinstance(kinds[k], MultiHeadAttention)]
    return torch.stack(weights)
# --8<-- [end:attention]


# --8<-- [start:position_similarity]
def position_similarity(model: ViTClassifier) -> Tensor:
    """Cosine of each two patches' position embeddings, (n, n)."""
    table = F.normalize(model.vit.positions.table[1:].detach(), dim=-1)
    return table @ table.T
# --8<-- [end:position_similarity]
