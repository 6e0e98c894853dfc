"""Loss of the translator and of its four broken variants during training."""

from snippets.figures import style
from snippets.labs.broken_translator import VARIANTS, trained_variant
from snippets.training.translator import trained

TEXT = {
    "ko": {
        "whole": "온전한 모델",
        "no positions": "위치 없음",
        "no mask": "마스크 없음",
        "no scaling": "스케일링 없음",
        "no warm-up": "워밍업 없음",
        "x": "스텝",
        "y": "토큰당 손실, 10스텝 평균",
    },
    "en": {
        "whole": "whole",
        "no positions": "no positions",
        "no mask": "no mask",
        "no scaling": "no scaling",
        "no warm-up": "no warm-up",
        "x": "step",
        "y": "loss per token, mean of 10 steps",
    },
}
LOOKS = {
    "whole": (style.INK, "o-"),
    "no positions": (style.KEY, "s-"),
    "no mask": (style.OUTPUT, "^-"),
    "no scaling": (style.VALUE, "--"),
    "no warm-up": (style.WEIGHT, ":"),
}


def draw(text, losses=None):
    """losses: lists by name of the variant; those of the kept trainings, if none are given."""
    if losses is None:
        losses = {"whole": trained("dates").losses}
        losses |= {name: trained_variant(name)[1]["losses"] for name in VARIANTS}
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.4))
    for name, values in losses.items():
        colour, line = LOOKS.get(name, (style.FAINT, "-"))
        ax.plot(*style.means(values, 10), line, color=colour, lw=1.3, ms=3, markevery=3, label=text.get(name, name))
    style.loss_axes(ax, text)
    return figure
