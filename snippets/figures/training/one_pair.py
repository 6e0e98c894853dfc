"""Cross-attention for one sentence pair: where the model looks for each Korean token, with its English beside it."""

from snippets.figures import style
from snippets.training.one_pair import KOREAN, PAIRS, batch, cross_attention, cut, trained

SHOWS_KOREAN = True  # in both languages: the translation is what it is about

TEXT = {
    "ko": {"source": "원문 (키)", "target": "예측하는 토큰 (쿼리의 다음)"},
    "en": {"source": "source (keys)", "target": "token predicted (after the query)"},
}


def draw(text, width=style.WIDTH):
    english, korean = PAIRS[0]
    source, target = [*cut(english), "</s>"], [*cut(korean), "</s>"]
    weights = cross_attention(trained(), *batch(PAIRS[:1]))[0]
    glosses = KOREAN if text is TEXT["en"] else {}
    left, top, row = 118 if glosses else 78, 66, 21
    cell = (width * 72 - left - 14) / len(source)
    figure, ax = style.canvas(top + len(target) * row + 8, width)
    form = {"colour": style.WEIGHT, "size": (cell, row), "depth": weights}
    style.cells(ax, weights, left, top, show=lambda w: f"{w:.1f}" if w >= 0.15 else "", **form)
    for i, token in enumerate(target):
        y = top + (i + 0.5) * row + 4
        right = {"ha": "right", "color": style.QUERY, "weight": "bold"}
        if token in glosses:
            ax.text(left - 6, y, glosses[token], ha="right", size=style.SMALL, color=style.FAINT)
            ax.text(left - 48, y, token, **right)
        else:
            ax.text(left - (48 if glosses else 6), y, token, **right)
    for j, token in enumerate(source):
        turned = {"rotation": 50, "rotation_mode": "anchor", "ha": "left", "color": style.KEY}
        ax.text(left + (j + 0.5) * cell, top - 5, token, **turned)
    ax.text(left, 12, text["source"], color=style.KEY, weight="bold")
    turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor", "color": style.QUERY, "weight": "bold"}
    ax.text(11, top + len(target) * row / 2, text["target"], **turned)
    return figure
