"""One word asks a sentence: its query, the keys it meets and the values it is given, all of which can be read."""

import torch

from snippets.attention.scaled_dot_product import scaled_dot_product_attention
from snippets.figures import style

ANIMAL, EDIBLE, VERB, SMALL, SALTY = torch.eye(5)
W_Q = 4 * torch.stack([VERB, VERB], dim=1)
W_K = torch.stack([ANIMAL, EDIBLE], dim=1)
W_V = torch.stack([SMALL, SALTY], dim=1)
X = {"mouse": ANIMAL + SMALL, "eats": VERB, "cheese": EDIBLE + SALTY}

TEXT = {
    "ko": {
        "words": {"mouse": "쥐가", "cheese": "치즈를", "eats": "먹는다"},
        "features": {"mouse": "-가, 작음", "cheese": "-를, 짠맛", "eats": "동사"},
        "query": "‘먹는다’의 쿼리 ({:g}, {:g}): -가? -를?",
        "keys": {"mouse": "-가", "cheese": "-를", "eats": "–"},
        "values": {"mouse": "작음", "cheese": "짠맛", "eats": "–"},
        "key": "키 ({:g}, {:g})",
        "value": "밸류 ({:g}, {:g})",
        "score": "점수 {:g}",
        "weight": "가중치 {:.2f}",
        "output": "‘먹는다’의 출력: 작음 {:.2f}, 짠맛 {:.2f}",
    },
    "en": {
        "words": {"mouse": "mouse", "eats": "eats", "cheese": "cheese"},
        "features": {"mouse": "animal, small", "eats": "verb", "cheese": "edible, salty"},
        "query": "query of eats ({:g}, {:g}): an animal? edible?",
        "keys": {"mouse": "animal", "eats": "–", "cheese": "edible"},
        "values": {"mouse": "small", "eats": "–", "cheese": "salty"},
        "key": "key ({:g}, {:g})",
        "value": "value ({:g}, {:g})",
        "score": "score {:g}",
        "weight": "weight {:.2f}",
        "output": "output for eats: small {:.2f}, salty {:.2f}",
    },
}


def attend(words):
    """Query, keys, scores, weights, values and output of the word that asks, for words in their order."""
    x, asks = torch.stack([X[word] for word in words]), list(words).index("eats")
    query, key, value = x @ W_Q, x @ W_K, x @ W_V
    output, weights = scaled_dot_product_attention(query, key, value)
    return query[asks], key, query[asks] @ key.T, weights[asks], value, output[asks]


def draw(text, width=style.WIDTH):
    words = list(text["words"])
    query, keys, scores, weights, values, output = attend(words)
    wide = width == style.WIDTH
    figure, ax = style.canvas(242, width)
    middle, step, size = width * 36, (108 if wide else 86), (98 if wide else 80)
    at = {word: middle + (i - 1) * step for i, word in enumerate(words)}
    top, ask, key, weigh, value, end = 2, 50, 94, 139, 161, 213

    def two_lines(x, y, first, second, colour, room=size):
        style.block(ax, x, y, room, "", colour=colour, height=32)
        ax.text(x, y + 13, first, ha="center", weight="bold")
        ax.text(x, y + 25, second, ha="center", size=style.SMALL)

    long = 2 * step + size
    style.block(ax, middle, ask, long, text["query"].format(*query.tolist()), colour=style.QUERY, height=26)
    style.block(ax, middle, end, long, text["output"].format(*output.tolist()), colour=style.OUTPUT, height=26)
    style.arrow(ax, (at["eats"], top + 33), (at["eats"], ask - 1), colour=style.QUERY, width=1.4)
    columns = zip(words, keys.tolist(), scores.tolist(), weights.tolist(), values.tolist(), strict=True)
    for word, its_key, score, weight, its_value in columns:
        x, thick = at[word], 0.6 + 8 * weight
        two_lines(x, top, text["words"][word], text["features"][word], style.FAINT)
        ax.plot([x, x], [ask + 27, key - 1], color=style.WEIGHT, lw=thick, solid_capstyle="butt", alpha=0.55)
        two_lines(x, key, text["keys"][word], text["key"].format(*its_key), style.KEY)
        ax.text(x, weigh, text["score"].format(score), ha="center", size=style.SMALL)
        name = text["weight"].format(weight)
        ax.text(x, weigh + 13, name, ha="center", color=style.WEIGHT, weight="bold")
        two_lines(x, value, text["values"][word], text["value"].format(*its_value), style.VALUE)
        ax.plot([x, x], [value + 33, end - 1], color=style.WEIGHT, lw=thick, solid_capstyle="butt", alpha=0.55)
    return figure
