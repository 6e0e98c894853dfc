"""Among how many characters a model chooses: its perplexity on the lines it has counted, as the fields of a wheel."""

import functools

from snippets.before.language_models import END, NGramModel, perplexity, split
from snippets.before.two_constitutions import constitution
from snippets.figures import style
from snippets.figures.labels import language_of

SEEN = [0, 1, 4]  # characters before the one that is predicted

TEXT = {
    "ko": {0: "앞 글자 없이", 1: "앞의 한 글자", 4: "앞의 네 글자", "fields": "{}칸"},
    "en": {0: "sees nothing", 1: "one character", 4: "four characters", "fields": "{} fields"},
}


@functools.cache
def measure(language):
    train, _, _ = split([list(line) for line in constitution(language)])
    vocab = sorted({character for line in constitution(language) for character in line}) + [END]
    return {seen: perplexity(NGramModel(train, seen + 1, vocab), train) for seen in SEEN}


def draw(text, width=style.WIDTH):
    found = measure(language_of(text, TEXT))
    figure, axes = style.plt.subplots(1, len(SEEN), figsize=(width, width / 2.6))
    for ax, (seen, sides) in zip(axes, found.items(), strict=True):
        fields = [1] * int(sides) + [sides % 1] * (sides % 1 > 0.005)  # the last one may be narrower
        faces = [style.QUERY if number == 0 else "none" for number in range(len(fields))]
        edge = {"edgecolor": style.INK, "linewidth": 0.8 if sides < 30 else 0.4}
        wedges, _ = ax.pie(fields, colors=faces, startangle=90, counterclock=False, wedgeprops=edge)
        wedges[0].set_alpha(0.6)
        ax.set_title(text[seen], loc="center")
        sides = f"{sides:.0f}" if sides > 5 else f"{sides:.1f}"
        ax.annotate(text["fields"].format(sides), (0, -1.15), ha="center", va="top", annotation_clip=False)
    return figure
