"""The loss of one token against the probability of the correct one, and where the translator is on this curve."""

import datetime
import functools

import torch

from snippets.before import dates
from snippets.figures import style
from snippets.training.decoding import inference
from snippets.training.loss import next_token_loss
from snippets.training.translator import DATE_VOCAB, date_trainer, trained

DATE = datetime.date(2024, 3, 5)

TEXT = {
    "ko": {"x": "정답 토큰의 확률", "y": "손실, −log P", "before": "학습 전: {:.2f}", "after": "학습 후: {:.3f}"},
    "en": {
        "x": "probability of the correct token",
        "y": "loss, −log P",
        "before": "before training: {:.2f}",
        "after": "after training: {:.3f}",
    },
}


@functools.cache
def losses():
    """Mean loss of the tokens of one date: of the model before its first step, and of the trained one."""
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    found = {}
    for name, model in [("before", date_trainer(0).model), ("after", trained("dates").model)]:
        with inference(model):
            found[name] = next_token_loss(model, src, tgt).item()
    return found


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 2.5))
    p = torch.linspace(0.0005, 1, 500)
    ax.plot(p, -p.log(), color=style.FAINT)
    found = losses()
    for name, colour, way in [("before", style.KEY, "left"), ("after", style.VALUE, "right")]:
        loss = found[name]
        place = torch.tensor(-loss).exp().item()
        ax.plot([place], [loss], "o", color=colour, ms=7)
        shift = 0.03 if way == "left" else -0.01
        ax.text(place + shift, loss + (0 if way == "left" else 0.9), text[name].format(loss), ha=way, color=colour)
    ax.set_ylim(-0.3, 8)
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.grid(axis="y")
    return figure
