"""Exact match against the number of digits, with attention and without: mean and range of three trainings."""

from snippets.before import longer_training, recurrent_attention, recurrent_translator
from snippets.before.recurrent_translator import LENGTHS, SEEDS
from snippets.figures import style

TEXT = {
    "ko": {
        "dot": ["어텐션, 500스텝"],
        "none": ["어텐션 없음,", "500스텝"],
        "larger": ["d = 128"],
        "longer": ["2,000스텝"],
        "x": "읽을 숫자의 개수",
        "y": "정확히 맞힌 비율: 평균, 최소에서 최대까지 (시드 {}개)",
    },
    "en": {
        "dot": ["attention, 500 steps"],
        "none": ["no attention,", "500 steps"],
        "larger": ["d = 128"],
        "longer": ["2,000 steps"],
        "x": "number of digits",
        "y": "exact match: mean, and lowest to highest of {} seeds",
    },
}


def draw(text):
    plain = recurrent_translator.length_curves()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 3.1))
    for name, curve, colour, marker, at, ha in [
        ("dot", recurrent_attention.length_curves()["dot"], style.WEIGHT, "D", (20, 1), "right"),
        ("longer", longer_training.state_curves()["2000 steps"], style.KEY, "s", (15.9, 0.6), "left"),
        ("larger", plain["d = 128"], style.VALUE, "^", (14.8, 0.28), "right"),
        ("none", plain["d = 64"], style.QUERY, "o", (9.2, 0.3), "right"),
    ]:
        label = "\n".join(text[name])
        style.spread(ax, LENGTHS, curve, colour, marker, label)
        style.name_line(ax, label, at, ha=ha)
    style.share_axes(ax, LENGTHS, text["x"], text["y"].format(len(SEEDS)))
    ax.set_ylim(top=1.14)
    return figure
