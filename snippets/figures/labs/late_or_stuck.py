"""Post-LN without a warm-up for 600 steps: the loss of each seed, and the gradient of its first encoder layer."""

from snippets.figures import style
from snippets.labs.post_pre_ln import longer

TEXT = {
    "ko": {
        "seed": "시드 {}",
        "loss": "토큰당 손실",
        "gradient": "인코더 첫 층의 기울기의 노름",
        "x": "스텝",
    },
    "en": {
        "seed": "seed {}",
        "loss": "loss per token",
        "gradient": "norm of the gradient, first encoder layer",
        "x": "step",
    },
}
LOOKS = [(style.QUERY, "o-"), (style.KEY, "s-"), (style.VALUE, "^-")]


def draw(text, runs=None):
    """runs: as ``longer`` returns them, one a seed."""
    runs = runs or longer()
    figure, (loss, gradient) = style.plt.subplots(2, 1, figsize=(style.WIDTH, 4.8), sharex=True)
    for seed, run in enumerate(runs):
        colour, line = LOOKS[seed % len(LOOKS)]
        look = {"color": colour, "lw": 1.3, "ms": 3, "label": text["seed"].format(seed)}
        for ax, values in ((loss, run["losses"]), (gradient, run["gradients"]["first layer"])):
            ax.plot(*style.means(values, 20), line, markevery=(2 * seed, 8), **look)
    loss.set_title(text["loss"])
    loss.set_ylim(0, 5)
    loss.grid(axis="y")
    gradient.set_title(text["gradient"])
    gradient.grid(axis="y")
    style.log_axes(gradient, y=[0.0001, 0.001, 0.01, 0.1, 1])
    gradient.set_xlabel(text["x"])
    style.name_lines(loss, gradient)
    return figure
