"""All blocks of the trained translator for one date: where its heads look, what the others pass on, what comes out."""

import datetime
import functools

import torch

from snippets.before import dates
from snippets.figures import style
from snippets.figures.walks import VECTORS, WEIGHTS
from snippets.tools.tracing import outputs
from snippets.training.attention_maps import attention_maps
from snippets.training.translator import DATE_VOCAB, trained

DATE = datetime.date(2024, 3, 5)
SHOWS_KOREAN = True  # in both languages: the translation is what it is about

TEXT = {
    "ko": {
        "encoder": "인코더",
        "decoder": "디코더",
        "input": "임베딩 + 위치",
        "self": "{}층 셀프 어텐션",
        "cross": "{}층 크로스 어텐션",
        "ffn": "{}층 피드포워드",
    },
    "en": {
        "encoder": "encoder",
        "decoder": "decoder",
        "input": "embedding + position",
        "self": "{} self-attention",
        "cross": "{} cross-attention",
        "ffn": "{} feed-forward",
    },
}
#: What each block of a layer is called in TEXT, by the residual connection that it ends with.
KINDS = {"encoder": ("self", "ffn"), "decoder": ("self", "cross", "ffn")}
#: Modules of attention, by stack and kind.
ATTENTION = {"encoder self": "attention", "decoder self": "self_attention", "decoder cross": "cross_attention"}


@functools.cache
@torch.no_grad()
def passed_on():
    """By stack, name and matrices of each block.

    Of attention, the weights of its heads, (n_q, n_k); of others, the vectors after them, (n, d_model).
    """
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    model = trained("dates").model
    seen = dict(outputs(model, src, tgt[:, :-1]))
    maps = attention_maps(model, src, tgt[:, :-1])
    blocks = {"encoder": [("input", model.embed(src))], "decoder": [("input", model.embed(tgt[:, :-1]))]}
    for stack, kinds in KINDS.items():
        for layer in range(len(getattr(model, stack).layers)):
            for number, kind in enumerate(kinds, 1):
                if module := ATTENTION.get(f"{stack} {kind}"):
                    matrices = maps[f"{stack}.layers.{layer}.{module}"][0]
                else:
                    (matrices,) = seen[f"{stack}.layers.{layer}.residual_{number}"]
                blocks[stack].append((f"{layer + 1} {kind}", matrices))
    return blocks


def draw(text):
    blocks = passed_on()
    step, strip, width, gap, left = 47, 26, 128, 4, {"encoder": 12, "decoder": 191}
    height = 58 + step * len(blocks["decoder"])
    figure, ax = style.canvas(height)
    tops = {}
    for stack in KINDS:
        x = left[stack]
        for place, (name, matrices) in enumerate(blocks[stack]):
            y = tops[stack] = height - 44 - step * place
            number, _, kind = name.rpartition(" ")
            ax.text(x, y - 4, text[kind].format(number), size=style.SMALL)
            wide = (width + gap) / len(matrices) - gap
            shade = WEIGHTS if f"{stack} {kind}" in ATTENTION else VECTORS
            for i, matrix in enumerate(matrices):
                style.vectors(ax, matrix, (x + i * (wide + gap), y), (wide, strip), shade)
            if place:
                style.arrow(ax, (x + width / 2, y + step - 14), (x + width / 2, y + strip + 1))
    ax.set(xlim=(0, style.WIDTH * 72), ylim=(height, 0))
    source, target = [*dates.english(DATE), "</s>"], dates.korean(DATE)
    ax.text(left["encoder"], height - 6, " ".join(source), size=style.SMALL, color=style.FAINT)
    ax.text(left["decoder"], height - 6, " ".join(["<s>", *target]), size=style.SMALL, color=style.FAINT)
    ax.text(left["encoder"], tops["encoder"] - 20, text["encoder"], weight="bold")
    ax.text(left["decoder"], tops["decoder"] - 20, text["decoder"], weight="bold")
    ax.text(left["decoder"], tops["decoder"] - 36, " ".join([*target, "</s>"]), size=style.SMALL, color=style.FAINT)
    names = [name for name, _ in blocks["decoder"]]
    start = (left["encoder"] + width + 2, tops["encoder"] + strip / 2)
    for layer in (1, 2):  # what cross-attention looks at
        y = tops["decoder"] + step * (len(names) - 1 - names.index(f"{layer} cross")) + strip / 2
        style.arrow(ax, start, (left["decoder"] - 3, y))
    return figure
