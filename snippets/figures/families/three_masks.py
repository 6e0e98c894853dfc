"""The masks of three families side by side: who may attend to whom."""

from snippets.attention.masks import causal_mask
from snippets.families.three_families import full_mask, prefix_mask
from snippets.figures import style

N, SOURCE = 5, 3

TEXT = {
    "ko": {
        "encoder": "인코더",
        "decoder": "디코더",
        "both": "인코더–디코더",
        "query": "쿼리",
        "key": "키",
        "source": "입력",
        "target": "출력",
    },
    "en": {
        "encoder": "encoder-only",
        "decoder": "decoder-only",
        "both": "encoder–decoder",
        "query": "query",
        "key": "key",
        "source": "source",
        "target": "target",
    },
}


def draw(text, width=style.WIDTH):
    cell, left, gap = (17, 34, 14) if width == style.WIDTH else (14.2, 30, 9)
    top = 26
    figure, ax = style.canvas(top + N * cell + 46, width)
    masks = [
        ("encoder", full_mask(N), style.VALUE),
        ("decoder", causal_mask(N), style.QUERY),
        ("both", prefix_mask(N, SOURCE), style.WEIGHT),
    ]
    for number, (name, mask, colour) in enumerate(masks):
        x = left + number * (N * cell + gap)
        form = {"colour": colour, "size": (cell, cell), "show": lambda value: "●" if value else ""}
        style.cells(ax, mask.float(), x, top, rows=() if number else range(N), columns=range(N), **form)
        title = {"x": x} if number < 2 or width == style.WIDTH else {"x": x + N * cell, "ha": "right"}
        letters = {"size": None if width == style.WIDTH else style.SMALL, "weight": "bold", "color": colour}
        ax.text(y=top - 8, s=text[name], **title, **letters)
        ax.text(x + N * cell / 2, top + N * cell + 24, text["key"], ha="center", color=style.KEY)
    border = {"color": style.INK, "lw": 1}  # between source and target, in the last of them
    ax.plot([x + SOURCE * cell] * 2, [top, top + N * cell], **border)
    ax.plot([x, x + N * cell], [top + SOURCE * cell] * 2, **border)
    for name, middle in [("source", SOURCE / 2), ("target", (SOURCE + N) / 2)]:
        ax.text(x + middle * cell, top + N * cell + 38, text[name], ha="center", size=style.SMALL)
    turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor"}
    ax.text(10, top + N * cell / 2, text["query"], color=style.QUERY, **turned)
    return figure
