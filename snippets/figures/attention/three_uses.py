"""The three uses of attention as blocks of one matrix: who looks at whom, with weights from one run."""

import torch
from matplotlib.patches import Rectangle
from torch.nn.functional import layer_norm

from snippets.attention.masks import causal_mask
from snippets.attention.multi_head import MultiHeadAttention
from snippets.figures import style

SOURCE, TARGET, D_MODEL = 4, 3, 16

TEXT = {
    "ko": {
        "encoder": "인코더 셀프 어텐션",
        "masked": "마스크드 셀프 어텐션",
        "cross": "크로스 어텐션",
        "queries": ["쿼리: 원문", "쿼리: 번역문"],
        "keys": ["키와 밸류: 원문", "키와 밸류: 번역문"],
        "never": ["원문은 번역문을", "보지 않습니다"],
    },
    "en": {
        "encoder": "encoder self-attention",
        "masked": "masked self-attention",
        "cross": "cross-attention",
        "queries": ["queries: source", "queries: target"],
        "keys": ["keys, values: source", "keys, values: target"],
        "never": ["the source never", "looks at the target"],
    },
}


@torch.no_grad()
def measure():
    """The weights of the three, by name."""
    torch.manual_seed(2)
    source, target = torch.randn(1, SOURCE, D_MODEL), torch.randn(1, TARGET, D_MODEL)
    attention = [MultiHeadAttention(D_MODEL, num_heads=1) for _ in range(3)]
    for module in attention:  # larger projections than at initialisation, so that the weights differ visibly
        for w in (module.w_q, module.w_k):
            w.weight.mul_(3)
    memory, encoder = attention[0](source, source, source)
    memory = layer_norm(memory, (D_MODEL,))
    decoded, masked = attention[1](target, target, target, causal_mask(TARGET))
    decoded = layer_norm(decoded, (D_MODEL,))
    _, cross = attention[2](decoded, memory, memory)
    return {"encoder": encoder[0, 0], "masked": masked[0, 0], "cross": cross[0, 0]}


def draw(text):
    figure, ax = style.canvas(254)
    width, height, xs, ys = 32, 22, (46, 210), (24, 142)  # where source and target stand
    names = [[f"x_{i + 1}" for i in range(SOURCE)], [f"y_{i + 1}" for i in range(TARGET)]]
    sides = {"encoder": (0, 0), "masked": (1, 1), "cross": (1, 0)}  # of queries and keys
    for name, weights in measure().items():
        row, column = sides[name]
        form = {"rows": names[row] if column == 0 else (), "columns": names[column] if row == 1 else ()}
        style.cells(
            ax,
            weights,
            xs[column],
            ys[row],
            colour=style.WEIGHT,
            size=(width, height),
            show=style.two_decimals,
            depth=weights,
            **form,
        )
        ax.text(xs[column], ys[row] - 7, text[name], weight="bold", color=style.WEIGHT)
    wide, high = TARGET * width, SOURCE * height
    ax.add_patch(Rectangle((xs[1], ys[0]), wide, high, fill=False, color=style.FAINT, lw=0.8, ls="--"))
    for line, part in enumerate(text["never"]):
        ax.text(xs[1] + wide / 2, ys[0] + high / 2 + 12 * line - 2, part, ha="center", size=style.SMALL)
    for side, n in enumerate([SOURCE, TARGET]):
        turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor"}
        ax.text(16, ys[side] + n * height / 2, text["queries"][side], color=style.QUERY, **turned)
        under = ys[1] + TARGET * height + 28
        ax.text(xs[side] + n * width / 2, under, text["keys"][side], ha="center", color=style.KEY)
    return figure
