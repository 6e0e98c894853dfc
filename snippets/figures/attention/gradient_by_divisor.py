"""What reaches queries and keys of 64 dimensions through the softmax, by what the scores are divided by."""

import math

import torch
from torch import Generator

from snippets.attention.why_sqrt_dk import sample_components, softmax_jacobian
from snippets.figures import style

D_K, QUERIES, KEYS = 64, 2000, 16

TEXT = {
    "ko": {
        "one": "나누지 않음",
        "root": "8로 나눔",
        "all": "64로 나눔",
        "low": "운이 나쁜 쿼리 (10번째 백분위수)",
        "median": "중간쯤인 쿼리 (중앙값)",
        "y": "q·k에 대한 가중치의 반응",
    },
    "en": {
        "one": "not divided",
        "root": "divided by 8",
        "all": "divided by 64",
        "low": "an unlucky query (10th percentile)",
        "median": "a typical query (median)",
        "y": "how much weights react to q·k",
    },
}


def norms():
    """By divisor, the 10th percentile and the median over the queries of the example on the page."""
    generator = Generator().manual_seed(0)
    q = sample_components((QUERIES, 1, D_K), "normal", generator)
    k = sample_components((QUERIES, KEYS, D_K), "normal", generator)
    scores = (q * k).sum(dim=-1)
    found = {}
    for name, divisor in {"one": 1, "root": math.sqrt(D_K), "all": D_K}.items():
        jacobians = softmax_jacobian(torch.softmax(scores / divisor, dim=-1)) / divisor
        each = jacobians.flatten(1).norm(dim=1)
        found[name] = each.quantile(0.1).item(), each.median().item()
    return found


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.6))
    found = norms()
    for shift, kind, colour, inside in ((-0.19, 0, style.KEY, "none"), (0.19, 1, style.QUERY, style.QUERY)):
        heights = [pair[kind] for pair in found.values()]
        label = text["median" if kind else "low"]
        places = [place + shift for place in range(len(found))]
        ax.bar(places, heights, facecolor=inside, edgecolor=colour, lw=1.4, width=0.34, label=label)
        for place, height in zip(places, heights, strict=True):
            ax.text(place, height * 1.15, f"{height:.4f}", ha="center", fontsize=style.SMALL)
    style.log_axes(ax, y=[0.001, 0.01, 0.1, 1])
    ax.set_ylim(2e-4, 3)
    ax.set_xticks(range(len(found)), [text[name] for name in found])
    ax.set_ylabel(text["y"])
    ax.legend(loc="upper center", frameon=False)
    return figure
