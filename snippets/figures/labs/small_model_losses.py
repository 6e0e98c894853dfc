"""Bits per character of the small language model and its variants, on what it learns from and on what is held out."""

from snippets.before.two_constitutions import constitution
from snippets.figures import style
from snippets.figures.labels import language_of
from snippets.labs.small_language_model import results

TEXT = {
    "ko": {
        "baseline": "베이스라인",
        "short context": "짧은 문맥",
        "shorter training": "더 짧은 학습",
        "train": "학습 데이터, 글자당 비트",
        "held out": "검증 데이터, 글자당 비트",
        "x": "스텝",
    },
    "en": {
        "baseline": "baseline",
        "short context": "short context",
        "shorter training": "shorter training",
        "train": "training text, bits per character",
        "held out": "held-out text, bits per character",
        "x": "step",
    },
}
LOOKS = {
    "baseline": (style.INK, "o-"),
    "short context": (style.KEY, "s--"),
    "shorter training": (style.QUERY, "^-"),
}


def draw(text, runs=None):
    """runs: as ``results`` returns them."""
    language = language_of(text, TEXT)
    runs = runs or results("\n".join(constitution(language)))
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 5.0), sharex=True, sharey=True)
    for ax, part in zip(axes, ("train", "held out"), strict=True):
        for name, seeds in runs.items():
            colour, line = LOOKS.get(name, (style.FAINT, "-"))
            steps = seeds[0]["steps"]
            curves = style.torch.tensor([run[part] for run in seeds])
            ax.fill_between(steps, curves.amin(dim=0), curves.amax(dim=0), color=colour, alpha=0.15, lw=0)
            ax.plot(steps, curves.mean(dim=0), line, color=colour, lw=1.3, ms=3, label=text.get(name, name))
        ax.grid(axis="y")
        ax.set_title(text[part])
    axes[0].legend(loc="upper right")
    axes[1].set_xlabel(text["x"])
    return figure
