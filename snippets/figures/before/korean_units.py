"""A short sentence in units of five sizes: words, morphemes, syllables, letters, bytes."""

import unicodedata

from snippets.before.korean_tokens import analyzer
from snippets.figures import style

SHOWS_KOREAN = True  # in both languages: it is what is cut
SENTENCE = "국민은 권리를 가진다"

TEXT = {
    "ko": {
        "words": "어절 {}개",
        "morphemes": "형태소 {}개",
        "syllables": "글자 {}개(음절과 빈칸)",
        "letters": "자모와 빈칸 {}개",
        "bytes": "UTF-8 바이트 {}개",
    },
    "en": {
        "words": "{} words",
        "morphemes": "{} morphemes",
        "syllables": "{} characters: syllables and spaces",
        "letters": "{} letters and spaces",
        "bytes": "{} bytes of UTF-8",
    },
}


def draw(text):
    encoded = [bytes([byte]) for byte in SENTENCE.encode()]
    cuts = [
        ("words", SENTENCE.split(), style.WORD),
        ("morphemes", [token.form for token in analyzer().tokenize(SENTENCE)], style.MORPHEME),
        ("syllables", list(SENTENCE), style.LETTER),
        ("letters", list(unicodedata.normalize("NFD", SENTENCE)), style.SUBWORD),
        ("bytes", encoded, style.BYTE),
    ]
    in_one_row = 15  # of bytes
    figure, ax = style.canvas(45 * len(cuts) + 22)
    for i, (unit, tokens, colour) in enumerate(cuts):
        y = 45 * i
        ax.text(4, y + 14, text[unit].format(len(tokens)), weight="bold", color=colour, size=style.SMALL)
        if unit != "bytes":
            style.boxes(ax, tokens, 4, y + 19, colour=colour, room=3)
            continue
        style.boxes(ax, tokens[:in_one_row], 4, y + 19, colour=colour, room=8)
        style.boxes(ax, tokens[in_one_row:], 4, y + 39, colour=colour, room=8)
    return figure
