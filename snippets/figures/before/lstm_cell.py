"""One time step of an LSTM cell: what is multiplied, added and shown, and by which gate."""

from matplotlib.patches import Circle, FancyBboxPatch

from snippets.figures import style

TEXT = {
    "ko": {"cell": "셀 상태", "hidden": "은닉 상태", "token": "토큰의 벡터"},
    "en": {"cell": "cell state", "hidden": "hidden state", "token": "vector of the token"},
}

#: Name, function, place and colour of the four parts.
PARTS = [
    ("f", "σ", 96, style.WEIGHT),
    ("i", "σ", 142, style.WEIGHT),
    ("g", "tanh", 188, style.VALUE),
    ("o", "σ", 236, style.WEIGHT),
]


def draw(text):
    figure, ax = style.canvas(226)
    line, product, boxes, bus = 40, 84, 128, 176

    def wire(*points, colour=style.FAINT, width=1.0):
        for start, end in zip(points[:-2], points[1:-1], strict=True):
            ax.plot(*zip(start, end, strict=True), color=colour, lw=width, solid_capstyle="round")
        look = {"arrowstyle": "-|>", "lw": width, "color": colour, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 7}
        ax.annotate("", points[-1], points[-2], arrowprops=look)

    def sign(x, y, which, colour):
        ax.add_patch(Circle((x, y), 8, fc="none", ec=colour, lw=1.1))
        ax.text(x, y + 3.4, which, ha="center", color=colour)

    def box(x, y, label, colour):
        shape = "round,pad=0,rounding_size=3"
        ax.add_patch(FancyBboxPatch((x - 16, y - 9), 32, 18, boxstyle=shape, lw=1.1, ec=colour, fc="none"))
        ax.text(x, y + 3, label, ha="center", color=colour, size=style.SMALL)

    f, i, g, o = (x for _, _, x, _ in PARTS)
    middle, last = (i + g) / 2, 276
    # the cell state: straight through
    wire((24, line), (f - 8, line), colour=style.KEY, width=2.6)
    wire((f + 8, line), (middle - 8, line), colour=style.KEY, width=2.6)
    wire((middle + 8, line), (310, line), colour=style.KEY, width=2.6)
    sign(f, line, "×", style.KEY)
    sign(middle, line, "+", style.KEY)
    sign(middle, product, "×", style.FAINT)
    # what goes in, and the four parts
    wire((24, bus), (o, bus), (o, boxes + 9))
    for name, function, x, colour in PARTS:
        if name != "o":
            wire((x, bus), (x, boxes + 9))
        box(x, boxes, function, colour)
    wire((60, bus + 28), (60, bus))
    wire((f, boxes - 9), (f, line + 8), colour=style.WEIGHT)
    wire((i, boxes - 9), (i, product), (middle - 8, product), colour=style.WEIGHT)
    wire((g, boxes - 9), (g, product), (middle + 8, product), colour=style.VALUE)
    wire((middle, product - 8), (middle, line + 8))
    # what is shown
    wire((last, line), (last, 66))
    box(last, 75, "tanh", style.QUERY)
    wire((last, 84), (last, 104))
    sign(last, 112, "×", style.QUERY)
    wire((o, boxes - 9), (o, 112), (last - 8, 112), colour=style.WEIGHT)
    wire((last + 8, 112), (310, 112), colour=style.QUERY)
    for name, _, x, colour in PARTS:
        ax.text(x - 5, boxes - 14, name, ha="right", color=colour, style="italic")
    ax.text(24, line - 12, text["cell"], color=style.KEY, size=style.SMALL)
    ax.text(310, 143, text["hidden"], color=style.QUERY, size=style.SMALL, ha="right")
    ax.text(24, bus - 8, text["hidden"], color=style.QUERY, size=style.SMALL)
    ax.text(60, bus + 42, text["token"], ha="center", size=style.SMALL)
    return figure
