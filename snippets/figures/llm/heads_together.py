"""Loss on other text against the number of heads removed: those that cost least alone, and some at random."""

import torch

from snippets.figures import style
from snippets.llm.heads_measured import REMOVED, results

TEXT = {
    "ko": {
        "least": ["하나씩 잰 손실", "증가가 작은 것부터"],
        "random": ["무작위", "(세 번)"],
        "sum": ["하나씩 잰 증가의", "합으로 예측"],
        "x": "제거한 헤드의 수 (전체 270개)",
        "y": "토큰당 손실 (nat)",
    },
    "en": {
        "least": ["those that cost", "least alone"],
        "random": ["at random", "(three draws)"],
        "sum": ["predicted by the", "sum of single costs"],
        "x": "heads removed, of 270",
        "y": "loss per token (nats)",
    },
}


def draw(text, width=style.WIDTH):
    joint = {name: torch.tensor(x).mean() for name, x in results()["together"].items()}
    name = {what: "\n".join(lines) for what, lines in text.items() if what not in ("x", "y")}
    figure, ax = style.plt.subplots(figsize=(width, 2.7))
    x, none = [0, *REMOVED], joint["none"]
    draws = torch.stack([torch.stack([none, *(joint[f"random {n} {i}"] for n in REMOVED)]) for i in range(3)])
    style.spread(ax, x, draws, style.KEY, "s", name["random"])
    ax.plot(x, [none, *(joint[f"least {n}"] for n in REMOVED)], "o-", color=style.QUERY, ms=4, label=name["least"])
    alone = torch.tensor(results()["alone"]).mean(dim=-1) - torch.tensor(results()["before"]).mean()
    cheapest = alone.flatten().sort().values
    ax.plot(x, [none + cheapest[:n].sum() for n in x], ":", color=style.FAINT, label=name["sum"])
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    style.name_lines(ax)
    return figure
