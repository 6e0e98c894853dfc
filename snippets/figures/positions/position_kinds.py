"""What four ways to tell positions add to a score, against the distance of query and key."""

import torch

from snippets.figures import style
from snippets.positions.relative import alibi_bias, relative_scores, rotate, t5_bucket

FARTHEST, D_K, CLIP = 60, 64, 16

TEXT = {
    "ko": {
        "shaw": "Shaw: 학습된 벡터와의 내적(여기서는 무작위)",
        "t5": "T5: 버킷마다 학습된 편향(여기서는 무작위)",
        "rope": "RoPE: 같은 두 벡터의 점수",
        "alibi": "ALiBi: 더하는 값, 헤드 넷",
        "x": "키가 쿼리보다 앞선 거리",
    },
    "en": {
        "shaw": "Shaw: product with a learned vector (random here)",
        "t5": "T5: learned bias of the bucket (random here)",
        "rope": "RoPE: score of two equal vectors",
        "alibi": "ALiBi: what is added, four heads",
        "x": "how far the key is before the query",
    },
}


def draw(text):
    n = FARTHEST + 1
    distance = torch.arange(n)
    torch.manual_seed(0)
    query, table = torch.randn(1, D_K).expand(n, D_K), torch.randn(2 * CLIP + 1, D_K)
    bias = torch.randn(32)
    shaw = relative_scores(query, torch.zeros(n, D_K), table)[-1].flip(0)  # of the last query, to keys before it
    ones = torch.ones(n, D_K) / D_K**0.5
    turned = rotate(ones, distance)
    rope = (turned @ turned.T)[-1].flip(0)
    alibi = alibi_bias(n, 4)[:, -1].flip(-1)
    figure, axes = style.plt.subplots(4, 1, figsize=(style.WIDTH, 6.2), sharex=True)
    axes[0].plot(distance, shaw, "o-", color=style.KEY, ms=2, lw=1)
    axes[1].step(distance, bias[t5_bucket(-distance)], where="mid", color=style.VALUE)
    axes[2].plot(distance, rope, color=style.QUERY)
    for values, line in zip(alibi, ["-", "--", "-.", ":"], strict=True):
        axes[3].plot(distance, values, line, color=style.OUTPUT)
    for ax, name in zip(axes, ("shaw", "t5", "rope", "alibi"), strict=True):
        ax.set_title(text[name])
        ax.grid(axis="y")
    axes[3].set_xlabel(text["x"])
    return figure
