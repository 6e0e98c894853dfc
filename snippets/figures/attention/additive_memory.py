"""Activations that autograd saves for the backward pass, additive against dot-product attention."""

import functools

import torch

from snippets.attention.additive import AdditiveAttention
from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.figures import style
from snippets.tools.saved import saved_activations

LENGTHS = [16, 32, 64, 128, 256, 512]
D = 64

TEXT = {
    "ko": {
        "dot": "내적: n²",
        "additive": "덧셈 어텐션: {:g} n²",
        "x": "시퀀스의 길이 n",
        "y": "역전파를 위해 저장하는 활성값의 수",
    },
    "en": {
        "dot": "dot product: n²",
        "additive": "additive attention: {:g} n²",
        "x": "sequence length n",
        "y": "activations saved for backward",
    },
}


@functools.cache
def measure():
    """How many numbers each form keeps, for each length."""
    additive = AdditiveAttention(D, D, D)
    kept = {"additive": [], "dot": []}
    for n in LENGTHS:
        inputs = [torch.randn(1, n, D, requires_grad=True) for _ in range(3)]
        kept["additive"].append(saved_activations(additive, *inputs))
        kept["dot"].append(saved_activations(scaled_dot_product_attention, *inputs))
    return kept


def draw(text):
    kept = measure()
    ratio = kept["additive"][-1] / LENGTHS[-1] ** 2
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.0))
    for name, colour, marker in [("additive", style.INK, "s"), ("dot", style.WEIGHT, "D")]:
        ax.plot(LENGTHS, kept[name], marker + "-", color=colour, ms=5, label=text[name].format(ratio))
        last = (LENGTHS[-1], kept[name][-1])
        ax.annotate(f"{last[1]:,}", last, (3, 7), textcoords="offset points", ha="right", size=style.SMALL)
    style.log_axes(ax, LENGTHS, [10**power for power in range(2, 9)])
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.legend(loc="upper left")
    return figure
