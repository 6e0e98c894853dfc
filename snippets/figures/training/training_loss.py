"""Loss of the date translator during training, from the run that the pages use."""

import math

from snippets.figures import style
from snippets.training.translator import DATE_VOCAB, trained

TEXT = {
    "ko": {"guessing": "찍었을 때: ln {}", "x": "스텝", "y": "토큰당 손실(10스텝 평균)"},
    "en": {"guessing": "guessing: ln {}", "x": "step", "y": "loss per token (means of 10 steps)"},
}


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.7))
    ax.plot(*style.means(trained("dates").losses, 10), "o-", color=style.QUERY, lw=1.4, ms=2.5)
    guess = text["guessing"].format(len(DATE_VOCAB))
    ax.axhline(math.log(len(DATE_VOCAB)), color=style.KEY, ls="--", lw=1.2, label=guess)
    style.loss_axes(ax, text)
    style.name_lines(ax)
    return figure
