"""Gradient of the first and of the last layer during training, post-LN against pre-LN."""

from snippets.figures import style
from snippets.labs.post_pre_ln import results

TEXT = {
    "ko": {
        False: "기울기의 노름, 워밍업 없이",
        True: "기울기의 노름, 워밍업 {}스텝",
        "post-LN": {"first layer": "post-LN, 인코더 첫 층", "last layer": "post-LN, 디코더 마지막 층"},
        "pre-LN": {"first layer": "pre-LN, 인코더 첫 층", "last layer": "pre-LN, 디코더 마지막 층"},
        "x": "스텝",
    },
    "en": {
        False: "norm of the gradient, without warm-up",
        True: "norm of the gradient, with {} steps of warm-up",
        "post-LN": {"first layer": "post-LN, first of encoder", "last layer": "post-LN, last of decoder"},
        "pre-LN": {"first layer": "pre-LN, first of encoder", "last layer": "pre-LN, last of decoder"},
        "x": "step",
    },
}


def draw(text, runs=None):
    """runs: as ``results`` returns them."""
    figure, panels = style.warm_up_panels(runs or results(), text, height=5.2)
    for ax, orders in panels:
        for seeds, name, colour, marker in orders:
            steps, first = style.means([one["gradients"]["first layer"] for one in seeds], 10)
            _, last = style.means([one["gradients"]["last layer"] for one in seeds], 10)
            for number, seed in enumerate(first):
                label = text[name]["first layer"] if number == 0 else None
                ax.plot(steps, seed, marker + "-", color=colour, lw=1, ms=3, markevery=(number, 5), label=label)
            middle = last.median(dim=0).values
            ax.plot(steps, middle, ":", color=colour, lw=1.6, label=text[name]["last layer"])
        style.log_axes(ax, y=[0.0001, 0.001, 0.01, 0.1, 1, 10])
    panels[1][0].legend(loc="lower right")
    return figure
