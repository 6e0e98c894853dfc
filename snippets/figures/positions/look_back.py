"""The weights of a head that looks three positions back, made of the linear map alone: right, but blurred."""

import torch

from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.figures import style
from snippets.positions.fixed_offset import offset_map
from snippets.positions.sinusoidal import positional_encoding

LENGTH, QUERY, BACK, D_MODEL = 64, 40, 3, 512

TEXT = {
    "ko": {
        "x": "키의 위치",
        "y": "{}번 위치 쿼리의 어텐션 가중치",
        "target": "세 칸 전, {}번: {:.2f}",
        "next": "그 옆: {:.2f}",
    },
    "en": {
        "x": "position of the key",
        "y": "attention weights of the query at position {}",
        "target": "three back, at {}: {:.2f}",
        "next": "next to it: {:.2f}",
    },
}


def weights():
    """Of the query at QUERY for all keys, with W_Q = M_-3 and W_K = I."""
    encodings = positional_encoding(torch.arange(float(LENGTH)), D_MODEL)
    query = encodings @ offset_map(-BACK, D_MODEL)
    return scaled_dot_product_attention(query, encodings, encodings)[1][QUERY]


def draw(text):
    found, target = weights(), QUERY - BACK
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.5))
    positions = range(QUERY - 20, QUERY + 14)
    ax.bar(positions, found[positions.start : positions.stop].tolist(), color=style.WEIGHT, alpha=0.75, width=0.8)
    ax.axvline(QUERY, color=style.QUERY, lw=1.2, ls="--")
    ax.set_ylim(0, 0.26)
    look = {"size": style.SMALL, "va": "center"}
    ax.text(target - 1.2, float(found[target]), text["target"].format(target, found[target]), ha="right", **look)
    ax.text(target - 2.2, float(found[target + 1]), text["next"].format(found[target + 1]), ha="right", **look)
    ax.set_xticks([target - 10, target, QUERY, QUERY + 10])
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"].format(QUERY))
    return figure
