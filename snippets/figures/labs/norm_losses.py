"""Loss of post-LN and pre-LN during training, with and without warm-up, three seeds each."""

from snippets.figures import style
from snippets.labs.post_pre_ln import results, with_shorter_warm_up

TEXT = {
    "ko": {
        False: "토큰당 손실, 워밍업 없이",
        True: "토큰당 손실, 워밍업 {}스텝",
        "x": "스텝",
    },
    "en": {
        False: "loss per token, without warm-up",
        True: "loss per token, with {} steps of warm-up",
        "x": "step",
    },
}


def numbers():
    """For whoever touches it: by order, warm-up and seed, means of five steps, and what is right at the end."""
    found = {}
    for (norm_first, steps), seeds in sorted({**results(), **with_shorter_warm_up()}.items()):
        found.setdefault("pre-LN" if norm_first else "post-LN", {})[str(steps)] = [
            {
                "losses": rounded(one["losses"]),
                "gradients": rounded(one["gradients"]["first layer"]),
                "loss": sum(one["losses"][-10:]) / 10,
                "right": one["exact match"],
            }
            for one in seeds
        ]
    return found


def rounded(values):
    """Means of five steps, to four significant digits."""
    return [float(f"{mean:.4g}") for mean in style.means(values, 5)[1].tolist()]


def draw(text, runs=None):
    """runs: as ``results`` returns them."""
    figure, panels = style.warm_up_panels(runs or results(), text, height=4.8)
    for ax, orders in panels:
        for seeds, name, colour, marker in orders:
            steps, losses = style.means([one["losses"] for one in seeds], 10)
            ax.fill_between(steps, losses.amin(dim=0), losses.amax(dim=0), color=colour, alpha=0.15, lw=0)
            ax.plot(steps, losses.T, color=colour, lw=0.6, alpha=0.7)
            mean = losses.mean(dim=0)
            ax.plot(steps, mean, marker + "-", color=colour, lw=1.6, ms=3, markevery=4, label=name)
        ax.set_ylim(0, 5)
    style.name_lines(*(ax for ax, _ in panels))
    return figure
