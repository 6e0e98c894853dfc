"""Loss of post-LN and pre-LN during training, with and without warm-up, three seeds each."""

from snippets.figures import style
from snippets.norm_experiment import results

TEXT = {
    "ko": {
        False: "낱말 하나의 손실, 워밍업 없이",
        True: "낱말 하나의 손실, 워밍업 {}걸음",
        "x": "걸음",
    },
    "en": {
        False: "loss for each word, without warm-up",
        True: "loss for each word, with {} steps of warm-up",
        "x": "step",
    },
}


def draw(text, runs=None):
    """runs: as ``results`` returns them."""
    runs = runs or results()
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 4.8), sharex=True)
    for ax, warmup_steps in zip(axes, sorted({warmup_steps for _, warmup_steps in runs}), strict=True):
        for name, colour, marker in style.ORDERS:
            steps, losses = style.means([run["losses"] for run in runs[name == "pre-LN", warmup_steps]], 5)
            ax.fill_between(steps, losses.amin(dim=0), losses.amax(dim=0), color=colour, alpha=0.15, lw=0)
            ax.plot(steps, losses.T, color=colour, lw=0.6, alpha=0.7)
            mean = losses.mean(dim=0)
            ax.plot(steps, mean, marker + "-", color=colour, lw=1.6, ms=3, markevery=4, label=name)
        ax.set_title(text[bool(warmup_steps)].format(warmup_steps))
        ax.set_ylim(0, 5)
        ax.grid(axis="y")
    axes[0].legend(loc="upper right")
    axes[1].set_xlabel(text["x"])
    return figure
