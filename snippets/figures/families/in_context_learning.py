"""Right answers against the number of examples in the context: three trainings, and the best possible."""

import functools

import torch

from snippets.families.in_context_learning import SIZE, optimum, right_answers
from snippets.families.mapping_learner import PAIRS, SEEDS, learner, evaluation_set
from snippets.figures import style

TEXT = {
    "ko": {
        "optimum": "베이즈 최적",
        "measured": "모델, 시드 {}개",
        "chance": "찍기",
        "x": "문맥 안의 예시 수",
        "y": "정답률, 학습에 나오지 않은 매핑",
    },
    "en": {
        "optimum": "Bayes-optimal",
        "measured": "model, {} seeds",
        "chance": "chance",
        "x": "examples in the context",
        "y": "accuracy on held-out mappings",
    },
}


@functools.cache
def measure():
    ids = evaluation_set()
    return torch.stack([right_answers(learner(seed), ids).double().mean(dim=0) for seed in SEEDS])


def draw(text):
    examples, right = torch.arange(PAIRS), measure()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    best = [optimum(k) for k in range(PAIRS)]
    ax.axhline(1 / SIZE, color=style.FAINT, ls=":", label=text["chance"])
    ax.plot(examples, best, "--", color=style.INK, label=text["optimum"])
    model = text["measured"].format(len(SEEDS))
    style.spread(ax, examples, right, style.WEIGHT, "o", model)
    style.share_axes(ax, range(PAIRS), text["x"], text["y"])
    style.name_line(ax, text["chance"], (PAIRS - 1, 1 / SIZE), ha="right")
    style.name_line(ax, text["optimum"], (5, best[5]), (-style.LINE, 0), ha="right")
    style.name_line(ax, model, (5, best[5]), (style.LINE, -style.LINE), ha="left")
    return figure
