"""What is averaged for one number: the components of its token, or its component in the whole batch."""

import torch

from snippets.block.layer_norm import LayerNorm
from snippets.figures import style

SENTENCES, POSITIONS, D_MODEL = 2, 3, 5
CHOSEN = (0, 1, 2)  # the number whose normalization is looked at

TEXT = {
    "ko": {
        "layer": "층 정규화",
        "batch": "배치 정규화",
        "rows": ["문장 {}", "토큰 {}"],
        "columns": "성분",
        "over": ["토큰 하나의 성분 {}개", "성분 하나를 토큰 {}개에서"],
    },
    "en": {
        "layer": "layer normalization",
        "batch": "batch normalization",
        "rows": ["sentence {}", "token {}"],
        "columns": "components",
        "over": ["{} components of one token", "one component of {} tokens"],
    },
}


def influences():
    """For each norm: which inputs the chosen output depends on, (sentences, positions, d_model), by autograd."""
    x = torch.randn(SENTENCES, POSITIONS, D_MODEL, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    x.requires_grad_()
    over_batch = torch.nn.BatchNorm1d(D_MODEL).double()
    found = {}
    for name, output in [
        ("layer", LayerNorm(D_MODEL).double()(x)),
        ("batch", over_batch(x.flatten(0, 1)).view_as(x)),
    ]:
        found[name] = torch.autograd.grad(output[CHOSEN], x)[0].abs() > 1e-12
    return found


def draw(text, width=style.WIDTH):
    size, first, room = (18, 62, 150) if width == style.WIDTH else (17, 53, 112)
    top, gap = 34, 12
    figure, ax = style.canvas(top + SENTENCES * POSITIONS * size + gap + 28, width)
    bottom = top + SENTENCES * POSITIONS * size + gap
    for panel, (name, used) in enumerate(influences().items()):
        left = first + panel * room
        colour = style.QUERY if name == "layer" else style.KEY
        ax.text(left + D_MODEL * size / 2, 14, text[name], ha="center", color=colour, weight="bold")
        ax.text(left + D_MODEL * size / 2, 28, text["columns"], ha="center", size=style.SMALL)
        for sentence in range(SENTENCES):
            y = top + sentence * (POSITIONS * size + gap)
            form = {"size": (size, size), "colour": colour, "depth": used[sentence].double()}
            chosen = torch.zeros(POSITIONS, D_MODEL)
            if sentence == CHOSEN[0]:
                chosen[CHOSEN[1:]] = 1
            style.cells(ax, chosen, left, y, show=lambda here: "×" if here else "", **form)
            if panel == 0:
                for token in range(POSITIONS):
                    label = text["rows"][1].format(token)
                    ax.text(left - 5, y + (token + 0.5) * size + 3, label, ha="right", size=style.SMALL)
        count = int(used.sum())
        place = {"x": left + D_MODEL * size / 2, "ha": "center"}
        if width != style.WIDTH:  # where both have just room
            place = {"x": width * 72 - 2, "ha": "right"} if panel else {"x": 16, "ha": "left"}
        ax.text(y=bottom + 18, s=text["over"][panel].format(count), size=style.SMALL, **place)
    for sentence in range(SENTENCES):
        middle = top + sentence * (POSITIONS * size + gap) + POSITIONS * size / 2
        turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor", "size": style.SMALL}
        ax.text(14 if width == style.WIDTH else 11, middle, text["rows"][0].format(sentence), **turned)
    return figure
