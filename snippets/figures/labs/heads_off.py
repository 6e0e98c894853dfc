"""How alike sentence embeddings stay when more and more heads are switched off, in three orders."""

import torch

from snippets.figures import style
from snippets.labs.inside_an_encoder import NUMBERS, more_and_more

TEXT = {
    "ko": {
        "least": "영향이 작은 헤드부터",
        "any": "무작위 순서로 (시드 셋)",
        "most": "영향이 큰 헤드부터",
        "x": "끈 헤드의 수",
        "y": "끄기 전 임베딩과의 코사인 유사도",
    },
    "en": {
        "least": "least effect first",
        "any": "random order (three seeds)",
        "most": "most effect first",
        "x": "heads switched off",
        "y": "cosine similarity with the unablated model",
    },
}
LOOKS = {"least": (style.VALUE, "^"), "any": (style.QUERY, "o"), "most": (style.OUTPUT, "s")}


def draw(text, runs=None):
    """runs: as ``more_and_more`` returns them."""
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.2))
    for name, some in (runs or more_and_more()).items():
        same = torch.tensor([[1.0, *(run["cosine"] for run in one)] for one in some])
        style.spread(ax, [0, *NUMBERS], same, *LOOKS[name], text[name])
    style.share_axes(ax, [0, *NUMBERS], text["x"], text["y"])
    ax.legend(loc="lower left")
    return figure
