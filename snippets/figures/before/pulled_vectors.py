"""Vectors in a plane that negative sampling moves: one step of one word, and four steps of two."""

import torch

from snippets.before.word_vectors import SkipGram, negative_sampling_loss
from snippets.figures import style

NEIGHBOR, DRAWN = [0.6, 0.8], [0.8, -0.6]  # those of the worked example
STARTS = [[1.0, 0.0], [-0.8, 0.3]]
STEPS = 4

TEXT = {
    "ko": {
        "one": "한 단어, 한 스텝",
        "two": "이웃이 같은 두 단어, 네 스텝",
        "before": "v",
        "after": "v, 한 스텝 뒤",
        "neighbor": "u (이웃)",
        "drawn": "w (무작위)",
        "a": "단어 A",
        "b": "단어 B",
    },
    "en": {
        "one": "one word, one step",
        "two": "two words with the same neighbor",
        "before": "v",
        "after": "v, a step later",
        "neighbor": "u (neighbor)",
        "drawn": "w (random)",
        "a": "word A",
        "b": "word B",
    },
}


def path(start, steps):
    """Where the vector of a center word is before and after each step of size 1: (steps + 1, 2)."""
    model = SkipGram(1, 2)
    model.context = torch.nn.Embedding.from_pretrained(torch.tensor([NEIGHBOR, DRAWN], dtype=torch.float64))
    weight = model.center.weight
    with torch.no_grad():
        weight[0] = torch.tensor(start)
    found = [weight[0].tolist()]
    for _ in range(steps):
        (slope,) = torch.autograd.grad(
            negative_sampling_loss(model, torch.tensor([[0, 0]]), torch.tensor([[1]])), weight
        )
        with torch.no_grad():
            weight -= slope
        found.append(weight[0].tolist())
    return found


def arrow(ax, end, colour, start=(0, 0), **form):
    ax.annotate(
        "", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.6, "shrinkA": 0, "shrinkB": 0, **form}
    )


def draw(text):
    figure, axes = style.plt.subplots(1, 2, figsize=(style.WIDTH, 2.5))
    for ax, name, limits in zip(axes, ("one", "two"), ((-0.35, 1.45), (-1.35, 1.55)), strict=True):
        ax.set(title=text[name], aspect="equal", xlim=limits, xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        arrow(ax, NEIGHBOR, style.KEY)
        arrow(ax, DRAWN, style.FAINT)
    one, two = axes
    one.set_ylim(-0.85, 1.1)
    two.set_ylim(-0.8, 2.2)
    before, after = path(STARTS[0], 1)
    arrow(one, before, style.INK)
    arrow(one, after, style.OUTPUT)
    arrow(one, after, style.OUTPUT, before, linestyle=":", lw=1.2)
    one.text(before[0] + 0.04, before[1] - 0.03, text["before"], color=style.INK)
    one.text(after[0] + 0.05, after[1] - 0.02, text["after"], color=style.OUTPUT)
    one.text(NEIGHBOR[0] - 0.1, NEIGHBOR[1] + 0.08, text["neighbor"], color=style.KEY, ha="center")
    one.text(DRAWN[0], DRAWN[1] - 0.14, text["drawn"], color=style.FAINT, ha="center")
    for start, colour, marker, name in zip(STARTS, (style.OUTPUT, style.QUERY), "os", ("a", "b"), strict=True):
        points = path(start, STEPS)
        x, y = zip(*points, strict=True)
        two.plot(x, y, marker, markersize=2.5, color=colour)
        arrow(two, points[0], colour, linestyle=":", lw=1.2)
        arrow(two, points[-1], colour)
        two.text(x[0], y[0] - 0.28, text[name], color=colour, ha="center")
    return figure
