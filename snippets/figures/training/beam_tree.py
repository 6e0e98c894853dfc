"""The hypotheses of a beam search, for a date whose day of the week is missing: the model hesitates."""

import functools

import torch

from snippets.figures import style
from snippets.training.decoding import beam_search, greedy, without_padding
from snippets.training.translator import DATE_VOCAB, trained

#: March 5, 2024
SENTENCE = ["March", "5", ",", *"2024"]
SIZE, MOST, LEVELS = 2, 16, 6
SHOWS_KOREAN = True  # in both languages: the hypotheses are Korean

TEXT = {
    "ko": {"length": "길이", "kept": "남은 후보", "pruned": "버린 후보", "greedy": "탐욕적", "beam": "빔"},
    "en": {"length": "length", "kept": "kept", "pruned": "pruned", "greedy": "greedy", "beam": "beam"},
}


@functools.cache
def searched():
    """By length, what could be kept: {ids: log-probability}, and the two sentences."""
    model = trained("dates").model
    src = torch.tensor([DATE_VOCAB.encode(SENTENCE)])
    (first,) = greedy(model, src, MOST).tolist()
    decode, seen = model.decode, []

    def watched(tgt, memory, source):
        logits = decode(tgt, memory, source)
        seen.append((tgt.tolist(), without_padding(logits[:, -1], model.pad_id).log_softmax(dim=-1)))
        return logits

    model.decode = watched
    best, _ = beam_search(model, src, SIZE, MOST)
    levels, totals = [], {(1,): 0.0}
    for beam, log_p in seen:
        level = {}
        for ids, row in zip(beam, log_p, strict=True):
            for p, i in zip(*map(torch.Tensor.tolist, row.topk(SIZE)), strict=True):
                level[*ids, i] = totals[tuple(ids)] + p
        levels.append(dict(sorted(level.items(), key=lambda one: -one[1])))
        totals |= level
    return levels, best, first


def draw(text, width=style.WIDTH):
    levels, best, first = searched()
    row, top, left = 27, 34, 44 if width == style.WIDTH else 32
    figure, ax = style.canvas(top + LEVELS * row + 34, width)
    column = (width * 72 - left) / (2 * SIZE)
    for name, x, colour in (("kept", left, style.WEIGHT), ("pruned", left + SIZE * column, style.FAINT)):
        ax.text(x + column / 2 - 18, 13, text[name], color=colour, weight="bold")
    ax.text(2, 13, text["length"], size=style.SMALL, color=style.FAINT)
    at = {}
    for length, level in enumerate(levels[:LEVELS], start=1):
        y = top + (length - 1) * row
        ax.text(2, y + 4, f"{length}", size=style.SMALL, color=style.FAINT)
        for place, (ids, total) in enumerate(level.items()):
            x = left + (place + 0.5) * column
            at[ids] = x, y
            kept, on_path = place < SIZE, list(ids[1:]) == best[:length]
            if ids[:-1] in at:
                above = at[ids[:-1]]
                colour, thick = (style.WEIGHT, 2.4) if on_path else (style.FAINT, 0.8)
                dashes = "-" if kept else (0, (3, 2))
                ax.plot([above[0], x], [above[1] + 8, y - 7], color=colour, lw=thick, ls=dashes)
            written = f"{DATE_VOCAB.tokens[ids[-1]]}  {total:z.2f}".replace("-", "−")
            weight, colour = ("bold", style.WEIGHT) if on_path else ("normal", style.INK if kept else style.FAINT)
            ax.text(x, y + 4, written, ha="center", size=style.SMALL, weight=weight, color=colour)
    for number, (name, ids) in enumerate((("greedy", first), ("beam", best))):
        y = top + LEVELS * row + 4 + 15 * number
        weight = "bold" if name == "beam" else "normal"
        ax.text(2, y, text[name], size=style.SMALL, color=style.FAINT)
        ax.text(left + 8, y, "".join(DATE_VOCAB.decode(ids)), size=style.SMALL, weight=weight)
    return figure
