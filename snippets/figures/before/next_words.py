"""What comes after three contexts in a constitution: the shares of the most frequent words."""

from snippets.before.language_models import followers
from snippets.before.two_constitutions import constitution
from snippets.figures import style
from snippets.figures.labels import language_of

SHOWN = 4

TEXT = {
    "ko": {
        "times": "{}번",
        "others": "나머지 {}가지",
        "x": "비율",
    },
    "en": {
        "times": "{} times",
        "others": "others: {}",
        "x": "share",
    },
}
#: What came before the words that are counted, in the text of each language.
CONTEXTS = {
    "ko": [("모든", "국민은"), ("법률이",), ("법률이", "정하는")],
    "en": [("shall", "be"), ("Congress",), ("Congress", "shall")],
}


def shares(language, before):
    """Number of times, the most frequent words with their shares, and how many other words with what share."""
    counts = followers([line.split() for line in constitution(language)], *before)
    total, most = counts.total(), counts.most_common(SHOWN)
    rest = total - sum(count for _, count in most)
    return total, [(word, count / total) for word, count in most], (len(counts) - len(most), rest / total)


def draw(text):
    language = language_of(text, TEXT)
    figure, axes = style.plt.subplots(len(CONTEXTS[language]), 1, figsize=(style.WIDTH, 4.9), sharex=True)
    for ax, before in zip(axes, CONTEXTS[language], strict=True):
        total, most, (others, rest) = shares(language, before)
        names = [word for word, _ in most]
        values = [share for _, share in most]
        if others:
            names, values = [*names, text["others"].format(others)], [*values, rest]
        colours = [style.QUERY] * len(most) + [style.FAINT] * bool(others)
        rows = range(len(names))
        ax.barh(rows, values, color=colours, height=0.66)
        for row, value in zip(rows, values, strict=True):
            ax.annotate(f"{value:.2f}", (value, row), (4, -3), textcoords="offset points", size=style.SMALL)
        ax.set_yticks(rows, names)
        ax.invert_yaxis()
        ax.tick_params(left=False)
        ax.set_xlim(0, 1)
        ax.set_title(f"“{' '.join(before)} …”")
        ax.set_title(text["times"].format(total), loc="right")
    axes[-1].set_xlabel(text["x"])
    return figure
