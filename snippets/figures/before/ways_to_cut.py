"""One sentence in two languages, cut into words, into subwords and into letters."""

import functools

from snippets.before.byte_pair_encoding import BYTES, BytePairEncoding
from snippets.before.corpus import declaration
from snippets.figures import style

SHOWS_KOREAN = True  # in both languages: it is what is cut
VOCAB_SIZE = 800
ARTICLE_26 = 78  # the line whose first sentence is cut

TEXT = {
    "ko": {"words": "단어 {}개", "subwords": "서브워드 {}개", "letters": "글자 {}개"},
    "en": {"words": "{} words", "subwords": "{} subwords", "letters": "{} characters"},
}


@functools.cache
def trained():
    return BytePairEncoding(declaration("ko") + declaration("en"), VOCAB_SIZE)


def sentence(language):
    return declaration(language)[ARTICLE_26].partition(".")[0] + "."


def numbers():
    """For whoever touches it: the sentences, and each merge as the ids of the left, the right and the new token."""
    ids = trained().ids
    merges = [[ids[left], ids[right], ids[left + right]] for left, right in trained().merges]
    return {"sentences": {language: sentence(language) for language in TEXT}, "bytes": len(BYTES), "merges": merges}


def draw(text, width=style.WIDTH):
    tokenizer = trained()
    figure, ax = style.canvas(266, width)
    y, end = 0, width * 72
    for language in sorted(TEXT, key=lambda one: text is not TEXT[one]):  # that of the page first
        line = sentence(language)
        cuts = {"words": line.split(), "subwords": tokenizer.cut(line), "letters": list(line)}
        for (kind, tokens), colour in zip(cuts.items(), (style.WORD, style.SUBWORD, style.LETTER), strict=True):
            ax.text(4, y + 14, text[kind].format(len(tokens)), weight="bold", color=colour, size=style.SMALL)
            form = {"room": 3 if kind == "letters" else 6, "end": end}
            y += 42 + style.boxes(ax, tokens, 4, y + 19, colour=colour, **form)
        y += 12
    figure.set_figheight(max(266, y - 10) / 72)
    ax.set_ylim(max(266, y - 10), 0)
    return figure
