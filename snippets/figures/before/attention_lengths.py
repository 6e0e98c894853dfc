"""Exact match against the number of digits, with attention and without: mean and range of three trainings."""

from snippets.before import longer_training, recurrent_attention, recurrent_translator
from snippets.before.recurrent_translator import LENGTHS, SEEDS
from snippets.figures import style

TEXT = {
    "ko": {
        "dot": "어텐션, 500스텝",
        "none": "어텐션 없음, 500스텝",
        "larger": "어텐션 없음, d = 128, 500스텝",
        "longer": "어텐션 없음, 2,000스텝",
        "x": "읽을 숫자의 개수",
        "y": "정확히 맞힌 비율: 평균, 최소에서 최대까지 (시드 {}개)",
    },
    "en": {
        "dot": "attention, 500 steps",
        "none": "no attention, 500 steps",
        "larger": "no attention, d = 128, 500 steps",
        "longer": "no attention, 2,000 steps",
        "x": "number of digits",
        "y": "exact match: mean, and lowest to highest of {} seeds",
    },
}


def draw(text):
    plain = recurrent_translator.length_curves()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.1))
    for name, curve, colour, marker in [
        ("dot", recurrent_attention.length_curves()["dot"], style.WEIGHT, "D"),
        ("longer", longer_training.state_curves()["2000 steps"], style.KEY, "s"),
        ("larger", plain["d = 128"], style.VALUE, "^"),
        ("none", plain["d = 64"], style.QUERY, "o"),
    ]:
        style.spread(ax, LENGTHS, curve, colour, marker, text[name])
    style.share_axes(ax, LENGTHS, text["x"], text["y"].format(len(SEEDS)))
    ax.legend(loc="lower left")
    return figure
