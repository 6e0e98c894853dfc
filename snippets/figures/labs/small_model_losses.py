"""Bits per character of the small language model and its variants, on what it learns from and on what is held out."""

from snippets.before.two_constitutions import constitution
from snippets.figures import style
from snippets.figures.labels import language_of
from snippets.labs.small_language_model import results

TEXT = {
    "ko": {
        "baseline": "베이스라인",
        "shorter": "스텝을 4분의 1로",
        "short": "문맥을 여덟 글자로",
        "train": "학습 데이터, 글자당 비트",
        "held out": "검증 데이터, 글자당 비트",
        "x": "스텝",
    },
    "en": {
        "baseline": "the baseline",
        "shorter": "a quarter of the steps",
        "short": "eight characters of context",
        "train": "training text, bits per character",
        "held out": "held-out text, bits per character",
        "x": "step",
    },
}
LOOKS = [(style.INK, "o-"), (style.QUERY, "^-"), (style.KEY, "s--")]  # in the order of the runs; others are faint


def draw(text, runs=None):
    """runs: as ``results`` returns them, by the names that a notebook gives them."""
    if runs is None:
        found = results("\n".join(constitution(language_of(text, TEXT))))
        runs = dict(zip((text["baseline"], text["shorter"], text["short"]), found.values(), strict=True))
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 5.0), sharex=True, sharey=True)
    for ax, part in zip(axes, ("train", "held out"), strict=True):
        for i, (name, seeds) in enumerate(runs.items()):
            colour, line = LOOKS[i] if i < len(LOOKS) else (style.FAINT, "-")
            steps = seeds[0]["steps"]
            curves = style.torch.tensor([run[part] for run in seeds])
            ax.fill_between(steps, curves.amin(dim=0), curves.amax(dim=0), color=colour, alpha=0.15, lw=0)
            ax.plot(steps, curves.mean(dim=0), line, color=colour, lw=1.3, ms=3, label=name)
        ax.grid(axis="y")
        ax.set_title(text[part])
    axes[0].legend(loc="upper right")
    axes[1].set_xlabel(text["x"])
    return figure
