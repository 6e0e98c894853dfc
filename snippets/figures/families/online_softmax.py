"""Online softmax for one row: the running maximum, the running sum and the running output, key by key."""

import torch

from snippets.families.flash_attention import absorb, nothing_seen
from snippets.figures import style

SCORES = torch.tensor([1.0, 3.0, 2.0, 5.0, 4.0, 0.0])
VALUES = torch.tensor([6.0, 2.0, 8.0, 4.0, 1.0, 9.0])

TEXT = {
    "ko": {
        "scores": "점수와 지금까지의 최댓값",
        "sum": "합: 먼저 리스케일하고 더한 것",
        "old": "앞의 합을 리스케일한 것",
        "new": "새로 더한 것",
        "output": "지금까지의 출력",
        "exact": "전체 소프트맥스로 구한 출력",
        "x": "키",
    },
    "en": {
        "scores": "scores, and the maximum so far",
        "sum": "sum: first rescaled, then added to",
        "old": "earlier sum, rescaled",
        "new": "added",
        "output": "output so far",
        "exact": "output of the softmax over the whole row",
        "x": "key",
    },
}


def states():
    """(keys, 3): maximum, sum and output after each key."""
    state, steps = nothing_seen(torch.zeros(1, 1), VALUES.view(-1, 1)), []
    for score, value in zip(SCORES, VALUES, strict=True):
        state = absorb(state, score.view(1, 1), value.view(1, 1))
        steps.append(torch.cat([x.flatten() for x in state]))
    return torch.stack(steps)


def draw(text):
    maximum, total, output = states().unbind(dim=1)
    keys = list(range(1, len(SCORES) + 1))
    added = torch.exp(SCORES - maximum)
    before = (total - added).tolist()
    figure, axes = style.plt.subplots(3, 1, figsize=(style.WIDTH, 4.8), sharex=True)
    axes[0].bar(keys, SCORES.tolist(), width=0.5, color=style.QUERY, alpha=0.45)
    axes[0].step(torch.arange(len(keys) + 1) + 0.5, [*maximum, maximum[-1]], where="post", color=style.INK)
    axes[0].set_title(text["scores"])
    axes[1].bar(keys, before, width=0.5, color=style.FAINT, alpha=0.6, label=text["old"])
    form = {"color": style.WEIGHT, "alpha": 0.75, "label": text["new"]}
    axes[1].bar(keys, added.tolist(), bottom=before, width=0.5, **form)
    axes[1].set_ylim(0, 2.4)
    axes[1].legend(loc="upper left", ncols=2)
    axes[1].set_title(text["sum"])
    exact = (torch.softmax(SCORES, dim=0) @ VALUES).item()
    axes[2].plot(keys, output / total, "o-", color=style.OUTPUT, ms=4)
    axes[2].axhline(exact, ls="--", lw=1, color=style.INK, label=text["exact"])
    axes[2].set_ylim(0, 6.6)
    axes[2].set_title(text["output"])
    style.name_line(axes[2], text["exact"], (len(keys) + 0.5, exact), (0, -style.LINE), ha="right")
    axes[2].set_xticks(keys, [str(key) for key in keys])
    axes[2].set_xlabel(text["x"])
    return figure
