"""Two heads of one layer of a published encoder at the same sentence: from each token a line to what it looks at.

The weights of this pair depend on the query: one head looks at the next token, the other at the previous one.
"""

from snippets.families.encoder_views import FLIES, look
from snippets.figures import style

LAYER, HEADS = 1, [8, 9]
STEP, TOP = 19, 40

TEXT = {
    "ko": {"head": "{}번 헤드", "query": "쿼리", "key": "키"},
    "en": {"head": "head {}", "query": "query", "key": "key"},
}


def maps():
    """Tokens of the sentence without the special ones, and each head's weights between them."""
    tokens = look("tokens", FLIES)["tokens"]
    weights = look("attention", FLIES)["weights"]["maps"].float()
    return tokens[1:-1], {head: weights[LAYER, head, 1:-1, 1:-1] for head in HEADS}


def draw(text):
    tokens, weights = maps()
    figure, ax = style.canvas(TOP + len(tokens) * STEP)
    room = style.WIDTH * 72 / len(HEADS)
    for panel, head in enumerate(HEADS):
        left, right = panel * room + 48, (panel + 1) * room - 44
        ax.text((left + right) / 2, 13, text["head"].format(head), ha="center", weight="bold")
        ax.text(left, 27, text["query"], ha="right", color=style.QUERY, size=style.SMALL)
        ax.text(right, 27, text["key"], color=style.KEY, size=style.SMALL)
        for i, token in enumerate(tokens):
            y = TOP + i * STEP
            ax.text(left, y + 3, token, ha="right")
            ax.text(right, y + 3, token)
            for j, weight in enumerate(weights[head][i].tolist()):
                if weight > 0.05:
                    ends = ([left + 3, right - 3], [y, TOP + j * STEP])
                    ax.plot(*ends, color=style.WEIGHT, lw=0.5 + 3 * weight, alpha=weight, solid_capstyle="butt")
    return figure
