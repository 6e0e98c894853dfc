"""Digits of the test set that every ViT misreads after a hundred digits, and what a ViT and a CNN say they are."""

from snippets.families.vision_training import by_seed, test_set
from snippets.figures import style

SHOWN = 5

TEXT = {
    "ko": {"digit": "정답", "ViT": "ViT의 답", "CNN": "CNN의 답"},
    "en": {"digit": "the digit is", "ViT": "the ViT says", "CNN": "the CNN says"},
}


def misread():
    """Images (SHOWN, 8, 8) that the ViT gets wrong with each seed: what they are, and what both answer for seed 0."""
    test = test_set()
    vit, cnn = (by_seed(f"{name}, 100", "predictions") for name in ("class token", "CNN"))
    chosen = (vit != test.labels).all(dim=0).nonzero()[:SHOWN, 0]
    answers = {"digit": test.labels[chosen], "ViT": vit[0, chosen], "CNN": cnn[0, chosen]}
    return test.images[chosen, 0], {name: numbers.tolist() for name, numbers in answers.items()}


def draw(text):
    images, answers = misread()
    side, gap, left, line = 52, 14, 6, 17
    figure, ax = style.canvas(side + 3 * (2 * line) + 10)
    form = {"colour": style.INK, "size": (side / 8, side / 8), "deepest": 0.9, "show": lambda value: ""}
    for column, image in enumerate((images + 1) / 2):
        style.cells(ax, image, left + column * (side + gap), 4, depth=image, **form)
    y = side + 4
    for name, colour in (("digit", style.INK), ("ViT", style.QUERY), ("CNN", style.VALUE)):
        y += line
        ax.text(left, y, text[name], color=colour, size=style.SMALL)
        y += line - 2
        for column, answer in enumerate(answers[name]):
            x = left + column * (side + gap) + side / 2
            ax.text(x, y, str(answer), color=colour, weight="bold", ha="center")
    return figure
