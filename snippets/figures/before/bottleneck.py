"""Numbers translated without an error, by length: with a state of fixed size, and with attention."""

from snippets.before import recurrent_attention, recurrent_translator
from snippets.figures import style

TEXT = {
    "ko": {
        "state": "고정된 크기의 상태 하나 (64차원)",
        "attention": "같은 모델에 어텐션을 더한 것",
        "x": "원문의 길이 (단어 수)",
        "y": "한 군데도 틀리지 않은 번역의 비율, %",
    },
    "en": {
        "state": "one state of fixed size (d = 64)",
        "attention": "the same with attention",
        "x": "length of the source, in words",
        "y": "% of translations without an error",
    },
}


def draw(text):
    figure, ax = style.plt.subplots(figsize=(style.WIDTH, 2.7))
    lengths = list(recurrent_translator.LENGTHS)
    for label, runs, colour, look in [
        ("attention", recurrent_attention.length_curves()["dot"], style.WEIGHT, "D-"),
        ("state", recurrent_translator.length_curves()["d = 64"], style.KEY, "o--"),
    ]:
        low, high = 100 * runs.amin(dim=0), 100 * runs.amax(dim=0)
        ax.fill_between(lengths, low, high, color=colour, alpha=0.2, lw=0)
        ax.plot(lengths, 100 * runs.mean(dim=0), look, color=colour, ms=4, label=text[label])
    ax.set_ylim(-3, 103)
    ax.set_xticks(lengths)
    ax.grid(axis="y")
    ax.set_xlabel(text["x"])
    ax.set_title(text["y"])
    ax.legend(loc="lower left")
    return figure
