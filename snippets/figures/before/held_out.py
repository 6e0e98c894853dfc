"""Bits per character of n-gram models against n, on the lines they counted in and on lines held out."""

import functools

from snippets.before.corpus import constitution
from snippets.before.language_models import (
    END,
    InterpolatedModel,
    NGramModel,
    bits,
    cross_entropy,
    split,
)
from snippets.figures import style

ORDERS = range(1, 7)
MODELS = {
    "one": lambda lines, n, vocab: NGramModel(lines, n, vocab, alpha=1),
    "hundredth": lambda lines, n, vocab: NGramModel(lines, n, vocab, alpha=0.01),
    "interpolated": lambda lines, n, vocab: InterpolatedModel(lines, n, vocab, kappa=10),
}

TEXT = {
    "ko": {
        "test": {
            "one": "α = 1을 더함, 테스트",
            "hundredth": "α = 0.01을 더함, 테스트",
            "interpolated": "보간, 테스트",
        },
        "train": {
            "one": "α = 1을 더함, 학습",
            "hundredth": "α = 0.01을 더함, 학습",
            "interpolated": "보간, 학습",
        },
        "uniform": "고른 분포: {:.2f}비트",
        "x": "n",
        "y": "글자당 비트",
    },
    "en": {
        "test": {
            "one": "add α = 1, test",
            "hundredth": "add α = 0.01, test",
            "interpolated": "interpolated, test",
        },
        "train": {
            "one": "add α = 1, training",
            "hundredth": "add α = 0.01, training",
            "interpolated": "interpolated, training",
        },
        "uniform": "uniform: {:.2f} bits",
        "x": "n",
        "y": "bits per character",
    },
}


@functools.cache
def measure():
    """The bits of a uniform model; by smoothing, those on test and training lines for each n."""
    lines = [list(line) for line in constitution()]
    train, _, test = split(lines)
    vocab = sorted({character for line in lines for character in line}) + [END]
    result = {}
    for name, make in MODELS.items():
        models = [make(train, n, vocab) for n in ORDERS]
        result[name] = [[bits(cross_entropy(model, part)) for model in models] for part in (test, train)]
    return bits(cross_entropy(NGramModel([], 1, vocab, alpha=1), test)), result


def draw(text):
    uniform, result = measure()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 4.0))
    ax.axhline(uniform, color=style.FAINT, lw=1)
    where = {"textcoords": "offset points", "size": style.SMALL}
    ax.annotate(text["uniform"].format(uniform), (ORDERS[-1], uniform), (0, 4), ha="right", **where)
    looks = {"one": (style.KEY, "o"), "hundredth": (style.VALUE, "^"), "interpolated": (style.QUERY, "s")}
    for i, (part, line) in enumerate([("test", "-"), ("train", "--")]):  # a column of the legend each
        for name, (colour, marker) in looks.items():
            face, label = ("none" if i else colour), text[part][name]
            ax.plot(ORDERS, result[name][i], line + marker, color=colour, mfc=face, ms=4.5, label=label)
    ax.set_ylim(0, uniform + 3.2)
    ax.set_xticks(ORDERS)
    ax.set_yticks(range(0, 9, 2))
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.legend(loc="upper left", ncols=2, columnspacing=1.2, handlelength=2.2)
    return figure
