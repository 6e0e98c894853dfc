"""One token in a mixture of four experts: the router's probabilities, the two it goes to, and their weights."""

import torch

from snippets.figures import style

TEXT = {
    "ko": {"x": "토큰 x", "router": "라우터", "probs": "확률", "expert": "전문가 {}", "y": "가중합 y"},
    "en": {"x": "token x", "router": "router", "probs": "probabilities", "expert": "expert {}", "y": "weighted sum y"},
}


def route():
    """The first token of the page's example: probabilities (4,), the numbers of its experts, and their weights."""
    torch.manual_seed(2)
    x, w_router = torch.randn(3, 8), torch.randn(8, 4)
    probs = (x @ w_router).softmax(dim=-1)[0]
    best = probs.topk(2)
    return probs, best.indices.tolist(), (best.values / best.values.sum()).tolist()


def draw(text):
    probs, chosen, weights = route()
    figure, ax = style.canvas(256)
    pitch, middle = 80, 165
    at = [5 + pitch * (number + 0.5) for number in range(len(probs))]  # middles of the experts
    style.block(ax, middle, 6, 110, text["y"], colour=style.OUTPUT)
    for number, x in enumerate(at):
        used = number in chosen
        style.block(ax, x, 84, 70, text["expert"].format(number), colour=style.VALUE if used else style.FAINT)
        if used:
            weight = weights[chosen.index(number)]
            style.arrow(ax, (x, 134), (x, 108))
            style.arrow(ax, (x, 84), (middle + (x - middle) / 4, 30))
            side = 1 if x > middle else -1
            align = "left" if x > middle else "right"
            ax.text(middle + (x - middle) * 0.62 + 6 * side, 58, f"× {weight:.2f}", ha=align, size=style.SMALL)
    style.cells(ax, probs[None], 5, 134, colour=style.WEIGHT, size=(pitch, 20), show="{:.2f}")
    ax.text(5, 167, text["probs"], size=style.SMALL)
    style.arrow(ax, (middle, 182), (middle, 154))
    style.block(ax, middle, 182, 90, text["router"], colour=style.WEIGHT)
    style.arrow(ax, (middle, 226), (middle, 206))
    style.block(ax, middle, 226, 90, text["x"], colour=style.QUERY)
    return figure
