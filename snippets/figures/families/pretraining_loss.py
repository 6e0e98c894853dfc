"""The loss of the Korean encoder during its pretraining, beside what frequencies alone allow."""

from snippets.families.review_bert import measured
from snippets.figures import style

TEXT = {
    "ko": {"y": "가린 토큰의 손실 (nat)", "x": "스텝", "entropy": "빈도만 알 때"},
    "en": {"y": "loss of a hidden token (nats)", "x": "step", "entropy": "frequencies alone"},
}
#: Steps of which a point is the mean.
MEAN = 50


def draw(text):
    kept = measured()
    losses = kept["losses"]
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.6))
    steps = range(0, len(losses), MEAN)
    ax.plot([step + MEAN / 2 for step in steps], [sum(losses[s : s + MEAN]) / MEAN for s in steps], color=style.WEIGHT)
    ax.axhline(kept["entropy"], color=style.FAINT, lw=1, ls=":")
    place = {"textcoords": "offset points", "ha": "right", "size": style.SMALL}
    ax.annotate(text["entropy"], (len(losses), kept["entropy"]), (0, 4), **place)
    ax.set_xlim(0, len(losses))
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    return figure
