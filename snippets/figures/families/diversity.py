"""How often samples repeat themselves, and how much of them the training text has, against the temperature."""

import functools

import torch

from snippets.families import constitution_gpt
from snippets.families.diversity import TEMPERATURES, by_temperature, distinct, known
from snippets.figures import style
from snippets.figures.labels import language_of

PROMPTS = {"ko": "모든 국민은 ", "en": "The "}

TEXT = {
    "ko": {
        "distinct": ["서로 다른", "3-gram"],
        "known": ["학습한 글에", "있는 5-gram"],
        "people": "검증 셋",
        "x": "온도",
        "y": "비율",
    },
    "en": {
        "distinct": ["distinct", "3-grams"],
        "known": ["5-grams of the", "training text"],
        "people": "validation lines",
        "x": "temperature",
        "y": "share",
    },
}


@functools.cache
def measure(language):
    own = constitution_gpt.text_of(language)
    cut = [line[:60] for line in own.validation]  # as long as the samples
    by_people = {"distinct": distinct(cut, 3), "known": known(cut, 5, own.train)}
    return by_temperature(constitution_gpt.trained(language), own, PROMPTS[language]), by_people


def draw(text):
    language = language_of(text, TEXT)
    rows, by_people = measure(language)
    close = abs(by_people["distinct"] - by_people["known"]) < 0.15
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    for name, colour, marker in [("distinct", style.QUERY, "o"), ("known", style.KEY, "s-")]:  # s- is dashed
        groups = torch.tensor([row[name] for row in rows]).T
        style.spread(ax, TEMPERATURES, groups, colour, marker, "\n".join(text[name]))
        ax.axhline(by_people[name], color=colour, ls=":", lw=1.1)
        form = {"textcoords": "offset points", "size": style.SMALL}
        if not close:
            at = TEMPERATURES[-1], by_people[name]
            ax.annotate(text["people"], at, (0, -style.LINE), ha="right", color=colour, **form)
        elif name == "distinct":  # one label between the two lines
            at = TEMPERATURES[0], sum(by_people.values()) / 2
            ax.annotate(text["people"], at, (-8, 0), va="center_baseline", **form)
    style.share_axes(ax, TEMPERATURES, text["x"], text["y"])
    style.name_lines(ax)
    return figure
