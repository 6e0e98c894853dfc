"""Exact match against the number of digits, for states of three sizes: mean and range of three trainings."""

from snippets.before.recurrent_translator import LENGTHS, SEEDS, length_curves
from snippets.figures import style

TEXT = {
    "ko": {"x": "읽을 숫자의 개수", "y": "정확히 맞힌 비율: 평균, 최소에서 최대까지 (시드 {}개)"},
    "en": {"x": "number of digits", "y": "exact match: mean, and lowest to highest of {} seeds"},
}
LOOKS = {"d = 32": (style.KEY, "s"), "d = 64": (style.QUERY, "o"), "d = 128": (style.VALUE, "^")}


def draw(text):
    curves = length_curves()
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.9))
    for name, (colour, marker) in LOOKS.items():
        style.spread(ax, LENGTHS, curves[name], colour, marker, name)
        after = LENGTHS[int((curves[name].mean(dim=0) < 0.5).nonzero()[0])]  # which half is not reached any more
        style.name_line(ax, name, (after, 0.5), (2 * style.GAP, 0), ha="left")
    style.share_axes(ax, LENGTHS, text["x"], text["y"].format(len(SEEDS)))
    return figure
