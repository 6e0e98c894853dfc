"""By layer: the rank of the answer as two lenses read it, and what hiding the country in one layer costs."""

import torch

from snippets.figures import style
from snippets.llm.capitals import QUESTIONS, results

TEXT = {
    "ko": {
        "rank": "정답의 순위 (중앙값과 사분위수)",
        "plain": "로짓 렌즈",
        "fitted": "변환을 거친 렌즈",
        "hidden": "한 층에서만 나라를 숨겼을 때 log p(정답)의 변화",
        "x": "층",
    },
    "en": {
        "rank": "rank of the answer (median, quartiles)",
        "plain": "logit lens",
        "fitted": "fitted lens",
        "hidden": "change of log p(answer) with the country hidden in one layer",
        "x": "layer",
    },
}


def draw(text):
    found = results()
    figure, (above, below) = style.plt.subplots(2, 1, figsize=(style.WIDTH, 4.3), sharex=True, height_ratios=(3, 2))
    quarters = torch.tensor([0.25, 0.5, 0.75], dtype=torch.float64)
    for name, colour, marker in [("plain", style.OUTPUT, "o"), ("fitted", style.QUERY, "s")]:
        until = 31 if name == "plain" else 30  # after the last layer there is nothing to translate
        ranks = torch.tensor([of["rank"] for of in found["layers"][name][:until]], dtype=torch.float64)
        low, median, high = ranks.quantile(quarters, dim=1)
        x = torch.arange(until) - 0.5  # before a layer, after the one before it
        above.fill_between(x.numpy(), low.numpy(), high.numpy(), color=colour, alpha=0.2, lw=0)
        above.plot(x, median, marker + "-", color=colour, ms=3, label=text[name])
    style.log_axes(above, y=[1, 10, 100, 1_000, 10_000])
    above.set_ylim(60_000, 0.7)
    above.set_title(text["rank"])
    above.grid(axis="y")
    style.name_line(above, text["fitted"], (22.5, 100), ha="right")
    style.name_line(above, text["plain"], (30, 15_000), ha="right")
    change = torch.tensor(found["hiding"][next(iter(QUESTIONS))])
    errors = change.std(dim=1) / change.size(1) ** 0.5
    below.bar(
        range(len(change)),
        change.mean(dim=1).tolist(),
        yerr=errors.tolist(),
        color=style.KEY,
        error_kw={"lw": 1, "ecolor": style.INK},
    )
    below.set_title(text["hidden"])
    below.grid(axis="y")
    below.set_xlabel(text["x"])
    below.set_xticks([0, 5, 10, 15, 20, 23, 29])
    return figure
