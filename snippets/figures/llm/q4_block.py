"""One block of 32 weights, decoded from its 20 bytes, at the 16 levels that its scale and minimum set."""

import torch

from snippets.figures import style
from snippets.llm.gguf import q4_1

TEXT = {
    "ko": {"x": "블록 안의 순서", "y": "가중치", "level": "{}단계"},
    "en": {"x": "place in the block", "y": "weight", "level": "level {}"},
}

#: The first block of blk.0.attn_q.weight of SmolLM2-135M-Instruct; a test compares it with the file.
BLOCK = bytes.fromhex("0f30d8b9458765406f65164b677664502267655a")


def decoded():
    """The weights of the block, (32,), and its 16 levels."""
    (weights,) = q4_1(torch.tensor([list(BLOCK)], dtype=torch.uint8))
    scale, least = torch.frombuffer(bytearray(BLOCK[:4]), dtype=torch.float16).float()
    return weights, scale * torch.arange(16) + least


def draw(text):
    weights, levels = decoded()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    for level in levels.tolist():
        ax.axhline(level, color=style.FAINT, lw=0.5, alpha=0.5)
    ax.plot(range(32), weights.tolist(), "o", color=style.WEIGHT, ms=4)
    for i, va in [(0, "bottom"), (15, "bottom")]:
        ax.annotate(
            text["level"].format(i),
            (31.6, levels[i].item()),
            (0, 1),
            textcoords="offset points",
            ha="right",
            va=va,
            size=style.SMALL,
            color=style.FAINT,
        )
    ax.set(xlabel=text["x"], xticks=[0, 8, 16, 24, 31], xlim=(-0.8, 31.8))
    ax.set_title(text["y"])
    return figure
