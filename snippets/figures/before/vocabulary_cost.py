"""Tokens of one text in two languages, by the size of the vocabulary and what it was learned from."""

import functools

from snippets.before.corpus import declaration
from snippets.before.korean_tokens import tokens_by_vocabulary
from snippets.figures import style

SIZES = [256, 300, 360, 430, 512, 610, 724, 861, 1024, 1218]

TEXT = {
    "ko": {
        "en": ["영어로", "학습한 어휘"],
        "ko": ["한국어로", "학습한 어휘"],
        "both": ["둘 다로", "학습한 어휘"],
        "titles": ["영어 선언문의 토큰 수", "한국어 선언문의 토큰 수"],
        "x": "어휘의 크기",
    },
    "en": {
        "en": ["learned from", "English"],
        "ko": ["learned from", "Korean"],
        "both": ["learned from", "both"],
        "titles": ["tokens of the declaration in English", "tokens of the declaration in Korean"],
        "x": "size of the vocabulary",
    },
}


@functools.cache
def measure():
    """Tokens of the odd lines in English and in Korean, with vocabularies learned from the even ones."""
    english, korean = declaration("en"), declaration("ko")
    train = {"en": english[::2], "ko": korean[::2], "both": english[::2] + korean[::2]}
    tests = [english[1::2], korean[1::2]]
    return {name: tokens_by_vocabulary(texts, tests, SIZES) for name, texts in train.items()}


def draw(text):
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 4.6), sharex=True, sharey=True)
    looks = [(style.QUERY, "o"), (style.KEY, "s"), (style.VALUE, "^")]
    for (name, counts), (colour, marker) in zip(measure().items(), looks, strict=True):
        for ax, tokens in zip(axes, counts, strict=True):
            ax.plot(SIZES, tokens, marker + "-", color=colour, ms=4, label="\n".join(text[name]))
    for ax, title in zip(axes, text["titles"], strict=True):
        ax.set_title(title)
        ax.grid(axis="y")
    axes[0].set_ylim(bottom=0)
    style.log_axes(axes[1], x=[256, 512, 1024])
    axes[1].set_xlabel(text["x"])
    style.name_lines(*axes)
    return figure
