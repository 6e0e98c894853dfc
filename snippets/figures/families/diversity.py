"""How often samples repeat themselves, and how much of them the training text has, against the temperature."""

from snippets.families.constitution_gpt import trained
from snippets.families.diversity import TEMPERATURES, by_temperature
from snippets.figures import style

TEXT = {
    "ko": {"distinct": "서로 다른 3-gram", "known": "학습한 글에 있는 5-gram", "x": "온도", "y": "비율"},
    "en": {"distinct": "distinct 3-grams", "known": "5-grams of the training text", "x": "temperature", "y": "share"},
}


def draw(text):
    rows = by_temperature(trained())
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    for name, colour, line in [("distinct", style.QUERY, "o-"), ("known", style.KEY, "s--")]:
        ax.plot(TEMPERATURES, [row[name] for row in rows], line, color=colour, ms=4, label=text[name])
    style.share_axes(ax, TEMPERATURES, text["x"], text["y"])
    ax.legend(loc="lower left")
    return figure
