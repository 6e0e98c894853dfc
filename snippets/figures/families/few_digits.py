"""Accuracy on the test set by the number of digits to learn from, a point for each seed."""

from snippets.families.vision_training import by_seed
from snippets.figures import style

SIZES = [100, 400, 1437]
MODELS = [("CNN", style.VALUE, "^"), ("class token", style.QUERY, "o")]

TEXT = {
    "ko": {"CNN": "CNN", "class token": "ViT", "x": "학습 이미지", "y": "테스트 셋의 정확도(%)"},
    "en": {"CNN": "CNN", "class token": "ViT", "x": "digits to train on", "y": "accuracy on the test set (%)"},
}


def accuracies(name):
    """(seeds, sizes), in percent."""
    runs = [name if size == SIZES[-1] else f"{name}, {size}" for size in SIZES]
    return 100 * style.torch.stack([by_seed(run, "accuracies")[:, -1] for run in runs], dim=1)


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    for (name, colour, marker), move in zip(MODELS, [(0, 7), (9, -8)], strict=True):  # above its line, and below
        found = accuracies(name)
        style.spread(ax, SIZES, found, colour, marker, text[name])
        style.name_line(ax, text[name], (SIZES[0], found[:, 0].mean()), move, ha="left")
    style.log_axes(ax, x=SIZES)
    ax.set_ylim(65, 101)
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    return figure
