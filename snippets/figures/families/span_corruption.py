"""A sentence with hidden spans, and the input and the target that are made of it."""

import unicodedata

from torch import Generator

from snippets.before.corpus import declaration
from snippets.families.span_corruption import corrupt_spans
from snippets.figures import style
from snippets.figures.labels import language_of

ARTICLE_1, SEED = 13, {"ko": 2, "en": 2}
RATE, LENGTH = 0.3, 2.0  # more than 15 %: it is a short text
COLOURS = (style.QUERY, style.KEY, style.VALUE, style.OUTPUT, style.WEIGHT)

TEXT = {
    "ko": {"text": "원문", "source": "입력", "target": "타깃"},
    "en": {"text": "text", "source": "input", "target": "target"},
}


def numbered(tokens):
    """Each token of a target with the number of its span."""
    number = -1
    for token in tokens:
        number += token.startswith("<extra_id_")
        yield token, number


def flow(ax, tokens, y):
    """Tokens with their colours (none: faint) in as many lines as they need. Returns where the next block begins."""
    x = 4
    for token, colour in tokens:
        wide = sum(unicodedata.east_asian_width(c) in "WF" for c in token)
        size = style.SMALL * (wide + 0.56 * (len(token) - wide)) + 6
        if x + size > style.WIDTH * 72 - 4:
            x, y = 4, y + 20
        label = token.replace("_", "_\u200b")  # or what follows would be set low
        style.boxes(ax, [label], x, y, colour=colour or style.FAINT, width=size, pale=colour is None)
        x += size
    return y + 30


def draw(text):
    language = language_of(text, TEXT)
    tokens = declaration(language)[ARTICLE_1].split()
    source, target = corrupt_spans(tokens, Generator().manual_seed(SEED[language]), RATE, LENGTH)
    target_colours = [(token, COLOURS[number % 5]) for token, number in numbered(target)]
    of_sentinel = {token: colour for token, colour in target_colours if token.startswith("<extra_id_")}
    source_colours = [(token, of_sentinel.get(token)) for token in source]
    whole = []
    for token, colour in source_colours:
        span = [word for word, other in target_colours if other == colour and word not in of_sentinel]
        whole += [(word, colour) for word in span] if token in of_sentinel else [(token, None)]
    figure, ax = style.canvas(246)
    y = 0
    for name, row in (("text", whole), ("source", source_colours), ("target", target_colours)):
        ax.text(4, y + 14, text[name], weight="bold")
        y = flow(ax, row, y + 20)
    return figure
