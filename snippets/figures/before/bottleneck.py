"""Numbers translated without an error, by length: a state of fixed size after few and many steps, and attention."""

from snippets.before import longer_training, recurrent_attention, recurrent_translator
from snippets.before.recurrent_translator import LENGTHS, SEEDS
from snippets.figures import style

TEXT = {
    "ko": {
        "state": ["고정된 크기의", "상태 하나,", "500스텝"],
        "longer": ["고정된 상태,", "2,000스텝"],
        "attention": ["어텐션을 더한 모델, 500스텝"],
        "x": "원문의 단어 수",
        "y": "한 군데도 틀리지 않은 번역의 비율 (시드 {}개)",
    },
    "en": {
        "state": ["one state of", "fixed size,", "500 steps"],
        "longer": ["fixed size,", "2,000 steps"],
        "attention": ["with attention, 500 steps"],
        "x": "number of words in the source",
        "y": "share of translations without an error ({} seeds)",
    },
}


def draw(text, width=style.WIDTH):
    figure, ax = style.plt.subplots(figsize=(width, 2.7))
    for name, curve, colour, marker, at, ha in [
        ("attention", recurrent_attention.length_curves()["dot"], style.WEIGHT, "D", (20, 1), "right"),
        ("longer", longer_training.state_curves()["2000 steps"], style.KEY, "s", (16, 0.6), "left"),
        ("state", recurrent_translator.length_curves()["d = 64"], style.QUERY, "o", (9.2, 0.3), "right"),
    ]:
        label = "\n".join(text[name])
        style.spread(ax, LENGTHS, curve, colour, marker, label)
        style.name_line(ax, label, at, ha=ha)
    style.share_axes(ax, LENGTHS, text["x"], text["y"].format(len(SEEDS)))
    ax.set_ylim(top=1.14)
    return figure
