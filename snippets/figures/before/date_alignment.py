"""Alignment of a date: from which source token each Korean token is predicted, with attention."""

import datetime

from snippets.before.recurrent_attention import date_alignment
from snippets.figures import style

DATE = datetime.date(2024, 3, 5)
SHOWS_KOREAN = True  # in both languages: the translation is what it is about

TEXT = {
    "ko": {"source": "원문 (키, 밸류)", "target": "예측하는 토큰 (쿼리)"},
    "en": {"source": "source (keys, values)", "target": "token predicted (query)"},
}


def draw(text):
    source, target, weights = date_alignment(DATE)
    return style.alignment(source, target, weights, text)
