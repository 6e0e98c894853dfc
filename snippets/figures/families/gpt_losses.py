"""Bits per character of the small GPT during training, with and without dropout, beside those of counting."""

import functools

import torch

from snippets.before.kneser_ney import KneserNeyModel
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
        "counts": ["6-gram,", "검증 셋"],
        "kneser_ney": ["크네저–나이,", "검증 셋"],
        "title": "드롭아웃 {}, 글자당 비트",
        "x": "스텝",
    },
    "en": {
        "train": "training set",
        "validation": "validation set",
        "best": "stop here",
        "counts": ["6-gram,", "validation set"],
        "kneser_ney": ["Kneser–Ney,", "validation set"],
        "title": "dropout {}, bits per character",
        "x": "step",
    },
}


@functools.cache
def by_counting(language):
    """Of both 6-gram models, on the validation lines."""
    own = constitution_gpt.text_of(language)
    vocab = [*own.vocab.tokens[len(SPECIAL) :], END]
    models = InterpolatedModel(own.train, 6, vocab, 10), KneserNeyModel(own.train, 6, vocab, 0.8)
    return [bits(cross_entropy(model, own.validation)) for model in models]


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
        counts, kneser_ney = by_counting(language)
        ax.axhline(counts, color=style.FAINT, ls=":", label="\n".join(text["counts"]))
        ax.axhline(kneser_ney, color=style.VALUE, ls="-.", label="\n".join(text["kneser_ney"]))
        step, lowest = seeds[0]["best"], min(seeds[0]["validation"])
        ax.plot([step], [lowest], "o", color=style.OUTPUT, ms=5)
        place = {"textcoords": "offset points", "ha": "right" if step == steps[-1] else "center", "size": style.SMALL}
        ax.annotate(text["best"], (step, lowest), (0, 13), **place)
        ax.set_title(text["title"].format(dropout))
        ax.grid(axis="y")
    axes[1].set_xlabel(text["x"])
    style.name_lines(*axes)
    return figure
