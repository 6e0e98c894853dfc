"""Bits per character on the test lines against how much text was trained on: counting and a small GPT."""

import functools

from snippets.before.kneser_ney import KneserNeyModel
from snippets.before.language_models import END, InterpolatedModel, bits, cross_entropy
from snippets.before.vocabulary import SPECIAL
from snippets.families import constitution_gpt
from snippets.families.constitution_gpt import SHARES, by_share
from snippets.figures import style
from snippets.figures.labels import language_of

TEXT = {
    "ko": {
        "counts": "6-gram",
        "kneser_ney": "크네저–나이",
        "gpt": "GPT",
        "x": "학습한 글자 수",
        "y": "테스트 셋, 글자당 비트",
    },
    "en": {
        "counts": "6-gram",
        "kneser_ney": "Kneser–Ney",
        "gpt": "GPT",
        "x": "characters trained on",
        "y": "test set, bits per character",
    },
}


@functools.cache
def measure(language):
    own = constitution_gpt.text_of(language)
    vocab = [*own.vocab.tokens[len(SPECIAL) :], END]
    sizes, counted, smoothed, learned = [], [], [], []
    for every in reversed(SHARES):
        lines = own.train[::every]
        sizes.append(sum(len(line) + 1 for line in lines))
        counted.append(bits(cross_entropy(InterpolatedModel(lines, 6, vocab, 10), own.test)))
        smoothed.append(bits(cross_entropy(KneserNeyModel(lines, 6, vocab, 0.8), own.test)))
        learned.append(by_share(language)[every]["test"])
    return sizes, counted, smoothed, learned


def draw(text):
    language = language_of(text, TEXT)
    sizes, counted, smoothed, learned = measure(language)
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    ax.plot(sizes, counted, "s--", color=style.KEY, ms=4, label=text["counts"])
    ax.plot(sizes, smoothed, "^-.", color=style.VALUE, ms=4, label=text["kneser_ney"])
    ax.plot(sizes, learned, "o-", color=style.QUERY, ms=4, label=text["gpt"])
    ax.set_xscale("log")
    ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
    ax.minorticks_off()
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    style.name_lines(ax)
    return figure
