"""Numbers translated without an error, by length: with a state of fixed size, and with attention."""

from snippets.before import recurrent_attention, recurrent_translator
from snippets.before.recurrent_translator import LENGTHS, SEEDS
from snippets.figures import style

TEXT = {
    "ko": {
        "state": "고정된 크기의 상태 하나",
        "attention": "같은 모델에 어텐션을 더한 것",
        "x": "원문의 단어 수",
        "y": "한 군데도 틀리지 않은 번역의 비율 (시드 {}개)",
    },
    "en": {
        "state": "one state of fixed size",
        "attention": "the same with attention",
        "x": "number of words in the source",
        "y": "share of translations without an error ({} seeds)",
    },
}


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.7))
    for name, curve, colour, marker in [
        ("attention", recurrent_attention.length_curves()["dot"], style.WEIGHT, "D"),
        ("state", recurrent_translator.length_curves()["d = 64"], style.QUERY, "o"),
    ]:
        style.spread(ax, LENGTHS, curve, colour, marker, text[name])
    style.share_axes(ax, LENGTHS, text["x"], text["y"].format(len(SEEDS)))
    ax.legend(loc="lower left")
    return figure
