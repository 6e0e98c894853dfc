"""GELU beside ReLU, and how far the form with tanh is from it."""

import torch
import torch.nn.functional as F

from snippets.figures import style

TEXT = {
    "ko": {
        "curves": "활성화 함수",
        "relu": "ReLU",
        "gelu": "GELU",
        "tanh": "GELU, tanh 근사",
        "difference": "tanh 근사에서 GELU를 뺀 값",
        "x": "입력",
    },
    "en": {
        "curves": "activation",
        "relu": "ReLU",
        "gelu": "GELU",
        "tanh": "GELU, tanh form",
        "difference": "tanh form minus GELU",
        "x": "input",
    },
}


def draw(text):
    x = torch.linspace(-4, 4, 321)
    exact, tanh = F.gelu(x), F.gelu(x, approximate="tanh")
    figure, (above, below) = style.plt.subplots(
        2, 1, figsize=(style.WIDTH, 4.2), sharex=True, gridspec_kw={"height_ratios": [2.4, 1]}
    )
    above.plot(x, torch.relu(x), "--", color=style.KEY, label=text["relu"])
    above.plot(x, exact, color=style.QUERY, label=text["gelu"])
    above.plot(x[::16], tanh[::16], "o", color=style.OUTPUT, ms=3, label=text["tanh"])
    above.set_title(text["curves"])
    style.name_line(above, text["relu"], (1, 1), (-2 * style.GAP, 0), ha="right")
    style.name_line(above, text["gelu"], (x[exact.argmin()], exact.min()), (0, -style.LINE))
    style.name_line(above, text["tanh"], (2, F.gelu(x.new_tensor(2.0))), (2 * style.GAP, -style.GAP), ha="left")
    above.set_ylim(bottom=-0.7)
    below.plot(x, tanh - exact, color=style.OUTPUT)
    below.set_title(text["difference"])
    below.set_yticks([-0.0005, 0, 0.0005], ["−0.0005", "0", "0.0005"])
    below.set_xlabel(text["x"])
    for ax in (above, below):
        ax.grid()
    return figure
