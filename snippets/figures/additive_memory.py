"""Numbers that autograd keeps for the backward pass, additive against dot-product attention."""

import torch

from snippets.additive import AdditiveAttention, numbers_kept_for_backward
from snippets.attention import scaled_dot_product_attention
from snippets.figures import style

LENGTHS = [16, 32, 64, 128, 256, 512]
D = 64

TEXT = {
    "ko": {
        "dot": "닷프로덕트: n²",
        "additive": "애디티브: 65 n²",
        "x": "시퀀스 길이 n",
        "y": "역전파를 위해 보관하는 수의 개수",
    },
    "en": {
        "dot": "dot-product: n²",
        "additive": "additive: 65 n²",
        "x": "sequence length n",
        "y": "numbers kept for the backward pass",
    },
}


def draw(text):
    additive = AdditiveAttention(D, D, D)
    curves = {"additive": [], "dot": []}
    for n in LENGTHS:
        inputs = [torch.randn(1, n, D, requires_grad=True) for _ in range(3)]
        curves["additive"].append(numbers_kept_for_backward(additive, *inputs))
        curves["dot"].append(numbers_kept_for_backward(scaled_dot_product_attention, *inputs))
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.0))
    for (name, curve), colour, marker in zip(curves.items(), (style.KEY, style.OUTPUT), "os", strict=True):
        ax.plot(LENGTHS, curve, marker + "-", color=colour, ms=5, label=text[name])
    ax.set_xscale("log", base=2)
    ax.set_yscale("log", base=10)
    ax.set_xticks(LENGTHS, [str(n) for n in LENGTHS])
    ax.minorticks_off()
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_ylabel(text["y"])
    ax.legend(loc="upper left")
    return figure
