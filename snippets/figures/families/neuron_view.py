"""Neuron view: where one weight comes from, dimension by dimension, for one query and every key."""

import math

import numpy as np
from matplotlib.colors import to_rgb

from snippets.families.encoder_views import FLIES, look
from snippets.figures import style

LAYER, HEAD, QUERY = 0, 2, 2  # the query of "flies"
LEFT, CELL, STEP = 36, 3.3, 17

TEXT = {
    "ko": {"query": "쿼리 q", "key": "키 k", "product": "성분별 곱 q × k", "sum": "합/√32", "weight": "가중치"},
    "en": {"query": "query q", "key": "keys k", "product": "products q × k", "sum": "sum/√32", "weight": "weight"},
}


def strip(ax, values, x, y):
    """A vector as a row of cells: negative blue, positive orange, the deeper the larger. values: from -1 to 1."""
    values = np.asarray(values)  # a picture has no variables, so these shades fit either theme
    picture = np.empty((1, len(values), 4))
    picture[0, :, :3] = np.where((values < 0)[:, None], to_rgb("#3f82cc"), to_rgb("#d07326"))
    picture[0, :, 3] = 0.05 + 0.95 * np.abs(values)
    box = (x, x + len(values) * CELL, y + 12, y)
    ax.imshow(picture.repeat(12, axis=1), extent=box, interpolation="none", aspect="auto")


def draw(text):
    tokens = look("tokens", FLIES)["tokens"]
    found = {name: x[LAYER, HEAD].float() for name, x in look("neurons", FLIES)["weights"].items()}
    query, keys = found["queries"][QUERY], found["keys"]
    products = query * keys
    scores = products.sum(dim=-1) / math.sqrt(len(query))
    top = 62
    figure, ax = style.canvas(top + len(tokens) * STEP)
    block = len(query) * CELL
    second, third = LEFT + block + 8, LEFT + 2 * block + 32
    ax.text(LEFT, 12, text["query"], color=style.QUERY, weight="bold", size=style.SMALL)
    ax.text(LEFT - 4, 29, tokens[QUERY], ha="right", size=style.SMALL)
    strip(ax, query / query.abs().max(), LEFT, 20)
    ax.text(LEFT, top - 8, text["key"], color=style.KEY, weight="bold", size=style.SMALL)
    ax.text(second, top - 8, text["product"], weight="bold", size=style.SMALL)
    ax.text(third + 8, top - 8, text["sum"], ha="right", weight="bold", size=style.SMALL)
    right = style.WIDTH * 72 - 4
    ax.text(right, top - 8, text["weight"], ha="right", color=style.WEIGHT, weight="bold", size=style.SMALL)
    weights = scores.softmax(dim=0)
    for j, token in enumerate(tokens):
        y = top + j * STEP
        ax.text(LEFT - 4, y + 9, token, ha="right", size=style.SMALL)
        strip(ax, keys[j] / keys.abs().max(), LEFT, y)
        strip(ax, products[j] / products.abs().max(), second, y)
        ax.text(third, y + 9, f"{scores[j]:.1f}", ha="right", size=style.SMALL)
        ax.text(right, y + 9, f"{weights[j]:.2f}", ha="right", size=style.SMALL)
    ax.set(xlim=(0, style.WIDTH * 72), ylim=(top + len(tokens) * STEP, 0))
    return figure
