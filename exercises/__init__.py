"""Exercises: the book's modules with their bodies taken out, and checks that say what is right, stage by stage.

``pytest exercises/attention`` writes the blanks of a part that are missing, ``exercises/attention/*.py``, and checks
what stands in them. In a notebook, ``check(scaled_dot_product_attention)`` checks what a cell defines. ``speak``
chooses the language of what they say. ``case`` gives what a check that failed had called, to try it in Python.
"""

import warnings

from exercises.language import speak

warnings.filterwarnings("ignore", "Failed to initialize NumPy")  # torch's, as it is loaded: nothing here needs it

__all__ = ["case", "check", "speak"]


def __getattr__(name: str):
    """What needs torch is loaded when it is asked for: to begin a file takes no time so."""
    if name not in ("case", "check"):
        raise AttributeError(name)
    from exercises import checking

    return getattr(checking, name)
