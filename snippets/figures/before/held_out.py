"""Bits per character of n-gram models against n, on the lines they counted in and on lines held out."""

import functools

from snippets.before.kneser_ney import KneserNeyModel
from snippets.before.language_models import (
    END,
    InterpolatedModel,
    NGramModel,
    bits,
    cross_entropy,
    split,
)
from snippets.before.two_constitutions import constitution
from snippets.figures import style
from snippets.figures.labels import language_of

ORDERS = range(1, 7)
MODELS = {
    "one": lambda lines, n, vocab: NGramModel(lines, n, vocab, alpha=1),
    "hundredth": lambda lines, n, vocab: NGramModel(lines, n, vocab, alpha=0.01),
    "interpolated": lambda lines, n, vocab: InterpolatedModel(lines, n, vocab, kappa=10),
    "kneser_ney": lambda lines, n, vocab: KneserNeyModel(lines, n, vocab, discount=0.7),
}

TEXT = {
    "ko": {
        "one": "α = 1을 더함",
        "hundredth": "α = 0.01을 더함",
        "interpolated": "보간",
        "kneser_ney": "크네저–나이",
        "train": ["보간,", "학습 셋"],
        "x": "n",
        "y": "글자당 비트, 테스트 셋",
    },
    "en": {
        "one": "add α = 1",
        "hundredth": "add α = 0.01",
        "interpolated": "interpolated",
        "kneser_ney": "Kneser–Ney",
        "train": ["interpolated,", "training set"],
        "x": "n",
        "y": "bits per character, test set",
    },
}


@functools.cache
def measure(language):
    """By smoothing, the bits on the test lines for each n; "train": those of the interpolated ones on their own."""
    lines = [list(line) for line in constitution(language)]
    train, _, test = split(lines)
    vocab = sorted({character for line in lines for character in line}) + [END]
    result = {}
    for name, make in MODELS.items():
        models = [make(train, n, vocab) for n in ORDERS]
        result[name] = [bits(cross_entropy(model, test)) for model in models]
        if name == "interpolated":
            result["train"] = [bits(cross_entropy(model, train)) for model in models]
    return result


LOOKS = {
    "one": (style.KEY, "-o"),
    "hundredth": (style.VALUE, "-^"),
    "interpolated": (style.QUERY, "-s"),
    "kneser_ney": (style.WEIGHT, "-D"),
    "train": (style.QUERY, "--s"),
}


def draw(text):
    result = measure(language_of(text, TEXT))
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.3))
    for name, (colour, line) in LOOKS.items():
        face = "none" if name == "train" else colour
        label = "\n".join(text[name]) if name == "train" else text[name]
        ax.plot(ORDERS, result[name], line, color=colour, mfc=face, ms=4.5, label=label)
    ax.set_xticks(ORDERS)
    ax.set_yticks(range(0, 9, 2))
    ax.set_ylim(0, max(map(max, result.values())) + 0.3)
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    style.name_lines(ax)
    return figure
