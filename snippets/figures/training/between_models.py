"""Losses along the straight line between the weights of two models: of one training, and of two."""

from snippets.figures import style
from snippets.training.averaged_runs import SHARES, all_lines

#: Where no curve passes.
LABELS = {"two trainings": 6, "same start": 0.0006, "one training": 0.04}
KINDS = {"two trainings": style.KEY, "same start": style.QUERY, "one training": style.VALUE}

TEXT = {
    "ko": {
        "two trainings": "시드가 다른 두 학습",
        "same start": "200스텝까지 같은 두 학습",
        "one training": "한 학습의 체크포인트 둘",
        "x": "둘째 모델의 비율",
        "title": "두 모델의 가중치를 섞은 모델의 손실",
    },
    "en": {
        "two trainings": "two runs, two seeds",
        "same start": "two runs, 200 steps in common",
        "one training": "two checkpoints of one run",
        "x": "share of the second model",
        "title": "loss of a mixture of two models' weights",
    },
}


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 3.2))
    for kind, colour in KINDS.items():
        curves = [line[kind] for line in all_lines()]
        for curve in curves:
            ax.plot(SHARES, curve, color=colour, lw=1.4)
        ax.text(0.5, LABELS[kind], text[kind], ha="center", va="center", color=colour)
    ax.set_yscale("log")
    ax.set_ylim(0.0004, 12)
    ax.set_yticks([0.001, 0.01, 0.1, 1, 10], ["0.001", "0.01", "0.1", "1", "10"])
    ax.minorticks_off()
    ax.set_xticks([0, 0.5, 1], ["0", "½", "1"])
    ax.set_xlabel(text["x"])
    ax.set_title(text["title"])
    ax.grid(axis="y")
    return figure
