"""The figures of the book, one module each, by part. ``python -m book figures`` draws them."""

from importlib import import_module


def show(name: str) -> None:
    """In a notebook, display a figure, part/name, in the language of the notebook."""
    style = import_module("snippets.figures.style")  # it loads what draws, which not everybody needs who looks in here
    style.show(import_module(f"snippets.figures.{name.replace('/', '.')}"))
