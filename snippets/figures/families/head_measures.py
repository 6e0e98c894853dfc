"""Where each head of each layer looks, averaged over the tokens of 24 sentences."""

from snippets.families.encoder_views import SENTENCES, look
from snippets.figures import style

CELL, LEFT, TOP = 11.5, 18, 58

TEXT = {
    "ko": {
        "[CLS]": "[CLS]에",
        "[SEP]": "[SEP]에",
        "itself": "자기 자신에",
        "previous": "바로 앞 토큰에",
        "next": "바로 뒤 토큰에",
        "entropy": "엔트로피 (최댓값 대비)",
        "axes": "층 ↓, 헤드 →",
    },
    "en": {
        "[CLS]": "to [CLS]",
        "[SEP]": "to [SEP]",
        "itself": "to itself",
        "previous": "to the token before",
        "next": "to the token after",
        "entropy": "entropy, of its maximum",
        "axes": "layer ↓, head →",
    },
}


def draw(text):
    found = look("heads", *SENTENCES)["weights"]
    layers, heads = found["[CLS]"].shape
    height = layers * CELL + 46
    figure, ax = style.canvas(TOP + 3 * height - 26)
    for panel, name in enumerate(["[CLS]", "[SEP]", "previous", "next", "itself", "entropy"]):
        x, y = LEFT + panel % 2 * (style.WIDTH * 36 + 4), TOP + panel // 2 * height
        values = found[name]
        colour = style.OUTPUT if name == "entropy" else style.WEIGHT
        form = {"colour": colour, "size": (CELL, CELL), "depth": values, "deepest": 1.0}
        style.cells(ax, values, x, y, show=lambda value: "", **form)
        ax.text(x, y - 8, text[name], weight="bold", color=colour)
        for i in range(0, layers):
            ax.text(x - 3, y + (i + 0.5) * CELL + 3, str(i), ha="right", size=style.SMALL)
        for j in range(0, heads):
            ax.text(x + (j + 0.5) * CELL, y + layers * CELL + 9, str(j), ha="center", size=style.SMALL)
    ax.text(4, 12, text["axes"], size=style.SMALL)
    for step, depth in enumerate([0, 0.25, 0.5, 0.75, 1]):
        x = style.WIDTH * 72 - 120 + step * 24
        style.cells(
            ax,
            found["[CLS]"][:1, :1],
            x,
            3,
            colour=style.WEIGHT,
            size=(22, 12),
            depth=[[depth]],
            deepest=1.0,
            show=lambda value: "",
        )
        ax.text(x + 11, 25, f"{depth:g}", ha="center", size=style.SMALL)
    return figure
