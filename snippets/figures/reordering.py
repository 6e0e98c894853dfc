"""Cross-attention of the trained translator: which source word each Korean word was written from."""

import datetime

from matplotlib.patches import Rectangle

from snippets import dates
from snippets.attention_maps import attention_maps
from snippets.figures import style
from snippets.translator import DATE_WORDS, trained

DATE = datetime.date(2024, 3, 5)
SHOWS_KOREAN = True  # in both languages: the translation is what it is about

TEXT = {
    "ko": {"source": "원문 (키)", "target": "쓰는 낱말 (쿼리의 다음 낱말)"},
    "en": {"source": "source (keys)", "target": "word written (next after the query)"},
}


def draw(text):
    src, tgt = dates.batch([DATE], DATE_WORDS)
    maps = attention_maps(trained("dates").model, src, tgt[:, :-1])
    weights = maps["decoder.layers.1.cross_attention"][0].mean(dim=0)
    source = [*dates.english(DATE), "</s>"]
    target = [*dates.korean(DATE), "</s>"]
    cell, left, top = 26, 66, 78
    figure, ax = style.canvas(top + len(target) * 18 + 10)
    for i, row in enumerate(weights.tolist()):
        for j, weight in enumerate(row):
            x, y = left + j * cell, top + i * 18
            alpha = style.PALEST + (style.DEEPEST - style.PALEST) * weight
            box = Rectangle((x + 0.5, y + 0.5), cell - 1, 17, color=style.WEIGHT, alpha=alpha, lw=0)
            ax.add_patch(box)
            if weight >= 0.15:
                ax.text(x + cell / 2, y + 12, f"{weight:.1f}", ha="center", size=style.SMALL)
        ax.text(left - 5, top + i * 18 + 12, target[i], ha="right", size=style.SMALL)
    for j, word in enumerate(source):
        form = {"rotation": 50, "rotation_mode": "anchor", "ha": "left", "size": style.SMALL}
        ax.text(left + (j + 0.5) * cell, top - 4, word, **form)
    ax.text(left, 12, text["source"], color=style.KEY, weight="bold")
    turned = {"ha": "center", "rotation": 90, "rotation_mode": "anchor", "color": style.QUERY, "weight": "bold"}
    ax.text(12, top + len(target) * 9, text["target"], **turned)
    return figure
