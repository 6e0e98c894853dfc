"""Training loss of the calls by step, for three learning rates of LoRA."""

from snippets.figures import style
from snippets.llm.tuned_smollm import STEPS, results

RATES = [("0.001", style.QUERY, ":"), ("0.003", style.VALUE, "-"), ("0.01", style.KEY, "--")]

TEXT = {
    "ko": {"x": "스텝", "y": "답 토큰의 손실(nat)", "rate": "학습률 {}"},
    "en": {"x": "step", "y": "loss of a token of the answers, nats", "rate": "learning rate {}"},
}


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.7))
    for rate, colour, dashes in RATES:
        for i, run in enumerate(results()[rate]):
            first = text["rate"].format(rate) if rate == RATES[0][0] else rate
            label = first if i == 0 else None
            ax.plot(range(1, STEPS + 1), run["losses"], dashes, color=colour, lw=1.2, label=label)
    ax.set(xlabel=text["x"], xlim=(1, STEPS), ylim=(0, None), xticks=[1, 5, 10, 15, 20])
    ax.set_title(text["y"])
    places = [(9.3, 1.95), (6.5, 1.05), (2.8, 1.1)]
    for label, at, ha in zip(ax.get_legend_handles_labels()[1], places, ["left", "left", "right"], strict=True):
        style.name_line(ax, label, at, ha=ha)
    return figure
