"""What the scores of a whole model depend on: the size of their derivatives by every token that goes in."""

import torch

from snippets.figures import style
from snippets.block.config import TransformerConfig
from snippets.model.transformer import Transformer

SOURCE = torch.tensor([[3, 7, 5, 0, 0]])
TARGET = torch.tensor([[1, 9, 4, 8]])

TEXT = {
    "ko": {
        "source": "원문",
        "target": "지금까지의 번역문",
        "pad": "패딩",
        "rows": ["로짓의 위치"],
    },
    "en": {
        "source": "source",
        "target": "target so far",
        "pad": "pad",
        "rows": ["position of logits"],
    },
}


def measure():
    """(m, n + m): norm of the Jacobian of each position's logits with respect to each embedding."""
    torch.manual_seed(0)
    sizes = {"vocab_size": 12, "num_layers": 2, "d_model": 32, "num_heads": 4, "d_ff": 64}
    model = Transformer(TransformerConfig(**sizes, dropout=0.0))
    embedded = []
    hook = model.embedding.register_forward_hook(lambda module, arguments, output: embedded.append(output))
    logits = model(SOURCE, TARGET)
    hook.remove()
    rows = []
    for place in logits[0]:
        squares = 0
        for logit in place:
            gradients = torch.autograd.grad(logit, embedded, retain_graph=True)
            squares = squares + torch.cat([g[0].square().sum(dim=-1) for g in gradients])
        rows.append(squares.sqrt())
    return torch.stack(rows)


def draw(text):
    norms = measure()
    n, m, width, height, left, top = SOURCE.size(1), TARGET.size(1), 30, 24, 44, 40
    figure, ax = style.canvas(top + m * height + 24)
    words = [text["pad"] if i == 0 else f"x_{k + 1}" for k, i in enumerate(SOURCE[0].tolist())]
    form = {"size": (width, height), "show": style.two_decimals}
    names = [f"y_{k + 1}" for k in range(m)]
    depth = norms / norms.max()
    for values, shade, x, columns, rows, colour, title in [
        (norms[:, :n], depth[:, :n], left, words, names, style.KEY, "source"),
        (norms[:, n:], depth[:, n:], left + n * width + 12, names, (), style.QUERY, "target"),
    ]:
        style.cells(ax, values, x, top, colour=colour, depth=shade, columns=columns, rows=rows, **form)
        ax.text(x, top - 8, text[title], weight="bold", color=colour)
    turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor"}
    ax.text(14, top + m * height / 2, text["rows"][0], **turned)
    return figure
