"""The learning rate of the 2017 paper against the step, for two dimensions and two warm-ups."""

from snippets.figures import style
from snippets.training.warm_up import learning_rate

LAST = 20_000

TEXT = {
    "ko": {
        "line": "d_model = {}, 워밍업 {:,}",
        "x": "스텝",
        "y": "학습률",
    },
    "en": {
        "line": "d_model = {}, warm-up {:,}",
        "x": "step",
        "y": "learning rate",
    },
}


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 2.9))
    steps = range(1, LAST + 1, 50)
    for d_model, warmup, colour, line in [
        (512, 4000, style.QUERY, "-"),
        (512, 8000, style.KEY, "--"),
        (1024, 4000, style.VALUE, "-."),
    ]:
        rates = [learning_rate(step, d_model, warmup) for step in steps]
        label = text["line"].format(d_model, warmup)
        ax.plot(steps, rates, line, color=colour, label=label)
        if d_model == 512:  # at its peak
            style.name_line(ax, label, (steps[rates.index(max(rates))], max(rates)), (style.GAP, 2), ha="left")
        else:
            style.name_line(ax, label, (LAST, rates[-1]), (0, -1.4 * style.LINE), ha="right")
    ax.set_xticks(range(0, LAST + 1, 4000), [f"{step:,}" for step in range(0, LAST + 1, 4000)])
    ax.set_yticks([0, 2e-4, 4e-4, 6e-4, 8e-4], ["0", "0.0002", "0.0004", "0.0006", "0.0008"])
    ax.set_ylim(0, 8.2e-4)
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    return figure
