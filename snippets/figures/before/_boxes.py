"""Tokens as boxes in a row, for the figures of this part."""

import unicodedata

from matplotlib.patches import Rectangle

from snippets.figures import style

#: What a text is cut into has one colour, whichever the figure.
WORD, SUBWORD, LETTER, MORPHEME, BYTE = style.KEY, style.VALUE, style.QUERY, style.OUTPUT, style.WEIGHT
HEIGHT = 17


def readable(token):
    """A token as text: its space as ␣, letters of a syllable as they stand alone, what is no character as bytes."""
    try:
        text = token.decode() if isinstance(token, bytes) else token
    except UnicodeDecodeError:
        return token.hex(" ").upper()
    return "".join(map(_alone, text)).replace(" ", "␣")


def _alone(letter):
    if not "\u1100" <= letter <= "\u11ff":
        return letter
    return unicodedata.lookup("HANGUL LETTER " + unicodedata.name(letter).split()[-1])


def width(text):
    """Points that a text of the smallest labels takes, about: the reader's own font draws it."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return style.SMALL * (wide + 0.6 * (len(text) - wide))


def row(ax, tokens, x, y, *, colour, room=4, fixed=None, pale=False):
    """Boxes from left to right, each ``fixed`` wide or as wide as its text and ``room``. Returns where they end."""
    alpha = style.PALEST if pale else 0.6 * style.DEEPEST
    for token in tokens:
        text = readable(token)
        size = fixed or width(text) + room
        ax.add_patch(Rectangle((x + 0.5, y), size - 1, HEIGHT, color=colour, alpha=alpha, lw=0))
        ax.text(x + size / 2, y + HEIGHT / 2 + 0.36 * style.SMALL, text, ha="center", size=style.SMALL)
        x += size
    return x
