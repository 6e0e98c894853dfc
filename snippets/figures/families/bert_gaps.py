"""Three gaps in lines that the small BERT has never seen: the most probable characters."""

from snippets.families import constitution_bert
from snippets.families.constitution_bert import fill
from snippets.figures import style
from snippets.figures.labels import language_of

SHOWN = 5

TEXT = {
    "ko": {"x": "확률", "right": "{}  정답"},
    "en": {"x": "probability", "right": "{}  the true one"},
}


#: By language, of three test lines the number, and the position of the character that is hidden.
GAPS = {"ko": [(3, 10), (4, 12), (16, 14)], "en": [(8, 12), (8, 164), (9, 40)]}


def draw(text):
    language = language_of(text, TEXT)
    own = constitution_bert.text_of(language)
    model, _ = constitution_bert.trained(language)
    figure, axes = style.plt.subplots(3, 1, figsize=(style.WIDTH, 5.0), sharex=True)
    for ax, (number, position) in zip(axes, GAPS[language], strict=True):
        line = own.test[number]
        best = fill(model, own, line, [position])[0].topk(SHOWN)
        names = [style.readable(own.vocab.tokens[i]) for i in best.indices]
        true = line[position]
        colours = [style.OUTPUT if name == style.readable(true) else style.FAINT for name in names]
        ax.barh(range(SHOWN), best.values.tolist(), color=colours, height=0.66)
        for row, (value, name) in enumerate(zip(best.values.tolist(), names, strict=True)):
            mark = text["right"].format(f"{value:.2f}") if name == style.readable(true) else f"{value:.2f}"
            ax.annotate(mark, (value, row), (4, -3), textcoords="offset points", size=style.SMALL)
        ax.set_yticks(range(SHOWN), names)
        ax.invert_yaxis()
        ax.tick_params(left=False)
        ax.set_xlim(0, 1)
        start = max(0, position - 12)
        ax.set_title(f"{line[start:position]}▢{line[position + 1 : position + 12]}")
    axes[-1].set_xlabel(text["x"])
    return figure
