"""What each head of the trained T5 adds to a score, against the offset of the key."""

import torch

from snippets.families.t5_tasks import SMALL, trained
from snippets.figures import style

FARTHEST = 15  # of a date behind its prefix; longer texts do not occur in training

TEXT = {
    "ko": {"encoder": "인코더, 헤드 {}", "decoder": "디코더, 헤드 {}", "x": "오프셋(키 − 쿼리)"},
    "en": {"encoder": "encoder, head {}", "decoder": "decoder, head {}", "x": "offset (key − query)"},
}


@torch.no_grad()
def draw(text):
    model = trained()
    figure, axes = style.plt.subplots(SMALL.num_heads, 2, figsize=(style.WIDTH, 5.2), sharex="col", sharey=True)
    for column, name, last, colour in ((0, "encoder", FARTHEST, style.QUERY), (1, "decoder", 0, style.VALUE)):
        offset = torch.arange(-FARTHEST, last + 1)
        for head, values in enumerate(getattr(model, name).bias(offset)):
            ax = axes[head, column]
            ax.fill_between(offset, values, step="mid", color=colour, alpha=0.25, lw=0)
            ax.step(offset, values, where="mid", color=colour)
            ax.axvline(0, color=style.FAINT, lw=0.6)
            ax.set_title(text[name].format(head))
            ax.grid(axis="y")
            ax.set_yticks([-1, 0, 1])
        axes[-1, column].set_xlabel(text["x"])
    return figure
