"""The soft look-up as bars: score, weight, and what each price adds to the answer."""

import torch
from matplotlib.patches import Rectangle

from snippets.attention.soft_lookup import soft_lookup
from snippets.figures import style

SCORES = torch.tensor([3.1, 3.5, 1.2, 0.1, 0.9])

TEXT = {
    "ko": {
        "names": ["연필", "샤프", "공책", "가위", "자"],
        "score": "점수",
        "weight": "가중치",
        "value": "× 밸류",
        "share": "= 몫",
        "sum": "합",
        "answer": "{:.1f}원",
        "prices": ["200", "3000", "3000", "1000", "750"],
    },
    "en": {
        "names": ["pencil", "mechanical pencil", "notebook", "scissors", "ruler"],
        "score": "score",
        "weight": "weight",
        "value": "× value",
        "share": "= share",
        "sum": "sum",
        "answer": "{:.1f} cents",
        "prices": ["25", "250", "250", "150", "75"],
    },
}


def numbers():
    """For whoever touches it: the scores, and the prices by language."""
    return {
        "scores": [round(score, 1) for score in SCORES.tolist()],
        "prices": {language: [int(price) for price in words["prices"]] for language, words in TEXT.items()},
    }


def draw(text, width=style.WIDTH):
    prices = torch.tensor([float(price) for price in text["prices"]])
    price, weights = soft_lookup(SCORES, prices)
    xs, bars = (
        ((86, 148, 222, 264), (38, 32, 0, 28)) if width == style.WIDTH else ((84, 118, 172, 216), (14, 16, 0, 12))
    )
    columns = [  # name, numbers, colour, format
        ("score", SCORES, style.FAINT, "{:.1f}"),
        ("weight", weights, style.WEIGHT, "{:.4f}"),
        ("value", prices, style.VALUE, "{:.0f}"),  # no bars
        ("share", weights * prices, style.OUTPUT, "{:.1f}"),
    ]
    top, height = 22, 20
    figure, ax = style.canvas(146, width)
    for row, name in enumerate(text["names"]):
        ax.text(80, top + row * height + 13, name, ha="right", size=style.SMALL)
    for x, longest, (name, numbers, colour, form) in zip(xs, bars, columns, strict=True):
        ax.text(x, 14, text[name], weight="bold", color=colour)
        for row, number in enumerate(numbers.tolist()):
            length, y = longest * number / numbers.max().item(), top + row * height
            if longest:
                ax.add_patch(Rectangle((x, y + 3), length, height - 6, color=colour, lw=0))
            ax.text(x + length + 3, y + 13, form.format(number), size=style.SMALL)
    bottom = top + len(SCORES) * height
    ax.plot([xs[0], width * 72 - 4], [bottom + 2, bottom + 2], color=style.FAINT, lw=0.8)
    ax.text(xs[1], bottom + 15, f"{weights.sum():.4f}", weight="bold", size=style.SMALL)
    answer = {"x": xs[3]} if width == style.WIDTH else {"x": width * 72 - 2, "ha": "right"}
    ax.text(y=bottom + 15, s=text["answer"].format(price), weight="bold", size=style.SMALL, **answer)
    ax.text(80, bottom + 15, text["sum"], ha="right", size=style.SMALL)
    return figure
