"""Tokens as boxes in a row, for the figures of this part."""

import unicodedata

from matplotlib.patches import Rectangle

from snippets.figures import style

#: What a text is cut into has one colour, whichever the figure.
WORD, SUBWORD, LETTER, MORPHEME, BYTE = style.KEY, style.VALUE, style.QUERY, style.OUTPUT, style.WEIGHT
HEIGHT = 17


def readable(token):
    """A token as text, with its space as ␣; bytes that are no whole character in hexadecimal."""
    try:
        text = token.decode() if isinstance(token, bytes) else token
    except UnicodeDecodeError:
        return token.hex(" ").upper()
    return text.replace(" ", "␣")


def width(text):
    """Points that a text of the smallest labels takes, about: the reader's own font draws it."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return style.SMALL * (wide + 0.6 * (len(text) - wide))


def row(ax, tokens, x, y, *, colour, room=4, pale=()):
    """Boxes from left to right, as wide as their texts and ``room``; those of ``pale`` have the palest colour."""
    for i, token in enumerate(tokens):
        text = readable(token)
        size = width(text) + room
        alpha = style.PALEST if i in pale else 0.6 * style.DEEPEST
        ax.add_patch(Rectangle((x + 0.5, y), size - 1, HEIGHT, color=colour, alpha=alpha, lw=0))
        ax.text(x + size / 2, y + HEIGHT / 2 + 0.36 * style.SMALL, text, ha="center", size=style.SMALL)
        x += size
    return x
