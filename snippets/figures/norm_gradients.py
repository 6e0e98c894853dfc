"""Gradient of the first and of the last layer during training, post-LN against pre-LN."""

from snippets.figures import style
from snippets.norm_experiment import results

TEXT = {
    "ko": {
        False: "워밍업 없이",
        True: "워밍업 {}걸음",
        "first layer": "인코더 첫 계층",
        "last layer": "디코더 끝 계층",
        "x": "걸음",
        "y": "기울기의 크기",
    },
    "en": {
        False: "without warm-up",
        True: "with {} steps of warm-up",
        "first layer": "first of encoder",
        "last layer": "last of decoder",
        "x": "step",
        "y": "norm of the gradient",
    },
}


def draw(text, runs=None):
    """runs: as ``results`` returns them."""
    runs = runs or results()
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 5.2), sharex=True)
    for ax, warmup_steps in zip(axes, sorted({warmup_steps for _, warmup_steps in runs}), strict=True):
        for name, colour, marker in style.ORDERS:
            norms = {}
            for part in ("first layer", "last layer"):
                values = [run["gradients"][part] for run in runs[name == "pre-LN", warmup_steps]]
                steps, norms[part] = style.means(values, 5)
            for number, seed in enumerate(norms["first layer"]):
                label = f"{name}, {text['first layer']}" if number == 0 else None
                ax.plot(steps, seed, marker + "-", color=colour, lw=1, ms=3, markevery=(2 * number, 6), label=label)
            middle = norms["last layer"].median(dim=0).values
            ax.plot(steps, middle, ":", color=colour, lw=1.6, label=f"{name}, {text['last layer']}")
        ax.set_title(text[bool(warmup_steps)].format(warmup_steps))
        style.log_axes(ax, y=[0.0001, 0.001, 0.01, 0.1, 1, 10])
        ax.grid(axis="y")
    axes[1].legend(loc="lower right")
    axes[1].set_xlabel(text["x"])
    figure.supylabel(text["y"], fontsize=9)
    return figure
