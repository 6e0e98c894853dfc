"""Loss after training the date translator against the learning rate, for three optimizers."""

from snippets.figures import style
from snippets.training.sgd import results

TEXT = {
    "ko": {
        "SGD": "SGD",
        "momentum": "SGD, 모멘텀 0.9",
        "Adam": "Adam",
        "x": "학습률 (일정함)",
        "y": "마지막 열 스텝의 손실",
    },
    "en": {
        "SGD": "SGD",
        "momentum": "SGD, momentum 0.9",
        "Adam": "Adam",
        "x": "learning rate (constant)",
        "y": "loss of the last ten steps",
    },
}


def losses():
    """By optimizer: {rate: one loss for each seed}, nan where a run has diverged."""
    found = {}
    for name, by_rate in results().items():
        found[name] = {rate: [sum(run["losses"][-10:]) / 10 for run in runs] for rate, runs in by_rate.items()}
    return found


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.1))
    for (name, by_rate), colour, marker in zip(
        losses().items(), (style.KEY, style.VALUE, style.QUERY), ("o", "D", "s"), strict=True
    ):
        rates = list(by_rate)
        low, high = ([pick(runs) for runs in by_rate.values()] for pick in (min, max))
        mean = [sum(runs) / len(runs) for runs in by_rate.values()]
        ax.fill_between(rates, low, high, color=colour, alpha=0.25, lw=0)
        ax.plot(rates, mean, marker + "-", color=colour, ms=4, label=text[name])
        if name == "SGD":  # below its lowest point; the others at their first
            style.name_line(ax, text[name], (rates[mean.index(min(mean))], min(mean)), (-3, -style.LINE), ha="right")
        else:
            style.name_line(ax, text[name], (rates[0], mean[0]), (-3, 6), ha="left")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks([1e-3, 1e-2, 0.1, 1], ["0.001", "0.01", "0.1", "1"])
    ax.set_yticks([0.01, 0.1, 1], ["0.01", "0.1", "1"])
    ax.minorticks_off()
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    return figure
