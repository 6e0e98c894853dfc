"""Figures of the book, one module each. ``python -m snippets.figures`` draws them."""
