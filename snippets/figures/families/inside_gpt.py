"""All blocks of the small GPT for one prompt, what comes out, and what each head is worth on other text."""

import functools

import torch

from snippets.before.vocabulary import BOS
from snippets.families import constitution_gpt
from snippets.families.inside_gpt import lost_bits
from snippets.figures import style
from snippets.figures.labels import language_of
from snippets.figures.walks import VECTORS
from snippets.tools.tracing import outputs

TEXT = {
    "ko": {
        "input": "임베딩 + 위치",
        "self": "{}층 셀프 어텐션",
        "ffn": "{}층 피드포워드",
        "next": "다음 글자",
        "costs": "헤드를 하나 끄면 늘어나는 비트",
    },
    "en": {
        "input": "embedding + position",
        "self": "layer {}, self-attention",
        "ffn": "layer {}, feed-forward",
        "next": "next character",
        "costs": "bits lost without one head",
    },
}
PROMPTS = {"ko": "모든 국민은 ", "en": "The "}
SHOWN = 3


@functools.cache
def costs(language):
    """How many more bits a character takes without each head: (layers, heads)."""
    return torch.tensor([[lost_bits(language, {layer: [head]}) for head in range(4)] for layer in range(3)])


@torch.no_grad()
def passed_on(language):
    """Names and vectors after each block, (n, d_model), the tokens, and the logits of the next one."""
    vocab, gpt = constitution_gpt.text_of(language).vocab, constitution_gpt.trained(language)
    ids = torch.tensor([[BOS] + [vocab.ids[character] for character in PROMPTS[language]]])
    seen = dict(outputs(gpt, ids))
    blocks = [("input", gpt.embed(ids)[0])]
    for layer in range(len(gpt.stack.layers)):
        for number, kind in enumerate(("self", "ffn"), 1):
            (rows,) = seen[f"stack.layers.{layer}.residual_{number}"]
            blocks.append((f"{layer + 1} {kind}", rows[0]))
    return blocks, vocab, ids[0].tolist(), gpt(ids)[0, -1]


def draw(text, width=style.WIDTH):
    language = language_of(text, TEXT)
    blocks, vocab, ids, logits = passed_on(language)
    step, strip, (long, left, x, pitch) = 44, 24, (140, 12, 184, 38) if width == style.WIDTH else (102, 3, 122, 35)
    height = 56 + step * len(blocks)
    bits = costs(language)
    figure, ax = style.canvas(height, width)
    for place, (name, rows) in enumerate(blocks):
        y = height - 44 - step * place
        number, _, kind = name.rpartition(" ")
        ax.text(left, y - 4, text[kind].format(number), size=style.SMALL)
        style.vectors(ax, rows, (left, y), (long, strip), VECTORS)
        if kind == "self":
            row = bits[int(number) - 1]
            for head, more in enumerate(row.tolist()):
                at = x + pitch * head
                shade = style.DEEPEST * max(more, 0) / bits.max().item()
                ax.add_patch(style.Rectangle((at, y), pitch - 2, strip, color=style.OUTPUT, alpha=shade, lw=0))
                ax.text(
                    at + pitch / 2 - 1,
                    y + 16,
                    f"{round(more, 2) + 0:+.2f}".replace("-", "−"),
                    ha="center",
                    size=style.SMALL,
                )
        if place:
            style.arrow(ax, (left + long / 2, y + step - 14), (left + long / 2, y + strip + 1))
    names = [style.readable(vocab.tokens[i]) for i in ids]
    ax.text(left, height - 6, " ".join(names), size=style.SMALL, color=style.FAINT)
    ax.set(xlim=(0, width * 72), ylim=(height, 0))
    P = logits.softmax(dim=-1)
    top, room = y - 36, 66
    style.arrow(ax, (left + long + 3, y + strip / 2), (x - 4, y + strip / 2))
    ax.text(x, top - 6, text["next"], weight="bold", color=style.WEIGHT)
    for place, i in enumerate(P.topk(SHOWN).indices.tolist()):
        below, share = top + 19 * place, P[i].item()
        length = room * share / P.max().item()
        ax.text(x + 8, below + 12, style.readable(vocab.tokens[i]), ha="center")
        ax.barh(below + 8, length, 13, x + 20, color=style.WEIGHT, alpha=0.6)
        ax.text(x + 24 + length, below + 12, f"{share:.2f}", size=style.SMALL)
    ax.text(x, y + step - 6, text["costs"], weight="bold", color=style.OUTPUT)
    return figure
