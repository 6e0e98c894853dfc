"""Bits per character of the small GPT during training, with and without dropout, beside those of counting."""

import functools

import torch

from snippets.before.language_models import END, InterpolatedModel, bits, cross_entropy
from snippets.before.vocabulary import SPECIAL
from snippets.families import constitution_gpt
from snippets.families.constitution_gpt import DROPOUTS, results
from snippets.figures import style
from snippets.figures.labels import language_of

TEXT = {
    "ko": {
        "train": "학습 셋",
        "validation": "검증 셋",
        "best": "여기서 멈춤",
        "counts": "6-gram, 검증 셋",
        "title": "드롭아웃 {}, 글자당 비트",
        "x": "스텝",
    },
    "en": {
        "train": "training set",
        "validation": "validation set",
        "best": "stop here",
        "counts": "6-gram, validation set",
        "title": "dropout {}, bits per character",
        "x": "step",
    },
}


@functools.cache
def by_counting(language):
    """Of the interpolated n-gram model, on the validation lines."""
    own = constitution_gpt.text_of(language)
    counts = InterpolatedModel(own.train, 6, [*own.vocab.tokens[len(SPECIAL) :], END], 10)
    return bits(cross_entropy(counts, own.validation))


def draw(text):
    language = language_of(text, TEXT)
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 5.4), sharex=True, sharey=True)
    for ax, dropout in zip(axes, DROPOUTS, strict=True):
        seeds = results(language)[dropout]
        steps = seeds[0]["steps"]
        for part, colour, line in [("train", style.QUERY, "--"), ("validation", style.OUTPUT, "-")]:
            curves = torch.tensor([run[part] for run in seeds])
            ax.fill_between(steps, curves.amin(dim=0), curves.amax(dim=0), color=colour, alpha=0.15, lw=0)
            ax.plot(steps, curves.mean(dim=0), line, color=colour, label=text[part])
        ax.axhline(by_counting(language), color=style.FAINT, ls=":", label=text["counts"])
        step, lowest = seeds[0]["best"], min(seeds[0]["validation"])
        ax.plot([step], [lowest], "o", color=style.OUTPUT, ms=5)
        place = {"textcoords": "offset points", "ha": "right" if step == steps[-1] else "center", "size": style.SMALL}
        ax.annotate(text["best"], (step, lowest), (0, 9), **place)
        ax.set_title(text["title"].format(dropout))
        ax.grid(axis="y")
    axes[0].legend(loc="lower right", bbox_to_anchor=(1, 1.1), ncols=3, columnspacing=1.2, handlelength=1.8)
    axes[1].set_xlabel(text["x"])
    return figure
