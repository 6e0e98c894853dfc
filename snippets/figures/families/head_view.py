"""Head view: from each token to each token a line, the darker the larger the weight, for three heads."""

from snippets.families.encoder_views import FLIES, look
from snippets.figures import style

HEADS = [(0, 2), (1, 8), (2, 9)]  # (layer, head)
STEP, TOP = 17, 44

TEXT = {
    "ko": {"head": "{}층 헤드 {}", "query": "쿼리", "key": "키"},
    "en": {"head": "layer {}, head {}", "query": "query", "key": "key"},
}


def draw(text):
    tokens = look("tokens", FLIES)["tokens"]
    maps = look("attention", FLIES)["weights"]["maps"].float()
    figure, ax = style.canvas(TOP + len(tokens) * STEP)
    room = style.WIDTH * 72 / len(HEADS)
    for panel, (layer, head) in enumerate(HEADS):
        left, right = panel * room + 35, (panel + 1) * room - 36
        ax.text((left + right) / 2, 13, text["head"].format(layer, head), ha="center", weight="bold")
        ax.text(left, 30, text["query"], ha="right", color=style.QUERY, size=style.SMALL)
        ax.text(right, 30, text["key"], color=style.KEY, size=style.SMALL)
        for i, token in enumerate(tokens):
            y = TOP + i * STEP
            ax.text(left, y + 3, token, ha="right", size=style.SMALL)
            ax.text(right, y + 3, token, size=style.SMALL)
            for j, weight in enumerate(maps[layer, head, i].tolist()):
                if weight > 0.01:
                    ends = ([left + 3, right - 3], [y, TOP + j * STEP])
                    ax.plot(*ends, color=style.WEIGHT, lw=2.2, alpha=weight, solid_capstyle="butt")
    return figure
