"""What each head of the trained T5 adds to a score, against the offset of the key."""

import torch

from snippets.families.t5_tasks import SMALL, trained
from snippets.figures import style

FARTHEST = 14  # longer sequences do not occur in training
LOOKS = [(style.QUERY, "-"), (style.KEY, "--"), (style.VALUE, "-."), (style.OUTPUT, ":")]

TEXT = {
    "ko": {"encoder": "인코더", "decoder": "디코더", "head": "헤드 {}", "x": "오프셋: 키의 위치 − 쿼리의 위치"},
    "en": {"encoder": "encoder", "decoder": "decoder", "head": "head {}", "x": "offset: key position − query position"},
}


@torch.no_grad()
def draw(text):
    model = trained()
    figure, axes = style.plt.subplots(2, 1, figsize=(style.WIDTH, 4.6), sharex=True)
    for ax, name in zip(axes, ("encoder", "decoder"), strict=True):
        offset = torch.arange(-FARTHEST, FARTHEST + 1 if name == "encoder" else 1)
        for head, (values, (colour, line)) in enumerate(zip(getattr(model, name).bias(offset), LOOKS, strict=True)):
            ax.step(offset, values, line, where="mid", color=colour, label=text["head"].format(head + 1))
        ax.set_title(text[name])
        ax.grid(axis="y")
    assert len(LOOKS) == SMALL.num_heads
    axes[1].legend(loc="center right")
    axes[1].set_xlabel(text["x"])
    return figure
