"""Encoder and decoder step by step: two chains read, one state is handed over, one chain generates."""

from matplotlib.patches import FancyBboxPatch

from snippets.before.encoder_decoder import RecurrentTranslator
from snippets.figures import style

SHOWS_KOREAN = True  # in both languages: the translation is Korean
SOURCE, TARGET = ["Tuesday", ",", "March", "5"], ["<s>", "3", "월", "5", "일", "화요일", "</s>"]
D = 64

TEXT = {
    "ko": {"encoder": "인코더", "decoder": "디코더", "state": "상태: {}차원", "source": "원문", "target": "번역문"},
    "en": {
        "encoder": "encoder",
        "decoder": "decoder",
        "state": "state: {} numbers",
        "source": "source",
        "target": "target",
    },
}


def draw(text):
    encoder = RecurrentTranslator(vocab_size=20, d=D).encoder
    numbers = 2 * 2 * encoder.lstm.hidden_size  # h and c of both directions
    figure, ax = style.canvas(182)
    step, size, left, gap, top = 29, 17, 14, 36, 74
    rows = {"forward": top, "backward": top + 30, "decoder": top + 15}
    sources = [left + step * i for i in range(len(SOURCE))]
    targets = [sources[-1] + size + gap + step * i for i in range(len(TARGET) - 1)]

    def box(x, y, colour):
        shape = "round,pad=0,rounding_size=3"
        ax.add_patch(FancyBboxPatch((x, y), size, size, boxstyle=shape, lw=1.1, ec=colour, fc="none"))

    def arrow(start, end, colour=style.FAINT, width=1.0):
        look = {"arrowstyle": "-|>", "lw": width, "color": colour, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 7}
        ax.annotate("", end, start, arrowprops=look)

    middle = size / 2
    below = rows["backward"] + size + 22
    for i, (x, token) in enumerate(zip(sources, SOURCE, strict=True)):
        for name in ("forward", "backward"):
            box(x, rows[name], style.KEY)
        if i:
            before = sources[i - 1] + size
            arrow((before, rows["forward"] + middle), (x, rows["forward"] + middle), style.KEY)
            arrow((x, rows["backward"] + middle), (before, rows["backward"] + middle), style.KEY)
        arrow((x + middle, below - 11), (x + middle, rows["backward"] + size))
        ax.text(x + middle, below, token, ha="center", size=style.SMALL)
    for i, x in enumerate(targets):
        box(x, rows["decoder"], style.QUERY)
        if i:
            arrow((targets[i - 1] + size, rows["decoder"] + middle), (x, rows["decoder"] + middle), style.QUERY)
        arrow((x + middle, below - 11), (x + middle, rows["decoder"] + size))
        arrow((x + middle, rows["decoder"]), (x + middle, top - 11))
        ax.text(x + middle, below, TARGET[i], ha="center", size=style.SMALL)
        ax.text(x + middle, top - 16, TARGET[i + 1], ha="center", size=style.SMALL)
    over = (sources[-1] + size + 2, rows["decoder"] + middle)
    arrow(over, (targets[0], over[1]), style.OUTPUT, width=2.6)
    label = text["state"].format(numbers)
    ax.plot([(over[0] + targets[0]) / 2] * 2, [40, over[1] - 4], color=style.OUTPUT, lw=0.8, ls=":")
    ax.text((over[0] + targets[0]) / 2, 36, label, ha="center", color=style.OUTPUT, size=style.SMALL)
    ax.text(left, 12, text["encoder"], color=style.KEY, weight="bold")
    ax.text(targets[0], 12, text["decoder"], color=style.QUERY, weight="bold")
    ax.text(left, below + 20, text["source"], color=style.KEY)
    ax.text(targets[0], below + 20, text["target"], color=style.QUERY)
    return figure
