"""What comes after three contexts in the constitution: the shares of the most frequent words."""

from snippets.before.corpus import constitution
from snippets.before.language_models import followers
from snippets.figures import style

SHOWS_KOREAN = True  # in English, each word with its meaning
CONTEXTS = [("모든", "국민은"), ("법률이",), ("법률이", "정하는")]
SHOWN = 4

TEXT = {
    "ko": {
        "contexts": ["“모든 국민은” 다음, {}번", "“법률이” 다음, {}번", "“법률이 정하는” 다음, {}번"],
        "words": {
            "법률이": "법률이",
            "인간으로서의": "인간으로서의",
            "법": "법",
            "신체의": "신체의",
            "정하는": "정하는",
            "정한": "정한",
            "확정된": "확정된",
            "헌법에": "헌법에",
            "바에": "바에",
            "경우를": "경우를",
            "자에게는": "자에게는",
            "불기소처분을": "불기소처분을",
        },
        "others": "나머지 {}가지",
        "x": "비율",
    },
    "en": {
        "contexts": ["after “모든 국민은”, {} times", "after “법률이”, {} times", "after “법률이 정하는”, {} times"],
        "words": {
            "법률이": "법률이 (law)",
            "인간으로서의": "인간으로서의 (as human beings)",
            "법": "법 (the law)",
            "신체의": "신체의 (of the body)",
            "정하는": "정하는 (that determines)",
            "정한": "정한 (that determined)",
            "확정된": "확정된 (enacted)",
            "헌법에": "헌법에 (in the constitution)",
            "바에": "바에 (as)",
            "경우를": "경우를 (case)",
            "자에게는": "자에게는 (to a person)",
            "불기소처분을": "불기소처분을 (non-indictment)",
        },
        "others": "{} others",
        "x": "share",
    },
}


def shares(before):
    """Number of times, the most frequent words with their shares, and how many other words with what share."""
    counts = followers([line.split() for line in constitution()], *before)
    total, most = counts.total(), counts.most_common(SHOWN)
    rest = total - sum(count for _, count in most)
    return total, [(word, count / total) for word, count in most], (len(counts) - len(most), rest / total)


def draw(text):
    figure, axes = style.plt.subplots(len(CONTEXTS), 1, figsize=(style.WIDTH, 4.9), sharex=True)
    for ax, before, title in zip(axes, CONTEXTS, text["contexts"], strict=True):
        total, most, (others, rest) = shares(before)
        names = [text["words"][word] for word, _ in most]
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
        ax.set_title(title.format(total))
    axes[-1].set_xlabel(text["x"])
    return figure
