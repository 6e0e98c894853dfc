"""Exact match against the number of digits, with attention and without: mean and range of three trainings."""

from snippets.before import recurrent_attention, recurrent_translator
from snippets.before.recurrent_translator import LENGTHS, SEEDS
from snippets.figures import style

TEXT = {
    "ko": {
        "dot": "어텐션, 내적",
        "none": "어텐션 없음, d = 64",
        "larger": "어텐션 없음, d = 128",
        "x": "읽을 숫자의 개수",
        "y": "정확히 맞힌 비율: 평균, 최소에서 최대까지 (시드 {}개)",
    },
    "en": {
        "dot": "attention, dot product",
        "none": "no attention, d = 64",
        "larger": "no attention, d = 128",
        "x": "number of digits",
        "y": "exact match: mean, and lowest to highest of {} seeds",
    },
}


def draw(text):
    plain = recurrent_translator.length_curves()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    for name, curve, colour, marker in [
        ("dot", recurrent_attention.length_curves()["dot"], style.WEIGHT, "D"),
        ("larger", plain["d = 128"], style.VALUE, "^"),
        ("none", plain["d = 64"], style.QUERY, "o"),
    ]:
        style.spread(ax, LENGTHS, curve, colour, marker, text[name])
    style.share_axes(ax, LENGTHS, text["x"], text["y"].format(len(SEEDS)))
    ax.legend(loc="lower left")
    return figure
