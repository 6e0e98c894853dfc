"""Where the two heads of an induction circuit look in one sequence."""

from snippets.families.in_context_learning import (
    TOKENS,
    attention_weights,
    induction_scores,
    previous_scores,
)
from snippets.families.mapping_learner import learner, evaluation_set
from snippets.figures import style

LENGTH = 11  # up to a letter

TEXT = {
    "ko": {"previous": "층 {}, 헤드 {}: 바로 앞의 토큰", "induction": "층 {}, 헤드 {}: 같은 글자의 다음 토큰"},
    "en": {
        "previous": "layer {}, head {}: the token before",
        "induction": "layer {}, head {}: what followed the letter",
    },
}


def example(ids):
    """The first sequence that, within LENGTH, asks for three letters again, of different kinds."""
    for row in ids[:, :LENGTH]:
        letters = row[::2].tolist()
        again = {x for i, x in enumerate(letters) if x in letters[:i]}
        if len(again) >= 2 and letters[-1] in letters[:-2]:
            return row
    raise ValueError("no sequence asks again")


def draw(text):
    model, ids = learner(), evaluation_set(200)
    row = example(ids)
    weights = attention_weights(model, row.unsqueeze(0))[0]
    tokens = [TOKENS[i] for i in row]
    size = (25, 15)
    height = LENGTH * size[1]
    figure, ax = style.canvas(2 * (height + 44))
    for number, (name, score) in enumerate([("previous", previous_scores), ("induction", induction_scores)]):
        layer, head = divmod(score(model, ids).argmax().item(), weights.size(1))
        top = 22 + number * (height + 44)
        shown = weights[layer, head]
        form = {"rows": tokens, "columns": tokens, "size": size, "colour": style.WEIGHT, "depth": shown}
        style.cells(ax, shown, 30, top, show=lambda w: f"{w:.1f}".replace("0.", ".") if w >= 0.15 else "", **form)
        ax.text(4, top - 8, text[name].format(layer, head), weight="bold")
    return figure
