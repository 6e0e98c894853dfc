"""A date and its translation on the home page, where it plays: each token comes with what it attends to."""

from snippets.figures.translated import SHOWS_KOREAN, TEXT, draw

__all__ = ["SHOWS_KOREAN", "TEXT", "draw"]
