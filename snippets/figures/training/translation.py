"""A date and its translation, token by token: how probable each was, and where the model looked for it."""

from snippets.figures.translated import SHOWS_KOREAN, TEXT, draw

__all__ = ["SHOWS_KOREAN", "TEXT", "draw"]
