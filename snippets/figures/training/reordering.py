"""Cross-attention of the trained translator: which source token each Korean token attends to."""

import datetime

from snippets.before import dates
from snippets.figures import style
from snippets.training.attention_maps import attention_maps
from snippets.training.translator import DATE_VOCAB, trained

DATE = datetime.date(2024, 3, 5)
SHOWS_KOREAN = True  # in both languages: the translation is what it is about

TEXT = {
    "ko": {"source": "원문 (키)", "target": "예측하는 토큰 (쿼리의 다음)"},
    "en": {"source": "source (keys)", "target": "token predicted (after the query)"},
}


def draw(text):
    src, tgt = dates.batch([DATE], DATE_VOCAB)
    maps = attention_maps(trained("dates").model, src, tgt[:, :-1])
    weights = maps["decoder.layers.1.cross_attention"][0].mean(dim=0)
    source = [*dates.english(DATE), "</s>"]
    target = [*dates.korean(DATE), "</s>"]
    cell, left, top = 26, 66, 78
    figure, ax = style.canvas(top + len(target) * 18 + 10)
    form = {"colour": style.WEIGHT, "size": (cell, 18), "depth": weights, "rows": target}
    style.cells(ax, weights, left, top, show=lambda weight: f"{weight:.1f}" if weight >= 0.15 else "", **form)
    for j, word in enumerate(source):
        form = {"rotation": 50, "rotation_mode": "anchor", "ha": "left", "size": style.SMALL}
        ax.text(left + (j + 0.5) * cell, top - 4, word, **form)
    ax.text(left, 12, text["source"], color=style.KEY, weight="bold")
    turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor", "color": style.QUERY, "weight": "bold"}
    ax.text(12, top + len(target) * 9, text["target"], **turned)
    return figure
