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
    return style.alignment([*dates.english(DATE), "</s>"], [*dates.korean(DATE), "</s>"], weights, text)
